"""How things stood at a recorded instant, whatever came later."""

from __future__ import annotations

from dataclasses import replace

from onrecord.domain.item import Content, Item, ItemQuery, Where
from onrecord.domain.ports import Store, Transaction
from onrecord.domain.time import HOUR
from onrecord.testing.builders import BRANCH, REPO, Maker


class StatesSuite:
    """What is remembered of every state of an item."""

    def test_an_item_is_read_as_it_stood(self, store: Store) -> None:
        """Text, scope, status, belief, pin and expiry are those of then; before, there is none."""
        make = Maker()
        first = make.item("The gate is 1", status="proposed", scope=BRANCH, delivered=0)
        approved = replace(first, status="active", verification="verified", scope=REPO)
        second = make.revised(approved, "The gate is 2", pinned=True, expires_at=make.tick())
        with store.write() as tx:
            tx.items.add(first)
        at = make.tick()
        with store.write() as tx:
            tx.items.change(approved, at=at)
        second = replace(second, head=replace(second.head, recorded_at=make.tick()))
        with store.write() as tx:
            tx.items.revise(second)
            tx.items.bump([first.id], delivered=3, helpful=1)

        with store.read() as tx:
            assert tx.items.as_of([first.id], first.created_at - 1) == []
            assert one(tx, first.id, first.created_at) == first
            assert one(tx, first.id, at - 1) == first
            assert one(tx, first.id, at) == approved
            assert one(tx, first.id, second.head.recorded_at - 1) == approved
            assert one(tx, first.id, second.head.recorded_at) == second

    def test_a_listing_is_that_of_then(self, store: Store) -> None:
        """Later items, changes and texts do not move what an earlier listing says."""
        make = Maker()
        items = [make.item(f"Item {n}", scope=REPO) for n in range(6)]
        with store.write() as tx:
            for item in items:
                tx.items.add(item)
        then = make.tick()
        asked = ItemQuery(scopes=(REPO,), statuses=("active",), as_of=then, limit=4)
        with store.read() as tx:
            before = tx.items.page(asked)
            rest = tx.items.page(replace(asked, after=before[-1].id))
        later = make.tick()
        with store.write() as tx:
            tx.items.change(replace(items[5], status="archived"), at=later)
            tx.items.change(replace(items[4], scope=BRANCH), at=later)
            tx.items.revise(make.revised(items[3], "Said anew", kind="fact"))
            tx.items.add(make.item("Later", scope=REPO))

        with store.read() as tx:
            assert tx.items.page(asked) == before == items[:1:-1]
            assert tx.items.page(replace(asked, after=before[-1].id)) == rest == items[1::-1]
            assert tx.items.page(replace(asked, kinds=("fact",))) == []
            now = tx.items.page(replace(asked, as_of=make.tick(), limit=9))
            assert [item.content.title for item in now[:2]] == ["Later", "Said anew"]

    def test_what_was_true_at_an_instant(self, store: Store) -> None:
        """Validity is half-open; it can be asked for as it is believed now or was then."""
        make = Maker()
        item = make.item("The gate is 1", valid_from=1_000)
        with store.write() as tx:
            tx.items.add(item)
        then = make.tick()
        closed = make.revised(item, valid_to=2_000, recorded_at=make.tick())
        with store.write() as tx:
            tx.items.revise(closed)

        with store.read() as tx:
            for at, believed in ((999, 0), (1_000, 1), (1_999, 1), (2_000, 0)):
                assert len(tx.items.page(ItemQuery(valid_at=at))) == believed
            for at, believed in ((999, 0), (1_000, 1), (1_999, 1), (2_000, 1)):
                assert len(tx.items.page(ItemQuery(valid_at=at, as_of=then))) == believed

    def test_a_clock_set_back_orders_nothing_anew(self, store: Store) -> None:
        """A change at an earlier time counts from the last one on; an end is after its start."""
        make = Maker()
        item = make.item("one")
        at = item.head.recorded_at
        with store.write() as tx:
            tx.items.add(item)
            tx.items.change(replace(item, pinned=True), at=at + HOUR)
            tx.items.change(replace(item, status="archived"), at=at - HOUR)

        with store.read() as tx:
            assert tx.items.as_of([item.id], at - 1) == []
            assert one(tx, item.id, at) == item
            assert one(tx, item.id, at + HOUR - 1) == item
            assert one(tx, item.id, at + HOUR) == replace(item, status="archived")

    def test_erasing_reaches_every_state(self, store: Store) -> None:
        """What was erased is a counted placeholder at every instant, and carries no text."""
        make = Maker()
        item = make.item("one", key="gate", scope=REPO)
        revised = make.revised(item, "two")
        stays = make.item("other", scope=REPO)
        with store.write() as tx:
            tx.items.add(item)
            tx.items.add(stays)
            tx.items.revise(revised)
        then = make.tick()
        with store.write() as tx:
            tx.items.erase(item.id, make.tick())

        with store.read() as tx:
            for at in (item.created_at, then, make.tick()):
                gone = one(tx, item.id, at)
                assert (gone.status, gone.key, gone.salt) == ("forgotten", "", b"")
                assert gone.content == Content(title="")
                assert gone.head.where == Where()
            query = ItemQuery(scopes=(REPO,), as_of=then)
            assert tx.items.page(query) == [stays]
            assert tx.items.erased_since((REPO,), ("active",), then) == 1
            assert tx.items.erased_since((BRANCH,), ("active",), then) == 0
            assert tx.items.erased_since(None, ("proposed",), then) == 0
            assert tx.items.erased_since(None, ("active",), make.tick()) == 0


def one(tx: Transaction, item: str, at: int) -> Item:
    """The item as it stood."""
    (found,) = tx.items.as_of([item], at)
    return found
