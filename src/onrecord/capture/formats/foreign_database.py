"""SQLite files of other tools: read from a copy, with nothing of their schema trusted."""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any, cast

import apsw

from onrecord.capture.formats.foreign import MAX_RECORDS, Skipped
from onrecord.domain.errors import BadField, NotFound, StoreBusy, UsageError

#: Bounds: bytes of the file with its log, of one value, and steps of the engine for one question.
MAX_BYTES = 2 << 30
MAX_VALUE = 1 << 20
_MAX_STEPS = 50_000_000
_STEPS_AT_ONCE = 10_000

_HEADER = b"SQLite format 3\x00"

Row = Mapping[str, object]


def is_database(path: str) -> bool:
    """Whether a file begins as a SQLite database does."""
    try:
        with open(path, "rb") as file:  # noqa: PTH123 - plain strings
            return file.read(len(_HEADER)) == _HEADER
    except OSError:
        return False


class ForeignDatabase:
    """Tables of a copy; a row that cannot be read is skipped, and the next one is read."""

    def __init__(self, connection: apsw.Connection) -> None:
        # what the engine's types leave open is checked where a value is used
        self._connection: Any = connection
        self._steps = 0

    def tables(self) -> dict[str, frozenset[str]]:
        """Plain tables with their columns: no views, no virtual tables."""
        found: dict[str, frozenset[str]] = {}
        for name, sql in self.ask("SELECT name, sql FROM sqlite_schema WHERE type = 'table'", ()):
            if isinstance(name, str) and isinstance(sql, str) and _is_plain(sql):
                columns = self.ask("SELECT name, hidden FROM pragma_table_xinfo(?)", (name,))
                # a column that is worked out when it is read may take for ever: it is not read,
                # and a table that has one in place of its rows' numbers is left out
                if not any(str(column).lower() == "rowid" for column, _ in columns):
                    found[name] = frozenset(
                        str(column) for column, hidden in columns if not hidden
                    )
        return found

    def rows(self, table: str, columns: Sequence[str]) -> Iterator[tuple[int, Row] | Skipped]:
        """The rows of a table in the order they were made; columns it has not are left out."""
        has = self.tables().get(table, frozenset())
        asked = [column for column in columns if column in has]
        names = ", ".join(_quoted(column) for column in asked) or "NULL"
        ids, whole = self._ids(table)
        query = f"SELECT {names} FROM {_quoted(table)} WHERE rowid = ?"  # noqa: S608 - quoted names
        for number in ids:
            try:
                found = self.ask(query, (number,))
            except _UNREADABLE:
                yield Skipped(where=f"{table}/{number}", line=number, why="damaged")
                continue
            for values in found:
                yield number, dict(zip(asked, values, strict=False))
        if not whole:
            yield Skipped(where=table, why="damaged")

    def _ids(self, table: str) -> tuple[list[int], bool]:
        """The numbers of a table's rows, as far as they can be read."""
        found: list[int] = []
        query = f"SELECT rowid FROM {_quoted(table)} ORDER BY rowid LIMIT ?"  # noqa: S608
        self._steps = 0
        try:
            for (number,) in self._connection.execute(query, (MAX_RECORDS + 1,)):
                if isinstance(number, int):
                    found.append(number)
        except _UNREADABLE:
            return found, False
        if len(found) > MAX_RECORDS:
            raise BadField(f"The table has more than {MAX_RECORDS:,} rows. Nothing was imported.")
        return found, True

    def ask(self, query: str, values: Sequence[int | str]) -> list[tuple[object, ...]]:
        """The rows of one question, which must not take too long."""
        self._steps = 0
        asked = self._connection.execute(query, tuple(values))
        return [tuple(row) for row in asked]

    def tire(self) -> bool:
        """Asked by the engine as it goes: whether a question took too long."""
        self._steps += _STEPS_AT_ONCE
        return self._steps > _MAX_STEPS


_UNREADABLE = (apsw.Error, UnicodeDecodeError, ValueError, OverflowError)


