"""Scopes that get another name: renamed, merged into another, or named twice."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from onrecord.domain import scope as scopes
from onrecord.domain.errors import BadField, NotFound, UndoClash
from onrecord.domain.event import Event
from onrecord.domain.item import Item, ItemQuery
from onrecord.domain.outcome import Outcome, Updated
from onrecord.domain.plural import counted
from onrecord.domain.status import STATUSES
from onrecord.policy import authority
from onrecord.service import lifecycle, settling
from onrecord.service.commands import MoveScope
from onrecord.service.naming import parse_scope
from onrecord.service.work import Work

WAYS = ("rename", "merge", "alias")

#: Kinds whose names are a person's to change; the others are proven by who acts.
KINDS = ("branch", "workstream", "project", "workspace", "repo", "org")

_KEPT = tuple(status for status in STATUSES if status != "forgotten")
_BLOCK = 200
#: More sessions or handoffs than one repository will ever have.
_ALL = 1_000_000


def move_scope(work: Work, command: MoveScope) -> Outcome:
    """Give a scope another name; nothing of its history is lost, and all of it can be undone.

    `rename` is for a name that nothing stands under yet, `merge` for one that is in use, and
    `alias` lets a name that holds nothing lead to another. Whatever uses the old name from
    then on means the new one. A repository takes its branches, sessions and handoffs along.
    """
    if work.principal.writer != "system":
        ruling = authority.rule_on_personal("scope", work.principal)
        if ruling.verdict == "refuse":
            return work.refuse(ruling.rule, ruling.say)
    old, new = _names(work, command)
    _check_way(work, command.way, old, new)
    batch = work.ids.new(work.now)
    moved = clashes = 0
    pairs = _pairs(work, old, new)
    for before, after in pairs:
        for item in _items_of(work, before):
            clashes += _move(work, item, after, batch)
            moved += 1
    sessions, handoffs = _carry(work, dict(pairs))
    kept = [_carry_settings(work, before, after) for before, after in pairs]
    for before, after in pairs:
        work.tx.scopes.note(after, work.now)
        work.tx.scopes.alias(before, after, work.now)
    event = work.record(
        "scope_moved",
        target=old,
        fields=("scope",),
        change={
            "scope": (old, new),
            "items": (0, moved),
            "pairs": (None, [list(pair) for pair in pairs]),
            "sessions": (None, sessions),
            "handoffs": (None, handoffs),
            "settings": (None, [row for rows in kept for row in rows]),
        },
        code=command.way,
        batch=batch,
    )
    return Updated(
        code="scope_moved",
        say=f"{old} is now {new}: {moved} {'memory' if moved == 1 else 'memories'} moved."
        + (f" {clashes} under keys that are taken there wait for review." if clashes else "")
        + f" Undo: onrecord undo {event.seq}",
        undo=event.seq,
        item=None,
    )


def _names(work: Work, command: MoveScope) -> tuple[str, str]:
    """Both names, parsed; of the same kind, and of one whose names can be changed."""
    if command.way not in WAYS:
        raise BadField("That way is not known.", hint=", ".join(WAYS), details={"field": "way"})
    old, new = (parse_scope(name, work.caller.place) for name in (command.old, command.new))
    new = work.tx.scopes.resolve(new)
    kinds = (scopes.kind_of(old), scopes.kind_of(new))
    if kinds[0] not in KINDS or kinds[0] != kinds[1]:
        raise BadField(
            f"A scope of kind {kinds[0]} cannot become one of kind {kinds[1]}.",
            hint=f"Both are of one kind: {', '.join(KINDS)}.",
            details={"field": "scope"},
        )
    if old == new:
        raise BadField("Both names mean the same scope.", details={"field": "scope"})
    return old, new


def _check_way(work: Work, way: str, old: str, new: str) -> None:
    has = work.tx.items.count([old], _KEPT)
    there = work.tx.items.count([new], _KEPT)
    if work.tx.scopes.resolve(old) != old:
        raise BadField(
            f"{old} is called {work.tx.scopes.resolve(old)} already.",
            details={"field": "scope"},
        )
    if way == "rename" and there:
        raise BadField(
            f"{new} holds {counted(there, 'memory')} already.",
            hint=f"onrecord scopes merge {old} {new}",
            details={"field": "scope"},
        )
    if way == "alias" and has:
        raise BadField(
            f"{old} holds {counted(has, 'memory')} of its own.",
            hint=f"onrecord scopes {'merge' if there else 'rename'} {old} {new}",
            details={"field": "scope"},
        )
    used = has or work.tx.scopes.known(old) or work.tx.sessions.recent(repo=old, limit=1)
    if way != "alias" and not used:
        raise NotFound(
            f"Nothing was ever kept in {old}.",
            hint=f"onrecord scopes alias {old} {new} lets the name mean the other one.",
        )


def _pairs(work: Work, old: str, new: str) -> list[tuple[str, str]]:
    """The scope and, for a repository, each of its branches that was ever written to."""
    pairs = [(old, new)]
    if scopes.kind_of(old) != "repo":
        return pairs
    key = old.partition(":")[2]
    for name in work.tx.scopes.names():
        if scopes.kind_of(name) != "branch" or work.tx.scopes.resolve(name) != name:
            continue
        repo, _, branch = scopes.split_branch(name.partition(":")[2])
        if repo == key:
            pairs.append((name, scopes.branch_scope(new, branch)))
    return pairs


def _items_of(work: Work, scope: str) -> Iterator[Item]:
    query = ItemQuery(scopes=(scope,), statuses=_KEPT, limit=_BLOCK)
    # the first page changes as its items leave
    while page := work.tx.items.page(query):
        yield from page


def _move(work: Work, item: Item, scope: str, batch: str) -> int:
    """Move one item; under a key that is taken there it waits as that one's replacement."""
    moved = replace(item, scope=scope)
    taken = work.tx.items.by_key(scope, item.key, ("active",)) if item.key else []
    clashes = bool(taken) and item.status == "active"
    if clashes:
        moved = replace(
            moved,
            status="proposed",
            pinned=False,
            replaces=taken[0].id,
            replaces_version=taken[0].version,
        )
    work.tx.items.change(moved, at=work.now)
    work.index(moved)
    change = settling.difference(item, moved)
    if clashes:
        change["replaces"] = (item.replaces, moved.replaces)
        change["replaces_version"] = (item.replaces_version, moved.replaces_version)
    work.record(
        "moved",
        moved,
        fields=tuple(change),
        before=item.version,
        change=change,
        batch=batch,
    )
    return int(clashes)


