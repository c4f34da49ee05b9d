"""Keeping a store in order: what should be mended, put away or erased, and the index."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import tzinfo

from onrecord.capture.citation_tree import read_pointer
from onrecord.capture.citation_verdict import Budget
from onrecord.domain.errors import NeedsPerson, StoreBusy, StoreFull, StoreNewer, StoreReadOnly
from onrecord.domain.item import Item, ItemQuery
from onrecord.domain.ports import Clock, Ids, Store, Transaction
from onrecord.domain.provenance import Evidence
from onrecord.domain.status import STATUSES
from onrecord.service import (
    cited,
    contradictions,
    duplicates,
    lifecycle,
    lint,
    reminders,
    retention,
    statistics,
)
from onrecord.service.caller import Caller
from onrecord.service.contradictions import Opposed
from onrecord.service.duplicates import Pair
from onrecord.service.lint import Finding
from onrecord.service.retention import Policy
from onrecord.service.statistics import Statistics
from onrecord.service.work import Secrets, Work, begin, document_of

#: Items read at once.
_BLOCK = 200

#: Citations that one look compares, and seconds after which it asks git no more.
_COMPARED = 4_096
_GIT_S = 5.0

_KEPT = tuple(status for status in STATUSES if status != "forgotten")

#: Deliveries that figures are taken of, the latest.
MAX_DELIVERIES = 2_000

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

    def lint(self, caller: Caller, *, scopes: tuple[str, ...] | None = None) -> list[Finding]:
        """What a reader would want mended, as far as the caller sees; `scopes` None: everywhere.

        Findings about one item come newest first, then pairs of items, then scopes.
        """
        with self._store.read() as tx:
            items = [item for item in _everything(tx, ("active",), scopes) if caller.sees(item)]
            now = self._clock.now()
            found = list(lint.findings(items, caller.place, now=now, zone=self._zone))
            found += lint.of_pairs(duplicates.pairs(self._secrets().key, items, _silent))
            opposed = contradictions.opposed(tx, caller, now=now, secrets=self._secrets())
            found += lint.of_opposed(opposed, {item.id for item in items})
            rows = {item.id: cited.evidence_here(tx, item, caller.place) for item in items}
        seen = {(item, read_pointer(row.pointer).path) for item, of in rows.items() for row in of}
        found = [f for f in found if f.code != lint.UNSEEN or (f.item, f.about) not in seen]
        found += self._broken([item for item in items if rows[item.id]], rows, caller)
        return found + lint.of_scopes(item.scope for item in items)

    def _broken(
        self, items: list[Item], rows: Mapping[str, Sequence[Evidence]], caller: Caller
    ) -> list[Finding]:
        """Items whose citations do not hold; what comparing said is kept where that can be."""
        within = Budget(seconds=_GIT_S, most=_COMPARED)
        found = {i.id: cited.compared(i, rows[i.id], caller.place, within) for i in items}
        if not any(found.values()):
            return []
        with suppress(StoreReadOnly, StoreFull, StoreBusy, StoreNewer), self._store.write() as tx:
            for compared in found.values():
                cited.note(tx, compared, self._clock.now())
        return [
            Finding(code=lint.BROKEN, item=item, about=f"{row.pointer} {verdict.note}")
            for item, compared in found.items()
            for row, verdict in compared
            if verdict.broken
        ]

    def opposed(self, caller: Caller) -> list[Opposed]:
        """Pairs of live items that speak against each other and wait for a person's decision."""
        with self._store.read() as tx:
            return contradictions.opposed(
                tx, caller, now=self._clock.now(), secrets=self._secrets()
            )

    def duplicates(
        self, caller: Caller, *, scopes: tuple[str, ...] | None = None, step: Step = _silent
    ) -> list[Pair]:
        """Near-duplicates among active items, the most alike first; nothing is changed."""
        with self._store.read() as tx:
            items = [i for i in _everything(tx, ("active",), scopes) if caller.sees(i)]
            return duplicates.pairs(self._secrets().key, items, step)

    def over(
        self, policy: Policy, caller: Caller, *, scopes: tuple[str, ...] | None = None
    ) -> list[tuple[Item, str]]:
        """Active items that have had their time, with why, oldest first.

        What a run puts away is exactly this.
        """
        now = self._clock.now()
        with self._store.read() as tx:
            items = [item for item in _everything(tx, ("active",), scopes) if caller.sees(item)]
            given = reminders.given(tx, items)
        told = ((i, retention.why_over(i, now, policy, given.get(i.id))) for i in items)
        return [(item, why) for item, why in told if why][::-1]

    def purgeable(
        self, statuses: tuple[str, ...], age: int, *, scopes: tuple[str, ...] | None = None
    ) -> list[Item]:
        """Items in those statuses (of PURGED) for at least `age` microseconds, oldest first."""
        before = self._clock.now() - age
        with self._store.read() as tx:
            found = [
                item
                for item in _everything(tx, statuses, scopes)
                if item.head.recorded_at <= before and _last_change(tx, item) <= before
            ]
        return found[::-1]

    def figures(self, caller: Caller) -> Statistics:
        """What the store holds, how it grows, and what became of what it gave."""
        with self._store.read() as tx:
            items = (item for item in _everything(tx) if caller.sees(item))
            latest = tx.deliveries.recent(limit=MAX_DELIVERIES)
            deliveries = latest if caller.principal.is_person else []
            return statistics.figures(items, deliveries, now=self._clock.now())

    def lapsing(self) -> tuple[list[Item], list[Item]]:
        """Proposals and tasks whose time is over, which the next sweep lets lapse."""
        with self._store.read() as tx:
            return lifecycle.due(tx, self._clock.now())

    def close(self) -> None:
        """Release the store."""
        self._store.close()


def _everything(
    tx: Transaction, statuses: tuple[str, ...] = _KEPT, scopes: tuple[str, ...] | None = None
) -> Iterator[Item]:
    query = ItemQuery(scopes=scopes, statuses=statuses, limit=_BLOCK)
    while page := tx.items.page(query):
        yield from page
        query = replace(query, after=page[-1].id)


def _last_change(tx: Transaction, item: Item) -> int:
    """When its status last changed; feedback and refusals say nothing of that."""
    changes = [line.at for line in tx.events.of(item.id) if "status" in line.change]
    return max([item.head.recorded_at, *changes])


def _indexed(work: Work, item: Item) -> int:
    """Index all versions of an item; only an active item's current one is live."""
    versions = work.tx.items.history(item.id)
    for version in versions:
        live = item.status == "active" and version.n == item.version
        work.tx.index.put(document_of(item, version, live=live))
    return len(versions)
