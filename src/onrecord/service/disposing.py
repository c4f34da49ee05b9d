"""What becomes of a contradiction at the write itself, where a person chose that beforehand."""

from __future__ import annotations

from dataclasses import replace

from onrecord.domain import scope as scopes
from onrecord.domain.item import Item
from onrecord.domain.outcome import Created, Outcome
from onrecord.policy import disposition
from onrecord.service import lifecycle
from onrecord.service.draft import Draft
from onrecord.service.work import Work

#: The policy's name among the switches.
POLICY = "contradiction"


def prepare(work: Work, draft: Draft, against: list[Item], *, may_replace: bool) -> bool:
    """Let the draft take the way that is set for its scope; says whether nobody is asked."""
    chosen = disposition.decide(
        _set_for(work, draft.scope),
        may_replace=may_replace,
        waits=bool(draft.reasons),
        against=len(against),
    )
    if chosen == "supersede":
        draft.replaces = against[0]
    if chosen == "coexist":
        content, old = draft.content, against[0].content
        at = work.now if content.valid_from is None else content.valid_from
        if disposition.boundary_problem(at, starts=old.valid_from, ends=content.valid_to):
            return False
        draft.content = replace(content, valid_from=at)
    if chosen in ("coexist", "dispute"):
        draft.disposed = chosen
        draft.opposes = against[0]
    return chosen != disposition.DEFAULT


def _set_for(work: Work, scope: str) -> str:
    for name in dict.fromkeys((scope, *scopes.reach_of(scope, work.caller.place))):
        value = work.tx.settings.get(POLICY, name)
        if value:
            return value
    return disposition.DEFAULT


def carry_out(work: Work, draft: Draft, written: Outcome) -> Outcome:
    """Do to the other item what was prepared, as one act with the write."""
    old = draft.opposes
    if old is None or not isinstance(written, Created) or written.undo is None:
        return written
    from onrecord.service import reconciling  # noqa: PLC0415 - it leads back to the ten steps

    if draft.disposed == "coexist":
        parts = [reconciling.bound(work, old, ends=written.item.content.valid_from)]
    else:
        # a person allowed it beforehand, also where an agent alone could only ask for it
        parts = [lifecycle.set_mark(work, item, "dispute") for item in (written.item, old)]
    events = [written.undo, *(part.undo for part in parts if part.undo is not None)]
    summed = reconciling.sum_up(work, written.item, old, draft.disposed, events)
    kind = written.item.kind
    return replace(
        written,
        say=f"Saved as a {kind} in {written.item.scope}. {summed.say}",
        undo=summed.undo,
        item=summed.item or written.item,
    )
