"""OpenCode: messages and their parts in a SQLite database, read in place while it is in use.

All its sessions lie in one file, so the session's id is needed. The place where reading goes on
is a message's time in milliseconds. A page of messages is taken at a time, so that no question
stays open while somebody reads.
"""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime

import apsw

from onrecord.capture.agents.base import as_mapping
from onrecord.capture.formats.foreign_database import ForeignDatabase, guard
from onrecord.capture.transcripts.message import (
    ASSISTANT,
    COMPACTION,
    USER,
    Message,
    text_of,
    without_block,
)

#: Messages that are asked for at once, and parts of one that are looked at.
PAGE = 100
_PARTS = 1_000
_STEPS_AT_ONCE = 10_000
_BUSY_MS = 1_000
_COLUMNS = {
    "message": {"id", "session_id", "time_created", "data"},
    "part": {"id", "message_id", "data"},
}
#: The last millisecond of the year 9999; what says a later one says no time.
_LATEST = 253_402_300_799_999
#: What has a place in its session. Anything may stand in a column, whatever its type is.
_PLACED = (
    "typeof(id) = 'text' AND typeof(time_created) = 'integer'"
    f" AND time_created BETWEEN 0 AND {_LATEST}"
)
_MESSAGES = (
    f"SELECT id, time_created FROM message WHERE session_id = ? AND {_PLACED}"  # noqa: S608
    " AND time_created >= ? AND (time_created, id) > (?, ?) ORDER BY time_created, id LIMIT ?"
)
_LAST = f"SELECT max(time_created) FROM message WHERE session_id = ? AND {_PLACED}"  # noqa: S608
_UNPLACED = f"SELECT count(*) FROM message WHERE session_id = ? AND NOT ({_PLACED})"  # noqa: S608
_UNREADABLE = (apsw.Error, UnicodeDecodeError, ValueError, OverflowError)


class Conversation:
    """The messages of one session from an offset on.

    Attributes:
        offset: where reading goes on next time; a message that is being written is left for then.
        damaged: messages and parts that could not be read or were too large.
    """

    def __init__(
        self, path: str, session: str, offset: int, *, roots: Sequence[str] | None
    ) -> None:
        """`roots` are the folders that the file has to lie in; None for anywhere."""
        self._path = path
        self._session = session
        self._roots = roots
        self.offset = offset
        self.damaged = 0

    def __iter__(self) -> Iterator[Message]:
        """Each message; nothing where there is no such file of ours, or it is another's."""
        self.damaged += self._unplaced()
        after = (min(self.offset, _LATEST), "")
        while page := self._page(after):
            for message, ended in page:
                if message is not None:
                    yield message
                after = ended
                self.offset = ended[0] + 1

    def _unplaced(self) -> int:
        """Messages that cannot be told when they were made."""
        with _opened(self._path, self._roots) as database:
            rows = _ask(database, _UNPLACED, (self._session,)) if database is not None else []
        return next((count for (count,) in rows if isinstance(count, int)), 0)

    def _page(self, after: tuple[int, str]) -> list[tuple[Message | None, tuple[int, str]]]:
        """Messages with their places, in order; without one at the end that is not whole."""
        found: list[tuple[Message | None, tuple[int, str]]] = []
        with _opened(self._path, self._roots) as database:
            if database is None:
                return found
            values = (self._session, after[0], after[0], after[1], PAGE + 1)
            rows = _ask(database, _MESSAGES, values)
            for number, (name, at) in enumerate(rows[:PAGE]):
                if not isinstance(name, str) or not isinstance(at, int):
                    continue  # the question asks for no other
                told = self._json(database, "SELECT data FROM message WHERE id = ?", name)
                if number == len(rows) - 1 and _goes_on(told):
                    break
                found.append((self._message(database, name, at, told), (at, name)))
        return found

    def _message(
        self, database: ForeignDatabase, name: str, at: int, told: Mapping[str, object]
    ) -> Message | None:
        role = told.get("role")
        if role not in (USER, ASSISTANT) or told.get("summary") is True:
            return None
        ids = _ask(
            database,
            "SELECT id FROM part WHERE message_id = ? ORDER BY id LIMIT ?",
            (name, _PARTS),
        )
        parts = [
            self._json(database, _TEXT_PART, part) for (part,) in ids if isinstance(part, str)
        ]
        if any(part.get("type") == "compaction" for part in parts):
            return Message(role=COMPACTION, id=name, offset=at)
        texts = [text_of(part.get("text")) for part in parts if _is_said(part)]
        text = "\n\n".join(one for one in texts if one.strip())
        if role == USER:
            text = without_block(text, "onrecord-memory")
        when = datetime.fromtimestamp(at / 1_000, tz=UTC).isoformat()
        return Message(role=str(role), text=text, id=name, at=when, offset=at)

    def _json(self, database: ForeignDatabase, query: str, name: str) -> Mapping[str, object]:
        try:
            rows = _ask(database, query, (name,), quiet=False)
            text = rows[0][0] if rows else None
            return as_mapping(json.loads(text)) if isinstance(text, str) else {}
        except (*_UNREADABLE, RecursionError):
            self.damaged += 1
            return {}


