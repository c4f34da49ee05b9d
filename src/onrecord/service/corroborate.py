"""What happens when a statement is there already: a sighting, never a second item."""

from __future__ import annotations

from dataclasses import replace

from onrecord.domain.item import Item
from onrecord.domain.outcome import Corroborated, Outcome, Updated
from onrecord.domain.provenance import Evidence, Sighting
from onrecord.domain.status import step
from onrecord.service.draft import Draft
from onrecord.service.work import Work

#: Independent sessions that must have said the same before belief rises.
SESSIONS_NEEDED = 3

#: How far back a session's line of parents is followed.
_MAX_PARENTS = 64


def answer(work: Work, draft: Draft, found: Item) -> Outcome:
    """Add the sighting and its evidence; a person's own words also settle a proposal."""
    add_evidence(work, draft, found)
    if work.principal.is_person:
        return _affirm(work, draft, found)
    counted = _sight(work, found)
    event = work.record("corroborated", found, fields=("sightings",), before=found.version)
    raised = _raise(work, found) if counted else found
    state = "is known already" if raised.status == "active" else "already waits for review"
    return Corroborated(
        code="same.known" if raised.status == "active" else "same.waiting",
        say=f"That {state} (m:{raised.id[-6:]}); nothing was stored twice.",
        undo=event.seq,
        item=raised,
    )


def add_evidence(work: Work, draft: Draft, item: Item) -> None:
    """Store the claims of a draft as evidence of an item's current version."""
    for claim in draft.evidence:
        work.tx.provenance.add_evidence(
            Evidence(
                id=work.ids.new(work.now),
                item=item.id,
                version=item.version,
                kind=claim.kind,
                pointer=claim.pointer,
                quote=claim.quote,
                author=claim.author,
                session=work.principal.session,
                at=work.now,
            )
        )


def independent(work: Work, item: Item) -> bool:
    """Whether the caller's session came to the statement by itself.

    Not where the item was shown to it, or to a session that it descends from by resume,
    fork or clear; nor where no hook ever saw the session.
    """
    session = work.principal.session
    for _ in range(_MAX_PARENTS):
        row = work.tx.sessions.get(session) if session else None
        if row is None or row.synthetic:
            return False
        if work.tx.sessions.read_version(row.id, item.id) is not None:
            return False
        if item.id in work.tx.deliveries.shown(row.id):
            return False
        if not row.parent:
            return True
        session = row.parent
    return False


def _sight(work: Work, item: Item) -> bool:
    if not work.principal.session:
        return False
    own = work.principal.session == item.head.author.session
    sighting = Sighting(
        item=item.id,
        session=work.principal.session,
        agent=work.principal.agent,
        at=work.now,
        independent=own or independent(work, item),
    )
    return work.tx.provenance.add_sighting(sighting) and sighting.independent


def _raise(work: Work, item: Item) -> Item:
    """Belief rises at the third independent session; status never does."""
    seen = sum(s.independent for s in work.tx.provenance.sightings(item.id))
    if seen < SESSIONS_NEEDED or item.verification != "unverified":
        return item
    flags = item.flags if item.status == "active" else (*item.flags, f"sightings:{seen}")
    raised = replace(item, verification="corroborated", flags=flags)
    work.tx.items.change(raised)
    return raised


def _affirm(work: Work, draft: Draft, found: Item) -> Outcome:
    """A person who says what already waits or stands has verified it by saying so."""
    if found.status == "active" and found.verification == "verified":
        return Corroborated(
            code="same.known",
            say=f"That is on record already (m:{found.id[-6:]}).",
            item=found,
        )
    status = step("approve", found.status) if found.status == "proposed" else found.status
    affirmed = replace(
        found, status=status, verification="verified", pinned=found.pinned or draft.command.pin
    )
    work.tx.items.change(affirmed)
    work.index(affirmed)
    event = work.record(
        "affirmed",
        affirmed,
        fields=("status", "verification"),
        before=found.version,
        change={
            "status": (found.status, status),
            "verification": (found.verification, "verified"),
            "pinned": (found.pinned, affirmed.pinned),
        },
    )
    return Updated(
        code="same.affirmed",
        say=f"That was waiting or unverified (m:{found.id[-6:]}); your word settles it.",
        undo=event.seq,
        item=affirmed,
    )
