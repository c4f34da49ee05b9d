"""SQLite through apsw: opening a file safely, running queries, telling what failed (light)."""

from __future__ import annotations

import os
import stat

import apsw

from onrecord.domain.errors import (
    BadField,
    Clash,
    EngineTooOld,
    OnrecordError,
    StoreBusy,
    StoreCorrupt,
    StoreError,
    StoreFull,
    StoreMissing,
    StoreNewer,
    StoreReadOnly,
    StoreUnsafe,
)
from onrecord.storage.dialect import SQLITE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import LiteralString, TypeAlias

    Row: TypeAlias = tuple[apsw.SQLiteValue, ...]

#: The first release without the fault that can corrupt a file when the log is reset.
FLOOR = (3, 51, 3)

#: The newest schema number that this installation knows, and the mark of a store ("onre").
SCHEMA = 1
APPLICATION = 1869509221

#: Endings of the files that belong to a store.
SIDE_FILES = ("", "-wal", "-shm", "-journal")

_READING = (
    ("cell_size_check", "ON"),
    ("temp_store", "MEMORY"),
    ("query_only", "ON"),
)
_WRITING = (
    ("synchronous", "FULL"),
    ("fullfsync", "ON"),
    ("checkpoint_fullfsync", "ON"),
    ("foreign_keys", "ON"),
    ("recursive_triggers", "ON"),
    # apsw leaves it off; without it deleted text stays in the file's free room
    ("secure_delete", "ON"),
    ("cell_size_check", "ON"),
    ("temp_store", "MEMORY"),
    ("journal_size_limit", 16 * 1024 * 1024),
    ("mmap_size", 0),
)
_CONFIG = (
    (apsw.SQLITE_DBCONFIG_DEFENSIVE, 1),
    (apsw.SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0),
    (apsw.SQLITE_DBCONFIG_DQS_DML, 0),
    (apsw.SQLITE_DBCONFIG_DQS_DDL, 0),
)
#: errno of a disk quota or a file size limit, which SQLite reports as a plain write error.
_NO_ROOM = (27, 28, 69, 122)
_OPEN_TO_OTHERS = stat.S_IWGRP | stat.S_IWOTH


def connect(path: str, *, readonly: bool = False, busy_ms: int = 10_000) -> apsw.Connection:
    """A connection to an existing file, with every pragma set; the caller closes it.

    It belongs to one thread at a time and to the process that opened it. Raises
    `EngineTooOld`, `StoreMissing`, `StoreUnsafe`, `StoreCorrupt` and others of the tree.
    """
    check_engine()
    path = settled(path)
    check_files(path)
    access = apsw.SQLITE_OPEN_READONLY if readonly else apsw.SQLITE_OPEN_READWRITE
    try:
        connection = apsw.Connection(path, flags=access | apsw.SQLITE_OPEN_NOFOLLOW)
    except apsw.Error as error:
        raise told(error) from None
    try:
        connection.set_busy_timeout(busy_ms)
        for option, value in _CONFIG:
            connection.config(option, value)
        for name, setting in _READING if readonly else _WRITING:
            connection.pragma(name, setting)
    except apsw.Error as error:
        connection.close()
        raise told(error) from None
    return connection


def check_engine(version: str | None = None) -> None:
    """Refuse an engine with the known fault; raises `EngineTooOld`."""
    found = version or apsw.sqlite_lib_version()
    if tuple(int(part) for part in found.split(".")[:3]) < FLOOR:
        raise EngineTooOld(
            f"SQLite {found} has a known corruption fault. Upgrade the `apsw` package.",
            details={"found": found, "least": ".".join(map(str, FLOOR))},
        )


def settled(path: str) -> str:
    """The path with its folder's links resolved; its last part is left as it is."""
    folder, name = os.path.split(os.path.abspath(path))  # noqa: PTH100 - light
    return os.path.join(os.path.realpath(folder), name)  # noqa: PTH118 - light


