"""The store, written once for both databases: one small class a noun over named queries."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from contextlib import contextmanager

from onrecord.domain.embedding import Vectors
from onrecord.domain.ports import (
    Answers,
    Deliveries,
    Events,
    Handoffs,
    Index,
    Items,
    Outbox,
    Provenance,
    Scopes,
    Sessions,
    Settings,
    Tombstones,
    Transaction,
)
from onrecord.domain.shelf import Shelf
from onrecord.storage.runner import Engine, Runner
from onrecord.storage.shelf import SqlShelf
from onrecord.storage.sql_documents import SqlAnswers, SqlIndex, SqlOutbox
from onrecord.storage.sql_events import SqlEvents
from onrecord.storage.sql_handoffs import SqlDeliveries, SqlHandoffs
from onrecord.storage.sql_items import SqlItems
from onrecord.storage.sql_provenance import SqlProvenance
from onrecord.storage.sql_scopes import SqlScopes, SqlSettings
from onrecord.storage.sql_sessions import SqlSessions
from onrecord.storage.sql_tombstones import SqlTombstones
from onrecord.storage.sql_vectors import SqlVectors


class SqlTransaction:
    """The ports of one transaction; they end with it."""

    def __init__(self, runner: Runner) -> None:
        self.items: Items = SqlItems(runner)
        self.provenance: Provenance = SqlProvenance(runner)
        self.tombstones: Tombstones = SqlTombstones(runner)
        self.events: Events = SqlEvents(runner)
        self.sessions: Sessions = SqlSessions(runner)
        self.handoffs: Handoffs = SqlHandoffs(runner)
        self.deliveries: Deliveries = SqlDeliveries(runner)
        self.scopes: Scopes = SqlScopes(runner)
        self.settings: Settings = SqlSettings(runner)
        self.index: Index = SqlIndex(runner)
        self.outbox: Outbox = SqlOutbox(runner)
        self.vectors: Vectors = SqlVectors(runner)
        self.answers: Answers = SqlAnswers(runner)
        self.shelf: Shelf = SqlShelf(runner)


class SqlStore:
    """The `Store` port over an engine. Threads may share it."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    @contextmanager
    def write(self) -> Generator[Transaction]:
        """One durable transaction: committed at the block's end, undone by an exception."""
        with self._engine.write() as runner:
            yield SqlTransaction(runner)

    @contextmanager
    def read(self) -> Generator[Transaction]:
        """One unchanging view; writing through it is `StoreReadOnly`."""
        with self._engine.read() as runner:
            yield SqlTransaction(runner)

    def scrub(self) -> bool:
        """Leave no erased text in logs and free pages; False while a reader holds it back."""
        return self._engine.scrub()

    def make_room(self) -> bool:
        """Give up what is kept aside for erasing on a full disk; False where there is none."""
        return self._engine.make_room()

    def faults(self) -> Iterable[str]:
        """What an integrity check of the engine and the index finds."""
        return self._engine.faults()

    def schema_faults(self) -> list[tuple[str, str]]:
        """(missing, changed or extra; name) of each part that is not as the migrations make it."""
        return self._engine.schema_faults()

    def close(self) -> None:
        """Release everything."""
        self._engine.close()
