"""Evidence, sightings, links, reviews and feedback of an item."""

from __future__ import annotations

from dataclasses import replace

from onrecord.domain.item import Item
from onrecord.domain.ports import Store
from onrecord.domain.principal import Principal
from onrecord.domain.provenance import Link
from onrecord.testing.builders import PERSON, Maker, digest
from onrecord.testing.rich import AWKWARD


class ProvenanceSuite:
    """What the provenance port keeps."""

    def test_evidence_comes_back_as_it_was_stored(self, store: Store) -> None:
        """Every field survives, in the order it was given, for its own item only."""
        make = Maker()
        item, other = _two(store, make)
        bare = make.evidence(item.id)
        full = make.evidence(
            item.id,
            version=2,
            kind="file",
            pointer="src/app.py@0f3e:3-9",
            quote=AWKWARD[4],
            digest=digest("file"),
            author="ada",
            session="s1",
            checked_at=5,
            check_result="changed",
        )
        with store.write() as tx:
            tx.provenance.add_evidence(bare)
            tx.provenance.add_evidence(full)

        with store.read() as tx:
            assert tx.provenance.evidence(item.id) == [bare, full]
            assert tx.provenance.evidence(other.id) == []

    def test_a_session_is_sighted_once_an_item(self, store: Store) -> None:
        """A second sighting by the session says so and changes nothing."""
        make = Maker()
        item, other = _two(store, make)
        first = make.sighting(item.id, "s1", evidence="e1")
        second = make.sighting(item.id, "s2", agent="claude-code", independent=False)
        elsewhere = make.sighting(other.id, "s1")
        with store.write() as tx:
            assert tx.provenance.add_sighting(first) is True
            assert tx.provenance.add_sighting(second) is True
            assert tx.provenance.add_sighting(elsewhere) is True
            again = make.sighting(item.id, "s1", independent=False, evidence="e2")
            assert tx.provenance.add_sighting(again) is False

        with store.read() as tx:
            assert tx.provenance.sightings(item.id) == [first, second]
            assert tx.provenance.sightings(other.id) == [elsewhere]

    def test_links_are_found_from_both_ends(self, store: Store) -> None:
        """A link is kept once; direction and kind count."""
        make = Maker()
        item, other = _two(store, make)
        about = make.link(item.id, other.id, "about")
        supports = make.link(item.id, other.id, "supports")
        back = make.link(other.id, item.id, "about")
        page = make.link(item.id, "https://example.org/a?b=%20", "url")
        with store.write() as tx:
            for link in (about, supports, back, page, replace(about, at=about.at + 99)):
                tx.provenance.add_link(link)

        with store.read() as tx:
            assert _by_time(tx.provenance.links_from(item.id)) == [about, supports, page]
            assert tx.provenance.links_from(other.id) == [back]
            assert _by_time(tx.provenance.links_to(other.id)) == [about, supports]
            assert tx.provenance.links_to(page.target) == [page]
            assert tx.provenance.links_to("https://example.org/%") == []

    def test_reviews_come_back_as_they_were_stored(self, store: Store) -> None:
        """The digests a decision was bound to, its reason, note and person survive."""
        make = Maker()
        item, other = _two(store, make)
        by = Principal(
            writer="person",
            channel="terminal",
            user="ada",
            confirmed=True,
            proof={"terminal": "pty", "ancestors": "bash"},
        )
        first = make.review(item.id, by=by)
        second = make.review(
            item.id, "reject", reason="wrong", note=AWKWARD[1], became=b"", by=PERSON
        )
        with store.write() as tx:
            tx.provenance.add_review(first)
            tx.provenance.add_review(second)

        with store.read() as tx:
            assert tx.provenance.reviews(item.id) == [first, second]
            assert tx.provenance.reviews(other.id) == []

    def test_feedback_comes_back_as_it_was_stored(self, store: Store) -> None:
        """Verdict, note and the party survive; a session may give more than one."""
        make = Maker()
        item, other = _two(store, make)
        first = make.feedback(item.id, "s1")
        second = make.feedback(item.id, "s1", verdict="wrong", note=AWKWARD[2], by=PERSON)
        with store.write() as tx:
            tx.provenance.add_feedback(first)
            tx.provenance.add_feedback(second)

        with store.read() as tx:
            assert tx.provenance.feedback(item.id) == [first, second]
            assert tx.provenance.feedback(other.id) == []

    def test_what_is_unknown_has_nothing(self, store: Store) -> None:
        """An unknown item has empty lists, never an error."""
        with store.read() as tx:
            port = tx.provenance
            for unknown in ("", "01KDVDNAZ8XW9MYAGR1EG5VT8T"):
                assert port.evidence(unknown) == []
                assert port.sightings(unknown) == []
                assert port.links_from(unknown) == []
                assert port.links_to(unknown) == []
                assert port.reviews(unknown) == []
                assert port.feedback(unknown) == []


def _two(store: Store, make: Maker) -> tuple[Item, Item]:
    one, two = make.item("one"), make.item("two")
    with store.write() as tx:
        tx.items.add(one)
        tx.items.add(two)
    return one, two


def _by_time(links: list[Link]) -> list[Link]:
    return sorted(links, key=lambda link: link.at)
