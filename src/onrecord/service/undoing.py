"""Undo: a compensating event that restores the exact earlier state."""

from __future__ import annotations

from dataclasses import replace

from onrecord.domain.errors import NotFound, UndoClash
from onrecord.domain.event import Event
from onrecord.domain.item import Item
from onrecord.domain.outcome import Outcome, Updated
from onrecord.policy import authority
from onrecord.service.commands import Undo
from onrecord.service.work import Work

#: What an event may be taken back from; `forgotten` never.
UNDOABLE = (
    "created",
    "proposed",
    "updated",
    "affirmed",
    "approved",
    "rejected",
    "archived",
    "restored",
    "pinned",
    "unpinned",
    "verified",
    "disputed",
    "asked",
    "declined",
    "set",
    "undone",
)

#: Lines that say something of an item without changing it.
_HARMLESS = ("refused", "refused_again", "corroborated", "feedback")

_FIELDS = ("status", "verification", "pinned", "expires_at", "kind", "scope")


def undo(work: Work, command: Undo) -> Outcome:
    """Take one event back, or say what came after it."""
    event = event_of(work, command)
    if event.action == "set":
        return _undo_set(work, event)
    item = work.item(event.target)
    refusal = _authority(work, event, item)
    if refusal is not None:
        return refusal
    later = [
        line
        for line in work.tx.events.of(item.id)
        if line.seq > event.seq and line.action not in _HARMLESS
    ]
    if later or any(line.undoes == event.seq for line in later):
        raise UndoClash(
            f"m:{item.id[-6:]} was {later[-1].action} after that (event {later[-1].seq}).",
            hint=f"Undo event {later[-1].seq} first, or change the item by hand.",
            details={"event": event.seq, "later": [line.seq for line in later]},
        )
    restored = _restore(work, event, item)
    line = work.record(
        "undone",
        restored,
        fields=event.fields,
        before=item.version,
        change=_difference(item, restored),
        undoes=event.seq,
    )
    return Updated(
        code="undone",
        say=f"Undone: m:{item.id[-6:]} {_came_back(event, restored)}."
        f" Undo: onrecord undo {line.seq}",
        undo=line.seq,
        item=restored,
    )


def _came_back(event: Event, restored: Item) -> str:
    if event.action in ("created", "proposed"):
        return f"is put away ({restored.status})"
    return f"is {restored.status} as it was before event {event.seq}"


def event_of(work: Work, command: Undo) -> Event:
    """The event that is meant: by its number, or the caller's own latest change."""
    if command.event:
        found = work.tx.events.get(command.event)
    else:
        own = (
            line
            for line in work.tx.events.latest(200)
            if line.action in UNDOABLE and _same(work, line)
        )
        found = next(own, None)
    if found is not None and not _may_know(work, found):
        found = None
    if found is None or (found.action not in UNDOABLE and found.action != "forgotten"):
        raise NotFound("There is no change under that number that can be undone.")
    if found.action == "forgotten":
        raise UndoClash(
            "An erased item cannot be brought back: its text is gone.",
            hint="Save it anew; a person can do so with --override.",
        )
    return found


def _may_know(work: Work, event: Event) -> bool:
    """Whether the caller may learn that there is such an event; switches are no secret."""
    if work.principal.is_person or event.action == "set":
        return True
    item = work.tx.items.get(event.target)
    return item is not None and work.caller.sees(item)


def _same(work: Work, line: Event) -> bool:
    mine = work.principal
    if mine.is_person:
        return line.by.is_person and line.by.user == mine.user
    return line.by.agent == mine.agent and line.by.session == mine.session


def _authority(work: Work, event: Event, item: Item) -> Outcome | None:
    principal = work.principal
    if event.action in ("rejected", "approved") or _undoes_review(work, event):
        action = "undo_reject" if event.action == "rejected" else "reject"
        ruling = authority.rule_on_personal(action, principal)
        return work.refuse(ruling.rule, ruling.say, item=item) if ruling.say else None
    if principal.is_person:
        return None
    own = event.by.agent == principal.agent and event.by.session == principal.session
    if own and event.action in ("created", "proposed", "updated", "asked", "archived"):
        return None
    return work.refuse(
        "authority.undo_not_your_own",
        "An agent may undo only its own latest change. Ask the user to undo it.",
        item=item,
    )


