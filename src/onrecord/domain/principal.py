"""Who acts, through which channel, and what proves it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

#: The kinds of writers (product.md): authority follows the kind, never the payload.
WRITERS = ("person", "agent", "import", "file", "webhook", "summariser", "system")

#: The ways in. A channel is set by the door that was used, never by an argument.
CHANNELS = (
    "terminal",
    "python",
    "mcp",
    "hook",
    "import",
    "file",
    "webhook",
    "summariser",
    "rest",
    "dashboard",
    "system",
)

#: The agent name of scripts, cron jobs and CI.
SCRIPT = "script"


@dataclass(frozen=True, kw_only=True, slots=True)
class Principal:
    """One acting party, as a channel proved it."""

    #: one of WRITERS
    writer: str
    #: one of CHANNELS
    channel: str
    #: the person's name, or the account an agent works for
    user: str = ""
    #: agent CLI name (`claude-code`, `codex`, `script`), empty for a person
    agent: str = ""
    model: str = ""
    #: id of the row in `sessions`, empty where there is none
    session: str = ""
    org: str = ""
    role: str = ""
    #: an agent session without a person at it, or with permissions bypassed: only proposes
    headless: bool = False
    #: the person typed a key on their own terminal for this very command
    confirmed: bool = False
    #: what was weighed: terminal, ancestors, variables (names, never values)
    proof: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def is_person(self) -> bool:
        """Whether the channel proved a person."""
        return self.writer == "person"

    @property
    def name(self) -> str:
        """What messages call this party: the person's or the agent's name."""
        return self.user if self.is_person else (self.agent or self.writer)

    @classmethod
    def person(cls, user: str, *, channel: str = "python", confirmed: bool = False) -> Principal:
        """A person. Doors call this only after weighing the evidence of their channel."""
        return cls(writer="person", channel=channel, user=user, confirmed=confirmed)

    @classmethod
    def for_agent(
        cls,
        agent: str,
        *,
        session: str = "",
        channel: str = "python",
        user: str = "",
        headless: bool = False,
    ) -> Principal:
        """An agent session."""
        return cls(
            writer="agent",
            channel=channel,
            agent=agent,
            session=session,
            user=user,
            headless=headless,
        )

    def same_party(self, other: Principal) -> bool:
        """Whether both are the same person, or the same agent: a user is not their agent."""
        if self.is_person or other.is_person:
            return self.is_person and other.is_person and self.user == other.user
        return (self.writer, self.agent) == (other.writer, other.agent)
