"""What summaries know of runs before: how far each session is, what is owed, what was sent.

None of it holds what was said. It stands in small private files beside the store.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import asdict, dataclass
from typing import Protocol, TypeGuard

from onrecord.capture.agents.base import as_list, as_mapping
from onrecord.service.summary_reports import Sent

#: Sessions whose progress is kept, and times of sending that are, the latest of each.
MAX_SESSIONS = 2_000
MAX_SENT = 500

_PROGRESS = "progress"
_OWED = "owed"
_SENT = "sent"


class Folder(Protocol):
    """Small private files beside the store."""

    def names(self) -> list[str]:
        """Their names."""
        ...

    def read(self, name: str) -> str:
        """The text of one, empty where it is not there."""
        ...

    def write(self, name: str, text: str) -> bool:
        """Keep one."""
        ...

    def drop(self, name: str) -> None:
        """Remove one."""
        ...

    def turn(self) -> AbstractContextManager[bool]:
        """Be the only one at work there; False where somebody else is, or it cannot be."""
        ...


@dataclass(frozen=True, kw_only=True, slots=True)
class Note:
    """What is known of one session's automatic summaries."""

    #: bytes of its transcript, and compactions, that were dealt with
    size: int = 0
    compactions: int = 0
    #: tries in vain since, when the last was, and why it ended
    tries: int = 0
    at: int = 0
    why: str = ""


class State:
    """The files, read when asked and written at once."""

    def __init__(self, folder: Folder) -> None:
        self._folder = folder

    def progress(self) -> dict[str, int]:
        """Session -> where in its transcript the next run goes on, in bytes."""
        return {name: n for name, n in as_mapping(self._read(_PROGRESS)).items() if _is_count(n)}

    def note_progress(self, session: str, then: int) -> bool:
        """Keep how far a session is; says if it could be."""
        known = {**self.progress(), session: then}
        return self._write(_PROGRESS, dict(sorted(known.items())[-MAX_SESSIONS:]))

    def since(self) -> int | None:
        """From when on sessions are owed a summary; None before that was noted."""
        found = as_mapping(self._read(_OWED)).get("since")
        return found if _is_count(found) else None

    def begin(self, since: int) -> None:
        """Sessions are owed a summary from then on, unless an earlier time was noted."""
        if self.since() is None:
            self._write(_OWED, {"since": since, "sessions": {}})

    def notes(self) -> dict[str, Note]:
        """Session -> what is known of it."""
        rows = as_mapping(as_mapping(self._read(_OWED)).get("sessions"))
        return {name: _note(as_mapping(row)) for name, row in rows.items()}

    def note(self, session: str, note: Note) -> bool:
        """Keep what is known of a session; says if it could be."""
        whole = as_mapping(self._read(_OWED))
        rows = {name: asdict(one) for name, one in self.notes().items()}
        rows[session] = asdict(note)
        kept = dict(sorted(rows.items())[-MAX_SESSIONS:])
        return self._write(_OWED, {"since": whole.get("since", 0), "sessions": kept})

    def sent(self) -> list[Sent]:
        """What was sent, oldest first."""
        return [_sent(as_mapping(row)) for row in as_list(self._read(_SENT))]

    def note_sent(self, sent: Sent) -> bool:
        """Keep that something is about to be sent; says if it could be."""
        rows = [asdict(one) for one in (*self.sent(), sent)[-MAX_SENT:]]
        return self._write(_SENT, [{k: v for k, v in row.items() if k != "text"} for row in rows])

    def _read(self, name: str) -> object:
        with suppress(ValueError, RecursionError):
            found: object = json.loads(self._folder.read(name) or "null")
            return found
        return None

    def _write(self, name: str, value: Mapping[str, object] | Sequence[object]) -> bool:
        return self._folder.write(name, json.dumps(value, separators=(",", ":")))


def _is_count(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _count(row: Mapping[str, object], name: str) -> int:
    found = row.get(name)
    return found if _is_count(found) else 0


def _word(row: Mapping[str, object], name: str) -> str:
    found = row.get(name)
    return found[:128] if isinstance(found, str) else ""


def _note(row: Mapping[str, object]) -> Note:
    numbers = {name: _count(row, name) for name in ("size", "compactions", "tries", "at")}
    return Note(why=_word(row, "why"), **numbers)


def _sent(row: Mapping[str, object]) -> Sent:
    return Sent(
        at=_count(row, "at"),
        session=_word(row, "session"),
        start=_count(row, "start"),
        messages=_count(row, "messages"),
        tokens=_count(row, "tokens"),
        max_tokens=_count(row, "max_tokens"),
        print=_word(row, "print"),
    )
