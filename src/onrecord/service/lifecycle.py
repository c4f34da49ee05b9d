"""Changes of state that leave the text alone: marks, requests, switches, and what time does."""

from __future__ import annotations

from dataclasses import replace

from onrecord.domain import scope as scopes
from onrecord.domain import time
from onrecord.domain.errors import BadField, IllegalTransition
from onrecord.domain.item import Item, ItemQuery
from onrecord.domain.limits import ASKED
from onrecord.domain.outcome import Outcome, Proposed, Updated
from onrecord.domain.plural import counted
from onrecord.domain.ports import Transaction
from onrecord.domain.status import step
from onrecord.policy import authority, disposition, review
from onrecord.service import renewing, settling, stones
from onrecord.service.commands import Mark, Set, Sweep
from onrecord.service.naming import parse_scope
from onrecord.service.work import Work

SWITCHES = {
    "saving": ("on", "off"),
    "capture": ("on", "off"),
    "deliver": ("on", "off"),
    "review": review.POLICIES,
    "contradiction": disposition.DISPOSITIONS,
    "disputed": ("show", "withhold"),
    "files": ("on", "off"),
    "nudge": ("on", "off"),
}

#: What a switch stands at before anybody sets it.
DEFAULTS = {
    "saving": "on",
    "capture": "on",
    "deliver": "on",
    "review": review.DEFAULT,
    "contradiction": disposition.DEFAULT,
    "disputed": "show",
    "files": "off",
    "nudge": "off",
}

#: Those that decide what counts: setting one wants a typed key.
POLICIES = ("review", "contradiction", "disputed", "files")

#: action -> the name of its event
MARKS = {
    "archive": "archived",
    "restore": "restored",
    "pin": "pinned",
    "unpin": "unpinned",
    "verify": "verified",
    "dispute": "disputed",
    "stale": "staled",
}

#: A proposal that nobody decides goes to the archive after this; it can be brought back.
PROPOSAL_LIFE = 60 * time.DAY

#: Items that one sweep takes on, and pages of tasks that it looks through.
_SWEPT = 100
_PAGES = 10


def mark(work: Work, command: Mark) -> Outcome:
    """Archive, restore, pin, unpin, verify, dispute, call stale, or decline what was asked."""
    if command.action != "decline" and command.action not in MARKS:
        raise BadField("That action is not known.", details={"field": "action"})
    away = people_only(work, command.action)
    if away is not None:
        return away
    item = work.item(command.item)
    ruling = authority.rule_on_item(command.action, item, work.principal, work.caller.place)
    if ruling.verdict == "refuse":
        return work.refuse(ruling.rule, ruling.say, item=item)
    if ruling.verdict == "propose":
        return ask_review(work, item, f"{command.action}:{work.principal.name}")
    if command.action == "decline":
        return _decline(work, item)
    back = command.action == "restore"
    answer = _may_return(work, item) if back else renewing.not_as_seen(work, item, command)
    if answer is not None:
        return answer
    return set_mark(work, item, command.action, command)


def set_mark(work: Work, item: Item, action: str, verified: Mark | None = None) -> Updated:
    """One of `MARKS`, for a caller who was found to be allowed it."""
    changed = _marked(work, item, action)
    change = settling.difference(item, changed)
    if action == "verify" and verified is not None:
        change |= renewing.renew(work, item, verified)
    work.tx.items.change(changed, at=work.now)
    work.index(changed)
    name = MARKS[action]
    event = work.record(name, changed, fields=tuple(change), before=item.version, change=change)
    back = " It waits for review again." if changed.status == "proposed" else ""
    if renewing.FIELD in change:
        back = " What it cites counts as it stands now."
    return Updated(
        code=name,
        say=f"{name.capitalize()} m:{item.id[-6:]}.{back} Undo: onrecord undo {event.seq}",
        undo=event.seq,
        item=changed,
    )


def people_only(work: Work, action: str) -> Outcome | None:
    """Refuse what only a person may do before anything is looked up.

    The answer is then the same for an id that is there and for one that never was.
    """
    if work.principal.is_person or action not in authority.PERSONAL:
        return None
    ruling = authority.rule_on_personal(action, work.principal)
    return work.refuse(ruling.rule, ruling.say)


def _marked(work: Work, item: Item, action: str) -> Item:
    if action == "restore":
        return replace(item, status=step(_way_back(work, item), item.status))
    changed = replace(item, status=step(action, item.status))
    if action in ("pin", "unpin"):
        return replace(changed, pinned=action == "pin")
    if action == "archive":
        return changed
    beliefs = {"verify": "verified", "dispute": "disputed", "stale": "stale"}
    belief = beliefs[action]
    kept = tuple(flag for flag in item.flags if not flag.startswith(ASKED[1:]))
    return replace(changed, verification=belief, flags=kept)


def _way_back(work: Work, item: Item) -> str:
    """What was archived as a proposal was never approved: it waits again."""
    for event in reversed(work.tx.events.of(item.id)):
        before, after = event.change.get("status", ("", ""))
        if after == "archived":
            return "reopen" if before == "proposed" else "restore"
    return "restore"


