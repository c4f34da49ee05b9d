"""Spaces of meanings and their vectors: kept, replaced, switched, erased."""

from __future__ import annotations

from dataclasses import replace

from onrecord.domain.embedding import Space, Spec
from onrecord.domain.errors import Clash, ModelMismatch, NotFound, StoreError
from onrecord.domain.item import Item
from onrecord.domain.ports import Store, Transaction
from onrecord.testing.builders import REPO, START, Maker, document, keep, keep_revised
from onrecord.testing.failure import raises

#: One-dimensional thoughts would do; three make a mistake of order visible.
UP, DOWN, ASIDE = bytes([1, 2, 3]), bytes([255, 254, 253]), bytes([0, 127, 128])


def space(name: str = "s1", *, model: str = "little", digest: str = "d" * 64) -> Space:
    """A space of three dimensions."""
    spec = Spec(model=model, digest=digest, dimension=3, pooling="mean", form="whole/1")
    return Space(id=name, spec=spec, made_at=START)


class VectorsSuite:
    """What the vectors port keeps."""

    def test_a_space_is_opened_once_and_switched_to(self, store: Store) -> None:
        """It comes back as it was; id and spec are taken; only a switch makes it current."""
        with store.write() as tx:
            tx.vectors.open(space())
            tx.vectors.open(space("s2", model="other"))
        with store.write() as tx, raises(Clash):
            tx.vectors.open(space("s1", model="third"))
        with store.write() as tx, raises(Clash):
            tx.vectors.open(space("s3"))

        with store.write() as tx:
            assert tx.vectors.spaces() == [space(), space("s2", model="other")]
            tx.vectors.switch("s1")
        with store.read() as tx:
            assert tx.vectors.spaces() == [replace(space(), current=True)]

    def test_the_same_is_made_anew_beside_the_one_in_use(self, store: Store) -> None:
        """Once; the one in use answers until the switch, which leaves the new one alone."""
        make = Maker()
        item = make.item("kestrel")
        with store.write() as tx:
            _opened(tx, item)
            tx.vectors.put("s1", item.id, 1, [UP])
            tx.vectors.open(space("s2"))
        with store.write() as tx, raises(Clash):
            tx.vectors.open(space("s3"))
        with store.write() as tx:
            assert [one.current for one in tx.vectors.spaces()] == [True, False]
            assert tx.vectors.lacking("s2") == [(item.id, 1)]
            assert tx.vectors.count("s1") == (1, 1)
            tx.vectors.put("s2", item.id, 1, [DOWN])
            tx.vectors.switch("s2")

        with store.read() as tx:
            assert tx.vectors.spaces() == [replace(space("s2"), current=True)]
            assert tx.vectors.of("s2", "global") == [(item.id, DOWN)]

    def test_vectors_come_by_scope_of_active_items_alone(self, store: Store) -> None:
        """All pieces in order, by id; what waits or was put away is not told."""
        make = Maker()
        here, there = make.item("kestrel"), make.item("osprey", scope=REPO)
        waiting = make.item("merlin", status="proposed")
        with store.write() as tx:
            _opened(tx, here, there, waiting)
            tx.vectors.put("s1", there.id, 1, [DOWN])
            tx.vectors.put("s1", here.id, 1, [UP, ASIDE])
            tx.vectors.put("s1", waiting.id, 1, [UP])

        with store.read() as tx:
            assert tx.vectors.of("s1", "global") == [(here.id, UP), (here.id, ASIDE)]
            assert tx.vectors.of("s1", REPO) == [(there.id, DOWN)]
            assert tx.vectors.of("s1", "project:none") == []
            assert tx.vectors.of("s2", "global") == []

    def test_an_earlier_versions_vectors_are_not_told(self, store: Store) -> None:
        """After a revision the item lacks vectors until those of its head are put."""
        make = Maker()
        item = make.item("kestrel")
        with store.write() as tx:
            _opened(tx, item)
            tx.vectors.put("s1", item.id, 1, [UP, ASIDE])
            assert tx.vectors.lacking("s1") == []
            keep_revised(tx, make.revised(item, "osprey"))
            assert tx.vectors.of("s1", "global") == []
            assert tx.vectors.lacking("s1") == [(item.id, 2)]
            tx.vectors.put("s1", item.id, 2, [DOWN])

        with store.read() as tx:
            assert tx.vectors.of("s1", "global") == [(item.id, DOWN)]
            assert tx.vectors.lacking("s1") == []

    def test_vectors_belong_to_a_version_wherever_the_item_goes(self, store: Store) -> None:
        """Another scope, or being put away and back, takes none away; another version has none."""
        make = Maker()
        item, other = make.item("kestrel"), make.item("osprey")
        with store.write() as tx:
            _opened(tx, item, other)
            tx.vectors.put("s1", item.id, 1, [UP, ASIDE])
            moved = replace(item, scope=REPO, status="archived")
            tx.scopes.note(REPO, item.created_at)
            tx.items.change(moved, at=make.tick())
            assert tx.vectors.has("s1", item.id, 1)
            tx.items.change(replace(moved, status="active"), at=make.tick())

        with store.read() as tx:
            assert tx.vectors.has("s1", item.id, 1)
            assert tx.vectors.of("s1", REPO) == [(item.id, UP), (item.id, ASIDE)]
            assert tx.vectors.lacking("s1") == [(other.id, 1)]
            for space, name, version in (
                ("s1", item.id, 2),
                ("s1", other.id, 1),
                ("s2", item.id, 1),
            ):
                assert not tx.vectors.has(space, name, version)

    def test_what_lacks_vectors_is_told_by_id_and_counted(self, store: Store) -> None:
        """Only active items are; a walk goes on after the last id."""
        make = Maker()
        items = [make.item(f"kestrel {n}") for n in range(4)]
        archived = make.item("osprey", status="archived")
        with store.write() as tx:
            _opened(tx, *items, archived)
            tx.vectors.put("s1", items[1].id, 1, [UP])

        with store.read() as tx:
            want = [(items[n].id, 1) for n in (0, 2, 3)]
            assert tx.vectors.lacking("s1") == want
            assert tx.vectors.lacking("s1", limit=2) == want[:2]
            assert tx.vectors.lacking("s1", after=items[2].id) == want[2:]
            assert tx.vectors.count("s1") == (1, 4)
            assert tx.vectors.count("s2") == (0, 4)

    def test_vectors_of_another_dimension_are_refused_by_name(self, store: Store) -> None:
        """Nothing is kept of them, and what was there stays."""
        make = Maker()
        item = make.item("kestrel")
        with store.write() as tx:
            _opened(tx, item)
            tx.vectors.put("s1", item.id, 1, [UP])
        with store.write() as tx, raises(ModelMismatch):
            tx.vectors.put("s1", item.id, 1, [DOWN, b"\x01\x02"])
        with store.write() as tx, raises(NotFound):
            tx.vectors.put("none", item.id, 1, [UP])
        with store.write() as tx, raises(StoreError):
            tx.vectors.put("s1", make.id(), 1, [UP])

        with store.read() as tx:
            assert tx.vectors.of("s1", "global") == [(item.id, UP)]

    def test_a_switch_drops_the_former_space_with_its_vectors(self, store: Store) -> None:
        """Until then the former answers; what the new one holds stays as it is."""
        make = Maker()
        item = make.item("kestrel")
        with store.write() as tx:
            _opened(tx, item)
            tx.vectors.put("s1", item.id, 1, [UP])
            tx.vectors.open(space("s2", digest="e" * 64))
            tx.vectors.put("s2", item.id, 1, [DOWN])
            assert [one.current for one in tx.vectors.spaces()] == [True, False]
            tx.vectors.switch("s2")

        with store.write() as tx:
            assert [one.id for one in tx.vectors.spaces()] == ["s2"]
            assert tx.vectors.of("s1", "global") == []
            assert tx.vectors.of("s2", "global") == [(item.id, DOWN)]
            with raises(NotFound):
                tx.vectors.switch("s1")

    def test_a_space_is_cleared_and_closed(self, store: Store) -> None:
        """Cleared it lacks everything; closed it is gone, and its spec is free again."""
        make = Maker()
        item = make.item("kestrel")
        with store.write() as tx:
            _opened(tx, item)
            tx.vectors.put("s1", item.id, 1, [UP])
            tx.vectors.clear("s1")
            assert tx.vectors.lacking("s1") == [(item.id, 1)]
            tx.vectors.put("s1", item.id, 1, [UP])
            tx.vectors.close("s1")
            tx.vectors.close("s1")
            tx.vectors.open(space("s4"))

        with store.read() as tx:
            assert [one.id for one in tx.vectors.spaces()] == ["s4"]
            assert tx.vectors.of("s4", "global") == []

    def test_erasing_an_item_takes_its_vectors_in_every_space(self, store: Store) -> None:
        """Those of its neighbour stay, and whoever keeps a copy sees that it is out of date."""
        make = Maker()
        item, other = make.item("kestrel"), make.item("osprey")
        with store.write() as tx:
            _opened(tx, item, other)
            tx.vectors.open(space("s2", model="other"))
            for name in ("s1", "s2"):
                tx.vectors.put(name, item.id, 1, [UP, ASIDE])
                tx.vectors.put(name, other.id, 1, [DOWN])
            before = [tx.vectors.stamp(name) for name in ("s1", "s2")]
            tx.items.erase(item.id, 77)
            after = [tx.vectors.stamp(name) for name in ("s1", "s2")]

        with store.read() as tx:
            for name in ("s1", "s2"):
                assert tx.vectors.of(name, "global") == [(other.id, DOWN)]
            assert all(old != new for old, new in zip(before, after, strict=True))

    def test_the_stamp_changes_with_whatever_may_be_told(self, store: Store) -> None:
        """By vectors, and by items that have some; equal whatever else happens."""
        make = Maker()
        item, other = make.item("kestrel"), make.item("osprey")
        with store.write() as tx:
            _opened(tx, item, other)
            stamps = [tx.vectors.stamp("s1")]
            tx.vectors.put("s1", item.id, 1, [UP])
            stamps.append(tx.vectors.stamp("s1"))
            tx.events.append(make.event())
            tx.items.bump([item.id], delivered=1)
            tx.items.change(replace(other, pinned=True), at=make.tick())
            assert tx.vectors.stamp("s1") == stamps[-1]
            revised = make.revised(item, "merlin")
            keep_revised(tx, revised)
            stamps.append(tx.vectors.stamp("s1"))
            archived = replace(revised, status="archived")
            tx.items.change(archived, at=make.tick())
            stamps.append(tx.vectors.stamp("s1"))
            tx.vectors.clear("s1")
            stamps.append(tx.vectors.stamp("s1"))

        with store.read() as tx:
            assert len(set(stamps)) == len(stamps)
            assert tx.vectors.stamp("s1") == stamps[-1]
            assert tx.vectors.stamp("none") == -1

    def test_what_fits_is_active_valid_unexpired_and_in_the_scopes(self, store: Store) -> None:
        """Each of the others is left out for its own reason; bodies are cut, their length told."""
        make = Maker()
        now = make.tick(0)
        fits = make.item("kestrel", body="x" * 30, kind="fact")
        others = [
            make.item("elsewhere", scope=REPO, kind="fact"),
            make.item("another kind", kind="task"),
            make.item("waits", status="proposed", kind="fact"),
            make.item("over", expires_at=now + 1, kind="fact"),
            make.item("no longer", valid_to=now + 1, kind="fact"),
            make.item("not yet", valid_from=now + 10**12, kind="fact"),
        ]
        with store.write() as tx:
            keep(tx, fits, *others)

        names = [fits.id, make.id(), *(item.id for item in others)]
        with store.read() as tx:
            at = make.clock.now()
            found = tx.vectors.fitting(
                names, scopes=["global"], kinds=["fact"], now=at, body_chars=7
            )
            assert [(one.id, one.body, one.body_chars) for one in found] == [
                (fits.id, "x" * 7, 30)
            ]
            wider = tx.vectors.fitting(
                names, scopes=["global", REPO], kinds=None, now=at, body_chars=7
            )
            assert {one.id for one in wider} == {fits.id, others[0].id, others[1].id}
            nothing = tx.vectors.fitting([], scopes=["global"], kinds=None, now=at, body_chars=7)
            assert nothing == []


def _opened(tx: Transaction, *items: Item) -> None:
    """The items kept, and a current space."""
    for item in items:
        tx.scopes.note(item.scope, item.created_at)
        tx.items.add(item)
        tx.index.put(document(item))
    tx.vectors.open(space())
    tx.vectors.switch("s1")
