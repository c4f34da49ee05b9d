"""Deciding between two items that speak against each other: one act, taken back by one undo.

A decision is made of ordinary changes, each with its own line of the log, and a line that sums
them up. That line is what undo takes: all of its parts or none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from onrecord.domain import time
from onrecord.domain.errors import BadField, IllegalTransition, UndoClash
from onrecord.domain.event import Event
from onrecord.domain.item import Content, Item
from onrecord.domain.outcome import Candidate, Conflict, Outcome, Refused, Updated
from onrecord.domain.ports import Transaction
from onrecord.policy import authority, disposition
from onrecord.service import deciding, lifecycle, settling, stones
from onrecord.service.commands import Mark, Reconcile, Reject, Undo
from onrecord.service.work import Work

#: way out -> what the answer says of it; `{new}` and `{old}` are short ids
WAYS = {
    "new": "{new} takes the place of {old}.",
    "old": "{old} stays; {new} is turned down.",
    "both": "{new} and {old} both stay.",
    "coexist": "{old} holds until {at}, {new} from then on.",
    "dispute": "{new} and {old} both stay, marked as disputed.",
}
#: The same where the new one was set against several.
_WAYS_OF_SEVERAL = {
    "coexist": "{old} hold until {at}, {new} from then on.",
    "dispute": "{new} and {old} all stay, marked as disputed.",
}

#: Ways after which both items stand and nobody is asked again until one of them changes.
_SETTLED = ("both", "coexist", "dispute")


def reconcile(work: Work, command: Reconcile) -> Outcome:
    """Settle one contradiction as a person decided it."""
    if command.way not in WAYS:
        raise BadField(
            "That way out is not known.", hint=", ".join(WAYS), details={"field": "way"}
        )
    away = lifecycle.people_only(work, "reconcile")
    if away is not None:
        return away
    new, old = work.item(command.new), work.item(command.old)
    for item in (new, old):
        ruling = authority.rule_on_item("reconcile", item, work.principal, work.caller.place)
        if ruling.verdict == "refuse":
            return work.refuse(ruling.rule, ruling.say, item=item)
    _check_pair(work, command, new, old)
    for item, seen in ((new, command.seen), (old, command.seen_old)):
        if seen and seen != item.head.digest:
            return _changed(work, item)
    events: list[int] = []
    for outcome in _parts(work, command, new, old):
        if isinstance(outcome, (Refused, Conflict)):
            return outcome  # only the new one can be refused: the first part, before any change
        if outcome.undo is not None:
            events.append(outcome.undo)
    return sum_up(work, new, old, command.way, events)


def _changed(work: Work, item: Item) -> Conflict:
    work.note_refusal("reconcile.changed", item)
    return Conflict(
        code="reconcile.changed",
        say=f"m:{item.id[-6:]} changed after it was shown. Look again, then decide.",
        item=item,
        candidates=(Candidate(id=item.id, why="contradicts", version=item.version),),
    )


def _check_pair(work: Work, command: Reconcile, new: Item, old: Item) -> None:
    if new.id == old.id:
        raise BadField("A memory does not speak against itself.", details={"field": "old"})
    for item, allowed in ((new, ("active", "proposed")), (old, ("active",))):
        if item.status not in allowed:
            raise IllegalTransition(
                f"m:{item.id[-6:]} is {item.status}, so there is nothing to decide here.",
                hint="`onrecord conflicts` lists what speaks against something that counts.",
                details={"from": item.status, "to": item.status},
            )
    if (new.kind == "rule") != (old.kind == "rule"):
        raise IllegalTransition(
            "A rule and a memory do not take each other's place.",
            hint="Edit the rule, or reject the memory.",
        )
    one_address = bool(new.key) and (new.scope, new.key) == (old.scope, old.key)
    if command.way in _SETTLED and one_address:
        raise BadField(
            "Both stand under one key, where only one can count.",
            hint="Keep one of them, or edit one.",
            details={"field": "way"},
        )
    if new.status == "proposed" and command.way != "old":
        _check_place(work, new, old)


def _check_place(work: Work, new: Item, old: Item) -> None:
    """A proposal that counts leaves nothing active in whose place it was made, but the old one."""
    held = work.tx.items.by_key(new.scope, new.key, ("active",)) if new.key else ()
    replaced = work.tx.items.get(new.replaces) if new.replaces else None
    for item in (*held, replaced):
        if item is not None and item.status == "active" and item.id != old.id:
            raise BadField(
                f"m:{new.id[-6:]} is there to take the place of m:{item.id[-6:]}.",
                hint=f"Decide between these two, or archive m:{item.id[-6:]} first.",
                details={"field": "old"},
            )


# -- what each way does --------------------------------------------------------------------
def _parts(work: Work, command: Reconcile, new: Item, old: Item) -> Iterator[Outcome]:
    if command.way == "new":
        yield _let_count(work, new, new.content, old)
    elif command.way == "old":
        yield deciding.reject(work, Reject(item=new.id, reason="not_useful"))
        if old.verification == "disputed":
            yield lifecycle.mark(work, Mark(item=old.id, action="verify"))
    else:
        yield from _keep_both(work, command, new, old)


def _let_count(work: Work, item: Item, content: Content, old: Item | None) -> Outcome:
    """Make it count as the person's own word, in the place of another or beside it."""
    for stone, verdict in stones.met(work, item.scope, (content,)):
        if verdict == "refused":
            return stones.refusal(work, stone, item)
    settled, event = settling.settle_in_place(
        work,
        item,
        replace(item, verification="verified"),
        content,
        old,
        action="approved" if item.status == "proposed" else "affirmed",
        more={},
    )
    return Updated(code="approved", say="", undo=event.seq, item=settled)


