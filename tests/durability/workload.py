"""Writes whose outcome can be told afterwards, and what must hold of any store."""

from __future__ import annotations

import copy
from dataclasses import replace
from typing import TYPE_CHECKING

from onrecord.domain.event import broken_at
from onrecord.domain.item import ItemQuery
from onrecord.testing.builders import Maker, document, keep, keep_revised, query

if TYPE_CHECKING:
    from collections.abc import Callable

    from onrecord.domain.item import Item
    from onrecord.domain.ports import Store, Transaction


class Writer:
    """Writes one thing after another; remembers what was acknowledged."""

    def __init__(self, store: Store, seed: int = 0) -> None:
        self.store = store
        self._make = Maker(seed=seed, at=1_767_225_600_000_000 + seed * 10**9)
        #: id -> what must be there; None for an erased item
        self.acknowledged: dict[str, Item | None] = {}
        self._verbs: list[Callable[[Transaction], dict[str, Item | None]]] = [
            self._add,
            self._add,
            self._revise,
            self._change,
            self._erase,
        ]

    def again(self) -> Writer:
        """A writer that goes on from here, as this one would."""
        other = Writer(self.store)
        other._make = copy.deepcopy(self._make)
        other.acknowledged = dict(self.acknowledged)
        return other

    def write(self, turn: int) -> None:
        """One transaction of every kind in turn, with its event."""
        with self.store.write() as tx:
            changed = self._verbs[turn % len(self._verbs)](tx)
            for name in changed:
                tx.events.append(self._make.event("changed", name))
        self.acknowledged.update(changed)

    def _add(self, tx: Transaction) -> dict[str, Item | None]:
        item = self._make.item(f"kestrel {len(self.acknowledged)}", body="osprey " * 60)
        keep(tx, item)
        return {item.id: item}

    def _revise(self, tx: Transaction) -> dict[str, Item | None]:
        item = self._make.revised(self._last(), body="merlin " * 60)
        keep_revised(tx, item)
        return {item.id: item}

    def _change(self, tx: Transaction) -> dict[str, Item | None]:
        item = replace(self._last(), pinned=True)
        tx.items.change(item, at=item.created_at)
        tx.index.put(document(item))
        return {item.id: item}

    def _erase(self, tx: Transaction) -> dict[str, Item | None]:
        item = self._last()
        tx.items.erase(item.id, self._make.tick())
        return {item.id: None}

    def _last(self) -> Item:
        return next(item for item in reversed(self.acknowledged.values()) if item)


def assert_sound(store: Store, acknowledged: dict[str, Item | None]) -> None:
    """What was acknowledged is there; items, versions, log and index agree with one another."""
    faults = list(store.faults())
    assert not faults, faults
    with store.read() as tx:
        for name, item in acknowledged.items():
            found = tx.items.get(name)
            assert found is not None
            assert (
                found == item
                # a change may have been committed whose acknowledgement was cut off
                or (item is not None and replace(found, pinned=item.pinned) == item)
                or found.version > (item.version if item else 0)
                or (found.status == "forgotten")
            )
        items = tx.items.page(ItemQuery(limit=10_000))
        told = {event.target for event in tx.events.walk()}
        assert {item.id for item in items} == told
        assert broken_at(tx.events.walk()) is None
        for item in items:
            assert [v.n for v in tx.items.history(item.id)] == list(range(1, item.version + 1))
        live = {item.id for item in items if item.status == "active"}
        asked = query("kestrel", now=1, limit=10_000)
        assert {c.id for c in tx.shelf.matching(asked, body_chars=1)} == live
