"""Erasing what sessions were asked and did; their rows stay, with ids and times."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from onrecord.domain.session import Session
from onrecord.service.work import Work

#: Kind of the outbox entries of sessions that are to be closed.
CLOSE = "close"

#: More entries than a store will ever have.
_ALL = 1_000_000


def blank(work: Work, session: str) -> None:
    """Erase what a session was asked and made so far; it may go on.

    Its end looks for commits from where it stands then, so that none of these comes back.
    """
    row = work.tx.sessions.get(session)
    if row is not None:
        work.tx.sessions.put(_blanked(row))


def forget(work: Work, sessions: Sequence[Session]) -> None:
    """Erase sessions for good: nothing more of them is taken in, read, or handed over.

    Where their transcripts lie goes too, and so do the queries of what was delivered into them.
    """
    gone = {row.id for row in sessions}
    for row in sessions:
        work.tx.sessions.put(replace(_blanked(row), transcript="", forgotten=True))
        work.tx.deliveries.blank_queries("", session=row.id)
    owed = work.tx.outbox.due(CLOSE, _ALL) if gone else []
    work.tx.outbox.done([entry for entry, session, _ in owed if session in gone])


def _blanked(row: Session) -> Session:
    return replace(row, first_prompt="", last_prompt="", head_start="", commits=(), diff_stat="")
