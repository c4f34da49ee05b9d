"""Feedback: what a session made of a memory that it was given."""

from __future__ import annotations

from onrecord.domain.errors import BadField
from onrecord.domain.item import MAX_REASON
from onrecord.domain.outcome import Outcome, Updated
from onrecord.domain.provenance import Feedback as Row
from onrecord.policy.redact import redact
from onrecord.service import lifecycle
from onrecord.service.commands import Feedback, Mark
from onrecord.service.work import Work

VERDICTS = ("helpful", "wrong", "stale", "not_relevant")


def give_feedback(work: Work, command: Feedback) -> Outcome:
    """Keep the verdict; `wrong` and `stale` also ask for a look, a person's disputes at once."""
    if command.verdict not in VERDICTS:
        raise BadField(
            "That verdict is not known.",
            hint=f"use {', '.join(VERDICTS)}",
            details={"field": "verdict"},
        )
    item = work.item(command.item)
    work.tx.provenance.add_feedback(
        Row(
            id=work.ids.new(work.now),
            item=item.id,
            session=work.principal.session,
            verdict=command.verdict,
            note=redact(command.note).text[:MAX_REASON],
            by=work.principal,
            at=work.now,
        )
    )
    if command.verdict == "helpful":
        work.tx.items.bump([item.id], helpful=1)
    if command.verdict in ("wrong", "stale") and item.status == "active":
        return lifecycle.mark(work, Mark(item=item.id, action="dispute"))
    work.record("feedback", item, before=item.version, code=command.verdict)
    return Updated(
        code="feedback", say=f"Noted for m:{item.id[-6:]}: {command.verdict}.", item=item
    )
