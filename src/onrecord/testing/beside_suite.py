"""What was said next to an item in its session, for recall to read it in its context."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from onrecord.domain.item import Item
from onrecord.domain.ports import Store, Transaction
from onrecord.testing.builders import AGENT, REPO, Maker, keep, keep_revised
from onrecord.testing.observables import row
from onrecord.testing.shelf_suite import row_of


class BesideSuite:
    """Neighbours in a session, as they stand now."""

    def test_neighbours_on_both_sides_are_told(self, store: Store) -> None:
        """As many as asked for on each side, in the order in which they were kept."""
        make = Maker()
        said = [_said(make, f"turn {n}") for n in range(7)]
        with store.write() as tx:
            keep(tx, *said)

        with store.read() as tx:
            assert _beside(tx, make, said[3], reach=1) == [said[2].id, said[4].id]
            near = [said[n].id for n in (1, 2, 4, 5)]
            assert _beside(tx, make, said[3], reach=2) == near
            assert _beside(tx, make, said[0], reach=2) == [said[1].id, said[2].id]
            assert _beside(tx, make, said[6], reach=9) == [item.id for item in said[:6]]
            assert _beside(tx, make, said[3], reach=0) == []
            assert _beside(tx, make) == []

    def test_each_comes_once_and_none_that_was_asked_about(self, store: Store) -> None:
        """However many of the items it stands beside."""
        make = Maker()
        said = [_said(make, f"turn {n}") for n in range(5)]
        with store.write() as tx:
            keep(tx, *said)

        with store.read() as tx:
            near = [said[n].id for n in (0, 2, 4)]
            assert _beside(tx, make, said[1], said[3], reach=2) == near

    def test_other_sessions_and_items_without_one_are_no_neighbours(self, store: Store) -> None:
        """Only what the same session said; what no session said stands alone."""
        make = Maker()
        first, other = _said(make, "a"), _said(make, "b", session="other")
        alone, single = make.item("c"), make.item("d")
        second = _said(make, "e")
        with store.write() as tx:
            keep(tx, first, other, alone, single, second)

        with store.read() as tx:
            assert _beside(tx, make, first) == [second.id]
            assert _beside(tx, make, other) == []
            assert _beside(tx, make, alone) == []

    def test_only_live_items_of_the_scopes_are_told(self, store: Store) -> None:
        """Neither what lapsed, waits or was put away, nor what stands in other scopes."""
        make = Maker()
        item = _said(make, "a")
        gone = [
            _said(make, "b", status="proposed"),
            _said(make, "c", status="archived"),
            _said(make, "d", expires_at=1),
            _said(make, "e", valid_to=2),
        ]
        theirs = _said(make, "f", scope=REPO)
        with store.write() as tx:
            keep(tx, item, *gone, theirs)

        with store.read() as tx:
            assert _beside(tx, make, item, reach=9) == []
            assert _beside(tx, make, item, reach=9, scopes=["global", REPO]) == [theirs.id]

    def test_what_is_erased_is_a_neighbour_no_more(self, store: Store) -> None:
        """From the moment on at which it is forgotten."""
        make = Maker()
        item, secret = _said(make, "a"), _said(make, "kestrel")
        with store.write() as tx:
            keep(tx, item, secret)
            assert _beside(tx, make, item) == [secret.id]
            tx.items.erase(secret.id, make.tick())
            assert _beside(tx, make, item) == []

    def test_what_was_said_again_elsewhere_goes_by_who_said_it_last(self, store: Store) -> None:
        """The session of the current version counts, and its text is what is read."""
        make = Maker()
        first, second, third = (_said(make, name) for name in "abc")
        elsewhere = replace(AGENT, session="other")
        with store.write() as tx:
            keep(tx, first, second, third)
            keep_revised(tx, make.revised(second, "moved", author=elsewhere))
            keep_revised(tx, make.revised(third, "osprey"))

        with store.read() as tx:
            (found,) = tx.shelf.beside(
                [first.id], ["global"], now=make.clock.now(), reach=1, body_chars=9
            )
            assert (found.id, found.version, found.title) == (third.id, 2, "osprey")

    def test_a_neighbour_is_a_whole_row(self, store: Store) -> None:
        """With everything that recall reads of an item, its body cut where that is asked for."""
        make = Maker()
        item, near = _said(make, "a"), _said(make, "b", body="kestrel and osprey", tags=("x",))
        with store.write() as tx:
            keep(tx, item, near)

        with store.read() as tx:
            now = make.clock.now()
            (found,) = tx.shelf.beside([item.id], ["global"], now=now, reach=1, body_chars=99)
            assert row(found) == row_of(near)
            (found,) = tx.shelf.beside([item.id], ["global"], now=now, reach=1, body_chars=7)
            assert (found.body, found.body_chars) == ("kestrel", 18)


def _said(make: Maker, title: str, *, session: str = "talk", **given: Any) -> Item:
    return make.item(title, author=replace(AGENT, session=session), **given)


def _beside(
    tx: Transaction,
    make: Maker,
    *items: Item,
    reach: int = 2,
    scopes: list[str] | None = None,
) -> list[str]:
    ids = [item.id for item in items]
    now = make.clock.now()
    found = tx.shelf.beside(ids, scopes or ["global"], now=now, reach=reach, body_chars=99)
    return [candidate.id for candidate in found]
