"""Erasing: no text of the item is left, its rows and its neighbours are."""

from __future__ import annotations

from dataclasses import replace

from onrecord.domain.errors import Clash
from onrecord.domain.item import ItemQuery, Where
from onrecord.domain.ports import Store
from onrecord.testing.builders import REPO, Maker, digest, keep, keep_revised, query
from onrecord.testing.failure import raises
from onrecord.testing.telling import WORD, everything, tell_all, telling_item


class EraseSuite:
    """What `Items.erase` leaves and what it does not."""

    def test_no_text_of_the_item_is_left(self, store: Store) -> None:
        """Whatever can be read about the item afterwards, the word is in none of it."""
        make = Maker()
        item = telling_item(make)
        other = make.item("kestrel")
        with store.write() as tx:
            tell_all(tx, make, item, other)
            assert WORD in everything(tx, item, other)
            tx.items.erase(item.id, 5)
            assert WORD not in everything(tx, item, other)

        with store.read() as tx:
            assert WORD not in everything(tx, item, other)
            assert tx.sessions.mentioning(WORD) == []
            assert tx.handoffs.mentioning(WORD) == []

    def test_versions_stay_as_empty_rows(self, store: Store) -> None:
        """Number, times and author stay; content, digests, reason and place are blank."""
        make = Maker()
        item = telling_item(make)
        second = make.revised(item, f"{WORD} again", reason=WORD)
        with store.write() as tx:
            keep(tx, item)
            keep_revised(tx, second)
            tx.items.erase(item.id, 77)

        with store.read() as tx:
            versions = tx.items.history(item.id)
            assert [version.n for version in versions] == [1, 2]
            for version, was in zip(versions, (item.head, second.head), strict=True):
                assert version.erased_at == 77
                assert (version.content.title, version.content.body) == ("", "")
                assert (version.content.summary, version.content.prompted_by) == ("", "")
                assert version.content.tags == ()
                assert (version.digest, version.same, version.reason) == (b"", b"", "")
                assert version.where == Where()
                assert (version.recorded_at, version.author) == (was.recorded_at, was.author)
            assert versions[0].superseded_at == second.head.recorded_at
            assert versions[1].superseded_at is None

    def test_the_item_stays_as_forgotten(self, store: Store) -> None:
        """Id, scope, kind and counters stay; key, flags, salt and what it replaces are blank."""
        make = Maker()
        item = telling_item(make)
        with store.write() as tx:
            keep(tx, item)
            tx.items.erase(item.id, 77)

        with store.read() as tx:
            found = tx.items.get(item.id)
            assert found is not None
            assert (found.id, found.scope, found.kind) == (item.id, item.scope, item.kind)
            assert (found.status, found.key, found.flags) == ("forgotten", "", ())
            assert (found.salt, found.replaces) == (b"", "")
            assert (found.delivered, found.helpful) == (item.delivered, item.helpful)
            assert found.created_at == item.created_at
            assert found.version == 1
            assert tx.items.count(None, ["forgotten"]) == 1

    def test_what_is_bound_to_it_stays_as_blank_rows(self, store: Store) -> None:
        """Evidence, sightings, reviews, feedback and the handoff keep who and when only."""
        make = Maker()
        item, other = telling_item(make), make.item("kestrel")
        with store.write() as tx:
            tell_all(tx, make, item, other)
            before = tx.provenance.evidence(item.id), tx.provenance.reviews(item.id)
            sightings, feedback = tx.provenance.sightings(item.id), tx.provenance.feedback(item.id)
            tx.items.erase(item.id, 77)

        with store.read() as tx:
            evidence, reviews = before
            assert tx.provenance.evidence(item.id) == [
                replace(e, pointer="", quote="", digest=b"", author="") for e in evidence
            ]
            assert tx.provenance.reviews(item.id) == [
                replace(r, note="", reason="", seen=b"", became=b"") for r in reviews
            ]
            assert tx.provenance.feedback(item.id) == [replace(f, note="") for f in feedback]
            assert tx.provenance.sightings(item.id) == sightings
            assert all(link.target == "" for link in tx.provenance.links_from(item.id))
            handoff = tx.handoffs.get(item.id)
            assert handoff is not None
            assert (handoff.done, handoff.state, handoff.next) == ("", "", "")
            assert (handoff.questions, dict(handoff.dirty)) == ("", {})

    def test_the_log_and_tombstones_stay(self, store: Store) -> None:
        """They hold no text, and no erasure reaches them."""
        make = Maker()
        item, other = telling_item(make), make.item("kestrel")
        with store.write() as tx:
            tell_all(tx, make, item, other)
            events, stones = list(tx.events.walk()), tx.tombstones.of(item.id)
            tx.items.erase(item.id, 77)

        assert events
        assert stones
        with store.read() as tx:
            assert list(tx.events.walk()) == events
            assert tx.tombstones.of(item.id) == stones

    def test_only_deliveries_that_named_it_lose_their_query(self, store: Store) -> None:
        """Shown or withheld, its words brought it up; what packs held stays by id."""
        make = Maker()
        item, other = telling_item(make), make.item("kestrel")
        with store.write() as tx:
            keep(tx, item, other)
            showed = make.delivery("s1", shown=[other, item], query=WORD)
            withheld = make.delivery("s1", shown=[other], withheld=[item], query=WORD)
            apart = make.delivery("s1", shown=[other], query="kestrel")
            for delivery in (showed, withheld, apart):
                tx.deliveries.add(delivery)
            tx.items.erase(item.id, 77)

        with store.read() as tx:
            assert tx.deliveries.get(showed.id) == replace(showed, query="")
            assert tx.deliveries.get(withheld.id) == replace(withheld, query="")
            assert tx.deliveries.get(apart.id) == apart

    def test_the_key_of_a_blanked_answer_stays_taken(self, store: Store) -> None:
        """So that a late repetition of the erased request does not act anew."""
        make = Maker()
        item, other = telling_item(make), make.item("kestrel")
        with store.write() as tx:
            tell_all(tx, make, item, other)
            tx.answers.put("codex", "other", digest("r"), "{}", other.id, 1)
            tx.items.erase(item.id, 77)

        with raises(Clash), store.write() as tx:
            tx.answers.put("codex", "key", digest("r"), "{}", item.id, 2)
        with store.read() as tx:
            assert tx.answers.get("codex", "key") == (b"", "")
            assert tx.answers.get("codex", "other") == (digest("r"), "{}")

    def test_neighbours_are_untouched(self, store: Store) -> None:
        """Another item of the same scope keeps all of its own."""
        make = Maker()
        item, other = telling_item(make), make.item("kestrel", key="mine")
        with store.write() as tx:
            tell_all(tx, make, item, other)
            own = make.evidence(other.id, quote="kept")
            said = make.feedback(other.id, "s1", note="kept")
            read = make.review(other.id, note="kept")
            link = make.link(other.id, "src/app.py", "file")
            tx.provenance.add_evidence(own)
            tx.provenance.add_feedback(said)
            tx.provenance.add_review(read)
            tx.provenance.add_link(link)
            kept = tx.items.get(other.id)
            tx.items.erase(item.id, 77)

        with store.read() as tx:
            assert tx.items.get(other.id) == kept
            assert tx.items.history(other.id) == [other.head]
            assert tx.provenance.evidence(other.id) == [own]
            assert tx.provenance.feedback(other.id) == [said]
            assert tx.provenance.reviews(other.id) == [read]
            assert link in tx.provenance.links_from(other.id)
            found = tx.shelf.matching(query("kestrel", now=make.clock.now()), body_chars=9)
            assert [candidate.id for candidate in found] == [other.id]

    def test_an_erased_item_is_found_by_nothing_but_its_id(self, store: Store) -> None:
        """Key, statement, words, shelf and handoffs no longer lead to it."""
        make = Maker()
        item, other = telling_item(make), make.item("kestrel")
        earlier = make.revised(item, "later words")
        with store.write() as tx:
            keep(tx, item, other)
            keep_revised(tx, earlier)
            tx.handoffs.add(make.handoff(item.id))
            tx.items.erase(item.id, 77)

        with store.read() as tx:
            now = make.clock.now()
            everywhere = ["forgotten", "active"]
            assert tx.items.by_key("global", item.key, everywhere) == []
            assert tx.items.by_same(earlier.head.same, everywhere) == []
            assert tx.items.superseded_same(item.head.same) == []
            standing = tx.shelf.standing(["global"], now=now, body_chars=9, limit=9)
            assert [candidate.id for candidate in standing] == [other.id]
            for word in (WORD, "later", "words", "pnpm"):
                assert tx.shelf.matching(query(word, now=now), body_chars=9) == []
            assert tx.shelf.open_handoffs(REPO, "main", now=now, limit=9) == []
            assert tx.items.ids_like(item.id) == [item.id]
        assert list(store.faults()) == []

    def test_an_erased_key_can_be_taken_again(self, store: Store) -> None:
        """The address is free for another item."""
        make = Maker()
        item = make.item("first", key="k")
        again = make.item("second", key="k")
        with store.write() as tx:
            keep(tx, item)
            tx.items.erase(item.id, 77)
            keep(tx, again)

        with store.read() as tx:
            assert tx.items.by_key("global", "k", ["active", "forgotten"]) == [again]

    def test_erasing_twice_or_nothing_is_no_error(self, store: Store) -> None:
        """The second time there is nothing left to blank."""
        make = Maker()
        item, other = telling_item(make), make.item("kestrel")
        with store.write() as tx:
            tell_all(tx, make, item, other)
            tx.items.erase(item.id, 77)
        with store.write() as tx:
            tx.items.erase(item.id, 99)
            tx.items.erase(make.id(), 99)

        with store.read() as tx:
            assert WORD not in everything(tx, item, other)
            (version,) = tx.items.history(item.id)
            assert version.erased_at is not None
            assert len(tx.items.page(ItemQuery())) == 2

    def test_items_of_every_status_can_be_erased(self, store: Store) -> None:
        """A proposal, a rejected or an archived item as well as an active one."""
        make = Maker()
        statuses = ("proposed", "active", "archived", "rejected", "superseded")
        items = [make.item(WORD, key="k", status=status) for status in statuses]
        with store.write() as tx:
            keep(tx, *items)
            for item in items:
                tx.items.erase(item.id, 77)

        with store.read() as tx:
            assert tx.items.count(None, ["forgotten"]) == len(items)
            assert tx.items.count(None, statuses) == 0

    def test_room_for_a_full_disk_can_be_given_up(self, store: Store) -> None:
        """Whether or not there is any, the store goes on as before."""
        make = Maker()
        store.make_room()

        assert store.make_room() is False
        item = telling_item(make)
        with store.write() as tx:
            keep(tx, item)
        with store.read() as tx:
            assert tx.items.get(item.id) is not None

    def test_a_store_can_be_scrubbed_after_erasing(self, store: Store) -> None:
        """With no reader in the way nothing is left in logs and free pages."""
        make = Maker()
        item = telling_item(make)
        with store.write() as tx:
            keep(tx, item)
            tx.items.erase(item.id, 77)

        assert store.scrub() is True
        assert list(store.faults()) == []
        with store.read() as tx:
            assert len(tx.items.history(item.id)) == 1
