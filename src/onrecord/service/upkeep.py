"""Keeping what is derived: the lexical index, dropped and made anew from the versions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import tzinfo

from onrecord.domain.errors import NeedsPerson
from onrecord.domain.item import Item, ItemQuery
from onrecord.domain.ports import Clock, Ids, Store, Transaction
from onrecord.domain.status import STATUSES
from onrecord.service.caller import Caller
from onrecord.service.work import Secrets, Work, begin, document_of

#: Items read at once.
_BLOCK = 200

_KEPT = tuple(status for status in STATUSES if status != "forgotten")

Step = Callable[[int, int], None]


@dataclass(frozen=True, kw_only=True, slots=True)
class Rebuilt:
    """What a rebuilding made anew."""

    items: int
    #: versions that can be found again, earlier ones included
    documents: int
    #: seq of its event
    event: int


def _silent(_done: int, _total: int) -> None:
    """Nobody is told how far it is."""


class Upkeep:
    """What keeps one open store in order."""

    def __init__(
        self,
        store: Store,
        *,
        clock: Clock,
        ids: Ids,
        secrets: Callable[[], Secrets],
        zone: tzinfo | None,
    ) -> None:
        self._store = store
        self._clock = clock
        self._ids = ids
        self._secrets = secrets
        self._zone = zone

    def rebuild(self, caller: Caller, step: Step = _silent) -> Rebuilt:
        """Drop the lexical index and make it anew from every version, in one transaction.

        Others go on reading what was there until it is done, and writing waits. Belief is
        kept, and nothing but the index changes. For a person alone: raises `NeedsPerson`.
        """
        if not caller.principal.is_person:
            raise NeedsPerson
        with self._store.write() as tx:
            work = self._work(tx, caller)
            total = tx.items.count(None, _KEPT)
            tx.index.clear()
            items = documents = 0
            for item in _everything(tx):
                documents += _indexed(work, item)
                items += 1
                step(items, total)
            event = work.record(
                "rebuilt", fields=("index",), change={"documents": (None, documents)}
            )
        return Rebuilt(items=items, documents=documents, event=event.seq)

    def turned_away(self, caller: Caller, code: str) -> None:
        """Put on record that a door refused what only a person may ask for.

        Equal ones of one party and minute share a line of the log.
        """
        with self._store.write() as tx:
            self._work(tx, caller).note_refusal(code)

    def _work(self, tx: Transaction, caller: Caller) -> Work:
        return begin(
            tx,
            caller,
            clock=self._clock,
            ids=self._ids,
            secrets=self._secrets(),
            zone=self._zone,
        )

    def close(self) -> None:
        """Release the store."""
        self._store.close()


def _everything(tx: Transaction) -> Iterator[Item]:
    query = ItemQuery(statuses=_KEPT, limit=_BLOCK)
    while page := tx.items.page(query):
        yield from page
        query = ItemQuery(statuses=_KEPT, limit=_BLOCK, after=page[-1].id)


def _indexed(work: Work, item: Item) -> int:
    """Index all versions of an item; only an active item's current one is live."""
    versions = work.tx.items.history(item.id)
    for version in versions:
        live = item.status == "active" and version.n == item.version
        work.tx.index.put(document_of(item, version, live=live))
    return len(versions)