def _carry(work: Work, names: dict[str, str]) -> tuple[list[str], list[str]]:
    """Sessions and handoffs of a repository go with its name; the ids of those that did."""
    carried: tuple[list[str], list[str]] = ([], [])
    for old, new in names.items():
        if scopes.kind_of(old) != "repo":
            continue
        for session in work.tx.sessions.recent(repo=old, limit=_ALL):
            branch = _branch_of(session.branch, old, new)
            work.tx.sessions.put(replace(session, repo=new, branch=branch))
            carried[0].append(session.id)
        for handoff in work.tx.handoffs.recent(repo=old, limit=_ALL):
            branch = _branch_of(handoff.branch, old, new)
            work.tx.handoffs.change(replace(handoff, repo=new, branch=branch))
            carried[1].append(handoff.item)
    return carried


def _branch_of(branch: str, old: str, new: str) -> str:
    """A branch scope under its repository's other name; anything else as it is."""
    if not branch.startswith("branch:"):
        return branch
    repo, _, name = scopes.split_branch(branch.partition(":")[2])
    return scopes.branch_scope(new, name) if f"repo:{repo}" == old else branch


def _carry_settings(work: Work, old: str, new: str) -> list[list[str]]:
    """Switches and policies of the old name hold for the new one, unless that has its own."""
    rows: list[list[str]] = []
    for name, scope, value in work.tx.settings.everything():
        if scope == old and work.tx.settings.get(name, new) is None:
            work.tx.settings.put(name, value, scope=new, at=work.now, by=work.principal.name)
            rows.append([name, new])
    return rows