#: A part that is text or marks a compaction; of any other its text is not taken out.
_TEXT_PART = (
    "SELECT CASE WHEN json_valid(data) AND data ->> '$.type' IN ('text', 'compaction')"
    " THEN data END FROM part WHERE id = ?"
)


def _is_said(part: Mapping[str, object]) -> bool:
    made_up = part.get("synthetic") is True or part.get("ignored") is True
    return part.get("type") == "text" and not made_up


def _goes_on(told: Mapping[str, object]) -> bool:
    """Whether a message is still being written."""
    ended = "completed" in as_mapping(told.get("time")) or "error" in told
    return told.get("role") == ASSISTANT and not ended


def size(path: str, session: str, roots: Sequence[str] | None) -> int:
    """Where reading of a session would end, or 0; it only grows."""
    with _opened(path, roots) as database:
        rows = _ask(database, _LAST, (session,)) if database is not None else []
    last = rows[0][0] if rows else None
    return last + 1 if isinstance(last, int) else 0


def real_path(path: str, roots: Sequence[str] | None) -> str:
    """Where a database of OpenCode's really lies; empty for anything but a plain file of ours.

    With `roots` it has to lie in one of them itself, and no link leads to it from there.
    """
    folder, _, name = path.rpartition("/")
    if not (name.startswith("opencode") and name.endswith(".db")):
        return ""
    fits = roots is None or any(folder in (root, os.path.realpath(root)) for root in roots)
    real = f"{os.path.realpath(folder)}/{name}"
    try:
        found = [
            os.lstat(real + end) for end in ("", "-wal", "-shm") if os.path.lexists(real + end)
        ]
    except (OSError, ValueError):
        return ""
    plain = all(stat.S_ISREG(one.st_mode) and one.st_uid == os.getuid() for one in found)
    return real if fits and found and plain else ""


@contextmanager
def _opened(path: str, roots: Sequence[str] | None) -> Generator[ForeignDatabase | None]:
    """The database for reading, with nothing of its schema trusted; None where it is none."""
    real = real_path(path, roots)
    if not real:
        yield None
        return
    try:
        flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_NOFOLLOW
        connection = apsw.Connection(real, flags=flags)
    except apsw.Error:
        yield None
        return
    try:
        database = ForeignDatabase(connection)
        yield database if _fits(connection, database) else None
    finally:
        connection.close(force=True)


def _fits(connection: apsw.Connection, database: ForeignDatabase) -> bool:
    """Whether the tables that are asked are plain ones with plain columns."""
    try:
        guard(connection)
        connection.set_busy_timeout(_BUSY_MS)
        connection.set_progress_handler(database.tire, _STEPS_AT_ONCE)
        tables = database.tables()
    except _UNREADABLE:
        return False
    return all(columns <= tables.get(name, frozenset()) for name, columns in _COLUMNS.items())


def _ask(
    database: ForeignDatabase, query: str, values: Sequence[int | str], *, quiet: bool = True
) -> list[tuple[object, ...]]:
    try:
        return database.ask(query, values)
    except _UNREADABLE:
        if quiet:
            return []
        raise
