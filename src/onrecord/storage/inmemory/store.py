"""Transactions over dictionaries: a writer works on a copy, a reader on what was there."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from onrecord.domain import ports
from onrecord.domain.embedding import Vectors
from onrecord.domain.errors import StoreError
from onrecord.domain.shelf import Shelf
from onrecord.storage.inmemory.deliveries import MemoryDeliveries
from onrecord.storage.inmemory.events import MemoryEvents
from onrecord.storage.inmemory.handoffs import MemoryHandoffs
from onrecord.storage.inmemory.index import MemoryIndex
from onrecord.storage.inmemory.items import MemoryItems
from onrecord.storage.inmemory.provenance import MemoryProvenance
from onrecord.storage.inmemory.rows import Hold, Rows
from onrecord.storage.inmemory.scopes import (
    MemoryAnswers,
    MemoryOutbox,
    MemoryScopes,
    MemorySettings,
)
from onrecord.storage.inmemory.sessions import MemorySessions
from onrecord.storage.inmemory.shelf import MemoryShelf
from onrecord.storage.inmemory.tombstones import MemoryTombstones
from onrecord.storage.inmemory.vectors import MemoryVectors
from onrecord.storage.turn import Turn


class MemoryFile:
    """What several in-memory stores have in common, as handles on one file do."""

    def __init__(self) -> None:
        #: tenant -> its committed rows; replaced as a whole, never changed in place
        self.tenants: dict[str, Rows] = {}
        #: held by the one writer
        self.turn = Turn()


class MemoryTransaction:
    """One transaction's ports."""

    def __init__(self, hold: Hold) -> None:
        self.items: ports.Items = MemoryItems(hold)
        self.provenance: ports.Provenance = MemoryProvenance(hold)
        self.tombstones: ports.Tombstones = MemoryTombstones(hold)
        self.events: ports.Events = MemoryEvents(hold)
        self.sessions: ports.Sessions = MemorySessions(hold)
        self.handoffs: ports.Handoffs = MemoryHandoffs(hold)
        self.deliveries: ports.Deliveries = MemoryDeliveries(hold)
        self.scopes: ports.Scopes = MemoryScopes(hold)
        self.settings: ports.Settings = MemorySettings(hold)
        self.index: ports.Index = MemoryIndex(hold)
        self.outbox: ports.Outbox = MemoryOutbox(hold)
        self.vectors: Vectors = MemoryVectors(hold)
        self.answers: ports.Answers = MemoryAnswers(hold)
        self.shelf: Shelf = MemoryShelf(hold)


class InMemoryStore:
    """A `Store` that lasts as long as its file; without one it is a place of its own."""

    def __init__(self, file: MemoryFile | None = None, *, tenant: str = "local") -> None:
        self._file = file or MemoryFile()
        self._tenant = tenant
        self._closed = False

    @contextmanager
    def write(self) -> Generator[ports.Transaction]:
        """One transaction: committed at the block's end, undone by an exception."""
        self._check_open()
        with self._file.turn.held():
            rows = self._committed().copied()
            hold = Hold(rows, writable=True)
            try:
                yield MemoryTransaction(hold)
            finally:
                hold.end()
            self._file.tenants[self._tenant] = rows

    @contextmanager
    def read(self) -> Generator[ports.Transaction]:
        """One unchanging view; writing through it raises `StoreReadOnly`."""
        self._check_open()
        hold = Hold(self._committed(), writable=False)
        try:
            yield MemoryTransaction(hold)
        finally:
            hold.end()

    def scrub(self) -> bool:
        """Erased text is gone with the last reader's view; there is nothing to clean."""
        self._check_open()
        return True

    def make_room(self) -> bool:
        """Nothing is kept aside: memory is not a disk."""
        self._check_open()
        return False

    def faults(self) -> list[str]:
        """What an integrity check finds: nothing can be damaged here."""
        self._check_open()
        return []

    def schema_faults(self) -> list[tuple[str, str]]:
        """What differs from what the migrations make: nothing, as there is no schema here."""
        self._check_open()
        return []

    def close(self) -> None:
        """Release it; the file stays for other handles."""
        self._closed = True

    def _committed(self) -> Rows:
        return self._file.tenants.get(self._tenant) or Rows()

    def _check_open(self) -> None:
        if self._closed:
            raise StoreError("That store was closed.")
