"""Undo: a compensating event that restores the exact earlier state."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from onrecord.domain.errors import NotFound, UndoClash
from onrecord.domain.event import Event
from onrecord.domain.item import Item
from onrecord.domain.outcome import Outcome, Updated
from onrecord.policy import authority
from onrecord.service import lifecycle, opinions, scoping, settling, tidying, turning
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
    "staled",
    "asked",
    "declined",
    "held",
    "lapsed",
    "corroborated",
    "imported",
    "set",
    "undone",
    "scope_moved",
    "tidied",
    "reconciled",
    "handoff_cancelled",
    "handoff_claimed",
    "handoff_acknowledged",
    "feedback",
)

#: What nothing takes back, and what to do instead.
LASTING = {
    "forgotten": (
        "An erased item cannot be brought back: its text is gone.",
        "Save it anew; a person can do so with --override.",
    ),
    "source_forgotten": ("A source that was forgotten cannot be brought back.", ""),
    "key_rotated": ("A key that was put in use stays in use.", "Earlier ones are kept as well."),
    "backup_restored": (
        "A restored copy goes by restoring the store before it.",
        "It is kept as before-restore-….db beside the other copies.",
    ),
    "rebuilt": ("Only the index was made anew, so there is nothing to take back.", ""),
    "import_undone": ("An import that was taken back is brought in again from its file.", ""),
    "moved": ("A memory moves back with its scope.", "Undo the scope_moved line after it."),
    "refused": ("Nothing was changed there.", ""),
    "refused_again": ("Nothing was changed there.", ""),
}

#: Of those, what a bare undo does not pass over in silence.
_HEEDED = {
    "forgotten": "was to forget, and what is erased cannot be brought back",
    "source_forgotten": "was to forget, and what is erased cannot be brought back",
    "key_rotated": "put a new key in use, and that stays",
    "backup_restored": "restored a copy, and that is not taken back by this",
}
#: What a bare undo takes back for a person alone; an agent's prompt claims without being asked.
_TAKEN_OVER = ("handoff_claimed", "handoff_acknowledged")

#: Lines that say something of an item without changing what undo restores.
_HARMLESS = ("refused", "refused_again", "corroborated", "feedback")
#: Lines that change an item's flags alone.
_FLAGGING = ("asked", "declined")

#: So many of the latest events are looked through for a caller's own.
_LOOKED_AT = 200


def undo(work: Work, command: Undo) -> Outcome:
    """Take one event back, or say what came after it."""
    event = event_of(work, command)
    whole = _WHOLE.get(event.action)
    if whole is not None:
        return whole(work, event)
    item = _target(work, event)
    if opinions.is_opinion(event):
        return opinions.take_back(work, event, item)
    restored = _earlier(work, event, item)
    ruling = authority.rule_on_undo(
        event, item, _effect(event, item, restored), work.principal, work.caller.place
    )
    if ruling.verdict == "allow" and not work.principal.is_person and not _is_latest(work, event):
        ruling = authority.rule_on_agents_undo()
    if ruling.verdict == "refuse":
        return work.refuse(ruling.rule, ruling.say, item=item)
    _check_unchanged(work, event, item)
    change = turning.turn_back(work, event, item, restored)
    line = work.record(
        "undone",
        restored,
        fields=event.fields,
        before=item.version,
        change=change,
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
    if event.action in _TAKEN_OVER:
        return f"is {event.change['handoff'][0]} as it was before event {event.seq}"
    if event.action in ("created", "proposed"):
        return f"is put away ({restored.status})"
    return f"is {restored.status} as it was before event {event.seq}"


def event_of(work: Work, command: Undo) -> Event:
    """The event that is meant: by its number, or the caller's own latest change."""
    found = work.tx.events.get(command.event) if command.event else _latest_own(work)
    lasts = "" if command.event else _lasting_since(work, found.seq if found else 0)
    if lasts:
        raise UndoClash(
            f"Your latest change {lasts}.",
            hint=f"The change before it: onrecord undo {found.seq}" if found else "",
        )
    if found is not None and not _may_know(work, found):
        found = None
    if found is not None and found.action in LASTING:
        say, hint = LASTING[found.action]
        raise UndoClash(say, hint=hint, details={"event": found.seq, "action": found.action})
    if found is None or not _can_be_undone(found):
        raise NotFound(
            "There is no change under that number that can be undone."
            if command.event
            else "There is no change of yours that can be undone.",
            hint="`onrecord log` lists what was done.",
        )
    return found


