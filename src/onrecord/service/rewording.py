"""Another text for an item that exists: revising it, or editing it while approving."""

from __future__ import annotations

from onrecord.domain.item import Item
from onrecord.domain.outcome import Candidate, Outcome
from onrecord.domain.status import step
from onrecord.policy import authority, shape
from onrecord.service import bounding, deriving, likeness, steps, stones, writing
from onrecord.service.commands import Remember, Revise
from onrecord.service.draft import Draft
from onrecord.service.work import Work

#: A new text for an existing item passes these steps; the others ask about a new item.
CONTENT_STEPS = (
    steps.check_shape,
    steps.redact_secrets,
    steps.screen_instructions,
    steps.settle_dates,
    deriving.inherit_taint,
    stones.keep_tombstones,
    bounding.bound,
)


def revise(work: Work, command: Revise) -> Outcome:
    """A further version, or a proposal of one where the caller may not change the item."""
    item = work.item(command.item)
    ruling = authority.rule_on_item("revise", item, work.principal, work.caller.place)
    if ruling.verdict == "refuse":
        return work.refuse(ruling.rule, ruling.say, item=item)
    refused = _refused(work, item, command)
    if refused is not None:
        return refused
    step("revise", item.status)
    draft = draft_of(item, command)
    answer = steps.obey_saving_switch(work, draft) or pass_steps(work, draft)
    if answer is not None:
        return answer
    if ruling.verdict == "propose":
        draft.wait(ruling.rule)
    if not work.principal.is_person:
        likeness.hold_replaced(work, draft)
    stale = _unseen(work, item, command)
    if stale:
        draft.conflict = stale
        draft.candidates.append(Candidate(id=item.id, why="same_key", version=item.version))
        draft.wait(stale)
    if draft.reasons and (item.status == "active" or stale):
        draft.replaces = item
        return writing.write(work, draft)
    draft.revises = item
    if item.status == "proposed":
        draft.wait("key.own_proposal")
    return writing.write(work, draft)


def _refused(work: Work, item: Item, command: Revise) -> Outcome | None:
    """The refusal of a kind that it cannot have, or of what only a person may do, if any."""
    kind = command.kind or item.kind
    wrong = shape.kind_change_problem(item.kind, kind)
    if wrong is not None:
        return work.refuse(wrong.code, wrong.say, item=item, details=(("field", wrong.field),))
    personal = "rule" if kind == "rule" != item.kind else "override" * bool(command.override)
    if not personal:
        return None
    needed = authority.rule_on_personal(personal, work.principal)
    if needed.verdict == "refuse":
        return work.refuse(needed.rule, needed.say, item=item)
    return None


def _unseen(work: Work, item: Item, command: Revise) -> str:
    """The conflict's code; without a version, only what has an address is asked about."""
    if command.if_version is None and not item.key:
        return ""
    if command.content == item.content and command.kind in ("", item.kind):
        return ""  # whoever else changed it made it say just that
    return likeness.unseen(work, item, command.if_version)


def draft_of(item: Item, command: Revise) -> Draft:
    """The draft of an item's next text."""
    as_command = Remember(
        content=command.content,
        scope=item.scope,
        kind=command.kind or item.kind,
        evidence=command.evidence,
        override=command.override,
        dates_as_written=command.dates_as_written,
        reason=command.reason,
    )
    return Draft(
        command=as_command,
        scope=item.scope,
        content=command.content,
        kind=command.kind or item.kind,
        before=item,
        tainted=item.tainted,
        evidence=command.evidence,
    )


def pass_steps(work: Work, draft: Draft) -> Outcome | None:
    """Put a new text through the steps that look at texts; an answer ends it."""
    for content_step in CONTENT_STEPS:
        answer = content_step(work, draft)
        if answer is not None:
            return answer
    return None