def schema_of(connection: apsw.Connection) -> int:
    """The schema number of a file: 0 for an empty one. Raises `StoreCorrupt` for other files."""
    try:
        number = _number(connection, "PRAGMA user_version")
        mark = _number(connection, "PRAGMA application_id")
        if mark != APPLICATION and (number or _number(connection, _TABLES)):
            raise StoreCorrupt("That file is a database, but not one of onrecord's.")
    except apsw.Error as error:
        raise told(error, connection) from None
    return number


def check_schema(connection: apsw.Connection, use: str) -> None:
    """Refuse a schema that this installation may not use as `reader` or `writer`.

    Raises `StoreNewer` for one that a newer onrecord made, `StoreMissing` for an empty file
    and `StoreError` for an older one.
    """
    try:
        number = _number(connection, "PRAGMA user_version")
        if number == SCHEMA:
            return
        if number > SCHEMA and _number(connection, _LEAST, "min_" + use) <= SCHEMA:
            return
    except (apsw.Error, IndexError, ValueError):
        number = SCHEMA + 1
    if number > SCHEMA:
        raise StoreNewer(details={"schema": number, "known": SCHEMA})
    if not number:
        raise StoreMissing
    raise StoreError("An older onrecord made this store. Open it once for writing to update it.")


_TABLES = "SELECT count(*) FROM sqlite_schema"
_LEAST = "SELECT value FROM meta WHERE name = ?"


def _number(connection: apsw.Connection, sql: LiteralString, *values: str) -> int:
    return int(str(connection.execute(sql, values).fetchall()[0][0]))


def check_files(path: str) -> None:
    """Refuse a store whose folder or files somebody else could have laid there.

    Raises `StoreMissing` where there is no file and `StoreUnsafe` otherwise.
    """
    check_folder(os.path.dirname(path))  # noqa: PTH120 - light
    for ending in SIDE_FILES:
        try:
            found = os.lstat(path + ending)
        except FileNotFoundError:
            if not ending:
                raise StoreMissing(details={"path": path}) from None
            continue
        except OSError as error:
            raise StoreError(details={"path": path, "errno": error.errno or 0}) from None
        _check_file(path + ending, found)


def check_folder(folder: str) -> None:
    """Refuse a folder in which another account may put files."""
    try:
        found = os.stat(folder)  # noqa: PTH116 - light
    except FileNotFoundError:
        raise StoreMissing(details={"path": folder}) from None
    except OSError as error:
        raise StoreError(details={"path": folder, "errno": error.errno or 0}) from None
    if not stat.S_ISDIR(found.st_mode):
        raise StoreUnsafe("The store's folder is not a folder.", details={"path": folder})
    _check_owner(folder, found)
    if found.st_mode & _OPEN_TO_OTHERS:
        raise StoreUnsafe(
            "Other accounts may write to the store's folder. Nothing was opened.",
            hint=f"chmod go-w {folder}",
            details={"path": folder},
        )


def _check_file(path: str, found: os.stat_result) -> None:
    if not stat.S_ISREG(found.st_mode):
        raise StoreUnsafe("The store's path is a link or not a file.", details={"path": path})
    if found.st_nlink > 1:
        raise StoreUnsafe("The store's file has a second name.", details={"path": path})
    _check_owner(path, found)
    if found.st_mode & _OPEN_TO_OTHERS:
        raise StoreUnsafe(
            "Other accounts may write to the store's file. Nothing was opened.",
            hint=f"chmod 600 {path}",
            details={"path": path},
        )


def _check_owner(path: str, found: os.stat_result) -> None:
    # Windows has no owner numbers; its profile folders are private by their own rules
    mine = getattr(os, "geteuid", None)
    if mine is not None and found.st_uid != mine():
        raise StoreUnsafe("The store belongs to another account.", details={"path": path})


