"""A person says what waits or stands already: their own words settle it."""

from __future__ import annotations

from dataclasses import replace

from onrecord.domain.item import Content, Item
from onrecord.domain.outcome import Corroborated, Outcome, Updated
from onrecord.service import corroborate, settling, writing
from onrecord.service.draft import Draft
from onrecord.service.work import Work


def affirm(work: Work, draft: Draft, found: Item) -> Outcome:
    """Make what a person restated their own word; where it is that already, note it.

    What takes effect is what the person wrote, never what stood beside it in the proposal.
    """
    corroborate.add_evidence(work, draft, found)
    content = _settled_content(draft, found)
    # a proposal takes the person's own words
    reworded = corroborate.keep_wording(work, draft, found) if found.status == "active" else ""
    belief = writing.verification_of(work, draft)
    placed = replace(
        found,
        kind=found.kind if draft.command.kind == "note" else draft.command.kind,
        verification=belief if belief == "verified" else _undoubted(found),
        pinned=found.pinned or draft.command.pin,
        expires_at=writing.expiry(work, draft, found),
        tainted=found.tainted or draft.tainted,
    )
    if placed == found and content == found.content and found.status == "active":
        work.record("corroborated", found, fields=("evidence",), before=found.version)
        return Corroborated(
            code="same.known",
            say=f"That is on record already (m:{found.id[-6:]}){reworded}.",
            item=found,
        )
    affirmed, event = settling.settle(
        work, found, placed, content, action="affirmed", more=writing.lifted(work, draft)
    )
    stood = found.status == "active" and found.verification == "verified"
    told = (
        f"That is on record already (m:{found.id[-6:]}){reworded};"
        " what else you gave replaces what it had."
        if stood
        else f"That was waiting or unverified (m:{found.id[-6:]}); your word settles it."
    )
    return Updated(
        code="same.affirmed",
        say=f"{told} Undo: onrecord undo {event.seq}",
        undo=event.seq,
        item=affirmed,
    )


def _undoubted(found: Item) -> str:
    doubted = found.verification in ("disputed", "stale")
    return "unverified" if doubted else found.verification


def _settled_content(draft: Draft, found: Item) -> Content:
    """What counts from now on: a proposal's own extras do not come in with its words."""
    if found.status == "proposed":
        return draft.content
    content = merged(draft.content, found.content)
    return replace(content, title=found.content.title, body=found.content.body)


def merged(said: Content, kept: Content) -> Content:
    """A restated content with what it leaves out taken from the one that is kept."""
    return replace(
        said,
        summary=said.summary or kept.summary,
        tags=said.tags or kept.tags,
        valid_from=kept.valid_from if said.valid_from is None else said.valid_from,
        valid_to=kept.valid_to if said.valid_to is None else said.valid_to,
        prompted_by=said.prompted_by or kept.prompted_by,
    )