def _may_know(work: Work, event: Event) -> bool:
    """Whether the caller may learn that there is such an event; switches are no secret."""
    if work.principal.is_person or event.action == "set":
        return True
    item = work.tx.items.get(event.target.partition("+")[0])
    return item is not None and work.caller.sees(item)


def _can_be_undone(line: Event) -> bool:
    # a sighting is a fact; only what it raised can be taken back
    if line.action == "corroborated":
        return bool(line.change.keys() - {"bound"})
    # an import that found all of it there, or turned down, changed nothing
    if line.action == "imported":
        return any(name in line.change for name in ("proposed", "conflict"))
    return line.action in UNDOABLE


def _latest_own(work: Work) -> Event | None:
    """The caller's latest change that stands: asking again and again walks back."""
    lines = work.tx.events.latest(_LOOKED_AT)
    undone = {line.undoes for line in lines if line.undoes}
    for line in lines:
        if line.seq in undone or line.undoes or not _same(work, line):
            continue
        if line.action in _TAKEN_OVER and not work.principal.is_person:
            continue
        if _can_be_undone(line) and not _is_erased(work, line) and not _is_fixed(work, line):
            return line
    return None


def _is_fixed(work: Work, line: Event) -> bool:
    """Whether it is a handoff that somebody else took over since: that is theirs to give back."""
    later = settling.standing_after(work.tx.events.of(line.target), line.seq)
    return any(one.action in _TAKEN_OVER and not _same(work, one) for one in later)


def _lasting_since(work: Work, seq: int) -> str:
    """What the caller's latest doing was, where it came after `seq` and nothing undoes it.

    Whoever names a number has been told; from there a bare undo walks back again.
    """
    for line in work.tx.events.latest(_LOOKED_AT):
        if line.seq <= seq or (line.undoes and _same(work, line)):
            return ""
        if line.action in _HEEDED and _same(work, line):
            return _HEEDED[line.action]
    return ""


def _is_erased(work: Work, line: Event) -> bool:
    item = work.tx.items.get(line.target)
    return item is not None and item.status == "forgotten"


def _is_latest(work: Work, event: Event) -> bool:
    latest = _latest_own(work)
    return latest is not None and latest.seq == event.seq


def rule_on_latest(work: Work, event: Event) -> authority.Ruling:
    """Whether an agent may take back what was done with a write of its own: its latest alone."""
    own = _same(work, event) and _is_latest(work, event)
    return authority.ALLOW if own else authority.rule_on_agents_undo()


def _same(work: Work, line: Event) -> bool:
    own = line.by.same_party(work.principal)
    return own and (work.principal.is_person or line.by.session == work.principal.session)


def _target(work: Work, event: Event) -> Item:
    """The item of an event; one that was erased since is a conflict, not an unknown one."""
    item = work.tx.items.get(event.target)
    if item is not None and item.status == "forgotten" and work.caller.sees(item):
        raise UndoClash(
            f"m:{item.id[-6:]} was erased after that, so its earlier state is gone.",
            hint="Save it anew; a person can do so with --override.",
            details={"event": event.seq},
        )
    return work.item(event.target)


def _earlier(work: Work, event: Event, item: Item) -> Item:
    """The item as it was before the event; its text comes back as a further version."""
    if _made(event):
        return replace(item, status="archived")  # it did not exist; nothing is deleted
    fields: dict[str, Any] = {
        name: event.change[name][0] for name in settling.FIELDS if name in event.change
    }
    if "flags" in event.change:
        before: Any = event.change["flags"][0]
        fields["flags"] = tuple(before)
    restored = replace(item, **fields)
    if event.before and event.before != event.after:
        versions = {version.n: version for version in work.tx.items.history(item.id)}
        return work.next_version(
            restored, versions[event.before].content, f"undo of event {event.seq}"
        )
    return restored


