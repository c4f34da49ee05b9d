"""Finding items by id, address, statement, scope, status and time."""

from __future__ import annotations

from dataclasses import replace

from onrecord.domain.item import Item, ItemQuery
from onrecord.domain.ports import Store
from onrecord.testing.builders import REPO, Maker, digest

_ALL = ("proposed", "active", "archived", "rejected", "superseded", "forgotten")


class ListingSuite:
    """What the items port finds."""

    def test_many_keeps_the_order_that_was_asked_for(self, store: Store) -> None:
        """Items come in the order of the ids; unknown ones are left out."""
        make = Maker()
        items = [make.item(str(n)) for n in range(5)]
        with store.write() as tx:
            for item in items:
                tx.items.add(item)

        with store.read() as tx:
            asked = [items[3].id, make.id(), items[0].id, items[4].id]
            assert tx.items.many(asked) == [items[3], items[0], items[4]]
            assert tx.items.many([]) == []

    def test_thousands_of_ids_can_be_asked_for(self, store: Store) -> None:
        """The number of ids in one call has no hidden limit."""
        make = Maker()
        item = make.item()
        with store.write() as tx:
            tx.items.add(item)

        with store.read() as tx:
            unknown = [f"{n:026d}" for n in range(40_000)]
            assert tx.items.many([*unknown, item.id]) == [item]

    def test_part_of_an_id_finds_it_from_either_end(self, store: Store) -> None:
        """A part at the start or the end fits, oldest first; one in the middle does not."""
        make = Maker()
        ids = ["0" * 10 + "ABC" + "7" * 13, "ABC" + "1" * 23, "2" * 23 + "ABC", "3" * 26]
        with store.write() as tx:
            for given in reversed(ids):
                tx.items.add(make.item(id=given))

        with store.read() as tx:
            assert tx.items.ids_like("ABC") == [ids[2], ids[1]]
            assert tx.items.ids_like("ABC", limit=1) == [ids[2]]
            assert tx.items.ids_like(ids[3]) == [ids[3]]
            assert tx.items.ids_like("XYZ") == []

    def test_the_length_of_a_part_does_not_matter(self, store: Store) -> None:
        """Any number of characters of either end finds an id; other ends of theirs do not."""
        make = Maker()
        ids = ["0" * 20 + "AB12CD", "0" * 20 + "XY12CD", "12CD" + "0" * 22]
        with store.write() as tx:
            for given in ids:
                tx.items.add(make.item(id=given))

        with store.read() as tx:
            for part in ("D", "CD", "2CD"):
                assert tx.items.ids_like(part) == ids[:2]
            assert tx.items.ids_like("12CD") == ids
            assert tx.items.ids_like("B12CD") == tx.items.ids_like("AB12CD") == ids[:1]
            assert tx.items.ids_like(ids[1]) == ids[1:2]
            assert tx.items.ids_like("A12CD") == tx.items.ids_like("7" + ids[0]) == []

    def test_a_part_of_an_id_is_no_pattern(self, store: Store) -> None:
        """Wildcards of any query language stand for themselves."""
        make = Maker()
        with store.write() as tx:
            tx.items.add(make.item())

        with store.read() as tx:
            for pattern in ("%", "_", "*", "?", "0_", "0%", "[0-9]", "^0", "\\", "'"):
                assert tx.items.ids_like(pattern) == []

    def test_items_are_found_by_their_address(self, store: Store) -> None:
        """Scope and key both count, letter for letter, in the statuses that were asked for."""
        make = Maker()
        gone = make.item("a", key="k", status="superseded")
        here = make.item("b", key="k")
        waiting = make.item("c", key="k", status="proposed")
        others = [
            make.item("d", key="K"),
            make.item("e", key="k2"),
            make.item("f", key="k", scope=REPO),
            make.item("g"),
        ]
        with store.write() as tx:
            for item in (waiting, here, gone, *others):
                tx.items.add(item)

        with store.read() as tx:
            assert tx.items.by_key("global", "k", _ALL) == [gone, here, waiting]
            assert tx.items.by_key("global", "k", ["active"]) == [here]
            assert tx.items.by_key("global", "k", []) == []
            assert tx.items.by_key(REPO, "k2", _ALL) == []

    def test_items_are_found_by_their_statement(self, store: Store) -> None:
        """Heads with the print are found in any scope, oldest first; earlier versions are not."""
        make = Maker()
        same = digest("the statement")
        first = make.item("a", same=same)
        second = make.item("b", same=same, scope=REPO, status="proposed")
        moved_on = make.item("c", same=same)
        now = make.revised(moved_on, "c, but different", same=digest("another"))
        with store.write() as tx:
            for item in (second, first, moved_on, make.item("d")):
                tx.items.add(item)
            tx.items.revise(now)

        with store.read() as tx:
            assert tx.items.by_same(same, _ALL) == [first, second]
            assert tx.items.by_same(same, ["proposed"]) == [second]
            assert tx.items.by_same(same, []) == []
            assert tx.items.by_same(digest("unknown"), _ALL) == []

    def test_replaced_statements_are_found_newest_first(self, store: Store) -> None:
        """Only versions that are no longer heads count."""
        make = Maker()
        same = digest("the statement")
        one = make.item("one", same=same)
        two = make.item("two", same=same)
        head = make.item("three", same=same)
        one_next = make.revised(one, "other", same=digest("x"))
        two_next = make.revised(two, "other", same=digest("y"))
        with store.write() as tx:
            for item in (one, two, head):
                tx.items.add(item)
            tx.items.revise(two_next)
            tx.items.revise(one_next)

        with store.read() as tx:
            assert tx.items.superseded_same(same) == [
                replace(two.head, superseded_at=two_next.head.recorded_at),
                replace(one.head, superseded_at=one_next.head.recorded_at),
            ]
            assert tx.items.superseded_same(digest("unknown")) == []

    def test_items_are_counted(self, store: Store) -> None:
        """Counting goes by scopes and statuses; no scope and no status count nothing."""
        make = Maker()
        with store.write() as tx:
            for scope, status in (("global", "active"), ("global", "proposed"), (REPO, "active")):
                tx.items.add(make.item(scope=scope, status=status))

        with store.read() as tx:
            assert tx.items.count(None, ["active"]) == 2
            assert tx.items.count(None, _ALL) == 3
            assert tx.items.count(["global"], _ALL) == 2
            assert tx.items.count(["global", REPO, "org:none"], ["active"]) == 2
            assert tx.items.count(["org:none"], _ALL) == 0
            assert tx.items.count([], _ALL) == 0
            assert tx.items.count(None, []) == 0


