"""Items: stored whole, once, under one address."""

from __future__ import annotations

from dataclasses import replace

from onrecord.domain.errors import OnrecordError
from onrecord.domain.item import MAX_BODY_BYTES
from onrecord.domain.ports import Store
from onrecord.domain.principal import Principal
from onrecord.testing.builders import REPO, Maker
from onrecord.testing.failure import raises
from onrecord.testing.rich import AWKWARD, rich_item, unset


class ItemsSuite:
    """What the items port keeps."""

    def test_an_item_comes_back_as_it_was_stored(self, store: Store) -> None:
        """Every field of an item, its version, content, author and place survives."""
        item = rich_item(Maker())
        assert unset(item.head) == {"superseded_at", "erased_at"}
        for part in (item, item.content, item.head.where, item.head.author):
            assert unset(part) == set()
        with store.write() as tx:
            tx.items.add(item)
            assert tx.items.get(item.id) == item

        with store.read() as tx:
            assert tx.items.get(item.id) == item
            assert tx.items.history(item.id) == [item.head]

    def test_a_bare_item_comes_back_as_it_was_stored(self, store: Store) -> None:
        """Defaults come back as defaults: no empty text turns into nothing."""
        make = Maker()
        author = Principal(writer="system", channel="system")
        item = make.item("x", status="proposed", salt=b"", author=author, digest=b"", same=b"")
        with store.write() as tx:
            tx.items.add(item)

        with store.read() as tx:
            assert tx.items.get(item.id) == item

    def test_awkward_text_survives(self, store: Store) -> None:
        """Text in any script, with quotes, controls and invisible characters, is kept as it is."""
        make = Maker()
        items = [
            make.item(text, body=text, summary=text, tags=(text, "b"), reason=text, flags=(text,))
            for text in AWKWARD
        ]
        with store.write() as tx:
            for item in items:
                tx.items.add(item)

        with store.read() as tx:
            assert tx.items.many([item.id for item in items]) == items

    def test_a_body_of_the_largest_size_survives(self, store: Store) -> None:
        """A body of 64 KiB of UTF-8 is kept whole."""
        make = Maker()
        body = "é" * (MAX_BODY_BYTES // 2)
        item = make.item("long", body=body)
        with store.write() as tx:
            tx.items.add(item)

        with store.read() as tx:
            kept = tx.items.get(item.id)
            assert kept is not None
            assert kept.content.body == body

    def test_extreme_times_survive(self, store: Store) -> None:
        """Times before 1970 and far ahead are kept to the microsecond."""
        make = Maker()
        item = make.item(
            "old", valid_from=-62_135_596_800_000_001, valid_to=253_402_300_799_999_999
        )
        with store.write() as tx:
            tx.items.add(item)

        with store.read() as tx:
            assert tx.items.get(item.id) == item

    def test_an_unknown_id_is_none(self, store: Store) -> None:
        """Nothing under an id is None or an empty list, never an error."""
        make = Maker()
        item = make.item()
        with store.write() as tx:
            tx.items.add(item)

        with store.read() as tx:
            for unknown in (make.id(), "", "no id at all", item.id.lower(), item.id[:-1], "%"):
                assert tx.items.get(unknown) is None
                assert tx.items.history(unknown) == []
                assert tx.items.many([unknown]) == []

    def test_an_id_is_added_once(self, store: Store) -> None:
        """A second item under the same id is refused and the first stays."""
        make = Maker()
        item = make.item("first")
        with store.write() as tx:
            tx.items.add(item)
        with raises(OnrecordError), store.write() as tx:
            tx.items.add(make.item("second", id=item.id))

        with store.read() as tx:
            assert tx.items.get(item.id) == item

    def test_a_key_is_unique_among_the_active_items_of_a_scope(self, store: Store) -> None:
        """A second active item there is refused; other statuses and scopes may share it."""
        make = Maker()
        first = make.item("first", key="k")
        with store.write() as tx:
            tx.items.add(first)
            for status in ("proposed", "proposed", "archived", "rejected", "superseded"):
                tx.items.add(make.item("other", key="k", status=status))
            tx.items.add(make.item("elsewhere", key="k", scope=REPO))
            tx.items.add(make.item("no key"))
            tx.items.add(make.item("no key either"))
        with raises(OnrecordError), store.write() as tx:
            tx.items.add(make.item("second", key="k"))

        with store.read() as tx:
            assert tx.items.by_key("global", "k", ["active"]) == [first]

    def test_a_change_cannot_take_an_active_key(self, store: Store) -> None:
        """Approving or moving onto an address that is taken is refused as well."""
        make = Maker()
        first = make.item("first", key="k")
        waiting = make.item("waiting", key="k", status="proposed")
        with store.write() as tx:
            tx.items.add(first)
            tx.items.add(waiting)
        with raises(OnrecordError), store.write() as tx:
            tx.items.change(replace(waiting, status="active"), at=make.clock.now())

        with store.write() as tx:
            tx.items.change(replace(first, status="superseded"), at=make.clock.now())
            tx.items.change(replace(waiting, status="active"), at=make.clock.now())
            assert tx.items.by_key("global", "k", ["active"]) == [
                replace(waiting, status="active")
            ]
