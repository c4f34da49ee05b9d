"""All or nothing, one view, and no writing through a reader."""

from __future__ import annotations

from collections.abc import Callable

from onrecord.domain.errors import StoreBusy, StoreError
from onrecord.domain.event import GENESIS, broken_at
from onrecord.domain.item import Item, ItemQuery
from onrecord.domain.ports import Store, Transaction
from onrecord.testing.builders import Maker, digest, keep, keep_revised, query
from onrecord.testing.failure import raises


class Unforeseen(Exception):
    """An error of the caller's own."""


class TransactionsSuite:
    """What `write()` and `read()` promise."""

    def test_a_block_that_ends_is_committed(self, store: Store) -> None:
        """Later readers and writers see it."""
        make = Maker()
        item = make.item()
        with store.write() as tx:
            keep(tx, item)

        with store.read() as tx:
            assert tx.items.get(item.id) == item
        with store.write() as tx:
            assert tx.items.get(item.id) == item

    def test_a_block_sees_its_own_writes(self, store: Store) -> None:
        """Before anything is committed, in every port."""
        make = Maker()
        item = make.item("kestrel", key="k", status="proposed")
        with store.write() as tx:
            keep(tx, item)
            kept = tx.events.append(make.event("created", item.id))
            assert tx.items.by_key("global", "k", ["proposed"]) == [item]
            assert tx.events.of(item.id) == [kept]
            assert tx.events.head() == (1, kept.hash)
            assert tx.shelf.waiting(["global"], now=0) == 1
            assert tx.scopes.known("global") is True

    def test_an_exception_undoes_everything(self, store: Store) -> None:
        """Nothing of any port stays, and the caller's own exception comes out unchanged."""
        make = Maker()
        before = make.item("kestrel")
        with store.write() as tx:
            keep(tx, before)
        error = Unforeseen("mine")
        with raises(Unforeseen) as caught, store.write() as tx:
            _write_everywhere(tx, make, before)
            raise error

        assert caught.error is error
        _assert_only(store, make, before)

    def test_an_event_that_cannot_be_written_undoes_the_change(self, store: Store) -> None:
        """No change without its line in the log."""
        make = Maker()
        before = make.item("kestrel")
        with store.write() as tx:
            keep(tx, before)
        # A lone surrogate has no UTF-8 form, so no store can keep it.
        unwritable = make.event("created", "\ud800")
        with raises(Exception), store.write() as tx:
            _write_everywhere(tx, make, before)
            tx.events.append(unwritable)

        _assert_only(store, make, before)

    def test_a_store_goes_on_after_a_failure(self, store: Store) -> None:
        """The next transaction works, and the log has no gap where one was undone."""
        make = Maker()
        with store.write() as tx:
            tx.events.append(make.event())
        for _ in range(3):
            with raises(Unforeseen), store.write() as tx:
                tx.events.append(make.event("undone"))
                raise Unforeseen
        with store.write() as tx:
            assert tx.events.append(make.event()).seq == 2

        with store.read() as tx:
            assert [event.action for event in tx.events.walk()] == ["created", "created"]
            assert broken_at(tx.events.walk()) is None

    def test_a_reader_cannot_write(self, store: Store) -> None:
        """Every writing method is an error inside `read()`, and nothing changes."""
        make = Maker()
        before = make.item("kestrel")
        with store.write() as tx:
            keep(tx, before)
        for write in [*_writes(make, before), _revision(make, before)]:
            with raises(StoreError), store.read() as tx:
                write(tx)

        _assert_only(store, make, before)

    def test_what_was_read_outlives_its_transaction(self, store: Store) -> None:
        """Objects are plain values and can be used after the block."""
        make = Maker()
        item = make.item("kestrel", tags=("a",))
        with store.write() as tx:
            keep(tx, item)
            tx.events.append(make.event(change={"status": ("proposed", "active")}))
        with store.read() as tx:
            found, events = tx.items.get(item.id), list(tx.events.walk())
            (candidate,) = tx.shelf.matching(query("kestrel", now=make.clock.now()), body_chars=9)
        store.close()

        assert found == item
        assert events[0].change == {"status": ("proposed", "active")}
        assert candidate.title == "kestrel"

    def test_a_write_inside_another_is_refused(self, store: Store) -> None:
        """At once, since waiting for oneself has no end; the outer one goes on."""
        make = Maker()
        item = make.item()
        with store.write() as tx:
            with raises(StoreError) as caught, store.write():
                pass
            keep(tx, item)

        assert not isinstance(caught.error, StoreBusy)
        with store.read() as tx:
            assert tx.items.get(item.id) == item

    def test_an_empty_block_changes_nothing(self, store: Store) -> None:
        """A transaction without a write is no error."""
        with store.write():
            pass
        with store.read():
            pass

        with store.read() as tx:
            assert tx.events.head() == (0, GENESIS)
        assert list(store.faults()) == []