class PagingSuite:
    """Pages of items."""

    def test_a_page_is_newest_first_and_no_longer_than_its_limit(self, store: Store) -> None:
        """Pages that follow one another show every item once."""
        items = _kept(store, [{} for _ in range(7)])
        newest = list(reversed(items))

        with store.read() as tx:
            assert tx.items.page(ItemQuery()) == newest
            assert tx.items.page(ItemQuery(limit=3)) == newest[:3]
            assert tx.items.page(ItemQuery(limit=3, after=newest[2].id)) == newest[3:6]
            assert tx.items.page(ItemQuery(limit=3, after=newest[5].id)) == newest[6:]
            assert tx.items.page(ItemQuery(after=newest[6].id)) == []
            assert tx.items.page(ItemQuery(limit=0)) == []

    def test_every_field_narrows(self, store: Store) -> None:
        """Scopes, statuses and kinds each take any of theirs, and all of them must fit."""
        a, b, c, d = _kept(
            store,
            [
                {"scope": "global", "kind": "fact"},
                {"scope": REPO, "kind": "fact"},
                {"scope": REPO, "kind": "rule", "status": "proposed"},
                {"scope": "org:acme", "kind": "task", "status": "archived"},
            ],
        )

        with store.read() as tx:
            page = tx.items.page
            assert page(ItemQuery(scopes=(REPO, "global"))) == [c, b, a]
            assert page(ItemQuery(statuses=("proposed", "archived"))) == [d, c]
            assert page(ItemQuery(kinds=("fact", "task"))) == [d, b, a]
            assert page(ItemQuery(scopes=(REPO,), statuses=("active",), kinds=("fact",))) == [b]
            assert page(ItemQuery(scopes=("global",), kinds=("rule",))) == []

    def test_an_empty_choice_fits_nothing(self, store: Store) -> None:
        """No scope, status or kind is not the same as any."""
        _kept(store, [{}])

        with store.read() as tx:
            assert tx.items.page(ItemQuery(scopes=())) == []
            assert tx.items.page(ItemQuery(statuses=())) == []
            assert tx.items.page(ItemQuery(kinds=())) == []

    def test_tags_are_compared_whole(self, store: Store) -> None:
        """A tag fits letter for letter, never in part or as a pattern."""
        a, b, _ = _kept(
            store, [{"tags": ("api", "two words")}, {"tags": ("api", "é")}, {"tags": ("apis",)}]
        )

        with store.read() as tx:
            assert tx.items.page(ItemQuery(tags=("api",))) == [b, a]
            assert tx.items.page(ItemQuery(tags=("two words",))) == [a]
            assert tx.items.page(ItemQuery(tags=("é",))) == [b]
            for off in ("API", "ap", "ap%", "two", '"api"', ""):
                assert tx.items.page(ItemQuery(tags=(off,))) == []

    def test_time_is_that_of_the_current_version(self, store: Store) -> None:
        """`since` is within, `until` is not, and a revised item counts by its new version."""
        a, b = _kept(store, [{}, {}])
        revised = Maker(at=b.created_at + 1000).revised(a, "later")
        with store.write() as tx:
            tx.items.revise(revised)

        with store.read() as tx:
            page, then = tx.items.page, revised.head.recorded_at
            assert page(ItemQuery(since=b.head.recorded_at)) == [b, revised]
            assert page(ItemQuery(since=b.head.recorded_at + 1)) == [revised]
            assert page(ItemQuery(until=then)) == [b]
            assert page(ItemQuery(until=then + 1)) == [b, revised]
            assert page(ItemQuery(since=then, until=then)) == []

    def test_expired_items_can_be_left_out(self, store: Store) -> None:
        """An expiry at the very instant is past; none is never past."""
        a, b, c = _kept(store, [{"expires_at": 100}, {"expires_at": 101}, {}])

        with store.read() as tx:
            assert tx.items.page(ItemQuery(unexpired_at=100)) == [c, b]
            assert tx.items.page(ItemQuery(unexpired_at=99)) == [c, b, a]
            assert tx.items.page(ItemQuery()) == [c, b, a]

    def test_thousands_of_scopes_can_be_asked_for(self, store: Store) -> None:
        """The number of scopes in one call has no hidden limit."""
        (item,) = _kept(store, [{"scope": "project:p39999"}])

        with store.read() as tx:
            scopes = tuple(f"project:p{n}" for n in range(40_000))
            assert tx.items.page(ItemQuery(scopes=scopes)) == [item]
            assert tx.items.count(scopes, ["active"]) == 1


def _kept(store: Store, given: list[dict[str, object]]) -> list[Item]:
    make = Maker()
    items = [make.item(f"item {n}", **fields) for n, fields in enumerate(given)]
    with store.write() as tx:
        for item in items:
            tx.items.add(item)
    return items