def _keep_both(work: Work, command: Reconcile, new: Item, old: Item) -> Iterator[Outcome]:
    at = _boundary(work, command, new, old) if command.way == "coexist" else None
    if new.status == "proposed":
        content = new.content if at is None else replace(new.content, valid_from=at)
        yield _let_count(work, new, content, None)
    elif at is not None and new.content.valid_from != at:
        yield bound(work, new, starts=at)
    if at is not None:
        yield bound(work, _now(work, old), ends=at)
    for item in (_now(work, new), _now(work, old)):
        if command.way == "dispute":
            yield lifecycle.mark(work, Mark(item=item.id, action="dispute"))
        elif item.verification == "disputed":
            yield lifecycle.mark(work, Mark(item=item.id, action="verify"))


def _now(work: Work, item: Item) -> Item:
    return work.tx.items.get(item.id) or item


def _boundary(work: Work, command: Reconcile, new: Item, old: Item) -> int:
    at = command.at or new.content.valid_from or work.now
    problem = disposition.boundary_problem(
        at, starts=old.content.valid_from, ends=new.content.valid_to
    )
    if problem:
        raise BadField(problem, hint="Give an instant between the two.", details={"field": "at"})
    return at


def bound(
    work: Work, item: Item, *, starts: int | None = None, ends: int | None = None
) -> Outcome:
    """Give an item a period in the world; an end that it had before `ends` stays."""
    content = item.content
    if starts is not None:
        content = replace(content, valid_from=starts)
    if ends is not None:
        kept = content.valid_to
        content = replace(content, valid_to=ends if kept is None else min(ends, kept))
    if content == item.content:
        return Updated(code="updated", say="", item=item)
    bounded = work.next_version(item, content)
    work.tx.items.revise(bounded)
    work.index(bounded)
    event = work.record("updated", bounded, fields=("valid",), before=item.version)
    return Updated(code="updated", say="", undo=event.seq, item=bounded)


# -- one act ---------------------------------------------------------------------------------
def sum_up(
    work: Work,
    new: Item,
    old: Item,
    way: str,
    events: list[int],
    *,
    others: Sequence[Item] = (),
) -> Updated:
    """The line that undo takes, with the parts and the versions that they led to.

    `others` are items that the parts did the same to, for the answer.
    """
    new, old = _now(work, new), _now(work, old)
    line = work.record(
        "reconciled",
        target=_pair(new.id, old.id),
        fields=("pair",),
        change={"events": (None, events), "versions": (None, [new.version, old.version])},
        code=way,
    )
    said = (_WAYS_OF_SEVERAL if others else WAYS)[way].format(
        new=f"m:{new.id[-6:]}",
        old=" and ".join(f"m:{item.id[-6:]}" for item in (old, *others)),
        at=time.to_iso(new.content.valid_from or work.now)[:10],
    )
    return Updated(
        code="reconciled",
        say=f"{said} Undo: onrecord undo {line.seq}",
        undo=line.seq,
        item=new,
    )


def is_settled(tx: Transaction, new: Item, old: Item) -> bool:
    """Whether it was decided that both stand, as they say it now."""
    for names in ((new, old), (old, new)):
        lines = tx.events.of(_pair(names[0].id, names[1].id))
        if not lines or lines[-1].action != "reconciled" or lines[-1].code not in _SETTLED:
            continue
        kept: Any = lines[-1].change["versions"][1]
        if list(kept) == [names[0].version, names[1].version]:
            return True
    return False


def undo_whole(work: Work, event: Event) -> Outcome:
    """Take a decision back; every part of it, or none where one of them changed since."""
    from onrecord.service import undoing  # noqa: PLC0415 - it undoes in its turn

    ruling = authority.rule_on_personal("reconcile", work.principal)
    if not work.principal.is_person:
        # a policy did it with the agent's own write, which it may take back as its latest
        ruling = undoing.rule_on_latest(work, event)
    if ruling.verdict == "refuse":
        return work.refuse(ruling.rule, ruling.say)
    if any(line.undoes == event.seq for line in work.tx.events.of(event.target)):
        raise UndoClash("That was taken back already.")
    work.record("undone", target=event.target, fields=("pair",), undoes=event.seq)
    parts: Any = event.change["events"][1]
    for seq in reversed(list(parts)):
        outcome = undoing.undo(work, Undo(event=int(seq)))
        if isinstance(outcome, Refused):
            raise UndoClash(outcome.say, details={"event": event.seq})
    names = " and ".join(f"m:{name[-6:]}" for name in event.target.split("+"))
    return Updated(
        code="undone",
        say=f"Undone: {names} are as they were before event {event.seq}.",
        item=None,
    )


def _pair(new: str, old: str) -> str:
    return f"{new}+{old}"
