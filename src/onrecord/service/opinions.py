"""Feedback: what a session made of a memory that it was given."""

from __future__ import annotations

from onrecord.domain.errors import BadField, UndoClash
from onrecord.domain.event import Event
from onrecord.domain.item import MAX_REASON, Item
from onrecord.domain.outcome import Outcome, Updated
from onrecord.domain.provenance import Feedback as Row
from onrecord.policy import authority, shape
from onrecord.policy.redact import redact
from onrecord.service import lifecycle, settling, steps, verdicts
from onrecord.service.commands import Feedback, Mark
from onrecord.service.work import Work

#: The action of an event by which nothing but an opinion came.
GIVEN = "feedback"

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
    said = verdicts.standing(work.tx, item.id)
    work.keep(item, row)
    work.tx.items.bump([item.id], helpful=verdicts.helped([*said, row]) - verdicts.helped(said))
    action = _MARKS.get(command.verdict, "")
    if action and item.status == "active" and item.kind != "rule":
        outcome = lifecycle.mark(work, Mark(item=item.id, action=action))
        if work.unbound:
            work.record("feedback", item, before=item.version, code=command.verdict)
        return outcome
    event = work.record("feedback", item, before=item.version, code=command.verdict)
    return Updated(
        code="feedback",
        say=f"Noted for m:{item.id[-6:]}: {command.verdict}. Undo: onrecord undo {event.seq}",
        undo=event.seq,
        item=item,
    )


def take_back(work: Work, event: Event, item: Item) -> Outcome:
    """Let an opinion count no more, or again; what else was done to the item has no part in it."""
    lines = work.tx.events.of(item.id)
    if any(line.undoes == event.seq for line in settling.standing_after(lines, event.seq)):
        raise UndoClash("That was undone already.", details={"event": event.seq})
    ruling = authority.rule_on_opinion(event, work.principal)
    if ruling.verdict == "refuse":
        return work.refuse(ruling.rule, ruling.say, item=item)
    before = verdicts.helped(verdicts.standing(work.tx, item.id))
    line = work.record("undone", item, before=item.version, code=GIVEN, undoes=event.seq)
    after = verdicts.helped(verdicts.standing(work.tx, item.id))
    work.tx.items.bump([item.id], helpful=after - before)
    counts = "no more" if event.action == GIVEN else "again"
    return Updated(
        code="undone",
        say=f"Undone: what was said of m:{item.id[-6:]} counts {counts}."
        f" Undo: onrecord undo {line.seq}",
        undo=line.seq,
        item=work.item(item.id),
    )


def is_opinion(event: Event) -> bool:
    """Whether an event is about an opinion alone: given, taken back, or given again."""
    return GIVEN in (event.action, event.code) and event.action in (GIVEN, "undone")
