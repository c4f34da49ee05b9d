"""What packs put into sessions."""

from __future__ import annotations

from dataclasses import replace

from onrecord.domain.ports import Store
from onrecord.domain.session import Delivered, Session
from onrecord.testing.builders import Maker
from onrecord.testing.rich import AWKWARD, unset


class DeliveriesSuite:
    """What the deliveries port keeps."""

    def test_a_delivery_comes_back_as_it_was_stored(self, store: Store) -> None:
        """Every field survives, and its items in their order, shown and withheld."""
        make = Maker()
        item, other = make.item("one"), make.item("two")
        rich = Delivered(
            item=item.id,
            version=2,
            rank=1,
            score=0.123456789,
            parts={"lexical": 1.5, "scope": -0.25},
            tokens=31,
            why="budget",
        )
        full = make.delivery(
            "s1",
            channel="mcp",
            occasion="prompt",
            query=AWKWARD[4],
            tokens=43,
            items=(rich, Delivered(item=other.id, version=1, rank=2, shown=False)),
        )
        bare = make.delivery(items=())
        assert unset(full) == set()
        with store.write() as tx:
            for each in (item, other):
                tx.items.add(each)
            tx.deliveries.add(full)
            tx.deliveries.add(bare)

        with store.read() as tx:
            assert tx.deliveries.get(full.id) == full
            assert tx.deliveries.get(bare.id) == bare
            assert tx.deliveries.get(make.id()) is None

    def test_only_what_was_shown_counts_as_delivered(self, store: Store) -> None:
        """The counter goes up by one a delivery; what was withheld stays."""
        make = Maker()
        item, other = make.item("one"), make.item("two", delivered=5)
        with store.write() as tx:
            for each in (item, other):
                tx.items.add(each)
            tx.deliveries.add(make.delivery("s1", shown=[item], withheld=[other]))
            tx.deliveries.add(make.delivery("s2", shown=[item, other]))

        with store.read() as tx:
            assert tx.items.get(item.id) == replace(item, delivered=2)
            assert tx.items.get(other.id) == replace(other, delivered=6)

    def test_what_went_into_no_session_is_not_counted(self, store: Store) -> None:
        """A pack that a person looked at is on record, and was given to no agent."""
        make = Maker()
        item = make.item("one")
        looked_at = make.delivery("", shown=[item])
        with store.write() as tx:
            tx.items.add(item)
            tx.deliveries.add(looked_at)

        with store.read() as tx:
            assert tx.deliveries.get(looked_at.id) == looked_at
            assert tx.items.get(item.id) == item

    def test_what_a_printed_pack_showed_is_found_by_its_delivery(self, store: Store) -> None:
        """In its order, with the handoff on offer; nothing of one that went into a session."""
        make = Maker()
        item, other, hidden = (make.item(name) for name in ("one", "two", "three"))
        rows = (
            Delivered(item=other.id, version=2, rank=1, tokens=7, why="offered"),
            Delivered(item=item.id, version=1, rank=2, tokens=5),
            Delivered(item=hidden.id, version=0, rank=0, shown=False, why="budget"),
        )
        printed = make.delivery("", items=rows, budget=90, tokens=12)
        nothing = make.delivery("", withheld=[hidden])
        given = make.delivery("s1", shown=[item])
        with store.write() as tx:
            for each in (item, other, hidden):
                tx.items.add(each)
            for delivery in (printed, nothing, given):
                tx.deliveries.add(delivery)

        with store.read() as tx:
            told = [(other.id, 2, 1, 7, "offered"), (item.id, 1, 2, 5, "")]
            assert tx.shelf.printed(printed.id) == (90, 12, told)
            for name in (nothing.id, given.id, make.id(), ""):
                assert tx.shelf.printed(name) is None

    def test_what_sessions_were_given_is_told_with_its_version(self, store: Store) -> None:
        """The newest version that any session was given, and when; of what was not, nothing."""
        make = Maker()
        first, second, never = (make.item(name) for name in ("one", "two", "three"))
        old = Delivered(item=first.id, version=1, rank=1)
        new = Delivered(item=first.id, version=2, rank=1)
        deliveries = [
            make.delivery("s1", items=(new,), at=70),
            make.delivery("s2", items=(old,), at=80),
            make.delivery("s2", items=(new,), at=60),
            make.delivery("", shown=[second]),
            make.delivery("s1", withheld=[second, never]),
        ]
        with store.write() as tx:
            for item in (first, second, never):
                tx.items.add(item)
            for delivery in deliveries:
                tx.deliveries.add(delivery)

        with store.read() as tx:
            assert tx.deliveries.given([first.id, second.id, never.id]) == {first.id: (2, 60)}
            assert tx.deliveries.given([second.id]) == {}
            assert tx.deliveries.given([make.id()]) == {}
            assert tx.deliveries.given([]) == {}

    def test_recent_deliveries_come_newest_first(self, store: Store) -> None:
        """A session narrows; the limit is an upper bound."""
        make = Maker()
        a, b, c = (make.delivery(session) for session in ("s1", "s2", "s1"))
        with store.write() as tx:
            for delivery in (b, a, c):
                tx.deliveries.add(delivery)

        with store.read() as tx:
            assert tx.deliveries.recent() == [c, b, a]
            assert tx.deliveries.recent(session="s1") == [c, a]
            assert tx.deliveries.recent(limit=1) == [c]
            assert tx.deliveries.recent(session="s3") == []
            assert tx.deliveries.recent(limit=0) == []

    def test_the_order_of_deliveries_is_that_of_their_ids(self, store: Store) -> None:
        """Ids only grow; a clock that was set back in between misorders nothing."""
        make = Maker()
        early, late = make.delivery("s1", at=20), make.delivery("s1", at=10)
        with store.write() as tx:
            for delivery in (early, late):
                tx.deliveries.add(delivery)

        with store.read() as tx:
            assert tx.deliveries.recent() == [late, early]
            assert tx.deliveries.recent(session="s1") == [late, early]

    def test_the_newest_version_shown_in_a_session_is_known(self, store: Store) -> None:
        """Versions go by number; other sessions and what was withheld do not count."""
        make = Maker()
        mine, theirs = _sessions(store, make)
        item = make.item("one")
        later = make.revised(item, "one, later")
        hidden = make.item("hidden")
        with store.write() as tx:
            for each in (item, hidden):
                tx.items.add(each)
            tx.items.revise(later)
            tx.deliveries.add(make.delivery(mine.id, shown=[later], withheld=[hidden]))
            tx.deliveries.add(make.delivery(mine.id, shown=[item]))
            tx.deliveries.add(make.delivery(theirs.id, shown=[item, hidden]))

        with store.read() as tx:
            assert dict(tx.deliveries.shown(mine.id)) == {item.id: 2}
            assert dict(tx.deliveries.shown(theirs.id)) == {item.id: 1, hidden.id: 1}
            assert dict(tx.deliveries.shown(make.id())) == {}

    def test_after_compaction_nothing_counts_as_shown(self, store: Store) -> None:
        """Only what is shown from then on counts, in that session alone."""
        make = Maker()
        mine, theirs = _sessions(store, make)
        item, other = make.item("one"), make.item("two")
        with store.write() as tx:
            for each in (item, other):
                tx.items.add(each)
            for session in (mine, theirs):
                tx.deliveries.add(make.delivery(session.id, shown=[item]))
            compacted = make.tick()
            tx.deliveries.forget_shown(mine.id, compacted)
            tx.deliveries.forget_shown(make.id(), compacted)
            assert dict(tx.deliveries.shown(mine.id)) == {}
            tx.deliveries.add(make.delivery(mine.id, shown=[other], at=compacted))

        with store.read() as tx:
            assert dict(tx.deliveries.shown(mine.id)) == {other.id: 1}
            assert dict(tx.deliveries.shown(theirs.id)) == {item.id: 1}
            assert len(tx.deliveries.recent(session=mine.id)) == 2

    def test_a_compaction_is_not_undone_by_the_sessions_next_event(self, store: Store) -> None:
        """Storing the session again does not bring back what its context has lost."""
        make = Maker()
        mine, _ = _sessions(store, make)
        item = make.item()
        with store.write() as tx:
            tx.items.add(item)
            tx.deliveries.add(make.delivery(mine.id, shown=[item]))
            tx.deliveries.forget_shown(mine.id, make.tick())
            tx.sessions.put(replace(mine, prompts=3, last_event_at=make.tick()))

        with store.read() as tx:
            assert dict(tx.deliveries.shown(mine.id)) == {}

    def test_queries_are_told_and_blanked_by_their_deliveries(self, store: Store) -> None:
        """Those that have one, by id; blanking names deliveries and leaves the others."""
        make = Maker()
        said = ["rotate the key", "", "what opens at six", "who has the till"]
        deliveries = [make.delivery("s1", query=text) for text in said]
        with store.write() as tx:
            for delivery in deliveries:
                tx.deliveries.add(delivery)
            first, empty, second, third = (delivery.id for delivery in deliveries)
            told = tx.deliveries.queries()
            assert tx.deliveries.blank([]) == 0
            assert tx.deliveries.blank([third, first, first, empty, make.id()]) == 2
            assert tx.deliveries.blank([first]) == 0

        assert told == [(first, said[0]), (second, said[2]), (third, said[3])]
        with store.read() as tx:
            assert tx.deliveries.queries() == [(second, said[2])]

    def test_queries_are_blanked_letter_for_letter(self, store: Store) -> None:
        """Those that contain the text are emptied and counted; the others stay."""
        make = Maker()
        said = ["rotate the 100% key", "Rotate it", "naïve_key", ""]
        deliveries = [make.delivery("s1", query=text) for text in said]
        with store.write() as tx:
            for delivery in deliveries:
                tx.deliveries.add(delivery)
            assert tx.deliveries.blank_queries("key") == 2
            assert tx.deliveries.blank_queries("key") == 0
            assert tx.deliveries.blank_queries("rotate") == 0
            assert tx.deliveries.blank_queries("%") == 0
            tx.deliveries.add(make.delivery("s2", query="theirs"))
            assert tx.deliveries.blank_queries("", session="s2") == 1

        with store.read() as tx:
            kept = [tx.deliveries.get(delivery.id) for delivery in deliveries]
            assert [each.query for each in kept if each] == ["", "Rotate it", "", ""]


def _sessions(store: Store, make: Maker) -> tuple[Session, Session]:
    one, two = make.session("codex", "x"), make.session("codex", "y")
    with store.write() as tx:
        tx.sessions.put(one)
        tx.sessions.put(two)
    return one, two
