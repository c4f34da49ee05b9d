"""Who a program acts for, as it claims; the claim is weighed when a store opens."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Principal:
    """For whom a program writes and reads."""

    #: person · agent
    kind: str
    name: str
    #: the agent's own id of its session
    session: str = ""

    @classmethod
    def person(cls, name: str) -> Principal:
        """A person by name. Refused in a process that runs under an agent."""
        return cls("person", name)

    @classmethod
    def agent(cls, name: str, *, session: str = "") -> Principal:
        """An agent by name, and its session where it has one."""
        return cls("agent", name, session)
