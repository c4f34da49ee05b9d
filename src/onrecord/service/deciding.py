"""A person's decisions about what waits: approve and reject."""

from __future__ import annotations

from dataclasses import replace

from onrecord.domain.errors import BadField
from onrecord.domain.item import Content, Item
from onrecord.domain.outcome import Candidate, Conflict, Outcome, Updated
from onrecord.domain.provenance import Link
from onrecord.domain.status import REJECT_REASONS, TOMBSTONE_REASONS, step
from onrecord.policy import authority, shape
from onrecord.service import alike, lifecycle, rewording, settling, stones, withholding
from onrecord.service.commands import Approve, Reject, Revise
from onrecord.service.naming import parse_scope
from onrecord.service.work import Work


def approve(work: Work, command: Approve) -> Outcome:
    """Let a proposal count; an edit passes the text's steps, and both digests are kept."""
    away = lifecycle.people_only(work, "approve")
    if away is not None:
        return away
    item = work.item(command.item)
    ruling = authority.rule_on_item("approve", item, work.principal, work.caller.place)
    if ruling.verdict == "refuse":
        return work.refuse(ruling.rule, ruling.say, item=item)
    step("approve", item.status)
    scope = item.scope
    if command.scope:
        scope = work.tx.scopes.resolve(parse_scope(command.scope, work.caller.place))
    stale = _stale(work, command, item, scope)
    if stale is not None:
        return stale
    content = item.content
    if command.content is not None and command.content != content:
        draft = rewording.draft_of(item, Revise(item=item.id, content=command.content))
        answer = rewording.pass_steps(work, draft)
        if answer is not None:
            return answer
        content = draft.content
    for stone, verdict in stones.met(work, scope, (content,)):
        if verdict == "refused":
            return stones.refusal(work, stone, item)
    return _settled(work, item, content, scope)


def _stale(work: Work, command: Approve, item: Item, scope: str) -> Conflict | None:
    """The conflict where the text is not what was shown, or what would leave for it is not."""
    if command.seen and command.seen != item.head.digest:
        say = f"m:{item.id[-6:]} changed after it was shown. Look again, then decide."
        return _not_as_seen(work, "approve.changed", say, item)
    old = settling.displaced(work.tx, replace(item, scope=scope))
    stands = old.head.digest if old is not None else b""
    if command.seen_old is None or command.seen_old == stands:
        return None
    if old is None:
        say = f"What m:{item.id[-6:]} was to take the place of does not stand any more."
    else:
        say = (
            f"m:{item.id[-6:]} would take the place of m:{old.id[-6:]},"
            " which is not what was shown with it."
        )
    beside = (old,) if old is not None else ()
    say = f"{say} Look again, then decide."
    return _not_as_seen(work, "approve.place_changed", say, item, *beside)


def _not_as_seen(work: Work, code: str, say: str, *items: Item) -> Conflict:
    """Nothing is decided about what the person was not shown; the first item is the proposal."""
    work.note_refusal(code, items[0])
    return Conflict(
        code=code,
        say=say,
        item=items[0],
        candidates=tuple(Candidate(id=i.id, why="same_key", version=i.version) for i in items),
    )


def _settled(work: Work, item: Item, content: Content, scope: str) -> Outcome:
    placed = replace(item, scope=scope, verification="verified")
    against = _against(work, item, content, scope)
    # what stood when it was written is linked to it since then
    known = {link.target for link in work.tx.provenance.links_from(item.id)}
    for other in (one for one in against if one.id not in known):
        link = Link(source=item.id, target=other.id, kind="contradicts", at=work.now)
        work.keep(item, link)
    approved, event = settling.settle(work, item, placed, content, action="approved", more={})
    clash = ""
    if against:
        clash = f" It may contradict m:{against[0].id[-6:]}: onrecord conflicts."
    return Updated(
        code="approved",
        say=f"Approved m:{item.id[-6:]}; every agent in {scope} now gets it.{clash}"
        f" Undo: onrecord undo {event.seq}",
        undo=event.seq,
        item=approved,
    )


def _against(work: Work, item: Item, content: Content, scope: str) -> list[Item]:
    """What stands and says otherwise than a proposal, in the place of none of it."""
    draft = rewording.draft_of(item, Revise(item=item.id, content=content))
    draft.command = replace(draft.command, key=item.key)
    draft.scope = scope
    draft.replaces = settling.displaced(work.tx, replace(item, scope=scope))
    return alike.contradicted(work, draft)


def reject(work: Work, command: Reject) -> Outcome:
    """Turn an item down; `wrong` and `unwanted` leave a tombstone.

    Items that say the same where the tombstone binds are turned down with it, apart from
    what a person said for a narrower scope.
    """
    if command.reason not in REJECT_REASONS:
        raise BadField(
            "That is not a reason for a rejection.",
            hint=f"use {', '.join(REJECT_REASONS)}",
            details={"field": "reason"},
        )
    away = lifecycle.people_only(work, "reject")
    if away is not None:
        return away
    item = work.item(command.item)
    ruling = authority.rule_on_item("reject", item, work.principal, work.caller.place)
    if ruling.verdict == "refuse":
        return work.refuse(ruling.rule, ruling.say, item=item)
    problem = shape.note_problem("note", command.note)
    if problem is not None:
        return work.refuse(problem.code, problem.say, item=item)
    rejected = _turn_down(work, item)
    more: settling.Change = {}
    equals: list[Item] = []
    if command.reason in TOMBSTONE_REASONS:
        more["imposed"] = (None, stones.bury(work, item, command.reason))
        equals = _equals(work, item)
        if equals:
            more["with"] = (None, [[e.id, e.status, e.pinned] for e in equals])
        for equal in equals:
            _turn_down(work, equal)
        withholding.withhold(work)
    settling.note_review(work, item, "reject", reason=command.reason, note=command.note)
    event = work.record(
        "rejected",
        rejected,
        fields=("status",),
        before=item.version,
        change=settling.difference(item, rejected) | more,
        code=command.reason,
    )
    kept = ""
    if command.reason in TOMBSTONE_REASONS:
        others = f", {len(equals)} equal to it too" if equals else ""
        kept = (
            f" Its value will not come back by itself{others}."
            if stones.is_recognised(work, item.content)
            else " It is too short to be kept from coming back."
        )
    return Updated(
        code="rejected",
        say=f"Rejected m:{item.id[-6:]} as {command.reason}.{kept}"
        f" Undo: onrecord undo {event.seq}",
        undo=event.seq,
        item=rejected,
    )


def _turn_down(work: Work, item: Item) -> Item:
    rejected = replace(item, status=step("reject", item.status), pinned=False)
    work.tx.items.change(rejected, at=work.now)
    work.index(rejected)
    return rejected


def _equals(work: Work, item: Item) -> list[Item]:
    """Other live items that make the statement where its tombstone binds."""
    return [
        found
        for found in work.saying(item.content, ("active", "proposed"))
        if found.id != item.id
        and item.scope in stones.bound_of(found)
        and found.kind != "rule"
        and not stones.stands_apart(found, item.scope)
    ]
