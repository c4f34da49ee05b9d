"""The gateway's step 10: store what the steps decided, all of it or nothing."""

from __future__ import annotations

from dataclasses import replace

from onrecord.domain import time
from onrecord.domain.event import Event
from onrecord.domain.item import Item
from onrecord.domain.outcome import Candidate, Conflict, Created, Outcome, Proposed, Updated
from onrecord.domain.provenance import Link, link_kind
from onrecord.domain.replay import first_state
from onrecord.domain.scope import kind_of
from onrecord.service import corroborate, deriving, settling, stones
from onrecord.service.draft import Draft
from onrecord.service.settling import Change
from onrecord.service.work import Work

#: Tasks go by themselves after this unless they are updated.
TASK_LIFE = 14 * time.DAY
#: Items that a sentence names; the answer has all of them.
_MOST_NAMED = 3


def write(work: Work, draft: Draft) -> Outcome:
    """Store the draft as a new item or a new version, with everything that belongs to it."""
    if draft.revises is not None:
        return _revise(work, draft, draft.revises)
    return _create(work, draft)


def lifted(work: Work, draft: Draft) -> Change:
    """Lift what a person's override met, for its scope; what the event says of that.

    A tombstone of a broader scope stays in force everywhere else.
    """
    change: Change = {}
    if draft.lifts:
        change["lifted"] = (None, stones.lift(work, draft.lifts))
    if draft.passes:
        change["passed"] = (draft.scope, stones.lift(work, draft.passes, draft.scope))
    return change


def _create(work: Work, draft: Draft) -> Outcome:
    command = draft.command
    active = draft.status == "active"
    content = draft.content
    if active and draft.replaces is not None and content.valid_from is None:
        content = replace(content, valid_from=work.now)
    replaced = draft.replaces
    item_id = work.ids.new(work.now)
    item = Item(
        id=item_id,
        scope=draft.scope,
        key=command.key or _inherited_key(draft),
        kind=command.kind,
        status=draft.status,
        verification=verification_of(work, draft),
        pinned=command.pin and active,
        tainted=draft.tainted,
        flags=tuple(draft.flags),
        replaces=replaced.id if replaced else "",
        replaces_version=replaced.version if replaced else 0,
        created_at=work.now,
        expires_at=expiry(work, draft),
        salt=work.ids.salt(),
        head=work.version(item_id, 1, content, command.reason),
    )
    change: Change = first_state(item)
    if active and replaced is not None:
        change |= settling.supersede(work, replaced, by=item)
    work.tx.items.add(item)
    if active and replaced is not None:
        settling.link_replaced(work, replaced, by=item)
    _keep_relations(work, draft, item)
    if draft.handing is not None:
        work.keep(item, draft.handing(item))
    corroborate.note_author(work, item)
    work.tx.scopes.note(item.scope, work.now)
    work.index(item)
    work.note_read(item)
    event = work.record(
        "created" if active else "proposed",
        item,
        fields=_fields(draft),
        change=change | lifted(work, draft) | _counted(draft),
        code=draft.conflict or draft.waits,
        batch=command.batch,
    )
    return _answer(draft, item, event)


def _inherited_key(draft: Draft) -> str:
    """What takes an item's place takes its address too, within one scope."""
    replaced = draft.replaces
    return replaced.key if replaced is not None and replaced.scope == draft.scope else ""


def _revise(work: Work, draft: Draft, old: Item) -> Outcome:
    new = work.next_version(old, draft.content, draft.command.reason)
    new = replace(
        new,
        verification=verification_of(work, draft),
        kind=draft.kind or (draft.command.kind if draft.command.kind != "note" else old.kind),
        pinned=old.pinned or draft.command.pin,
        tainted=old.tainted or draft.tainted,
        flags=tuple(draft.flags),
        expires_at=expiry(work, draft, old),
    )
    change = settling.difference(old, new)
    if draft.replaces is not None:
        change |= settling.supersede(work, draft.replaces, by=new)
    work.tx.items.revise(new)
    if draft.replaces is not None:
        settling.link_replaced(work, draft.replaces, by=new)
    _keep_relations(work, draft, new)
    work.index(new)
    work.note_read(new)
    event = work.record(
        "updated",
        new,
        fields=_fields(draft),
        before=old.version,
        change=change | lifted(work, draft) | _counted(draft),
        code=draft.waits,
        batch=draft.command.batch,
    )
    bounded = "".join(f" {said}" for said in (draft.remark, draft.bounded) if said)
    candidates = tuple(found for found in draft.candidates if found.id != new.id)
    if new.status == "proposed":
        return Proposed(
            code="key.own_proposal",
            say=f"Your waiting proposal m:{new.id[-6:]} was changed; it still waits for"
            f" review.{bounded}",
            undo=event.seq,
            candidates=candidates,
            item=new,
        )
    return Updated(
        code="updated",
        say=f"Updated m:{new.id[-6:]} to version {new.version}.{bounded}"
        f" Undo: onrecord undo {event.seq}",
        undo=event.seq,
        candidates=candidates,
        item=new,
    )