def _undoes_review(work: Work, event: Event) -> bool:
    if event.action != "undone":
        return False
    undone = work.tx.events.get(event.undoes)
    return undone is not None and undone.action in ("rejected", "approved")


def _restore(work: Work, event: Event, item: Item) -> Item:
    earlier = {name: event.change[name][0] for name in _FIELDS if name in event.change}
    if earlier.get("status", "") is None:
        earlier["status"] = "archived"
    if "flags" in event.change:
        earlier["flags"] = tuple(event.change["flags"][0])  # type: ignore[arg-type]
    restored = replace(item, **earlier)  # type: ignore[arg-type]
    if restored.status == "active" and item.status != "active" and restored.key:
        _check_address(work, restored)
    if event.before and event.before != event.after:
        versions = {version.n: version for version in work.tx.items.history(item.id)}
        restored = work.next_version(
            restored, versions[event.before].content, f"undo of event {event.seq}"
        )
        work.tx.items.revise(restored)
    else:
        work.tx.items.change(restored)
    work.index(restored)
    if "replaced" in event.change:
        _restore_replaced(work, event)
    if event.action == "rejected":
        for stone in work.tx.tombstones.of(item.id):
            if stone.lifted_at is None and stone.at >= event.at:
                work.tx.tombstones.lift(stone.id, work.now, work.principal.name)
    return restored


def _check_address(work: Work, item: Item) -> None:
    taken = [
        other
        for other in work.tx.items.by_key(item.scope, item.key, ("active",))
        if other.id != item.id
    ]
    if taken:
        raise UndoClash(
            f"Its key was taken by m:{taken[0].id[-6:]} since.",
            hint="Archive that one first.",
            details={"taken_by": taken[0].id[-6:]},
        )


def _restore_replaced(work: Work, event: Event) -> None:
    old = work.tx.items.get(str(event.change["replaced"][1]))
    if old is None or old.status != "superseded":
        return
    before = int(str(event.change["replaced.version"][0]))
    versions = {version.n: version for version in work.tx.items.history(old.id)}
    back = work.next_version(old, versions[before].content, f"undo of event {event.seq}")
    back = replace(
        back,
        status=str(event.change["replaced.status"][0]),
        pinned=bool(event.change["replaced.pinned"][0]),
    )
    work.tx.items.revise(back)
    work.index(back)


def _difference(before: Item, after: Item) -> dict[str, tuple[object, object]]:
    change: dict[str, tuple[object, object]] = {
        name: (getattr(before, name), getattr(after, name))
        for name in _FIELDS
        if getattr(before, name) != getattr(after, name)
    }
    if before.flags != after.flags:
        change["flags"] = (list(before.flags), list(after.flags))
    return change


def _undo_set(work: Work, event: Event) -> Outcome:
    name, _, scope = event.target.partition("@")
    ruling = authority.rule_on_personal("policy" if name == "review" else "switch", work.principal)
    if ruling.verdict == "refuse":
        return work.refuse(ruling.rule, ruling.say)
    old, new = event.change["value"]
    if work.tx.settings.get(name, scope) != new:
        raise UndoClash(f"{name} was set again after that.", hint="Set it by hand.")
    defaults = {"saving": "on", "review": "all", "capture": "on", "deliver": "on"}
    value = str(old) if old is not None else defaults[name]
    work.tx.settings.put(name, value, scope=scope, at=work.now, by=work.principal.name)
    line = work.record("set", target=event.target, fields=(name,), change={"value": (new, value)})
    return Updated(
        code="undone", say=f"{name} is {value} in {scope} again.", undo=line.seq, item=None
    )
