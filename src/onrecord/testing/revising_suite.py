"""Next versions, numbered without a gap, and changed identity."""

from __future__ import annotations

from dataclasses import fields, replace

from onrecord.domain.errors import OnrecordError, StaleVersion
from onrecord.domain.item import Item
from onrecord.domain.ports import Store
from onrecord.testing.builders import Maker
from onrecord.testing.failure import raises
from onrecord.testing.rich import rich_item


class RevisingSuite:
    """What revising, changing and counting do."""

    def test_revising_adds_a_version_and_closes_the_one_before(self, store: Store) -> None:
        """The head moves on, the earlier version gets its end, and both stay readable."""
        make = Maker()
        first = rich_item(make)
        second = make.revised(first, body="second", reason="better")
        third = make.revised(second, "A third title", tags=())
        with store.write() as tx:
            tx.items.add(first)
            tx.items.revise(second)
        with store.write() as tx:
            tx.items.revise(third)

        with store.read() as tx:
            assert tx.items.get(first.id) == third
            assert tx.items.history(first.id) == [
                replace(first.head, superseded_at=second.head.recorded_at),
                replace(second.head, superseded_at=third.head.recorded_at),
                third.head,
            ]

    def test_a_version_that_is_not_the_next_is_stale(self, store: Store) -> None:
        """Writing version 2 again, skipping one or going back raises and changes nothing."""
        make = Maker()
        first = make.item("one")
        second = make.revised(first, "two")
        with store.write() as tx:
            tx.items.add(first)
            tx.items.revise(second)
        for off in (first, second, make.revised(make.revised(second, "three"), "four")):
            with raises(StaleVersion) as caught, store.write() as tx:
                tx.items.revise(off)
            assert caught.error.code == "conflict.version"

        with store.read() as tx:
            assert tx.items.get(first.id) == second
            assert len(tx.items.history(first.id)) == 2

    def test_revising_what_is_not_there_is_an_error(self, store: Store) -> None:
        """An unknown item cannot get a next version, and none appears."""
        make = Maker()
        ghost = make.revised(make.item("ghost"), "more")
        with raises(OnrecordError), store.write() as tx:
            tx.items.revise(ghost)

        with store.read() as tx:
            assert tx.items.get(ghost.id) is None
            assert tx.items.history(ghost.id) == []

    def test_revising_stores_the_items_own_fields_too(self, store: Store) -> None:
        """Status, pin, expiry, key and the rest go with the new version; counters do not."""
        make = Maker()
        first = make.item("one", delivered=4)
        other = rich_item(make)
        second = make.revised(
            first,
            "two",
            **{name: getattr(other, name) for name in _OWN_FIELDS},
            delivered=99,
            created_at=1,
        )
        with store.write() as tx:
            tx.items.add(first)
            tx.items.revise(second)

        with store.read() as tx:
            wanted = replace(second, delivered=4, created_at=first.created_at, salt=first.salt)
            assert tx.items.get(first.id) == wanted

    def test_changing_touches_only_the_items_own_fields(self, store: Store) -> None:
        """Every own field changes; the content, creation and counters stay."""
        make = Maker()
        item = make.item("one", body="body", opened=2)
        other = rich_item(make)
        own = {name: getattr(other, name) for name in _OWN_FIELDS}
        assert {f.name for f in fields(Item)} == {*own, *_FIXED_FIELDS}
        with store.write() as tx:
            tx.items.add(item)
            tx.items.change(replace(other, id=item.id), at=make.clock.now())

        with store.read() as tx:
            assert tx.items.get(item.id) == replace(item, **own)
            assert tx.items.history(item.id) == [item.head]

    def test_changing_back_restores_the_item(self, store: Store) -> None:
        """A set expiry, key, flag or replacement can be taken off again."""
        make = Maker()
        bare = make.item("one", key="")
        rich = replace(rich_item(make), id=bare.id)
        with store.write() as tx:
            tx.items.add(bare)
            tx.items.change(rich, at=make.clock.now())
            tx.items.change(bare, at=make.clock.now())

        with store.read() as tx:
            assert tx.items.get(bare.id) == bare

    def test_counters_add_up(self, store: Store) -> None:
        """Bumping adds to the counters that are named, of the items that exist."""
        make = Maker()
        one, two, three = (make.item(str(n)) for n in range(3))
        with store.write() as tx:
            for item in (one, two, three):
                tx.items.add(item)
            tx.items.bump([one.id, two.id], delivered=1)
            tx.items.bump([one.id, make.id()], opened=2, helpful=3)
            tx.items.bump([], delivered=5)

        with store.read() as tx:
            assert tx.items.get(one.id) == replace(one, delivered=1, opened=2, helpful=3)
            assert tx.items.get(two.id) == replace(two, delivered=1)
            assert tx.items.get(three.id) == three


_FIXED_FIELDS = ("id", "created_at", "delivered", "opened", "helpful", "salt", "head")
_OWN_FIELDS = (
    "scope",
    "key",
    "kind",
    "status",
    "verification",
    "pinned",
    "tainted",
    "flags",
    "replaces",
    "replaces_version",
    "expires_at",
)
