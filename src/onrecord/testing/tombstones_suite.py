"""Fingerprints of rejected and forgotten values."""

from __future__ import annotations

from dataclasses import replace

from onrecord.domain.ports import Store
from onrecord.domain.tombstone import Lift, Print, Tombstone
from onrecord.testing.builders import REPO, Maker, digest
from onrecord.testing.observables import in_order


class TombstonesSuite:
    """What the tombstones port keeps."""

    def test_a_tombstone_comes_back_as_it_was_stored(self, store: Store) -> None:
        """Reason, scope, person, key and prints survive, for an item that the store never had."""
        make = Maker()
        prints = tuple(
            Print(part=part, value=digest(part)) for part in ("whole", "title", "sentence", "key")
        )
        stone = make.tombstone(
            make.id(),
            scope=REPO,
            reason="unwanted",
            key_id="k-7",
            normaliser=3,
            prints=prints,
            sketch=bytes(range(64)),
        )
        with store.write() as tx:
            tx.tombstones.add(stone)

        with store.read() as tx:
            (found,) = tx.tombstones.of(stone.item)
            assert in_order(found) == in_order(stone)
            assert tx.tombstones.of(make.id()) == []

    def test_a_repeated_sentence_is_one_print(self, store: Store) -> None:
        """A text that says one thing twice can be rejected too."""
        make = Maker()
        stone = make.tombstone(make.id(), "whole", "again", "again")
        with store.write() as tx:
            tx.tombstones.add(stone)

        with store.read() as tx:
            (found,) = tx.tombstones.with_prints([digest("again")])
            assert set(found.prints) == set(stone.prints)

    def test_any_print_finds_its_tombstones_oldest_first(self, store: Store) -> None:
        """Each tombstone that holds one or more of the prints is found once."""
        make = Maker()
        first = make.tombstone(make.id(), "a", "shared", "also shared")
        second = make.tombstone(make.id(), "b", "shared", "also shared")
        third = make.tombstone(make.id(), "c")
        with store.write() as tx:
            for stone in (second, third, first):
                tx.tombstones.add(stone)

        with store.read() as tx:
            found = tx.tombstones.with_prints
            assert _ids(found([digest("shared"), digest("also shared")])) == [first.id, second.id]
            assert _ids(found([digest("c"), digest("unknown"), digest("a")])) == [
                first.id,
                third.id,
            ]
            assert found([digest("unknown")]) == []
            assert found([digest("a")[:-1]]) == []
            assert found([]) == []
            (whole,) = found([digest("b")])
            assert in_order(whole) == in_order(second)

    def test_thousands_of_prints_can_be_asked_for(self, store: Store) -> None:
        """A long text has many sentences; none of their prints is left out."""
        make = Maker()
        stone = make.tombstone(make.id(), "w", *(f"sentence {n}" for n in range(2_000)))
        with store.write() as tx:
            tx.tombstones.add(stone)

        with store.read() as tx:
            asked = [digest(f"other {n}") for n in range(40_000)]
            assert _ids(tx.tombstones.with_prints([*asked, digest("sentence 1999")])) == [stone.id]

    def test_a_lifted_tombstone_is_still_found_by_print(self, store: Store) -> None:
        """Lifting notes when and by whom; nothing is deleted."""
        make = Maker()
        stone = make.tombstone(make.id(), "a", sketch=b"s" * 32)
        other = make.tombstone(stone.item, "a", sketch=b"o" * 32)
        bare = make.tombstone(make.id(), "b")
        with store.write() as tx:
            for each in (stone, other, bare):
                tx.tombstones.add(each)
            assert _ids(tx.tombstones.with_sketches()) == [stone.id, other.id]
            tx.tombstones.lift(stone.id, 77, "ada")
            tx.tombstones.lift(make.id(), 77, "ada")

        lifted = replace(stone, lifted_at=77, lifted_by="ada")
        with store.read() as tx:
            found = tx.tombstones.with_prints([digest("a")])
            assert [in_order(s) for s in found] == [in_order(lifted), in_order(other)]
            assert _ids(tx.tombstones.of(stone.item)) == [stone.id, other.id]
            assert _ids(tx.tombstones.with_sketches()) == [other.id]

    def test_the_first_lift_is_the_one_on_record(self, store: Store) -> None:
        """Lifting again changes neither when nor by whom."""
        make = Maker()
        stone = make.tombstone(make.id(), "a")
        with store.write() as tx:
            tx.tombstones.add(stone)
            for at, by in ((77, "ada"), (99, "eve")):
                tx.tombstones.lift(stone.id, at, by)
                tx.tombstones.lift(stone.id, at, by, scope=REPO)

        with store.read() as tx:
            (found,) = tx.tombstones.of(stone.item)
            assert (found.lifted_at, found.lifted_by) == (77, "ada")
            assert found.lifts == (Lift(scope=REPO, at=77, by="ada"),)

    def test_a_tombstone_is_lifted_for_one_scope_alone(self, store: Store) -> None:
        """It stays in force elsewhere, and tells every scope that it was lifted for."""
        make = Maker()
        stone = make.tombstone(make.id(), "a", sketch=b"s" * 32)
        other = make.tombstone(stone.item, "b")
        with store.write() as tx:
            tx.tombstones.add(stone)
            tx.tombstones.add(other)
            tx.tombstones.lift(stone.id, 9, "eve", scope="org:acme")
            tx.tombstones.lift(stone.id, 7, "ada", scope=REPO)
            tx.tombstones.lift(make.id(), 7, "ada", scope=REPO)

        lifts = (Lift(scope=REPO, at=7, by="ada"), Lift(scope="org:acme", at=9, by="eve"))
        with store.read() as tx:
            for found in (
                tx.tombstones.of(stone.item)[0],
                *tx.tombstones.with_prints([digest("a")]),
                *tx.tombstones.with_sketches(),
            ):
                assert in_order(found) == in_order(replace(stone, lifts=lifts))
                assert found.lifted_for([REPO, "global"]) is True
                assert found.lifted_for(["repo:github.com/acme/till", "global"]) is False
                assert found.lifted_for([]) is False
            assert tx.tombstones.of(stone.item)[1].lifts == ()

    def test_a_tombstone_that_was_lifted_before_is_kept_with_its_lifts(self, store: Store) -> None:
        """As one that comes from a copy; lifted as a whole, it is lifted for every scope."""
        make = Maker()
        lifts = (Lift(scope=REPO, at=7, by="ada"),)
        stone = make.tombstone(make.id(), "a", lifts=lifts, lifted_at=8, lifted_by="ada")
        with store.write() as tx:
            tx.tombstones.add(stone)

        with store.read() as tx:
            (found,) = tx.tombstones.of(stone.item)
            assert in_order(found) == in_order(stone)
            assert found.lifted_for(["global"]) is True
            assert found.lifted_for([]) is True

    def test_an_erased_key_is_remembered_by_its_print(self, store: Store) -> None:
        """Noting it twice is no error; other prints are not known."""
        with store.write() as tx:
            assert tx.tombstones.erased_key(digest("k")) is False
            tx.tombstones.note_erased_key(digest("k"), 1)
            tx.tombstones.note_erased_key(digest("k"), 2)

        with store.read() as tx:
            assert tx.tombstones.erased_key(digest("k")) is True
            assert tx.tombstones.erased_key(digest("other")) is False
            assert tx.tombstones.erased_key(b"") is False


def _ids(stones: list[Tombstone]) -> list[str]:
    return [stone.id for stone in stones]