@contextmanager
def opened(path: str) -> Generator[ForeignDatabase]:
    """A copy of a database and of its log, gone afterwards; nothing is made beside the original.

    Raises `NotFound`, `UsageError` for what is no database, `StoreBusy` while it is written to.
    """
    _check(path)
    folder = tempfile.mkdtemp(prefix="onrecord-import-")
    try:
        copy = os.path.join(folder, "copy.db")  # noqa: PTH118 - plain strings
        _copy(path, copy)
        try:
            connection = _connect(copy)
        except apsw.Error:
            raise _no_database(path) from None
        try:
            database = ForeignDatabase(connection)
            connection.set_progress_handler(database.tire, _STEPS_AT_ONCE)
            try:
                database.tables()
            except _UNREADABLE:
                raise _no_database(path) from None
            yield database
        finally:
            connection.close(force=True)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _no_database(path: str) -> UsageError:
    return UsageError("That file is no SQLite database that can be read.", details={"path": path})


def _check(path: str) -> None:
    try:
        found = os.lstat(path)
    except FileNotFoundError:
        raise NotFound("There is no file at that path.", details={"path": path}) from None
    except (OSError, ValueError):
        raise UsageError("That file cannot be read.", details={"path": path}) from None
    if not stat.S_ISREG(found.st_mode) or not is_database(path):
        raise _no_database(path)
    if found.st_size > MAX_BYTES:
        raise BadField(f"The file is over its limit of {MAX_BYTES:,} bytes.")


def _copy(path: str, copy: str) -> None:
    """The file and its log as they were at one time."""
    for _ in range(3):
        before = _state(path)
        for ending in ("", "-wal"):
            with suppress(FileNotFoundError):
                _copy_plain(path + ending, copy + ending)
        if _state(path) == before:
            return
    raise StoreBusy(
        "Another program is writing to that file.", hint="Stop it first, then import again."
    )


def _copy_plain(path: str, copy: str) -> None:
    """One file's bytes; a link is no log of a database, and is never followed."""
    if os.path.islink(path):  # noqa: PTH114 - plain strings
        return
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    number = os.open(path, flags | getattr(os, "O_BINARY", 0))
    with os.fdopen(number, "rb") as source, open(copy, "wb") as target:  # noqa: PTH123
        if os.fstat(number).st_size > MAX_BYTES or not stat.S_ISREG(os.fstat(number).st_mode):
            raise BadField(f"The file is over its limit of {MAX_BYTES:,} bytes.")
        shutil.copyfileobj(source, target, 1 << 20)


def _state(path: str) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    for ending in ("", "-wal"):
        with suppress(OSError):
            there = os.stat(path + ending)  # noqa: PTH116 - plain strings
            found.append((there.st_size, there.st_mtime_ns))
    return found


def _connect(copy: str) -> apsw.Connection:
    connection = apsw.Connection(copy, flags=apsw.SQLITE_OPEN_READWRITE)
    guard(connection)
    return connection


def guard(connection: apsw.Connection) -> None:
    """Let nothing of a foreign schema act, write, attach, or make a value too large."""
    for option, value in (
        (apsw.SQLITE_DBCONFIG_DEFENSIVE, 1),
        (apsw.SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0),
        (apsw.SQLITE_DBCONFIG_ENABLE_VIEW, 0),
        (apsw.SQLITE_DBCONFIG_ENABLE_TRIGGER, 0),
        (apsw.SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0),
    ):
        connection.config(option, value)
    connection.limit(apsw.SQLITE_LIMIT_LENGTH, MAX_VALUE)
    connection.limit(apsw.SQLITE_LIMIT_ATTACHED, 0)
    connection.limit(apsw.SQLITE_LIMIT_SQL_LENGTH, MAX_VALUE)
    for _ in cast("Any", connection).execute("PRAGMA query_only = 1"):
        pass


def _is_plain(sql: str) -> bool:
    return " ".join(sql.upper().split()).startswith("CREATE TABLE")


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
