"""Agent CLIs by the names that people and agents give them; every door asks here.

Some go by a shorter name. A person's own tables describe more of them, so whoever looks a name
up brings those tables along.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from onrecord.capture import agents
from onrecord.capture.agents.base import AgentSpec
from onrecord.domain.errors import UsageError

#: What people call some of them.
SHORT = {"claude": "claude-code", "gemini": "gemini-cli", "copilot": "copilot-cli"}


def whole_name(name: str) -> str:
    """The name that is on record, for a shorter one; any other as it is."""
    return SHORT.get(name.strip().lower(), name)


def _alike(name: str) -> str:
    """A name as it is compared: however people space it and write its letters."""
    return " ".join(name.casefold().replace("-", " ").replace("_", " ").split())


@dataclass(frozen=True, kw_only=True, slots=True)
class Ignored:
    """A table of the person's configuration that is not read."""

    name: str
    why: str
    #: what to do
    fix: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Roster:
    """The known agent CLIs, and those of the person's own configuration."""

    #: tables by name, as the configuration has them
    own: Mapping[str, object] | None = None

    def find(self, name: str) -> AgentSpec | None:
        """The one of that name, or None; raises `UsageError` for a table that is not right.

        The name on record, a shorter one, or the title that the agent shows (`Claude Code`).
        """
        found = agents.find(whole_name(name), self.own)
        if found is None and _alike(name):
            named = (
                spec
                for spec in self.connectable()
                if _alike(name) in (_alike(spec.name), _alike(spec.title))
            )
            found = next(named, None)
        return found

    def named(self, name: str) -> AgentSpec:
        """The one of that name; raises `UsageError`, which names all that there are."""
        spec = self.find(name)
        if spec is None:
            raise UsageError(
                f"There is no agent CLI of that name; onrecord knows {', '.join(self.names())}."
            )
        return spec

    def names(self) -> tuple[str, ...]:
        """Every name, the person's own last."""
        ignored = {one.name for one in self.ignored()}
        return (*agents.REGISTRY, *(name for name in self.own or {} if name not in ignored))

    def connectable(self) -> tuple[AgentSpec, ...]:
        """Every one, without those whose table is not right: `ignored` names them."""
        found = (agents.find(name, self.own) for name in self.names())
        return tuple(spec for spec in found if spec is not None)

    def ignored(self) -> tuple[Ignored, ...]:
        """The person's own tables that stand for no agent, and why."""
        return tuple(one for name in self.own or {} if (one := self._ignored(name)) is not None)

    def _ignored(self, name: str) -> Ignored | None:
        whole = whole_name(name)
        if whole in agents.REGISTRY:
            what = "of an agent that" if whole == name else f"short for {whole}, which"
            return Ignored(
                name=name,
                why=f"[agents.{name}]: that name is {what} onrecord knows already, so the table"
                " is not read.",
                fix="Give yours another name in your configuration file, or remove it.",
            )
        try:
            agents.find(name, self.own)
        except UsageError as error:
            return Ignored(name=name, why=error.message, fix=error.hint)
        return None
