"""The derived lexical index: put, relabelled, dropped, rebuilt."""

from __future__ import annotations

from dataclasses import replace

from onrecord.domain.ports import Store, Transaction
from onrecord.testing.builders import REPO, Maker, document, keep, keep_revised, query


class IndexSuite:
    """What the index port does to what is found."""

    def test_every_column_of_a_document_is_searched(self, store: Store) -> None:
        """Title, body, tags, terms and context find the item."""
        make = Maker()
        item = make.item("kestrel", body="osprey")
        doc = document(item, tags="harrier", terms="goshawk", context="merlin")
        with store.write() as tx:
            tx.scopes.note("global", 1)
            tx.items.add(item)
            tx.index.put(doc)

        with store.read() as tx:
            for word in ("kestrel", "osprey", "harrier", "goshawk", "merlin"):
                assert _found(tx, make, word) == [item.id]
            assert _found(tx, make, "buzzard") == []

    def test_putting_a_document_again_replaces_it(self, store: Store) -> None:
        """The earlier words no longer find it, and it is found once."""
        make = Maker()
        item = make.item("kestrel")
        with store.write() as tx:
            keep(tx, item)
            tx.index.put(document(item, title="osprey"))
            tx.index.put(document(item, title="osprey"))

        with store.read() as tx:
            assert _found(tx, make, "kestrel") == []
            assert _found(tx, make, "osprey") == [item.id]
        assert _sound(store) is True

    def test_only_the_current_version_is_found(self, store: Store) -> None:
        """After a revision its new words find it, the earlier ones do not."""
        make = Maker()
        item = make.item("kestrel", body="common")
        revised = make.revised(item, "osprey")
        with store.write() as tx:
            keep(tx, item)
            keep_revised(tx, revised)

        with store.read() as tx:
            assert _found(tx, make, "kestrel") == []
            assert _found(tx, make, "osprey") == [item.id]
            (candidate,) = tx.shelf.matching(
                query("common", "osprey", now=make.clock.now()), body_chars=99
            )
            assert (candidate.version, candidate.title) == (2, "osprey")

    def test_relabelling_takes_an_item_out_and_in(self, store: Store) -> None:
        """Only the head version comes back."""
        make = Maker()
        item = make.item("kestrel")
        revised = make.revised(item, "osprey")
        with store.write() as tx:
            keep(tx, item)
            keep_revised(tx, revised)
            tx.index.relabel(item.id, scope="global", live=False)
            assert _found(tx, make, "osprey") == []
            tx.index.relabel(item.id, scope="global", live=True)
            assert _found(tx, make, "osprey") == [item.id]
            assert _found(tx, make, "kestrel") == []
            tx.index.relabel(make.id(), scope="global", live=True)

    def test_what_is_not_live_stays_hidden_among_much_that_is(self, store: Store) -> None:
        """However large the share of the index that a search may look at."""
        make = Maker()
        live = [make.item(f"kestrel {n}") for n in range(5)]
        withdrawn, elsewhere = make.item("kestrel"), make.item("kestrel")
        with store.write() as tx:
            keep(tx, *live, withdrawn, elsewhere)
            tx.index.relabel(withdrawn.id, scope="global", live=False)
            tx.index.relabel(elsewhere.id, scope=REPO, live=True)

        with store.read() as tx:
            assert set(_found(tx, make, "kestrel")) == {item.id for item in live}

    def test_relabelling_moves_an_item_to_another_scope(self, store: Store) -> None:
        """It is found there and no longer here."""
        make = Maker()
        item = make.item("kestrel")
        with store.write() as tx:
            keep(tx, item)
            tx.scopes.note(REPO, 5)
            tx.items.change(replace(item, scope=REPO), at=make.clock.now())
            tx.index.relabel(item.id, scope=REPO, live=True)

        with store.read() as tx:
            assert _found(tx, make, "kestrel") == []
            assert _found(tx, make, "kestrel", scopes=[REPO]) == [item.id]

    def test_a_dropped_item_is_not_found(self, store: Store) -> None:
        """All its versions leave the index; its neighbours and the item itself stay."""
        make = Maker()
        item, other = make.item("kestrel"), make.item("kestrel too")
        with store.write() as tx:
            keep(tx, item, other)
            tx.index.drop(item.id)
            tx.index.drop(make.id())
            tx.index.relabel(item.id, scope="global", live=True)

        with store.read() as tx:
            assert _found(tx, make, "kestrel") == [other.id]
            assert tx.items.get(item.id) == item
        assert _sound(store) is True

    def test_a_cleared_index_can_be_rebuilt(self, store: Store) -> None:
        """It finds nothing, then everything again."""
        make = Maker()
        items = [make.item(f"kestrel {n}") for n in range(3)]
        with store.write() as tx:
            keep(tx, *items)
            tx.index.clear()
            assert _found(tx, make, "kestrel") == []
            assert tx.index.check() is True
            for item in items:
                tx.index.put(document(item))

        with store.read() as tx:
            assert set(_found(tx, make, "kestrel")) == {item.id for item in items}
        assert _sound(store) is True
        assert list(store.faults()) == []

    def test_a_document_is_held_as_it_was_put_and_not_otherwise(self, store: Store) -> None:
        """Each of its parts counts, and where it stands."""
        make = Maker()
        item = make.item("Cranes are green", scope=REPO)
        put = document(item)
        with store.write() as tx:
            tx.items.add(item)
            tx.index.put(put)
        parts = {"title": "Cranes", "body": "x", "tags": "x", "terms": "x", "context": "x"}
        others = [
            document(item, **given) for given in ({name: text} for name, text in parts.items())
        ]
        others += [document(item, live=False), document(item, scope="global")]
        others += [document(item, version=2), document(make.item("Another"))]

        with store.read() as tx:
            assert tx.index.holds(put)
            assert not any(tx.index.holds(other) for other in others)

    def test_an_empty_index_is_sound(self, store: Store) -> None:
        """Nothing agrees with nothing."""
        with store.read() as tx:
            assert _found(tx, Maker(), "kestrel") == []
        assert _sound(store) is True


def _found(tx: Transaction, make: Maker, word: str, scopes: list[str] | None = None) -> list[str]:
    asked = query(word, now=make.clock.now(), scopes=scopes or ["global"])
    return [candidate.id for candidate in tx.shelf.matching(asked, body_chars=200)]


def _sound(store: Store) -> bool:
    """The check in a transaction that may write: an engine may keep notes for it."""
    with store.write() as tx:
        return tx.index.check()
