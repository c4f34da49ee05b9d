"""The SQLite engine of a store: transactions, turns, checks and scrubbing."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterable, Mapping
from contextlib import closing, contextmanager, suppress
from typing import LiteralString

import apsw

from onrecord.domain.errors import StoreFull, StoreReadOnly
from onrecord.storage import ballast, creation, location, migrate, patience, queries, sqlite
from onrecord.storage.dialect import SQLITE
from onrecord.storage.patience import Patience
from onrecord.storage.pool import Pool, keep_for_ever
from onrecord.storage.runner import INDEX_DIFFERS
from onrecord.storage.store import SqlStore
from onrecord.storage.turn import Turn

#: Seconds that a scrub waits for readers of the log to finish.
_SCRUB_WAIT_S = 1.0
_MAX_FAULTS = 100


#: Files up to this size, in pages of 4 KiB, are rewritten in memory.
_MAX_PAGES_IN_MEMORY = 32_768
_START_MERGING: LiteralString = (
    "INSERT INTO document_index (document_index, rank) VALUES ('merge', -500)"
)
_GO_ON_MERGING: LiteralString = (
    "INSERT INTO document_index (document_index, rank) VALUES ('merge', 500)"
)
_ONE_SEGMENT: LiteralString = "INSERT INTO document_index (document_index) VALUES ('optimize')"
_CHECK_INDEX: LiteralString = (
    "INSERT INTO document_index (document_index, rank) VALUES ('integrity-check', 1)"
)


class Opened:
    """A connection and how it waits."""

    def __init__(self, path: str, *, readonly: bool) -> None:
        self.connection = sqlite.connect(path, readonly=readonly)
        self.patience = Patience()
        self.connection.set_busy_handler(self.patience)

    def close(self) -> None:
        """Give up the connection; what cannot be tidied up now, the next one to open does."""
        with suppress(apsw.Error):
            self.connection.close()

    def execute(self, sql: LiteralString) -> list[sqlite.Row]:
        """Run one statement of the engine's own."""
        try:
            return sqlite.rows_of(self.connection, sql)
        except apsw.Error as error:
            raise sqlite.told(error, self.connection) from None


