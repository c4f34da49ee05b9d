"""Turning an event back: the item, what it replaced, what went with it, its tombstones."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from onrecord.domain.errors import UndoClash
from onrecord.domain.event import Event
from onrecord.domain.item import Item
from onrecord.service import renewing, settling, stones
from onrecord.service.settling import Change
from onrecord.service.taking import HELD
from onrecord.service.work import Work, commitment_of, states_same


def turn_back(work: Work, event: Event, item: Item, restored: Item) -> Change:
    """Do it; what the compensating event says, so that it can be undone in its turn."""
    change = settling.difference(item, restored)
    change |= _turn_stones(work, event)
    if "unreplaced" in event.change:
        change |= _replace_again(work, event, by=restored)
    if renewing.FIELD in event.change:
        change |= renewing.turn_back(work, event)
    if "handoff" in event.change:
        change |= _turn_handoff(work, event, item)
    _check_address(work, restored, item)
    _check_stones(work, restored, item)
    _store(work, restored, item)
    if "replaced" in event.change:
        change |= _bring_back(work, event)
    if "with" in event.change:
        change["with"] = (None, _turn_others(work, event))
    return change


def _store(work: Work, after: Item, before: Item) -> None:
    if after.version != before.version:
        work.tx.items.revise(after)
    else:
        work.tx.items.change(after, at=work.now)
    work.index(after)


def _turn_handoff(work: Work, event: Event, item: Item) -> Change:
    """A handoff stands as it did, with whoever had it, or the other way round."""
    before, after = event.change["handoff"]
    row = work.tx.handoffs.get(item.id)
    held = {
        name: event.change[f"handoff.{name}"] for name in HELD if f"handoff.{name}" in event.change
    }
    if row is None or row.status != after:
        raise UndoClash("Another one has taken its place since.", details={"event": event.seq})
    if "claimed_by" in held and row.claimed_by != held["claimed_by"][1]:
        raise UndoClash("Another session has it since.", details={"event": event.seq})
    were: dict[str, Any] = {name: was for name, (was, _) in held.items()}
    work.tx.handoffs.change(replace(row, status=str(before), **were))
    told: Change = {f"handoff.{name}": (now, was) for name, (was, now) in held.items()}
    return {"handoff": (after, before), **told}


def _turn_stones(work: Work, event: Event) -> Change:
    """What the event put in force goes out of force, and the other way round."""
    change: Change = {}
    imposed: Any = event.change.get("imposed", (None, ()))[1]
    lifted: Any = event.change.get("lifted", (None, ()))[1]
    if imposed:
        change["lifted"] = (None, stones.lift(work, stones.named(work, imposed)))
    scope, passed = _passed(event)
    again = stones.impose_again(work, stones.named(work, lifted))
    again += stones.impose_again(work, stones.named(work, passed), scope)
    if again:
        change["imposed"] = (None, again)
    return change


def _passed(event: Event) -> tuple[str, Any]:
    """The scope for which an override lifted tombstones of broader ones, and which."""
    scope, passed = event.change.get("passed", ("", ()))
    return str(scope or ""), passed


def _check_address(work: Work, after: Item, before: Item) -> None:
    if not after.key or after.status != "active":
        return
    if before.status == "active" and before.scope == after.scope:
        return
    taken = [
        other
        for other in work.tx.items.by_key(after.scope, after.key, ("active",))
        if other.id != after.id
    ]
    if taken:
        raise UndoClash(
            f"Its key was taken by m:{taken[0].id[-6:]} since.",
            hint="Archive that one first.",
            details={"taken_by": taken[0].id[-6:]},
        )


def _check_stones(work: Work, after: Item, before: Item) -> None:
    live = ("active", "proposed")
    same = before.status in live and states_same(after.content, before.content)
    if after.status not in live or same:
        return
    for stone, verdict in stones.met(work, after.scope, (after.content,)):
        if verdict == "refused" and not stones.stands_apart(after, stone.scope):
            raise UndoClash(
                f"What m:{after.id[-6:]} said was turned down as {stone.reason} since.",
                hint="A person can save it anew with --override and a reason.",
            )


def _bring_back(work: Work, event: Event) -> Change:
    """The item whose place was taken is as it was before."""
    old = work.tx.items.get(str(event.change["replaced"][1]))
    before, after = event.change["replaced.version"]
    if old is None or old.status != "superseded" or old.version != after:
        raise UndoClash(
            "What it replaced was erased or changed since, so that cannot come back.",
            hint="Archive this one by hand instead.",
            details={"event": event.seq},
        )
    versions = {version.n: version for version in work.tx.items.history(old.id)}
    back = work.next_version(old, versions[int(str(before))].content, f"undo of event {event.seq}")
    back = replace(
        back,
        status=str(event.change["replaced.status"][0]),
        pinned=bool(event.change["replaced.pinned"][0]),
    )
    _check_address(work, back, old)
    _check_stones(work, back, old)
    _store(work, back, old)
    return {
        "unreplaced": (None, old.id),
        "unreplaced.commitment": (None, commitment_of(back).hex()),
    }


def _replace_again(work: Work, event: Event, *, by: Item) -> Change:
    old = work.tx.items.get(str(event.change["unreplaced"][1]))
    if old is None or old.status not in ("active", "archived", "proposed"):
        raise UndoClash(
            "What it would replace was erased or replaced since.", details={"event": event.seq}
        )
    return settling.supersede(work, old, by=by)


def _turn_others(work: Work, event: Event) -> list[list[object]]:
    """Items that went the same way in that event; what they were until now."""
    rows: Any = event.change["with"][1]
    kept: list[list[object]] = []
    for name, status, pinned in rows:
        other = work.tx.items.get(name)
        if other is None or other.status == "forgotten":
            continue
        back = replace(other, status=status, pinned=bool(pinned))
        _check_address(work, back, other)
        _store(work, back, other)
        kept.append([other.id, other.status, other.pinned])
    return kept
