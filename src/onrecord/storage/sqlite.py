"""SQLite through apsw: opening a file safely, running queries, telling what failed (light)."""

from __future__ import annotations

import os

import apsw

from onrecord.domain.errors import (
    NO_ROOM,
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
from onrecord.storage import location
from onrecord.storage.dialect import SQLITE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, LiteralString, TypeAlias

    Row: TypeAlias = tuple[Any, ...]

#: The first release without the fault that can corrupt a file when the log is reset.
FLOOR = (3, 51, 3)

#: The newest schema number that this installation knows, and the mark of a store ("onre").
SCHEMA = 1
APPLICATION = 1869509221

READING = (
    ("cell_size_check", "ON"),
    ("temp_store", "MEMORY"),
    ("query_only", "ON"),
)
WRITING = (
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


def connect(path: str, *, readonly: bool = False, busy_ms: int = 10_000) -> apsw.Connection:
    """A connection to an existing file, with every pragma set; the caller closes it.

    It belongs to one thread at a time and to the process that opened it. Raises
    `EngineTooOld`, `StoreMissing`, `StoreUnsafe`, `StoreCorrupt` and others of the tree.
    """
    check_engine()
    path = location.settled(path)
    location.check_files(path)
    access = apsw.SQLITE_OPEN_READONLY if readonly else apsw.SQLITE_OPEN_READWRITE
    if readonly and location.is_frozen(path):
        access |= apsw.SQLITE_OPEN_URI
        path = location.frozen_uri(path)
    try:
        connection = apsw.Connection(path, flags=access | apsw.SQLITE_OPEN_NOFOLLOW)
    except apsw.Error as error:
        raise told(error) from None
    try:
        connection.set_busy_timeout(busy_ms)
        for option, value in _CONFIG:
            connection.config(option, value)
        for name, setting in READING if readonly else WRITING:
            set_pragma(connection, name, setting)
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
        if number == SCHEMA or (number > SCHEMA and _allows(connection, use)):
            return
    except apsw.Error as error:
        raise told(error, connection) from None
    if number > SCHEMA:
        raise StoreNewer(details={"schema": number, "known": SCHEMA})
    if not number:
        raise StoreMissing
    raise StoreError("An older onrecord made this store. Open it once for writing to update it.")


def _allows(connection: apsw.Connection, use: str) -> bool:
    """Whether a newer schema says that this installation may use it."""
    try:
        return _number(connection, _LEAST, "min_" + use) <= SCHEMA
    except (apsw.SQLError, IndexError, ValueError):
        return False


_TABLES = "SELECT count(*) FROM sqlite_schema"
_LEAST = "SELECT value FROM meta WHERE name = ?"


def _number(connection: apsw.Connection, sql: LiteralString, *values: str) -> int:
    return int(str(rows_of(connection, sql, values)[0][0]))


def rows_of(
    connection: apsw.Connection, sql: LiteralString, values: Mapping[str, Any] | Row = ()
) -> list[Row]:
    """All rows of all statements of a text, in the engine's own errors."""
    cursor: Any = connection.execute(sql, values)  # pyright: ignore[reportUnknownMemberType]
    found: list[Row] = cursor.fetchall()
    return found


def set_pragma(connection: apsw.Connection, name: str, value: str | int) -> None:
    """Set one of the engine's switches, in the engine's own errors."""
    connection.pragma(name, value)  # pyright: ignore[reportUnknownMemberType]


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

    def rows(self, name: str, /, **parameters: Any) -> list[Row]:
        """All rows of a query."""
        connection = self._checked()
        parameters["tenant"] = self.tenant
        try:
            return rows_of(connection, self._texts[name], parameters)
        except apsw.Error as error:
            raise told(error, connection) from None
        except UnicodeDecodeError:
            raise StoreCorrupt from None
        except (UnicodeEncodeError, OverflowError):
            raise unstorable() from None

    def row(self, name: str, /, **parameters: Any) -> Row | None:
        """The first row of a query, if there is one."""
        found = self.rows(name, **parameters)
        return found[0] if found else None

    def run(self, name: str, /, **parameters: Any) -> int:
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
        return _ruled(error, number)
    # the engine calls a quota and a size limit plain write errors
    full = connection is not None and connection.system_errno in NO_ROOM
    if full and isinstance(error, apsw.IOError):
        return StoreFull(details=details)
    if isinstance(error, apsw.CantOpenError) and number == apsw.SQLITE_CANTOPEN_SYMLINK:
        return StoreUnsafe("The store's path is a link.", details=details)
    if isinstance(error, apsw.NotADBError):
        return StoreCorrupt(
            "That file is no store of onrecord, or its beginning is damaged. Nothing was written.",
            hint="Check the path; `onrecord restore-backup` brings a copy of a store back.",
            details=details,
        )
    for kind, meaning in _MEANINGS:
        if isinstance(error, kind):
            return meaning(details=details)
    return StoreError(details=details)


def _ruled(error: apsw.ConstraintError, number: int) -> OnrecordError:
    """The error for a change that a constraint or a trigger forbids."""
    details: dict[str, object] = {"engine": number}
    if number in _TAKEN or str(error) == "taken":
        return Clash(details=details)
    if number == apsw.SQLITE_CONSTRAINT_CHECK:
        return BadField(details=details)
    return StoreError("The store's own rules forbid that change.", details=details)


#: Besides these, triggers tell a row whose place is taken, by that word.
_TAKEN = (apsw.SQLITE_CONSTRAINT_UNIQUE, apsw.SQLITE_CONSTRAINT_PRIMARYKEY)
_MEANINGS: tuple[tuple[type[apsw.Error], type[StoreError]], ...] = (
    (apsw.BusyError, StoreBusy),
    (apsw.LockedError, StoreBusy),
    (apsw.FullError, StoreFull),
    (apsw.ReadOnlyError, StoreReadOnly),
    (apsw.PermissionsError, StoreReadOnly),
    (apsw.CorruptError, StoreCorrupt),
    (apsw.FormatError, StoreCorrupt),
)
