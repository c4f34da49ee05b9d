"""What recall and packs read of a store: plain rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from onrecord.domain.candidate import Candidate
from onrecord.domain.query import LexicalQuery


class Shelf(Protocol):
    """Reading for recall and packs: plain rows, nothing that costs an import (light)."""

    def standing(
        self, scopes: Sequence[str], *, now: int, body_chars: int, limit: int
    ) -> list[Candidate]:
        """Active, valid and unexpired items of the scopes.

        Pinned ones, rules and preferences first, then all others; the newest first of each.
        """
        ...

    def matching(self, query: LexicalQuery, *, body_chars: int) -> list[Candidate]:
        """Active, valid and unexpired items with any of the terms, best match first."""
        ...

    def beside(
        self, items: Sequence[str], scopes: Sequence[str], *, now: int, reach: int, body_chars: int
    ) -> list[Candidate]:
        """Live items of the scopes that were kept next to one of the items in its session.

        Up to `reach` before it and as many after it, by the session of current versions; none
        of the items themselves. In the order of their ids.
        """
        ...

    def waiting(self, scopes: Sequence[str] | None, *, now: int) -> int:
        """How many proposals wait in those scopes (None: everywhere); expired ones do not."""
        ...

    def flagged(self, starts: Sequence[str]) -> int:
        """How many active items carry a flag that starts like one of those."""
        ...

    def shown(self, session_agent: str, agent_session: str) -> dict[str, int]:
        """`Deliveries.shown` by the agent's own session id."""
        ...

    def printed(
        self, delivery: str
    ) -> tuple[int, int, list[tuple[str, int, int, int, str]]] | None:
        """(budget, tokens, (item, version, rank, tokens, why)s shown) of a pack that was printed.

        None for a delivery that went into a session, and for none. `why` of what is shown says
        that it is a handoff on offer, or nothing.
        """
        ...

    def open_handoffs(
        self, repo: str, branch: str, *, now: int, limit: int
    ) -> list[tuple[Candidate, str, str, str, str]]:
        """(item, from agent, to agent, branch, HEAD then) of handoffs that nobody has.

        Those of the same branch first; automatic ones of runs that nobody sat at after all
        others; then the newest first.
        """
        ...

    def reminders(
        self, scopes: Sequence[str], *, now: int, limit: int
    ) -> list[tuple[Candidate, list[str]]]:
        """(item, paths that it is linked to) of reminders that are due, oldest first.

        Those that are live (a date is the start of an item's valid time), and whose current
        version no delivery has put into a session.
        """
        ...

    def cited(self, items: Sequence[str]) -> list[tuple[str, str, int, bytes]]:
        """(item, pointer, version, digest) of the items' citations of files, oldest first."""
        ...

    def friction(self, session_agent: str, agent_session: str) -> tuple[int, int, bool]:
        """(failures, corrections, asked already) of a session; zeros for an unknown one."""
        ...

    def recent_sessions(
        self, repo: str, *, before: str, limit: int
    ) -> list[tuple[str, int, int | None, str, str, str, str, str, tuple[str, ...]]]:
        """(agent, start, end, first and last prompt, diff stat, id, agent's id, commits)s.

        The newest first.
        """
        ...

    def unfinished(self, repo: str, *, limit: int) -> list[tuple[str, str, int, int]]:
        """(agent, its own id, process, start of the process), newest event first.

        Of the latest `limit` sessions of a repository: those that have not ended and whose
        process is known, and with process 0 those that ended and are still to be closed.
        """
        ...

    def approvals(self, since: int, *, limit: int) -> list[tuple[str, str, str]]:
        """(item, user, way) of approvals after an instant, newest first.

        `way` is what proved the person: `at a terminal`, `at a terminal with agent variables`,
        or the channel's name.
        """
        ...

    def setting(self, name: str, scopes: Sequence[str]) -> str | None:
        """The setting of the first scope in the list that has one."""
        ...

    def renamed(self) -> Mapping[str, str]:
        """`Scopes.renamed`."""
        ...
