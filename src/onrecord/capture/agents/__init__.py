"""The agent CLIs that onrecord knows, each loaded when it is asked for."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from onrecord.capture.agents.base import AgentSpec

#: What can be connected: name -> (module beside this one, name of its spec there).
REGISTRY = {
    "claude-code": ("claude_code", "SPEC"),
    "codex": ("codex", "SPEC"),
    "gemini-cli": ("gemini_cli", "SPEC"),
    "opencode": ("opencode", "SPEC"),
    "copilot-cli": ("copilot_cli", "SPEC"),
    "cursor": ("editors", "CURSOR"),
    "vscode": ("editors", "VSCODE"),
    "zed": ("editors", "ZED"),
    "windsurf": ("editors", "WINDSURF"),
    "claude-desktop": ("editors", "CLAUDE_DESKTOP"),
}

#: Every program of theirs by file name, for whoever has no time to load them all.
PROGRAMS = frozenset(
    (
        *("claude", "codex", "gemini", "opencode", "copilot", "cursor-agent"),
        *("claude.exe", "codex.exe", "opencode.exe", "copilot.exe"),
    )
)


def find(name: str, given: Mapping[str, object] | None = None) -> AgentSpec | None:
    """The agent CLI of that name, or None. `given`: the person's own tables by name.

    A name of ours cannot be given another meaning. Raises `UsageError` for a table that is
    not right.
    """
    place = REGISTRY.get(name)
    if place is not None:
        module, spec = place
        found: AgentSpec = getattr(__import__(f"{__name__}.{module}", fromlist=[spec]), spec)
        return found
    if given is None or name not in given:
        return None
    from onrecord.capture.agents.configured import read  # noqa: PLC0415 - only for those

    return read(name, given[name])


def connectable(given: Mapping[str, object] | None = None) -> tuple[AgentSpec, ...]:
    """Every agent CLI that can be connected, the person's own last."""
    names = (*REGISTRY, *(name for name in given or {} if name not in REGISTRY))
    return tuple(spec for name in names if (spec := find(name, given)) is not None)


def recognised(given: Mapping[str, object] | None = None) -> tuple[AgentSpec, ...]:
    """Every agent CLI that can be told among processes; a table that is not right is left out."""
    found = list(connectable())
    if given:
        found += _own(given, found)
    return tuple(spec for spec in found if spec.executables)


def _own(given: Mapping[str, object], known: list[AgentSpec]) -> list[AgentSpec]:
    from onrecord.domain.errors import UsageError  # noqa: PLC0415 - most people have none

    found: list[AgentSpec] = []
    for name in given:
        try:
            spec = find(name, given)
        except UsageError:
            continue  # whoever names this agent is told
        if spec is not None and spec not in known:
            found.append(spec)
    return found
