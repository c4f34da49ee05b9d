"""Which sessions are owed a summary: those that ended, and those whose context was compacted.

Nothing is queued: what is owed is the difference between the sessions as they are recorded and
what was dealt with, so that a crash at any moment leaves it owed.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable, Mapping

from onrecord.domain import time
from onrecord.domain.session import Session
from onrecord.service.summary_reports import Owed
from onrecord.service.summary_state import Note

__all__ = ["TRIES", "WAIT", "Note", "owed", "written_at"]

#: Tries of one session before a person has to ask for it.
TRIES = 3

_OPEN_TO_OTHERS = stat.S_IWGRP | stat.S_IWOTH
_ROOT = 0

#: How long the second try waits; each further one waits twice as long.
WAIT = 5 * time.MINUTE


def written_at(file: str) -> int | None:
    """When a settings file was last changed, in microseconds.

    None for one that anybody but the user could have written, or put in its place: where its
    group or others may write to it, to its folder, or to the one that a link leads to.
    """
    folders = {os.path.dirname(one) for one in (file, os.path.realpath(file))}  # noqa: PTH120
    try:
        found = os.stat(file)  # noqa: PTH116 - a plain string
        around = [os.stat(folder) for folder in folders]  # noqa: PTH116 - the same
    except (OSError, ValueError):
        return None
    us = os.getuid()
    is_ours = stat.S_ISREG(found.st_mode) and found.st_uid == us
    is_ours = is_ours and all(folder.st_uid in (us, _ROOT) for folder in around)
    is_open = any(one.st_mode & _OPEN_TO_OTHERS for one in (found, *around))
    return found.st_mtime_ns // 1_000 if is_ours and not is_open else None


def owed(
    sessions: Iterable[Session],
    notes: Mapping[str, Note],
    size: Callable[[Session], int],
    *,
    since: int,
    now: int,
) -> list[Owed]:
    """What is owed, oldest session first; `size` says how long a session's transcript is."""
    found: list[Owed] = []
    for session in sorted(sessions, key=lambda one: one.id):
        note = notes.get(session.id, Note())
        if session.last_event_at < since or not _is_due(session, note, size):
            continue
        found.append(
            Owed(session=session, state=_state(note, now), tries=note.tries, why=note.why)
        )
    return found


def _is_due(session: Session, note: Note, size: Callable[[Session], int]) -> bool:
    if session.ended_at is None:
        return session.compactions > note.compactions
    return size(session) > note.size


def _state(note: Note, now: int) -> str:
    if note.tries >= TRIES:
        return "given_up"
    if note.tries and now < note.at + WAIT * 2 ** (note.tries - 1):
        return "waits"
    return "owed"