def _writes(make: Maker, item: Item) -> list[Callable[[Transaction], object]]:
    fresh = make.item("osprey", key="k")
    session = make.session("codex", "x")
    return [
        lambda tx: tx.items.add(fresh),
        lambda tx: tx.items.change(make.revised(item, pinned=True), at=make.clock.now()),
        lambda tx: tx.items.bump([item.id], opened=1),
        lambda tx: tx.items.erase(item.id, 1),
        lambda tx: tx.provenance.add_evidence(make.evidence(item.id)),
        lambda tx: tx.provenance.add_sighting(make.sighting(item.id, "s")),
        lambda tx: tx.provenance.add_link(make.link(item.id, item.id)),
        lambda tx: tx.provenance.add_review(make.review(item.id)),
        lambda tx: tx.provenance.add_feedback(make.feedback(item.id, "s")),
        lambda tx: tx.tombstones.add(make.tombstone(item.id, "a")),
        lambda tx: tx.tombstones.note_erased_key(digest("k"), 1),
        lambda tx: tx.events.append(make.event()),
        lambda tx: tx.events.count_refusal("codex", "switch", 1),
        lambda tx: tx.sessions.put(session),
        lambda tx: tx.sessions.note_call("codex", "call", "s", 1),
        lambda tx: tx.sessions.note_process("codex", 1, 1, "s", 1),
        lambda tx: tx.sessions.note_read("s", item.id, 1, 1),
        lambda tx: tx.sessions.seen_record(digest("r"), 1),
        lambda tx: tx.handoffs.add(make.handoff(item.id)),
        lambda tx: tx.deliveries.add(make.delivery("s", shown=[item])),
        lambda tx: tx.scopes.note("org:new", 1),
        lambda tx: tx.scopes.alias("org:a", "org:b", 1),
        lambda tx: tx.settings.put("saving", "off", at=1, by="ada"),
        lambda tx: tx.index.clear(),
        lambda tx: tx.outbox.add("vector", item.id, 1, 1),
        lambda tx: tx.answers.put("codex", "key", b"", "{}", "", 1),
    ]


def _revision(make: Maker, item: Item) -> Callable[[Transaction], object]:
    revised = make.revised(item, "osprey")
    return lambda tx: tx.items.revise(revised)


def _write_everywhere(tx: Transaction, make: Maker, item: Item) -> None:
    keep_revised(tx, make.revised(item, "osprey"))
    for write in _writes(make, item):
        write(tx)


def _assert_only(store: Store, make: Maker, item: Item) -> None:
    """The store holds the item as it was kept, and nothing else of anything."""
    with store.read() as tx:
        assert tx.items.page(ItemQuery()) == [item]
        assert tx.items.history(item.id) == [item.head]
        assert tx.provenance.evidence(item.id) == []
        assert tx.provenance.sightings(item.id) == []
        assert tx.provenance.links_from(item.id) == []
        assert tx.provenance.reviews(item.id) == []
        assert tx.provenance.feedback(item.id) == []
        assert tx.tombstones.of(item.id) == []
        assert tx.tombstones.erased_key(digest("k")) is False
        assert list(tx.events.walk()) == []
        assert tx.sessions.recent() == []
        assert tx.sessions.session_of_call("codex", "call") is None
        assert tx.sessions.session_of_process("codex", 1, 1) is None
        assert tx.sessions.read_version("s", item.id) is None
        assert tx.handoffs.recent() == []
        assert tx.deliveries.recent() == []
        assert tx.scopes.names() == ["global"]
        assert tx.scopes.resolve("org:a") == "org:a"
        assert tx.settings.everything() == []
        assert tx.outbox.due("vector") == []
        assert tx.answers.get("codex", "key") is None
        found = tx.shelf.matching(query("kestrel", "osprey", now=make.clock.now()), body_chars=9)
        assert [(c.id, c.version, c.title) for c in found] == [(item.id, 1, "kestrel")]
    with store.write() as tx:
        assert tx.events.count_refusal("codex", "switch", 1) == 1
        assert tx.sessions.seen_record(digest("r"), 1) is False