def undo_move(work: Work, event: Event) -> Outcome:
    """Give a scope its old name back, with all that moved and did not change scope since."""
    ruling = authority.rule_on_personal("scope", work.principal)
    if ruling.verdict == "refuse":
        return work.refuse(ruling.rule, ruling.say)
    old, new = (str(name) for name in event.change["scope"])
    back_to = dict(_named(event, "pairs"))
    if any(line.undoes == event.seq for line in work.tx.events.of(event.target)):
        raise UndoClash(f"{old} was given its name back already.")
    if work.tx.scopes.resolve(old) != work.tx.scopes.resolve(new):
        raise UndoClash(f"{old} was renamed again after that.", hint="Undo that one first.")
    for before in back_to:
        work.tx.scopes.unalias(before)
    back = sum(_move_back(work, line) for line in _moves(work, event))
    _carry_back(work, event, {after: before for before, after in back_to.items()})
    for name, scope in _named(event, "settings"):
        default = lifecycle.DEFAULTS[name]
        work.tx.settings.put(name, default, scope=scope, at=work.now, by=work.principal.name)
    line = work.record(
        "undone",
        target=old,
        fields=("scope",),
        change={"scope": (new, old), "items": (0, back)},
        undoes=event.seq,
    )
    return Updated(
        code="undone",
        say=f"{old} has its name back, with {back} {'memory' if back == 1 else 'memories'}.",
        undo=line.seq,
        item=None,
    )


def _named(event: Event, name: str) -> list[tuple[str, str]]:
    rows: Any = event.change[name][1]
    return [(str(first), str(second)) for first, second in rows or ()]


def _moves(work: Work, event: Event) -> Iterator[Event]:
    """The lines of the items that moved, which stand right before the one that sums them up."""
    before = event.seq
    while lines := work.tx.events.latest(_BLOCK, before=before):
        for line in lines:
            if line.batch != event.batch:
                return
            yield line
        before = lines[-1].seq


def _move_back(work: Work, line: Event) -> int:
    """One item, unless it was erased or moved again; a status that changed since stays."""
    item = work.tx.items.get(line.target)
    old, new = (str(name) for name in line.change["scope"])
    if item is None or item.status == "forgotten" or item.scope != new:
        return 0
    back = replace(item, scope=old)
    was, became = line.change.get("status", (item.status, item.status))
    if item.status == became and was != became:
        pinned = bool(settling.earlier(line.change, "pinned", item.pinned))
        back = replace(
            back,
            status=str(was),
            pinned=pinned,
            replaces=str(line.change["replaces"][0]),
            replaces_version=int(str(line.change["replaces_version"][0])),
        )
    work.tx.items.change(back, at=work.now)
    work.index(back)
    change = settling.difference(item, back)
    work.record(
        "moved",
        back,
        fields=tuple(change),
        before=item.version,
        change=change,
        undoes=line.seq,
    )
    return 1


def _carry_back(work: Work, event: Event, names: dict[str, str]) -> None:
    for name in _ids(event, "sessions"):
        session = work.tx.sessions.get(name)
        if session is not None and session.repo in names:
            old = names[session.repo]
            branch = _branch_of(session.branch, session.repo, old)
            work.tx.sessions.put(replace(session, repo=old, branch=branch))
    for name in _ids(event, "handoffs"):
        handoff = work.tx.handoffs.get(name)
        if handoff is not None and handoff.repo in names:
            old = names[handoff.repo]
            branch = _branch_of(handoff.branch, handoff.repo, old)
            work.tx.handoffs.change(replace(handoff, repo=old, branch=branch))


def _ids(event: Event, name: str) -> list[str]:
    rows: Any = event.change[name][1]
    return [str(row) for row in rows or ()]
