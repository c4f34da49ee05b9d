"""What a store refuses whoever asks: second rows, loose ends, broken text, late writes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from onrecord.domain.errors import NotFound, OnrecordError
from onrecord.domain.ports import Store, Transaction
from onrecord.testing.builders import Maker, document, keep
from onrecord.testing.failure import raises

Write = Callable[[Transaction], object]

#: Half of a character pair: Python can hold it, UTF-8 cannot.
BROKEN = "\ud800"


class RefusalsSuite:
    """Errors of the one tree, and nothing changed."""

    def test_an_id_is_given_once(self, store: Store) -> None:
        """A second row under an id is refused; the first is never replaced in silence."""
        make = Maker()
        item = make.item()
        again: list[tuple[Write, Write]] = [
            (
                lambda tx: tx.provenance.add_evidence(evidence),
                lambda tx: tx.provenance.add_evidence(replace(evidence, quote="other")),
            ),
            (
                lambda tx: tx.provenance.add_review(review),
                lambda tx: tx.provenance.add_review(replace(review, note="other")),
            ),
            (
                lambda tx: tx.provenance.add_feedback(feedback),
                lambda tx: tx.provenance.add_feedback(replace(feedback, note="other")),
            ),
            (
                lambda tx: tx.tombstones.add(stone),
                lambda tx: tx.tombstones.add(replace(stone, scope="org:x")),
            ),
            (
                lambda tx: tx.handoffs.add(handoff),
                lambda tx: tx.handoffs.add(replace(handoff, done="other")),
            ),
            (
                lambda tx: tx.deliveries.add(delivery),
                lambda tx: tx.deliveries.add(replace(delivery, query="other")),
            ),
            (
                lambda tx: tx.answers.put("codex", "key", b"", "first", item.id, 1),
                lambda tx: tx.answers.put("codex", "key", b"", "other", item.id, 2),
            ),
        ]
        evidence, review = make.evidence(item.id), make.review(item.id)
        feedback, stone = make.feedback(item.id, "s"), make.tombstone(item.id)
        handoff, delivery = make.handoff(item.id), make.delivery("s")
        with store.write() as tx:
            keep(tx, item)
            for first, _ in again:
                first(tx)
        for _, second in again:
            with raises(OnrecordError), store.write() as tx:
                second(tx)

        with store.read() as tx:
            assert tx.provenance.evidence(item.id) == [evidence]
            assert tx.provenance.reviews(item.id) == [review]
            assert tx.provenance.feedback(item.id) == [feedback]
            assert tx.tombstones.of(item.id) == [stone]
            assert tx.handoffs.get(item.id) == handoff
            assert tx.deliveries.get(delivery.id) == delivery
            assert tx.answers.get("codex", "key") == (b"", "first")

    def test_an_item_is_named_once_in_a_delivery(self, store: Store) -> None:
        """Shown twice in one pack would count twice."""
        make = Maker()
        item = make.item()
        with store.write() as tx:
            keep(tx, item)
        with raises(OnrecordError), store.write() as tx:
            tx.deliveries.add(make.delivery("s", shown=[item, item]))

        with store.read() as tx:
            assert tx.deliveries.recent() == []
            assert tx.items.get(item.id) == item

    def test_nothing_is_bound_to_an_item_that_is_not_there(self, store: Store) -> None:
        """Evidence, sightings, links, reviews, feedback and handoffs need their item."""
        make = Maker()
        ghost = make.id()
        for write in _bindings(make, ghost):
            with raises(OnrecordError), store.write() as tx:
                write(tx)

        with store.read() as tx:
            assert tx.provenance.evidence(ghost) == []
            assert tx.provenance.links_from(ghost) == []
            assert tx.handoffs.get(ghost) is None

    def test_what_is_not_there_cannot_be_changed(self, store: Store) -> None:
        """A change of an item or handoff that reaches nothing is told."""
        make = Maker()
        item, ghost = make.item(), make.item()
        with store.write() as tx:
            keep(tx, item)
        with raises(NotFound), store.write() as tx:
            tx.items.change(ghost, at=make.clock.now())
        with raises(NotFound), store.write() as tx:
            tx.handoffs.change(make.handoff(item.id))

        with store.read() as tx:
            assert tx.items.get(ghost.id) is None
            assert tx.handoffs.get(item.id) is None

    def test_text_that_utf8_cannot_hold_is_refused(self, store: Store) -> None:
        """As an error of the tree, never as one of the engine or the language."""
        make = Maker()
        item = make.item()
        with store.write() as tx:
            keep(tx, item)
        for write in _broken(make, item.id):
            with raises(OnrecordError), store.write() as tx:
                write(tx)

        with store.read() as tx:
            assert tx.items.count(None, ["active"]) == 1
            assert tx.provenance.evidence(item.id) == []
            assert list(tx.events.walk()) == []
            assert tx.sessions.recent() == []

    def test_nothing_is_written_once_a_transaction_is_over(self, store: Store) -> None:
        """Its ports do not outlive their block, however it ended."""
        make = Maker()
        with store.write() as written:
            pass
        with raises(ZeroDivisionError), store.write() as undone:
            raise ZeroDivisionError
        with store.read() as looked:
            pass
        for over in (written, undone, looked):
            with raises(OnrecordError):
                keep(over, make.item())
            with raises(OnrecordError):
                over.items.get("any")

        with store.read() as tx:
            assert tx.items.count(None, ["active"]) == 0


def _bindings(make: Maker, item: str) -> list[Write]:
    return [
        lambda tx: tx.provenance.add_evidence(make.evidence(item)),
        lambda tx: tx.provenance.add_sighting(make.sighting(item, "s")),
        lambda tx: tx.provenance.add_link(make.link(item, item)),
        lambda tx: tx.provenance.add_review(make.review(item)),
        lambda tx: tx.provenance.add_feedback(make.feedback(item, "s")),
        lambda tx: tx.handoffs.add(make.handoff(item)),
    ]


def _broken(make: Maker, item: str) -> list[Write]:
    bad = make.item(BROKEN)
    nested = make.event(change={"x": ([BROKEN], None)})
    return [
        lambda tx: tx.items.add(bad),
        lambda tx: tx.items.add(make.item(tags=(BROKEN,))),
        lambda tx: tx.items.change(make.item(id=item, key=BROKEN), at=make.clock.now()),
        lambda tx: tx.items.revise(make.revised(make.item(id=item), body=BROKEN)),
        lambda tx: tx.index.put(document(bad)),
        lambda tx: tx.provenance.add_evidence(make.evidence(item, quote=BROKEN)),
        lambda tx: tx.provenance.add_sighting(make.sighting(item, BROKEN)),
        lambda tx: tx.provenance.add_link(make.link(item, BROKEN, "url")),
        lambda tx: tx.provenance.add_review(make.review(item, note=BROKEN)),
        lambda tx: tx.provenance.add_feedback(make.feedback(item, "s", note=BROKEN)),
        lambda tx: tx.tombstones.add(make.tombstone(item, scope=BROKEN)),
        lambda tx: tx.tombstones.lift(item, 1, "ada", scope=BROKEN),
        lambda tx: tx.events.append(make.event(BROKEN)),
        lambda tx: tx.events.append(nested),
        lambda tx: tx.sessions.put(make.session(first_prompt=BROKEN)),
        lambda tx: tx.handoffs.add(make.handoff(item, done=BROKEN)),
        lambda tx: tx.deliveries.add(make.delivery("s", query=BROKEN)),
        lambda tx: tx.scopes.note(BROKEN, 1),
        lambda tx: tx.settings.put("note", BROKEN, at=1, by="ada"),
        lambda tx: tx.answers.put("codex", "key", b"", BROKEN, "", 1),
    ]
