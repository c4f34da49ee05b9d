"""What is kept beside an item: each row is marked in the line of the log by which it came."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from onrecord.domain.item import Item
from onrecord.domain.ports import Transaction
from onrecord.domain.principal import Principal
from onrecord.domain.provenance import Evidence, Feedback, Link, Review, Sighting
from onrecord.domain.session import Handoff
from onrecord.policy import fingerprint

#: What stands beside an item, and was put there by a line of the log.
Row = Evidence | Sighting | Link | Review | Feedback | Handoff


def kind_of(row: Row) -> str:
    """How a line of the log calls such a row, in one word: `evidence`, `sighting` or `link`."""
    return type(row).__name__.lower()


def name_of(row: Row) -> str:
    """The id that a line names it by, none where it has none; never text."""
    if isinstance(row, Sighting):
        return row.session
    return "" if isinstance(row, (Link, Handoff)) else row.id


def add(tx: Transaction, row: Row) -> bool:
    """Store it; says whether it is new."""
    if isinstance(row, Sighting):
        return tx.provenance.add_sighting(row)
    if isinstance(row, Evidence):
        tx.provenance.add_evidence(row)
    elif isinstance(row, Link):
        tx.provenance.add_link(row)
    elif isinstance(row, Review):
        tx.provenance.add_review(row)
    elif isinstance(row, Feedback):
        tx.provenance.add_feedback(row)
    else:
        tx.handoffs.add(row)
    return True


def rows_of(tx: Transaction, item: Item) -> Iterator[Row]:
    """Everything that stands beside an item."""
    yield from tx.provenance.evidence(item.id)
    yield from tx.provenance.sightings(item.id)
    yield from tx.provenance.links_from(item.id)
    yield from tx.provenance.reviews(item.id)
    yield from tx.provenance.feedback(item.id)
    if item.kind == "handoff" and (handoff := tx.handoffs.get(item.id)) is not None:
        yield handoff


def mark_of(item: Item, row: Row) -> str:
    """What the log says of a row: noise once the item's salt is erased.

    It covers what nothing changes later. A session that turned out to be another one, and a
    repository that got another name, are put right in the rows.
    """
    told = [ascii(part) for part in _fixed(row)]
    return fingerprint.commitment(item.salt, kind_of(row), *told)[:16].hex()


def _fixed(row: Row) -> tuple[object, ...]:
    match row:
        case Evidence():
            on = (row.kind, row.pointer, row.quote, row.author)
            return (row.id, row.version, *on, row.digest, row.at, row.given)
        case Sighting():
            return (row.session, row.agent, row.at, row.evidence, row.independent)
        case Link():
            return (row.kind, row.target)
        case Review():
            seen = (row.decision, row.seen, row.became, row.reason, row.note)
            return (row.id, *seen, *_party(row.by), row.at)
        case Feedback():
            return (row.id, row.verdict, row.note, *_party(row.by), row.at)
        case Handoff():
            said = (row.done, row.state, row.next, row.questions, row.head)
            dirty = tuple(sorted(row.dirty.items()))
            return (row.to_agent, *said, dirty, row.automatic, row.created_at, row.lapses_at)


def _party(by: Principal) -> tuple[object, ...]:
    who = (by.writer, by.channel, by.user, by.agent, by.model, by.session, by.org, by.role)
    return (*who, by.headless, by.confirmed, tuple(sorted(by.proof.items())))


def is_blank(row: Row) -> bool:
    """Whether a row says nothing, as erasing leaves it."""
    match row:
        case Evidence():
            return not (row.pointer or row.quote or row.author or row.digest)
        case Review():
            return not (row.note or row.reason or row.seen or row.became)
        case Feedback():
            return not row.note
        case Handoff():
            return not (row.done or row.state or row.next or row.questions or row.dirty)
        case Link():
            return False
        case Sighting():
            return True


def strange(
    tx: Transaction, item: Item, bound: dict[tuple[str, str], str]
) -> Iterator[tuple[str, str]]:
    """(kind, unlogged or missing) of what differs from the marks that the log gives an item.

    `bound` is (kind, mark) -> name. Evidence that was erased with what it quoted stays as a
    blank row; a stand-in for a session that was recognised later gave its sightings to it.
    """
    waiting = dict(bound)
    joined = [name for (kind, _), name in bound.items() if kind == "sighting"]
    joined = [name for name in dict.fromkeys(joined) if _is_joined(tx, name)]
    for row in rows_of(tx, item):
        kind = kind_of(row)
        if isinstance(row, Evidence) and is_blank(row):
            named = [key for key, name in waiting.items() if name == row.id]
        else:
            marks = (mark_of(item, one) for one in _as_written(row, joined))
            named = [(kind, mark) for mark in marks if (kind, mark) in waiting]
        if named:
            del waiting[named[0]]
        else:
            yield kind, "unlogged"
    for (kind, _), name in waiting.items():
        if name not in joined:
            yield kind, "missing"


def _as_written(row: Row, joined: list[str]) -> list[Row]:
    """A row, and how it would have been written by those that it may have come from."""
    if not isinstance(row, Sighting):
        return [row]
    return [row, *(replace(row, session=name) for name in joined if name != row.session)]


def _is_joined(tx: Transaction, session: str) -> bool:
    row = tx.sessions.get(session)
    return row is not None and row.synthetic and bool(row.parent)
