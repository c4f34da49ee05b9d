"""Comparing two stores finds a difference wherever it is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from onrecord.domain.errors import Clash
from onrecord.domain.item import Item
from onrecord.domain.ports import Transaction
from onrecord.storage.inmemory import InMemoryStore
from onrecord.testing.builders import Maker, digest, document, keep
from onrecord.testing.side_by_side import SideBySide

Change = Callable[[Transaction, Maker, Item], object]

#: One change in each port; each alone must be seen.
CHANGES: dict[str, Change] = {
    "items": lambda tx, _, item: tx.items.bump([item.id], opened=1),
    "versions": lambda tx, make, item: tx.items.revise(make.revised(item, "other")),
    "evidence": lambda tx, make, item: tx.provenance.add_evidence(make.evidence(item.id)),
    "sightings": lambda tx, make, item: tx.provenance.add_sighting(make.sighting(item.id, "s")),
    "links": lambda tx, make, item: tx.provenance.add_link(make.link(item.id, "x", "url")),
    "reviews": lambda tx, make, item: tx.provenance.add_review(make.review(item.id)),
    "feedback": lambda tx, make, item: tx.provenance.add_feedback(make.feedback(item.id, "s")),
    "tombstones": lambda tx, make, item: tx.tombstones.add(make.tombstone(item.id, "a")),
    "events": lambda tx, make, _: tx.events.append(make.event()),
    "sessions": lambda tx, make, _: tx.sessions.put(make.session("codex", "y")),
    "reads": lambda tx, _, item: tx.sessions.note_read(_session(tx), item.id, 3, 1),
    "handoffs": lambda tx, make, item: tx.handoffs.add(make.handoff(item.id)),
    "deliveries": lambda tx, make, _: tx.deliveries.add(make.delivery(_session(tx))),
    "scopes": lambda tx, _, __: tx.scopes.note("org:new", 1),
    "aliases": lambda tx, _, __: tx.scopes.alias("global", "org:new", 1),
    "settings": lambda tx, _, __: tx.settings.put("saving", "off", at=1, by="ada"),
    "index": lambda tx, _, item: tx.index.put(document(item, title="kestrel")),
}


@pytest.mark.parametrize("port", CHANGES)
def test_a_difference_in_any_port_is_seen(port: str) -> None:
    """A change to one of two equal stores makes them tell apart."""
    store, oracle, make = InMemoryStore(), InMemoryStore(), Maker()
    both = SideBySide(store, oracle)
    item = make.item("osprey")
    session = make.session("codex", "x")
    both.run([lambda tx: keep(tx, item), lambda tx: tx.sessions.put(session)])
    both.compare(now=make.clock.now(), terms=["kestrel"])
    with store.write() as tx:
        CHANGES[port](tx, make, item)
    both.replace(store)

    with pytest.raises(AssertionError):
        both.compare(now=make.clock.now(), terms=["kestrel"])


def test_a_different_answer_is_seen() -> None:
    """What an operation returns is compared, and the error that ends it."""
    store, oracle = InMemoryStore(), InMemoryStore()
    both = SideBySide(store, oracle)
    with oracle.write() as tx:
        tx.sessions.seen_record(digest("r"), 1)

    with pytest.raises(AssertionError):
        both.do(lambda tx: tx.sessions.seen_record(digest("r"), 1))


def test_equal_errors_are_no_difference() -> None:
    """Both refuse, both undo what belonged together."""
    both, make = SideBySide(InMemoryStore(), InMemoryStore()), Maker()
    item = make.item()
    both.do(lambda tx: keep(tx, item))
    both.begin()
    both.do(lambda tx: tx.items.change(replace(item, pinned=True), at=item.created_at))
    both.do(lambda tx: tx.items.add(item))
    both.end()
    both.compare(now=make.clock.now())

    with both.store.read() as tx:
        assert tx.items.get(item.id) == item
    with pytest.raises(Clash), both.store.write() as tx:
        tx.items.add(item)


def test_undone_operations_leave_nothing() -> None:
    """What belongs together can be undone as a whole."""
    both, make = SideBySide(InMemoryStore(), InMemoryStore()), Maker()
    both.begin()
    both.do(lambda tx: keep(tx, item))
    item = make.item()
    both.end(undo=True)
    both.compare(now=make.clock.now())

    with both.store.read() as tx:
        assert tx.items.get(item.id) is None


def _session(tx: Transaction) -> str:
    return tx.sessions.recent()[0].id
