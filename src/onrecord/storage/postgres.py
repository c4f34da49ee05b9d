"""The PostgreSQL engine of a store: connections, transactions, checks and errors."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterable, Mapping
from contextlib import closing, contextmanager
from typing import Any, LiteralString

import psycopg

from onrecord.domain.errors import (
    BadField,
    Clash,
    OnrecordError,
    StoreBusy,
    StoreCorrupt,
    StoreError,
    StoreFull,
    StoreNewer,
    StoreReadOnly,
)
from onrecord.storage import migrate_postgres, patience, queries
from onrecord.storage.dialect import Dialect
from onrecord.storage.lexical_postgres import POSTGRES
from onrecord.storage.pool import Pool, keep_for_ever
from onrecord.storage.runner import INDEX_DIFFERS
from onrecord.storage.store import SqlStore
from onrecord.storage.turn import Turn

Connection = psycopg.Connection[tuple[Any, ...]]

_READING: LiteralString = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
#: Writers of one tenant take turns, so that the log is one chain and what was read stays so.
_TURN: LiteralString = "SELECT pg_advisory_xact_lock(hashtextextended('onrecord ' || %s, 0))"
_SCHEMA: LiteralString = "SELECT name, value FROM meta"
_READERS: LiteralString = (
    "SELECT count(*) FROM pg_stat_activity WHERE backend_xmin IS NOT NULL"
    " AND datname = current_database() AND backend_type = 'client backend'"
    " AND pid <> pg_backend_pid()"
)
_SCRUB: tuple[LiteralString, ...] = (
    (
        "VACUUM items, versions, evidence, links, reviews, feedback, handoffs, deliveries,"
        " answers, documents"
    ),
    "REINDEX INDEX CONCURRENTLY documents_by_exact",
    "REINDEX INDEX CONCURRENTLY documents_by_stems",
)
_DAMAGE: LiteralString = (
    "SELECT coalesce(checksum_failures, 0) FROM pg_stat_database"
    " WHERE datname = current_database()"
)
_MEANINGS: Mapping[str, type[StoreError]] = {
    "25006": StoreReadOnly,
    "40001": StoreBusy,
    "40P01": StoreBusy,
    "42501": StoreReadOnly,
    "53100": StoreFull,
    "53300": StoreBusy,
    "55P03": StoreBusy,
    "57014": StoreBusy,
    "XX001": StoreCorrupt,
    "XX002": StoreCorrupt,
}
#: Classes of errors that a value causes which the database cannot hold.
_BAD_VALUES = ("22", "54")
_UNIQUE = "23505"
_CHECK = "23514"
#: All constraints, and what triggers raise.
_RULES = ("23", "P0001")


def connect(url: str) -> Connection:
    """A connection outside any transaction; `StoreError` where the database is out of reach."""
    try:
        connection = psycopg.connect(url, autocommit=True)
    except psycopg.Error as error:
        raise told(error) from None
    try:
        connection.execute("SELECT set_config('lock_timeout', %s, false)", (_limit(),))
    except psycopg.Error as error:
        connection.close()
        raise told(error) from None
    return connection


def _limit() -> str:
    return f"{int(patience.LIMIT_S * 1000)}ms"


class PostgresRunner:
    """Runs named queries on one connection, inside one transaction."""

    def __init__(
        self,
        connection: Connection,
        texts: Mapping[str, LiteralString],
        *,
        tenant: str,
        writable: bool,
    ) -> None:
        self._connection: Connection | None = connection
        self._texts = texts
        self._pid = os.getpid()
        self._tenant = tenant
        self._writable = writable

    @property
    def dialect(self) -> Dialect:
        """How this database spells things."""
        return POSTGRES

    def rows(self, name: str, /, **parameters: Any) -> list[tuple[Any, ...]]:
        """All rows of a query."""
        cursor = self._executed(name, parameters)
        return cursor.fetchall() if cursor.description else []

    def row(self, name: str, /, **parameters: Any) -> tuple[Any, ...] | None:
        """The first row of a query, if there is one."""
        found = self.rows(name, **parameters)
        return found[0] if found else None

    def run(self, name: str, /, **parameters: Any) -> int:
        """Change something; how many rows it changed."""
        if not self._writable:
            raise StoreReadOnly("This transaction only reads. Nothing was changed.")
        return self._executed(name, parameters).rowcount

    def index_sound(self) -> bool:
        """Whether the lexical index agrees with its documents."""
        return self.row("lexical_sound") == (0,)

    def end(self) -> None:
        """Let go of the connection; every later call is an error."""
        self._connection = None

    def check(self) -> Connection:
        """The connection; raises where the transaction is over or another process's."""
        if self._connection is None:
            raise StoreError("That transaction is over. Nothing was changed.")
        if os.getpid() != self._pid:
            raise StoreError("That transaction belongs to another process. Nothing was changed.")
        return self._connection

    def _executed(self, name: str, parameters: dict[str, Any]) -> psycopg.Cursor[tuple[Any, ...]]:
        connection = self.check()
        parameters["tenant"] = self._tenant
        try:
            return connection.execute(self._texts[name], parameters)
        except psycopg.Error as error:
            raise told(error) from None
        except (UnicodeEncodeError, OverflowError):
            raise unstorable() from None