def _keep_relations(work: Work, draft: Draft, item: Item) -> None:
    corroborate.add_evidence(work, draft, item)
    deriving.link_sources(work, draft, item)
    for target in draft.command.links:
        kind = link_kind(target)
        work.keep(item, Link(source=item.id, kind=kind, target=target, at=work.now))
    for candidate in draft.candidates:
        clashes = candidate.why in ("same_key", "contradicts")
        kind = "contradicts" if clashes else "similar"
        if candidate.id != item.id:
            work.keep(item, Link(source=item.id, kind=kind, target=candidate.id, at=work.now))


def verification_of(work: Work, draft: Draft) -> str:
    """A person's word in a shared scope is verified; everything else starts unverified."""
    shared = kind_of(draft.scope) not in ("agent", "session")
    counts = work.principal.is_person and shared and not draft.reasons
    return "verified" if counts else "unverified"


def expiry(work: Work, draft: Draft, old: Item | None = None) -> int | None:
    """Clear wins, an omitted time to live keeps the old one, and tasks have one of their own."""
    command = draft.command
    if command.expires_at is not None:
        return command.expires_at
    if command.ttl is not None:
        return work.now + command.ttl * time.SECOND
    if command.kind == "task" or (old is not None and old.kind == "task"):
        return work.now + TASK_LIFE
    return old.expires_at if old is not None else None


def _fields(draft: Draft) -> tuple[str, ...]:
    content = draft.content
    given = {
        "title": content.title,
        "body": content.body,
        "summary": content.summary,
        "tags": content.tags,
        "key": draft.command.key,
        "evidence": draft.evidence,
        "links": draft.command.links,
    }
    return tuple(name for name, value in given.items() if value)


def _counted(draft: Draft) -> dict[str, tuple[object, object]]:
    """Findings are counted in the event, never told."""
    return {f"redacted.{kind}": (0, n) for kind, n in sorted(draft.redacted.items())}


def _answer(draft: Draft, item: Item, event: Event) -> Outcome:
    short, candidates = f"m:{item.id[-6:]}", tuple(draft.candidates)
    remark = "".join(f" {said}" for said in (draft.remark, draft.bounded) if said)
    if draft.redacted:
        found = ", ".join(sorted(draft.redacted))
        remark += f" A secret in it was left out ({found})."
    undo = f"Undo: onrecord undo {event.seq}"
    late = f" {draft.bounded}" if draft.bounded else ""
    if draft.conflict:
        clash = f"It clashes with {_named(candidates)}, which changed since you read it."
        if draft.conflict == "conflict.gone":
            clash = "What you saw under that key is not there any more."
        elif draft.conflict == "conflict.contradiction":
            against = tuple(one for one in candidates if one.why == "contradicts")
            clash = f"It may contradict {_named(against)}, which is not yours to change."
        elif draft.conflict == "conflict.similar":
            clash = draft.remark
        return Conflict(
            code=draft.conflict,
            say=f"{clash} Your text is kept as proposal {short}; a person decides.{late} {undo}",
            undo=event.seq,
            candidates=candidates,
            item=item,
        )
    if item.status == "proposed":
        return Proposed(
            code=draft.waits or "proposed",
            say=f"Noted as proposal {short} in {item.scope}; it waits for the user's approval"
            f" (onrecord review).{remark} {undo}",
            undo=event.seq,
            candidates=candidates,
            item=item,
        )
    return Created(
        code="created",
        say=f"Saved {short} as a {item.kind} in {item.scope}.{remark} {undo}",
        undo=event.seq,
        candidates=candidates,
        item=item,
    )


def _named(candidates: tuple[Candidate, ...]) -> str:
    names = ", ".join(f"m:{candidate.id[-6:]}" for candidate in candidates[:_MOST_NAMED])
    more = len(candidates) - _MOST_NAMED
    return f"{names} and {more} more" if more > 0 else names or "another item"
