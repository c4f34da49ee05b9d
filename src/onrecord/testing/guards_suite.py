"""What stays as it is once it was written: identities, versions, erasures."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from onrecord.domain.errors import BadField, OnrecordError
from onrecord.domain.item import MAX_KEY_BYTES, MAX_LINK_BYTES, MAX_REQUEST_KEY
from onrecord.domain.ports import Store, Transaction
from onrecord.testing.builders import Maker, digest, keep, keep_revised
from onrecord.testing.failure import raises


class GuardsSuite:
    """Writes that would rewrite history are refused, and nothing is changed."""

    def test_the_salt_is_the_one_that_an_item_was_born_with(self, store: Store) -> None:
        """Changing or revising the item leaves it, so that its commitments can be checked."""
        make = Maker()
        item = make.item("kestrel")
        second = make.revised(item, "second", salt=digest("other"))
        with store.write() as tx:
            keep(tx, item)
            tx.items.change(replace(item, salt=digest("other"), pinned=True), at=make.clock.now())
            tx.items.revise(second)

        with store.read() as tx:
            found = tx.items.get(item.id)
            assert found is not None
            assert (found.salt, found.version) == (item.salt, 2)

    def test_a_fresh_store_has_the_schema_that_it_should(self, store: Store) -> None:
        """Nothing is missing, changed or extra, before and after a write."""
        make = Maker()
        assert store.schema_faults() == []
        with store.write() as tx:
            keep(tx, make.item("kestrel"))

        assert store.schema_faults() == []

    def test_a_forgotten_item_stays_forgotten(self, store: Store) -> None:
        """No status brings it back, and no version follows the erased ones."""
        make = Maker()
        item = make.item("kestrel")
        with store.write() as tx:
            keep(tx, item)
            tx.items.erase(item.id, make.tick())
        with store.read() as tx:
            erased = tx.items.get(item.id)
        assert erased is not None
        again = make.revised(item, "kestrel again", status="forgotten")
        with raises(OnrecordError), store.write() as tx:
            tx.items.change(replace(erased, status="active"), at=make.clock.now())
        with raises(OnrecordError), store.write() as tx:
            tx.items.revise(again)
        with store.write() as tx:
            tx.items.change(replace(erased, pinned=True), at=make.clock.now())

        with store.read() as tx:
            assert tx.items.get(item.id) == replace(erased, pinned=True)
            assert len(tx.items.history(item.id)) == 1

    def test_the_first_erasure_is_the_one_on_record(self, store: Store) -> None:
        """Erasing again changes no time; a version that came before it is not touched twice."""
        make = Maker()
        item = make.item("kestrel")
        with store.write() as tx:
            keep(tx, item)
            keep_revised(tx, make.revised(item, "second"))
            tx.items.erase(item.id, 77)
        with store.write() as tx:
            tx.items.erase(item.id, 99)

        with store.read() as tx:
            assert [version.erased_at for version in tx.items.history(item.id)] == [77, 77]

    def test_no_interval_is_empty_or_negative(self, store: Store) -> None:
        """Neither on the clock of the record nor on the clock of what is true."""
        make = Maker()
        item = make.item("kestrel")
        at = item.head.recorded_at
        with store.write() as tx:
            keep(tx, item)
        for when in (at, at - 1):
            with raises(BadField), store.write() as tx:
                tx.items.revise(make.revised(item, "second", recorded_at=when))
            with raises(BadField), store.write() as tx:
                tx.items.add(make.item("other", valid_from=at, valid_to=when))
            with raises(BadField), store.write() as tx:
                tx.items.revise(make.revised(item, "second", valid_from=at, valid_to=when))

        with store.read() as tx:
            assert tx.items.history(item.id) == [item.head]
            assert tx.items.count(None, ["active"]) == 1

    def test_what_is_looked_up_has_room_in_an_index(self, store: Store) -> None:
        """Keys, targets of links and idempotency keys end where an entry of an index does."""
        make = Maker()
        bare = make.item("kestrel")
        item = make.item("kestrel", key="é" * (MAX_KEY_BYTES // 2))
        link = make.link(item.id, "é" * (MAX_LINK_BYTES // 2), "url")
        with store.write() as tx:
            keep(tx, bare, item)
            tx.provenance.add_link(link)
            tx.answers.put("codex", "東" * MAX_REQUEST_KEY, b"", "{}", "", 1)
        writes: list[Callable[[Transaction], object]] = [
            lambda tx: tx.items.add(make.item("kestrel", key=item.key + "x")),
            lambda tx: tx.items.change(replace(bare, key=item.key + "x"), at=make.clock.now()),
            lambda tx: tx.items.revise(make.revised(bare, key=item.key + "x")),
            lambda tx: tx.provenance.add_link(replace(link, target=link.target + "x")),
            lambda tx: tx.answers.put("codex", "x" * (MAX_REQUEST_KEY + 1), b"", "{}", "", 1),
        ]
        for write in writes:
            with raises(BadField), store.write() as tx:
                write(tx)

        with store.read() as tx:
            assert tx.items.by_key("global", item.key, ["active"]) == [item]
            assert tx.items.get(bare.id) == bare
            assert tx.provenance.links_to(link.target) == [link]
