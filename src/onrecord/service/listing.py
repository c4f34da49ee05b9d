"""Listing sessions: page by page, and in words that say how each one stands."""

from __future__ import annotations

from collections.abc import Callable

from onrecord.domain import time
from onrecord.domain.ports import Transaction
from onrecord.domain.session import Session

#: What a session can be asked for by. `lost`: its agent went away without a word.
STATES = ("running", "ended", "lost")

#: why a session ended -> what a person is told
_ENDS = {
    "clear": "cleared",
    "gone": "lost: its agent is gone",
    "joined": "joined to another",
    "left": "left for another session",
    "logout": "logged out",
    "prompt_input_exit": "left by its user",
    "resume": "left for another session",
}


def state_of(session: Session) -> str:
    """One of STATES."""
    if session.ended_at is None:
        return "running"
    return "lost" if session.end_reason == "gone" else "ended"


def told_state(session: Session) -> str:
    """How a session stands, in words."""
    if session.ended_at is None:
        return "running"
    return _ENDS.get(session.end_reason, "ended")


def counted(number: int, what: str) -> str:
    """`1 prompt`, `2 prompts`, `no prompt`."""
    return f"{number or 'no'} {what}{'s' if number > 1 else ''}"


def ago(passed: int) -> str:
    """A span of microseconds that lies behind, in the largest unit that fits."""
    for unit, word in ((time.DAY, "day"), (time.HOUR, "hour"), (time.MINUTE, "minute")):
        if passed >= unit:
            return f"{counted(passed // unit, word)} ago"
    return "just now"


def page(
    tx: Transaction,
    *,
    repo: str | None,
    agent: str | None,
    fits: Callable[[Session], bool],
    after: str,
    limit: int,
) -> list[Session]:
    """Sessions that fit, latest event first, behind the one called `after`."""
    last = tx.sessions.get(after) if after else None
    behind = (last.last_event_at, last.id) if last is not None else None
    wanted = 4 * limit
    while True:
        rows = tx.sessions.recent(repo=repo, agent=agent, limit=wanted)
        found = [
            row
            for row in rows
            if (behind is None or (row.last_event_at, row.id) < behind) and fits(row)
        ]
        if len(found) >= limit or len(rows) < wanted:
            return found[:limit]
        wanted *= 4