class SqliteEngine:
    """One file. Threads may share it; each transaction has a connection of its own."""

    def __init__(self, path: str, *, tenant: str) -> None:
        self.path = path
        self._tenant = tenant
        self._pool = Pool(self._open)
        self._turn = Turn()

    def _open(self, purpose: str) -> Opened:
        return Opened(self.path, readonly=purpose == "read")

    @property
    def _texts(self) -> Mapping[str, LiteralString]:
        return queries.load((*queries.FILES, SQLITE.lexical), SQLITE)

    @contextmanager
    def write(self) -> Generator[sqlite.SqliteRunner]:
        """A transaction that is on the disk at the block's end."""
        with self._turn.held(), self._taken("write") as opened:
            opened.patience.limit_s = patience.LIMIT_S
            if opened.patience.waited:
                # who had to wait lets others go first before coming back for more
                opened.patience.waited = False
                patience.pause()
            if opened.connection.readonly("main"):
                # the engine would only say so at the first change
                raise StoreReadOnly
            opened.execute("BEGIN IMMEDIATE")
            runner = sqlite.SqliteRunner(
                opened.connection,
                self._texts,
                tenant=self._tenant,
                writable=True,
                sound=lambda: index_sound(opened.connection),
            )
            try:
                sqlite.check_schema(opened.connection, "writer")
                yield runner
                runner.check()
                opened.execute("COMMIT")
            finally:
                runner.end()

    @contextmanager
    def read(self) -> Generator[sqlite.SqliteRunner]:
        """A transaction that sees one state."""
        with self._taken("read") as opened:
            opened.execute("BEGIN")
            runner = sqlite.SqliteRunner(
                opened.connection, self._texts, tenant=self._tenant, sound=self._index_sound
            )
            try:
                # the first statement fixes the state that is seen
                sqlite.check_schema(opened.connection, "reader")
                yield runner
            finally:
                runner.end()

    def scrub(self) -> bool:
        """Rewrite index and file from what is left and cut the log.

        False while a reader needs the log. Takes as long as copying the file.
        """
        with self._turn.held(), self._taken("write") as opened:
            sqlite.check_schema(opened.connection, "writer")
            opened.patience.limit_s = patience.LIMIT_S
            full: StoreFull | None = None
            try:
                _rewrite(opened)
            except StoreFull as error:
                # the log can be cut even so: what was erased is overwritten in place
                full = error
            opened.patience.limit_s = _SCRUB_WAIT_S
            try:
                opened.connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
            except apsw.BusyError:
                return False
            except apsw.Error as error:
                raise sqlite.told(error, opened.connection) from None
        if full is not None:
            raise full
        return True

    def make_room(self) -> bool:
        """Give up the file beside the store; opening it for writing lays another one down."""
        return ballast.release(self.path)

    def faults(self) -> Iterable[str]:
        """What the engine's integrity checks find, at most a hundred of each."""
        found: list[str] = []
        # a new connection: the full-text index checks against what an older one remembers of it
        with closing(self._open("read")) as opened:
            for (line,) in opened.execute("PRAGMA integrity_check(100)"):
                if line != "ok":
                    found.append(str(line))
            for table, row, parent, _ in opened.execute("PRAGMA foreign_key_check")[:_MAX_FAULTS]:
                found.append(f"row {row} of {table} refers to nothing in {parent}")
        with suppress(StoreReadOnly):
            if not self._index_sound():
                found.append(INDEX_DIFFERS)
        return found

    def schema_faults(self) -> list[tuple[str, str]]:
        """What of its tables, indices and triggers is not as the migrations make it."""
        from onrecord.storage import schema  # noqa: PLC0415 - for a check alone

        with closing(self._open("read")) as opened:
            return schema.differences(schema.parts(opened.connection), schema.declared())

    def close(self) -> None:
        """Close every connection; transactions that still run close theirs at their end."""
        self._pool.close()

    def _index_sound(self) -> bool:
        """The check writes, so it takes a turn of its own and is undone."""
        with self._taken("write") as opened:
            opened.execute("BEGIN IMMEDIATE")
            return index_sound(opened.connection)

    @contextmanager
    def _taken(self, purpose: str) -> Generator[Opened]:
        """A connection that goes back outside any transaction, or is closed where it cannot."""
        opened = self._pool.take(purpose)
        mine = os.getpid()
        try:
            yield opened
        finally:
            if os.getpid() != mine:
                keep_for_ever(opened)
            else:
                self._settle(purpose, opened)

    def _settle(self, purpose: str, opened: Opened) -> None:
        try:
            if opened.connection.in_transaction:
                sqlite.rows_of(opened.connection, "ROLLBACK")
        except apsw.Error:
            opened.close()
        else:
            self._pool.give(purpose, opened)


def _rewrite(opened: Opened) -> None:
    """Index and file anew from what is left."""
    _merge_index(opened)
    # pages keep copies of what was moved to another page, where no delete finds them
    size = opened.execute("PRAGMA page_count")[0][0]
    small = size <= _MAX_PAGES_IN_MEMORY
    opened.execute("PRAGMA temp_store = MEMORY" if small else "PRAGMA temp_store = FILE")
    try:
        opened.execute("VACUUM")
    finally:
        opened.execute("PRAGMA temp_store = MEMORY")


def _merge_index(opened: Opened) -> None:
    """Merge the index into one segment, in steps so short that other writers get their turn."""
    step: LiteralString = _START_MERGING
    while True:
        before = opened.connection.total_changes()
        opened.execute(step)
        step = _GO_ON_MERGING
        # the command itself counts as one change
        if opened.connection.total_changes() - before <= 1:
            break
    # Steps can end with two segments of which one erases rows of the other; this ends with one.
    opened.execute(_ONE_SEGMENT)


def index_sound(connection: apsw.Connection) -> bool:
    """Whether the lexical index agrees with its documents; needs a writing transaction."""
    try:
        sqlite.rows_of(connection, _CHECK_INDEX)
    except apsw.CorruptError:
        return False
    except apsw.Error as error:
        raise sqlite.told(error, connection) from None
    return True


def open_sqlite(path: str, *, create: bool, tenant: str = "local") -> SqlStore:
    """The store in a file, brought up to the newest schema.

    With `create`, a missing file is made, with its folder and its fingerprint key. Raises
    `StoreMissing` without it, `StoreUnsafe`, `StoreNewer`, `StoreCorrupt`, `EngineTooOld` …
    A store that can only be read, or that a newer onrecord made, opens; writing then raises.
    """
    path = location.settled(path)
    if create:
        creation.make_store_file(path)
    migrate.migrate(path)
    if create:
        creation.make_private(path)
    return SqlStore(SqliteEngine(path, tenant=tenant))