class PostgresEngine:
    """One database, as one tenant. Threads may share it."""

    def __init__(self, url: str, *, tenant: str) -> None:
        self._url = url
        self._tenant = tenant
        self._pool = Pool(self._open)
        self._turn = Turn()
        self._texts = queries.load((*queries.FILES, POSTGRES.lexical), POSTGRES)

    def _open(self, _purpose: str) -> Connection:
        return connect(self._url)

    @contextmanager
    def write(self) -> Generator[PostgresRunner]:
        """A transaction that is durable at the block's end."""
        with self._turn.held(), self._runner("BEGIN", writable=True) as runner:
            execute(runner.check(), _TURN, (self._tenant,))
            _check_schema(runner.check(), "min_writer")
            yield runner
            execute(runner.check(), "COMMIT")

    @contextmanager
    def read(self) -> Generator[PostgresRunner]:
        """A transaction that sees one state."""
        with self._runner(_READING, writable=False) as runner:
            # the first statement fixes the state that is seen
            _check_schema(runner.check(), "min_reader")
            yield runner

    def scrub(self) -> bool:
        """Take dead rows out of tables and indices; False while a reader may still need some."""
        with self._turn.held(), closing(connect(self._url)) as connection:
            if execute(connection, _READERS)[0][0]:
                return False
            for statement in _SCRUB:
                execute(connection, statement)
        return True

    def make_room(self) -> bool:
        """The server's disk is the server's."""
        return False

    def faults(self) -> Iterable[str]:
        """What the engine counted as damage, and whether the index agrees."""
        found: list[str] = []
        with self.read() as runner:
            if any(row[0] for row in execute(runner.check(), _DAMAGE)):
                found.append("pages failed their checksums; see the server's log")
            if not runner.index_sound():
                found.append(INDEX_DIFFERS)
        return found

    def schema_faults(self) -> list[tuple[str, str]]:
        """What of its tables, indices, triggers and functions differs from the migrations'."""
        from onrecord.storage import schema_postgres  # noqa: PLC0415 - for a check alone

        with closing(connect(self._url)) as connection:
            try:
                return schema_postgres.differences(connection)
            except psycopg.Error as error:
                raise told(error) from None

    def close(self) -> None:
        """Close every connection; transactions that still run close theirs at their end."""
        self._pool.close()

    @contextmanager
    def _runner(self, begin: LiteralString, *, writable: bool) -> Generator[PostgresRunner]:
        connection = self._pool.take("any")
        mine = os.getpid()
        runner = PostgresRunner(connection, self._texts, tenant=self._tenant, writable=writable)
        try:
            execute(connection, begin)
            yield runner
        finally:
            runner.end()
            if os.getpid() != mine:
                keep_for_ever(connection)
            else:
                self._settle(connection)

    def _settle(self, connection: Connection) -> None:
        try:
            connection.rollback()
        except psycopg.Error:
            connection.close()
        else:
            self._pool.give("any", connection)


def execute(
    connection: Connection, sql: LiteralString, values: tuple[str, ...] | None = None
) -> list[tuple[Any, ...]]:
    """Run one statement of the engine's own."""
    try:
        cursor = connection.execute(sql, values)
        return cursor.fetchall() if cursor.description else []
    except psycopg.Error as error:
        raise told(error) from None


def _check_schema(connection: Connection, least: str) -> None:
    found = dict(execute(connection, _SCHEMA))
    number = int(found["schema"])
    if number > migrate_postgres.SCHEMA and int(found[least]) > migrate_postgres.SCHEMA:
        raise StoreNewer(details={"schema": number, "known": migrate_postgres.SCHEMA})


def unstorable() -> BadField:
    """The error for a value that the database cannot hold."""
    return BadField("A text or number cannot be stored: NUL, half of a character pair, too large.")


def told(error: psycopg.Error) -> OnrecordError:
    """The error of the tree for one of the database's; it never holds the database's own words.

    Those quote stored values, so only the code of the fault goes along.
    """
    code = error.sqlstate or ""
    details: dict[str, object] = {"engine": code}
    if code.startswith(_RULES):
        return _ruled(code)
    if code.startswith(_BAD_VALUES) or (not code and isinstance(error, psycopg.DataError)):
        return unstorable()
    if code in _MEANINGS:
        return _MEANINGS[code](details=details)
    if not code or code.startswith(("08", "57P", "3D", "28")):
        return StoreError("The database cannot be reached. Nothing was changed.", details=details)
    return StoreError("The database refused that. Nothing was changed.", details=details)


def _ruled(code: str) -> OnrecordError:
    """The error for a change that a constraint or a trigger forbids."""
    details: dict[str, object] = {"engine": code}
    if code == _UNIQUE:
        return Clash(details=details)
    if code == _CHECK:
        return BadField(details=details)
    return StoreError("The store's own rules forbid that change.", details=details)


def open_postgres(url: str, *, tenant: str) -> SqlStore:
    """The store of one tenant in a database, brought up to the newest schema.

    Needs the extra `postgres` and a database whose encoding is UTF8. Raises `StoreError`
    where it cannot be reached, `StoreNewer` where a newer onrecord changed it.
    """
    with closing(connect(url)) as connection:
        try:
            migrate_postgres.migrate(connection)
        except psycopg.Error as error:
            raise told(error) from None
    return SqlStore(PostgresEngine(url, tenant=tenant))
