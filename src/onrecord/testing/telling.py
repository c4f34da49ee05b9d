"""An item that tells one word wherever text can stand, and all that a store tells of it."""

from __future__ import annotations

from onrecord.domain.item import Item, Where
from onrecord.domain.ports import Transaction
from onrecord.testing.builders import PERSON, Maker, digest, keep, query
from onrecord.testing.rich import rich_item

#: A word that stands in every field of the erased item that can carry text.
WORD = "Xyzzyplugh"
#: The same where bytes stand; a digest of what was said tells who guesses it.
_MARK = WORD.encode()


def telling_item(make: Maker) -> Item:
    """An item that holds the word wherever text can stand."""
    return rich_item(
        make,
        id=make.id(),
        scope="global",
        kind="handoff",
        title=f"{WORD} title",
        key=f"key/{WORD}",
        flags=(f"similar:{WORD}",),
        replaces=WORD,
        body=f"{WORD} body",
        summary=f"{WORD} summary",
        tags=(WORD,),
        prompted_by=f"{WORD} error",
        where=Where(cwd=f"/home/{WORD}", repo=f"repo:{WORD}", branch=WORD, commit=WORD),
        reason=f"{WORD} reason",
        valid_from=None,
        valid_to=None,
        expires_at=None,
    )


def tell_all(tx: Transaction, make: Maker, item: Item, other: Item) -> None:
    """Keep the item with everything that can be bound to it, each thing telling the word."""
    keep(tx, item, other)
    port = tx.provenance
    port.add_evidence(
        make.evidence(item.id, pointer=WORD, quote=WORD, author=WORD, digest=digest(WORD))
    )
    port.add_sighting(make.sighting(item.id, "s1"))
    port.add_link(make.link(item.id, f"https://example.org/{WORD}", "url"))
    port.add_link(make.link(item.id, f"src/{WORD}.py", "file"))
    port.add_link(make.link(item.id, other.id, "about"))
    port.add_review(make.review(item.id, note=WORD, reason=WORD, seen=_MARK, became=_MARK))
    port.add_feedback(make.feedback(item.id, "s1", note=WORD, by=PERSON))
    tx.tombstones.add(make.tombstone(item.id, "some", "prints"))
    tx.events.append(make.event("created", item.id))
    tx.handoffs.add(
        make.handoff(
            item.id, done=WORD, state=WORD, next=WORD, questions=WORD, dirty={f"{WORD}.py": "aa"}
        )
    )
    tx.deliveries.add(make.delivery("s1", shown=[item], query=f"about {WORD}"))
    tx.deliveries.add(make.delivery("s1", withheld=[item], query=f"more about {WORD}"))
    tx.answers.put("codex", "key", _MARK, f'{{"say": "{WORD}"}}', item.id, make.tick())


def everything(tx: Transaction, item: Item, other: Item) -> str:
    """All that the ports tell about the item, as one text."""
    handoff = tx.handoffs.get(item.id)
    kept = tx.items.get(item.id)
    seen: list[object] = [
        kept,
        tx.items.history(item.id),
        tx.provenance.evidence(item.id),
        tx.provenance.sightings(item.id),
        tx.provenance.links_from(item.id),
        tx.provenance.links_to(other.id),
        tx.provenance.links_to(f"src/{WORD}.py"),
        tx.provenance.reviews(item.id),
        tx.provenance.feedback(item.id),
        tx.tombstones.of(item.id),
        list(tx.events.walk()),
        handoff and (handoff.done, handoff.state, handoff.next, handoff.questions, handoff.dirty),
        tx.deliveries.recent(),
        tx.answers.get("codex", "key"),
        tx.shelf.matching(query(WORD, now=item.created_at), body_chars=9) and WORD,
    ]
    return repr(seen)
