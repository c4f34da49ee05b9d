"""Feedback: what a session made of a memory that it was given."""

from __future__ import annotations

from onrecord.domain.errors import BadField
from onrecord.domain.item import MAX_REASON
from onrecord.domain.outcome import Outcome, Updated
from onrecord.domain.provenance import Feedback as Row
from onrecord.policy import shape
from onrecord.policy.redact import redact
from onrecord.service import lifecycle, steps, verdicts
from onrecord.service.commands import Feedback, Mark
from onrecord.service.work import Work

VERDICTS = ("helpful", "wrong", "stale", "not_relevant")

#: What a verdict asks for, beside being noted.
_MARKS = {"wrong": "dispute", "stale": "stale"}


def give_feedback(work: Work, command: Feedback) -> Outcome:
    """Keep the verdict; `wrong` and `stale` change belief at once where the caller may.

    Elsewhere they ask for a look. A rule is a person's; of it the verdict is only noted.
    """
    if command.verdict not in VERDICTS:
        raise BadField(
            "That verdict is not known.",
            hint=f"use {', '.join(VERDICTS)}",
            details={"field": "verdict"},
        )
    item = work.item(command.item)
    off = steps.refuse_learning(work)
    if off is not None:
        return off
    problem = shape.note_problem("note", command.note)
    if problem is not None:
        return work.refuse(problem.code, problem.say, item=item)
    row = Row(
        id=work.ids.new(work.now),
        item=item.id,
        session=work.principal.session,
        verdict=command.verdict,
        note=redact(command.note).text[:MAX_REASON],
        by=work.principal,
        at=work.now,
    )
    # one session that says it ten times was helped once
    counts = verdicts.is_first(work.tx.provenance.feedback(item.id), row)
    work.keep(item, row)
    if command.verdict == "helpful" and counts:
        work.tx.items.bump([item.id], helpful=1)
    action = _MARKS.get(command.verdict, "")
    if action and item.status == "active" and item.kind != "rule":
        outcome = lifecycle.mark(work, Mark(item=item.id, action=action))
        if work.unbound:
            work.record("feedback", item, before=item.version, code=command.verdict)
        return outcome
    work.record("feedback", item, before=item.version, code=command.verdict)
    return Updated(
        code="feedback", say=f"Noted for m:{item.id[-6:]}: {command.verdict}.", item=item
    )
