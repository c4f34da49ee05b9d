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
        content = draft.content
        at = work.now if content.valid_from is None else content.valid_from
        starts = [old.content.valid_from for old in against]
        # where one of them cannot end there, nothing is done to any
        if any(disposition.boundary_problem(at, starts=s, ends=content.valid_to) for s in starts):
            return False
        draft.content = replace(content, valid_from=at)
    if chosen in ("coexist", "dispute"):
        draft.disposed = chosen
        draft.opposes = tuple(against)
    return chosen != disposition.DEFAULT


def _set_for(work: Work, scope: str) -> str:
    for name in dict.fromkeys((scope, *scopes.reach_of(scope, work.caller.place))):
        value = work.tx.settings.get(POLICY, name)
        if value:
            return value
    return disposition.DEFAULT


def carry_out(work: Work, draft: Draft, written: Outcome) -> Outcome:
    """Do to the other items what was prepared, as one act with the write."""
    if not draft.opposes or not isinstance(written, Created) or written.undo is None:
        return written
    from onrecord.service import reconciling  # noqa: PLC0415 - it leads back to the ten steps

    new, events = written.item, [written.undo]
    if draft.disposed == "dispute":
        # a person allowed it beforehand, also where an agent alone could only ask for it
        events += _line_of(lifecycle.set_mark(work, new, "dispute"))
    *others, last = draft.opposes[::-1]
    for old in others:
        # a line for each pair, so that each is known to be settled; the last one holds them all
        done = _line_of(_oppose(work, draft, new, old))
        events += _line_of(reconciling.sum_up(work, new, old, draft.disposed, done))
    events += _line_of(_oppose(work, draft, new, last))
    summed = reconciling.sum_up(work, new, last, draft.disposed, events, others=others[::-1])
    kind = written.item.kind
    return replace(
        written,
        say=f"Saved as a {kind} in {written.item.scope}. {summed.say}",
        undo=summed.undo,
        item=summed.item or written.item,
    )


def _oppose(work: Work, draft: Draft, new: Item, old: Item) -> Outcome:
    from onrecord.service import reconciling  # noqa: PLC0415 - it leads back to the ten steps

    if draft.disposed == "coexist":
        return reconciling.bound(work, old, ends=new.content.valid_from)
    return lifecycle.set_mark(work, old, "dispute")


def _line_of(done: Outcome) -> list[int]:
    """The line of the log by which it can be taken back; none where nothing was changed."""
    return [] if done.undo is None else [done.undo]