def _may_return(work: Work, item: Item) -> Outcome | None:
    """An archived item comes back to its address and past its tombstones, or not."""
    if item.key:
        taken = work.tx.items.by_key(item.scope, item.key, ("active",))
        if taken:
            raise IllegalTransition(
                "Its key is taken by another active item.",
                hint="Archive that one first, or save this one under another key.",
                details={"taken_by": taken[0].id[-6:]},
            )
    for stone, verdict in stones.met(work, item.scope, (item.content,)):
        if verdict == "refused":
            return stones.refusal(work, stone, item)
    return None


def ask_review(work: Work, item: Item, flag: str) -> Outcome:
    """An agent may only ask for it; the flag stands in the queue until a person decides."""
    flagged = replace(item, flags=tuple(dict.fromkeys((*item.flags, flag))))
    work.tx.items.change(flagged, at=work.now)
    event = work.record(
        "asked",
        flagged,
        fields=("flags",),
        before=item.version,
        change={"flags": (list(item.flags), list(flagged.flags))},
        code=flag.partition(":")[0],
    )
    return Proposed(
        code="asked",
        say=f"The user is asked about m:{item.id[-6:]} (onrecord review); nothing changed yet."
        f" Undo: onrecord undo {event.seq}",
        undo=event.seq,
        item=flagged,
    )


def _decline(work: Work, item: Item) -> Outcome:
    """A person says no to what an agent asked for; the item stays as it is."""
    kept = tuple(f for f in item.flags if not f.startswith(ASKED))
    plain = replace(item, flags=kept)
    work.tx.items.change(plain, at=work.now)
    event = work.record(
        "declined",
        plain,
        fields=("flags",),
        before=item.version,
        change={"flags": (list(item.flags), list(kept))},
    )
    return Updated(
        code="declined",
        say=f"m:{item.id[-6:]} stays. Undo: onrecord undo {event.seq}",
        undo=event.seq,
        item=plain,
    )


def ask_to_forget(work: Work, item: Item) -> Outcome:
    """An agent may only propose that a shared item is forgotten."""
    return ask_review(work, item, flag_to_forget(work))


def flag_to_forget(work: Work) -> str:
    """What stands on an item that the caller asked to have forgotten."""
    return f"forget:{work.principal.name}"


def set_switch(work: Work, command: Set) -> Outcome:
    """A switch or a policy; a person only."""
    values = SWITCHES.get(command.name)
    if values is None or command.value not in values:
        raise BadField(
            "That setting or value is not known.",
            hint="; ".join(f"{name}: {', '.join(v)}" for name, v in SWITCHES.items()),
            details={"field": command.name if values else "name"},
        )
    action = "policy" if command.name in POLICIES else "switch"
    ruling = authority.rule_on_personal(action, work.principal)
    if ruling.verdict == "refuse":
        return work.refuse(ruling.rule, ruling.say)
    scope = work.tx.scopes.resolve(parse_scope(command.scope, work.caller.place))
    if command.name == "saving" and scope != "global":
        raise BadField(
            "Saving is switched for everything at once.",
            hint="Leave out the scope; `capture` and `deliver` are per repository.",
            details={"field": "scope"},
        )
    if command.name == "files" and scopes.kind_of(scope) != "repo":
        raise BadField(
            "A project's own files are switched for one repository.",
            hint="Run it inside the repository.",
            details={"field": "scope"},
        )
    old = work.tx.settings.get(command.name, scope)
    work.tx.settings.put(
        command.name, command.value, scope=scope, at=work.now, by=work.principal.name
    )
    event = work.record(
        "set",
        target=f"{command.name}@{scope}",
        fields=(command.name,),
        change={"value": (old, command.value)},
    )
    return Updated(
        code="set",
        say=f"{command.name} is now {command.value} in {scope}. Undo: onrecord undo {event.seq}",
        undo=event.seq,
        item=None,
    )


def due(tx: Transaction, now: int) -> tuple[list[Item], list[Item]]:
    """Proposals that nobody decided in time, and tasks whose time is over."""
    old = tx.items.page(ItemQuery(statuses=("proposed",), until=now - PROPOSAL_LIFE, limit=_SWEPT))
    over: list[Item] = []
    asked = ItemQuery(statuses=("active",), kinds=("task",), limit=_SWEPT)
    for _ in range(_PAGES):
        page = tx.items.page(asked)
        over += [task for task in page if task.expired(now) and task.verification != "stale"]
        if len(page) < _SWEPT:
            break
        asked = replace(asked, after=page[-1].id)
    return old, over


def sweep(work: Work, _command: Sweep) -> Outcome:
    """Let lapse what is past its time, each with its own event; only onrecord itself asks."""
    if work.principal.writer != "system":
        return work.refuse("authority.sweep_is_own", "Only onrecord itself does that.")
    old, over = due(work.tx, work.now)
    for item in old:
        _pass(work, item, replace(item, status=step("lapse", item.status)), "lapsed")
    for task in over:
        _pass(work, task, replace(task, verification="stale"), "staled")
    return Updated(
        code="swept",
        say=f"{counted(len(old), 'proposal')} and {counted(len(over), 'task')} lapsed.",
        item=None,
    )


def _pass(work: Work, before: Item, after: Item, name: str) -> None:
    work.tx.items.change(after, at=work.now)
    work.index(after)
    change = settling.difference(before, after)
    work.record(name, after, fields=tuple(change), before=before.version, change=change)