def _made(event: Event) -> bool:
    """Whether the event is the one that made its item."""
    return "status" in event.change and event.change["status"][0] is None


def _effect(event: Event, item: Item, restored: Item) -> str:
    """The action of a person that taking the event back amounts to, if any."""
    if item.status == "rejected" and restored.status != "rejected":
        return "undo_reject"
    if restored.status == "rejected" and item.status != "rejected":
        return "reject"
    if item.status == "proposed" and restored.status == "active":
        return "approve"
    if event.action == "approved":
        return "reject"
    again = restored.verification == "verified" and item.verification != "verified"
    return "verify" if again and event.action == "undone" else ""


def _check_unchanged(work: Work, event: Event, item: Item) -> None:
    """Nothing that stands came after the event; what was itself taken back does not count."""
    details: dict[str, object] = {
        "event": event.seq,
        "version_then": event.after,
        "version_now": item.version,
    }
    later = _standing_after(work, event, item)
    if later:
        last = later[-1]
        lasts = next((line for line in reversed(later) if line.action in LASTING), None)
        raise UndoClash(
            f"m:{item.id[-6:]} was {last.action.replace('_', ' ')} after that (event {last.seq}).",
            hint=f"{LASTING[lasts.action][0]} Change the item by hand."
            if lasts is not None
            else f"Undo event {last.seq} first, or change the item by hand.",
            details=details | {"later": [line.seq for line in later]},
        )
    versions = {version.n: version for version in work.tx.items.history(item.id)}
    if versions[event.after].content != item.content:
        links = work.tx.provenance.links_to(item.id)
        by = next((link.source for link in links if link.kind == "supersedes"), "")
        raise UndoClash(
            f"m:{item.id[-6:]} was replaced after that" + (f" by m:{by[-6:]}." if by else "."),
            hint="Undo the replacing first, or change the item by hand.",
            details=details,
        )


def _standing_after(work: Work, event: Event, item: Item) -> list[Event]:
    changed = () if _made(event) else tuple(event.change)
    harmless = _HARMLESS if "flags" in changed else _HARMLESS + _FLAGGING
    harmless = harmless if "scope" in changed else (*harmless, "moved")
    later = settling.standing_after(work.tx.events.of(item.id), event.seq)
    return [
        line for line in later if line.action not in harmless and not opinions.is_opinion(line)
    ]


def _undo_import(work: Work, event: Event) -> Outcome:
    from onrecord.service import import_undo  # noqa: PLC0415 - it undoes in its turn

    return import_undo.undo_whole(work, event)


def _undo_reconciled(work: Work, event: Event) -> Outcome:
    from onrecord.service import reconciling  # noqa: PLC0415 - it undoes in its turn

    return reconciling.undo_whole(work, event)


def _undo_set(work: Work, event: Event) -> Outcome:
    name, _, scope = event.target.partition("@")
    action = "policy" if name in lifecycle.POLICIES else "switch"
    ruling = authority.rule_on_personal(action, work.principal)
    if ruling.verdict == "refuse":
        return work.refuse(ruling.rule, ruling.say)
    old, new = event.change["value"]
    if (work.tx.settings.get(name, scope) or lifecycle.DEFAULTS[name]) != new:
        raise UndoClash(f"{name} was set again after that.", hint="Set it by hand.")
    value = str(old) if old is not None else lifecycle.DEFAULTS[name]
    work.tx.settings.put(name, value, scope=scope, at=work.now, by=work.principal.name)
    line = work.record(
        "set",
        target=event.target,
        fields=(name,),
        change={"value": (new, value)},
        undoes=event.seq,
    )
    return Updated(
        code="undone", say=f"{name} is {value} in {scope} again.", undo=line.seq, item=None
    )


#: Lines that are about no single item, or that sum up several.
_WHOLE: dict[str, Callable[[Work, Event], Outcome]] = {
    "set": _undo_set,
    "imported": _undo_import,
    "scope_moved": scoping.undo_move,
    "reconciled": _undo_reconciled,
    "tidied": tidying.undo_tidying,
}
