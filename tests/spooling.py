"""Hooks' records for tests: what a hook would have spooled, event by event."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from desk import BRANCH, REPO
from onrecord.capture import process, spool

if TYPE_CHECKING:
    from pathlib import Path

    from desk import Desk
    from onrecord.domain.session import Handoff, Session
    from onrecord.service.intake import Intake


def living() -> tuple[int, int]:
    """A process that is there: this one."""
    own = process.find(os.getpid())
    assert own is not None
    return own.pid, own.started


class Hooks:
    """Writes records as hooks do, a second after one another, and has them taken in."""

    def __init__(self, desk: Desk, folder: Path) -> None:
        self.desk = desk
        self.folder = str(folder / "memory.db.spool")
        self.intake: Intake = desk.memory.intake(self.folder)

    def tell(
        self, event: str, session: str = "a", client: str = "claude-code", **more: Any
    ) -> str:
        """One record; it stands in the shop's repository unless told otherwise."""
        at = self.desk.clock.advance()
        record = {
            "v": 1,
            "client": client,
            "session": session,
            "event": event,
            "at": at,
            "repo": REPO,
            "branch": BRANCH,
            **more,
        }
        return spool.write(self.folder, record, at=at)

    def start(self, session: str = "a", source: str = "startup", **more: Any) -> None:
        """A session starts."""
        self.tell("session_start", session, source=source, **more)

    def prompt(self, text: str, session: str = "a", **more: Any) -> None:
        """A person's prompt."""
        self.tell("prompt", session, prompt=text, human=True, **more)

    def end(self, session: str = "a", reason: str = "other", **more: Any) -> None:
        """A session ends."""
        self.tell("session_end", session, reason=reason, **more)

    def drain(self) -> int:
        """Take in what waits, a second later."""
        self.desk.clock.advance()
        return self.intake.drain()

    def session(self, session: str = "a", client: str = "claude-code") -> Session:
        """A session's row; it must be there."""
        with self.desk.store.read() as tx:
            found = tx.sessions.by_agent_session(client, session)
        assert found is not None
        return found

    def sessions(self) -> list[Session]:
        """All rows, latest event first."""
        with self.desk.store.read() as tx:
            return tx.sessions.recent(limit=50)

    def handoffs(self, *statuses: str) -> list[Handoff]:
        """Handoffs in those states (all of them without any), newest first."""
        with self.desk.store.read() as tx:
            return tx.handoffs.recent(statuses=statuses or None, limit=50)