class SqliteRunner:
    """Runs named queries on one connection, inside one transaction.

    It ends with the transaction, and works only in the process that began it.
    """

    __slots__ = ("_connection", "_pid", "_texts", "dialect", "sound", "tenant", "writable")

    def __init__(
        self,
        connection: apsw.Connection,
        texts: Mapping[str, LiteralString],
        *,
        tenant: str,
        writable: bool = False,
        sound: Callable[[], bool] | None = None,
    ) -> None:
        self._connection: apsw.Connection | None = connection
        self._texts = texts
        self._pid = os.getpid()
        self.dialect = SQLITE
        self.tenant = tenant
        self.writable = writable
        #: checks the lexical index; None where nothing may be written, as the check must
        self.sound = sound

    def rows(self, name: str, /, **parameters: apsw.SQLiteValue) -> list[Row]:
        """All rows of a query."""
        connection = self._checked()
        parameters["tenant"] = self.tenant
        try:
            return connection.execute(self._texts[name], parameters).fetchall()
        except apsw.Error as error:
            raise told(error, connection) from None
        except UnicodeDecodeError:
            raise StoreCorrupt from None
        except (UnicodeEncodeError, OverflowError):
            raise unstorable() from None

    def row(self, name: str, /, **parameters: apsw.SQLiteValue) -> Row | None:
        """The first row of a query, if there is one."""
        found = self.rows(name, **parameters)
        return found[0] if found else None

    def run(self, name: str, /, **parameters: apsw.SQLiteValue) -> int:
        """Change something; how many rows it changed."""
        if not self.writable:
            raise StoreReadOnly("This transaction only reads. Nothing was changed.")
        self.rows(name, **parameters)
        return self._checked().changes()

    def index_sound(self) -> bool:
        """Whether the lexical index agrees with its documents."""
        if self.sound is None:
            raise StoreReadOnly("The index can only be checked where the store can be written.")
        return self.sound()

    def end(self) -> None:
        """Let go of the connection; every later call is an error."""
        self._connection = None

    def check(self) -> None:
        """Raise where the transaction is over or belongs to another process."""
        self._checked()

    def _checked(self) -> apsw.Connection:
        if self._connection is None:
            raise StoreError("That transaction is over. Nothing was changed.")
        if os.getpid() != self._pid:
            raise StoreError("That transaction belongs to another process. Nothing was changed.")
        return self._connection


def unstorable() -> BadField:
    """The error for text that is not well-formed and for numbers of more than 64 bits."""
    return BadField("A text holds half of a character pair, or a number is too large.")


def told(error: apsw.Error, connection: apsw.Connection | None = None) -> OnrecordError:
    """The error of the tree for one of the engine's; it never holds the engine's own words.

    Those can quote stored text, so only the engine's number for the fault goes along.
    """
    number: int = getattr(error, "extendedresult", 0) or 0
    details: dict[str, object] = {"engine": number}
    if isinstance(error, apsw.ConstraintError):
        if number in (apsw.SQLITE_CONSTRAINT_UNIQUE, apsw.SQLITE_CONSTRAINT_PRIMARYKEY):
            return Clash(details=details)
        return StoreError("The store's own rules forbid that change.", details=details)
    if isinstance(error, apsw.IOError) and connection is not None:
        if connection.system_errno in _NO_ROOM:
            return StoreFull(details=details)
    if isinstance(error, apsw.CantOpenError) and number == apsw.SQLITE_CANTOPEN_SYMLINK:
        return StoreUnsafe("The store's path is a link.", details=details)
    for kind, meaning in _MEANINGS:
        if isinstance(error, kind):
            return meaning(details=details)
    return StoreError(details=details)


_MEANINGS: tuple[tuple[type[apsw.Error], type[StoreError]], ...] = (
    (apsw.BusyError, StoreBusy),
    (apsw.LockedError, StoreBusy),
    (apsw.FullError, StoreFull),
    (apsw.ReadOnlyError, StoreReadOnly),
    (apsw.PermissionsError, StoreReadOnly),
    (apsw.CorruptError, StoreCorrupt),
    (apsw.NotADBError, StoreCorrupt),
    (apsw.FormatError, StoreCorrupt),
)
