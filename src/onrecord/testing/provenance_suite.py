"""Evidence, sightings, links, reviews and feedback of an item."""

from __future__ import annotations

from dataclasses import replace

from onrecord.domain.item import Item
from onrecord.domain.ports import Store
from onrecord.domain.principal import Principal
from onrecord.domain.provenance import Link
from onrecord.testing.builders import PERSON, Maker, digest, keep, keep_revised
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
            given=True,
            replaced_at=6,
        )
        with store.write() as tx:
            tx.provenance.add_evidence(bare)
            tx.provenance.add_evidence(full)

        with store.read() as tx:
            assert tx.provenance.evidence(item.id) == [bare, full]
            assert tx.provenance.evidence(other.id) == []

    def test_what_several_items_have_is_read_at_once(self, store: Store) -> None:
        """Evidence and links of those that are asked for and of no other, oldest first."""
        make = Maker()
        item, other = _two(store, make)
        first, second = make.evidence(item.id), make.evidence(other.id)
        links = [
            Link(source=item.id, kind="file", target="a.py", at=1),
            Link(source=other.id, kind="file", target="b.py", at=2),
        ]
        with store.write() as tx:
            for row in (second, first):
                tx.provenance.add_evidence(row)
            for link in links:
                tx.provenance.add_link(link)

        with store.read() as tx:
            port = tx.provenance
            assert port.evidence_of([other.id, item.id, "nobody"]) == [first, second]
            assert port.evidence_of([other.id]) == [second]
            assert port.links_of([other.id, item.id]) == links
            assert port.links_of([item.id]) == links[:1]
            assert port.evidence_of([]) == []
            assert port.links_of([]) == []

    def test_evidence_is_found_by_what_it_points_at(self, store: Store) -> None:
        """By how the pointer begins, letter for letter, or by the session that added it."""
        make = Maker()
        item, other = _two(store, make)
        first = make.evidence(item.id, pointer="codex:s1#u1", session="one")
        second = make.evidence(other.id, pointer="codex:s1#u2", session="two")
        third = make.evidence(other.id, pointer="codex%s1", session="one")
        with store.write() as tx:
            for row in (first, second, third):
                tx.provenance.add_evidence(row)

        with store.read() as tx:
            port = tx.provenance
            assert port.citing("codex:s1#") == [first, second]
            assert port.citing("codex:s1#u2") == [second]
            assert port.citing("codex%") == [third]
            assert port.citing("CODEX:") == []
            assert port.citing(session="one") == [first, third]
            assert port.citing("codex:s1#u2", session="one") == [first, second, third]
            assert port.citing() == []

    def test_what_comparing_evidence_said_is_kept(self, store: Store) -> None:
        """The last time and result, of one row; it can be taken back to never."""
        make = Maker()
        item, _ = _two(store, make)
        first = make.evidence(item.id, kind="file", pointer="a.py", digest=digest("a"))
        second = make.evidence(item.id, kind="file", pointer="b.py", digest=digest("b"))
        with store.write() as tx:
            tx.provenance.add_evidence(first)
            tx.provenance.add_evidence(second)
            tx.provenance.note_check(first.id, at=7, result="changed")
            tx.provenance.note_check(second.id, at=7, result="gone")
            tx.provenance.note_check(second.id, at=None, result="")
            tx.provenance.note_check("0" * 26, at=7, result="gone")

        with store.read() as tx:
            kept = replace(first, checked_at=7, check_result="changed")
            assert tx.provenance.evidence(item.id) == [kept, second]

    def test_what_was_replaced_or_blanked_takes_no_later_note(self, store: Store) -> None:
        """Whoever compared before comes too late; let speak again, a row takes notes again."""
        make = Maker()
        item, _ = _two(store, make)
        first, second, third = (
            make.evidence(item.id, kind="file", pointer=name, digest=digest(name))
            for name in ("a.py", "b.py", "c.py")
        )
        with store.write() as tx:
            for row in (first, second, third):
                tx.provenance.add_evidence(row)
            assert tx.provenance.replace_evidence([first.id, "0" * 26], at=7) == 1
            tx.provenance.blank([second.id])
            for row in (first, second, third):
                tx.provenance.note_check(row.id, at=8, result="gone")

        blank = replace(second, pointer="", digest=b"")
        noted = replace(third, checked_at=8, check_result="gone")
        with store.write() as tx:
            told = tx.provenance.evidence(item.id)
            assert told == [replace(first, replaced_at=7), blank, noted]
            assert tx.provenance.replace_evidence([first.id], at=None) == 1
            tx.provenance.note_check(first.id, at=9, result="holds")
        with store.read() as tx:
            spoken = replace(first, checked_at=9, check_result="holds")
            assert tx.provenance.evidence(item.id) == [spoken, blank, noted]

    def test_what_was_replaced_is_not_compared(self, store: Store) -> None:
        """A pack is given the citations that speak for an item, not those before them."""
        make = Maker()
        item, _ = _two(store, make)
        rows = [
            make.evidence(item.id, kind="file", pointer=name, digest=digest(name), **told)
            for name, told in (
                ("a.py", {"replaced_at": 7, "check_result": "holds"}),
                ("b.py", {"check_result": "changed"}),
                ("c.py", {}),
            )
        ]
        with store.write() as tx:
            for row in rows:
                tx.provenance.add_evidence(row)

        with store.read() as tx:
            cited = [pointer for _, pointer, _, _ in tx.shelf.cited([item.id])]
        assert cited == ["b.py", "c.py"]

    def test_evidence_is_found_by_what_it_quotes(self, store: Store) -> None:
        """Anywhere in the quote, letter for letter; an empty quote quotes nothing."""
        make = Maker()
        item, other = _two(store, make)
        first = make.evidence(item.id, quote="she said: 100% of it")
        second = make.evidence(other.id, quote="100% sure")
        with store.write() as tx:
            for row in (first, second, make.evidence(item.id, quote="")):
                tx.provenance.add_evidence(row)

        with store.read() as tx:
            port = tx.provenance
            assert port.quoting("100%") == [first, second]
            assert port.quoting("She said") == []
            assert port.quoting("said: 1") == [first]
            assert port.quoting("") == [first, second]

    def test_items_are_found_by_who_wrote_a_version(self, store: Store) -> None:
        """Also where another wrote the latest one; a session that wrote none wrote none."""
        make = Maker()
        one, two = (Principal.for_agent("codex", session=name) for name in ("s1", "s2"))
        first, second = make.item("kestrel", author=one), make.item("osprey", author=two)
        with store.write() as tx:
            keep(tx, first, second, make.item("merlin"))
            keep_revised(tx, make.revised(first, "hobby", author=two))

        with store.read() as tx:
            assert tx.provenance.written_in("s1") == [first.id]
            assert tx.provenance.written_in("s2") == sorted([first.id, second.id])
            assert tx.provenance.written_in("s3") == []

    def test_one_piece_of_evidence_can_be_blanked(self, store: Store) -> None:
        """What it says goes, the row and its neighbours stay; unknown ids change nothing."""
        make = Maker()
        item, _ = _two(store, make)
        gone = make.evidence(
            item.id, pointer="p", quote=AWKWARD[0], digest=digest("x"), author="ada"
        )
        kept = make.evidence(item.id, pointer="p", quote="kept")
        with store.write() as tx:
            tx.provenance.add_evidence(gone)
            tx.provenance.add_evidence(kept)
        with store.write() as tx:
            assert tx.provenance.blank([gone.id, "01KDVDNAZ8XW9MYAGR1EG5VT8T"]) == 1

        with store.read() as tx:
            blank = replace(gone, pointer="", quote="", author="", digest=b"")
            assert tx.provenance.evidence(item.id) == [blank, kept]
            assert tx.provenance.citing("p") == [kept]

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

    def test_live_clashes_are_listed_until_either_end_is_gone(self, store: Store) -> None:
        """Newest first, between active items and proposals alone, and no other kind of link."""
        make = Maker()
        stands, waits = make.item("stands"), make.item("waits", status="proposed")
        gone, later = make.item("gone", status="archived"), make.item("later")
        older = make.link(waits.id, stands.id, "contradicts")
        newer = make.link(later.id, stands.id, "similar")
        with store.write() as tx:
            for item in (stands, waits, gone, later):
                tx.items.add(item)
            for link in (
                older,
                newer,
                make.link(gone.id, stands.id, "contradicts"),
                make.link(stands.id, gone.id, "contradicts"),
                make.link(later.id, waits.id, "about"),
                make.link(later.id, "https://example.org/a", "contradicts"),
            ):
                tx.provenance.add_link(link)

        with store.read() as tx:
            assert tx.provenance.clashes(10) == [newer, older]
            assert tx.provenance.clashes(1) == [newer]

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
