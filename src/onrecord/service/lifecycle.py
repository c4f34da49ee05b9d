"""Changes to what exists: revise, approve, reject, archive, restore, pin, verify, dispute, set."""

from __future__ import annotations

from dataclasses import replace

from onrecord.domain import scope as scopes
from onrecord.domain.errors import BadField, IllegalTransition
from onrecord.domain.item import Content, Item
from onrecord.domain.outcome import Candidate, Conflict, Outcome, Proposed, Updated
from onrecord.domain.provenance import Review
from onrecord.domain.status import REJECT_REASONS, TOMBSTONE_REASONS, step
from onrecord.domain.tombstone import Print, Tombstone
from onrecord.policy import authority, fingerprint, fold, review
from onrecord.service import steps, writing
from onrecord.service.commands import Approve, Mark, Reject, Remember, Revise, Set
from onrecord.service.draft import Draft
from onrecord.service.work import Work

#: A new text for an existing item passes these steps; the others ask about a new item.
_CONTENT_STEPS = (
    steps.check_shape,
    steps.redact_secrets,
    steps.screen_instructions,
    steps.settle_dates,
    steps.keep_tombstones,
)

SWITCHES = {
    "saving": ("on", "off"),
    "capture": ("on", "off"),
    "deliver": ("on", "off"),
    "review": review.POLICIES,
}


def revise(work: Work, command: Revise) -> Outcome:
    """A further version, or a proposal of one where the caller may not change the item."""
    item = work.item(command.item)
    ruling = authority.rule_on_item("revise", item, work.principal, work.caller.place)
    if ruling.verdict == "refuse":
        return work.refuse(ruling.rule, ruling.say, item=item)
    step("revise", item.status)
    off = steps.obey_saving_switch(work, _draft(item, command))
    if off is not None:
        return off
    draft = _draft(item, command)
    for content_step in _CONTENT_STEPS:
        answer = content_step(work, draft)
        if answer is not None:
            return answer
    stale = command.if_version is not None and command.if_version != item.version
    if stale:
        draft.conflict = "conflict.version"
        draft.candidates.append(Candidate(id=item.id, why="same_key", version=item.version))
    if ruling.verdict == "propose" or stale or draft.waits:
        draft.wait(ruling.rule or draft.conflict or draft.waits)
        draft.replaces = item
        return writing.write(work, draft)
    draft.status = item.status
    draft.revises = item
    if item.status == "proposed":
        draft.wait("key.own_proposal")
    return writing.write(work, draft)


def _draft(item: Item, command: Revise) -> Draft:
    as_command = Remember(
        content=command.content,
        scope=item.scope,
        kind=item.kind,
        evidence=command.evidence,
        override=command.override,
        dates_as_written=command.dates_as_written,
        reason=command.reason,
    )
    return Draft(
        command=as_command,
        scope=item.scope,
        content=command.content,
        tainted=item.tainted,
        evidence=command.evidence,
    )


def _people_only(work: Work, action: str) -> Outcome | None:
    """Refuse what only a person may do before anything is looked up.

    The answer is then the same for an id that is there and for one that never was.
    """
    if work.principal.is_person or action not in authority.PERSONAL:
        return None
    ruling = authority.rule_on_personal(action, work.principal)
    return work.refuse(ruling.rule, ruling.say)


def approve(work: Work, command: Approve) -> Outcome:
    """Let a proposal count; an edit passes the text's steps, and both digests are kept."""
    turned_away = _people_only(work, "approve")
    if turned_away is not None:
        return turned_away
    item = work.item(command.item)
    ruling = authority.rule_on_item("approve", item, work.principal, work.caller.place)
    if ruling.verdict == "refuse":
        return work.refuse(ruling.rule, ruling.say, item=item)
    step("approve", item.status)
    if command.seen and command.seen != item.head.digest:
        return Conflict(
            code="approve.changed",
            say=f"m:{item.id[-6:]} changed after it was shown. Look again, then decide.",
            item=item,
            candidates=(Candidate(id=item.id, why="same_key", version=item.version),),
        )
    content = item.content
    if command.content is not None and command.content != content:
        draft = _draft(item, Revise(item=item.id, content=command.content))
        for content_step in _CONTENT_STEPS:
            answer = content_step(work, draft)
            if answer is not None:
                return answer
        content = draft.content
    scope = scopes.parse(command.scope, work.caller.place) if command.scope else item.scope
    return _settle(work, replace(item, scope=scope), content, before=item)


def _settle(work: Work, placed: Item, content: Content, *, before: Item) -> Outcome:
    """Make the proposal active, in the place of the one that it replaces."""
    old = _replaced(work, placed)
    if old is not None and content.valid_from is None:
        content = replace(content, valid_from=work.now)
    if content != before.content:
        placed = work.next_version(placed, content, "as approved")
    approved = replace(
        placed, status=step("approve", before.status), verification="verified", flags=()
    )
    change: dict[str, tuple[object, object]] = {
        "status": (before.status, "active"),
        "verification": (before.verification, "verified"),
        "scope": (before.scope, approved.scope),
        "flags": (list(before.flags), []),
    }
    if old is not None:
        writing.supersede(work, old, by=approved)
        change |= writing.replaced_change(old)
    if approved.version != before.version:
        work.tx.items.revise(approved)
    else:
        work.tx.items.change(approved)
    work.tx.scopes.note(approved.scope, work.now)
    work.index(approved)
    _note_review(work, before, "approve", became=approved.head.digest)
    event = work.record(
        "approved",
        approved,
        fields=("status", "verification"),
        before=before.version,
        change=change,
    )
    return Updated(
        code="approved",
        say=f"Approved m:{before.id[-6:]}; every agent in {approved.scope} now gets it."
        f" Undo: onrecord undo {event.seq}",
        undo=event.seq,
        item=approved,
    )


def _replaced(work: Work, approved: Item) -> Item | None:
    """The item whose place an approved one takes: named by it, or at the same address."""
    if approved.replaces:
        old = work.tx.items.get(approved.replaces)
        if old is not None and old.status in ("active", "archived"):
            return old
    if approved.key:
        taken = work.tx.items.by_key(approved.scope, approved.key, ("active",))
        return taken[0] if taken and taken[0].id != approved.id else None
    return None


def reject(work: Work, command: Reject) -> Outcome:
    """Turn an item down; `wrong` and `unwanted` leave a tombstone."""
    if command.reason not in REJECT_REASONS:
        raise BadField(
            "That is not a reason for a rejection.",
            hint=f"use {', '.join(REJECT_REASONS)}",
            details={"field": "reason"},
        )
    turned_away = _people_only(work, "reject")
    if turned_away is not None:
        return turned_away
    item = work.item(command.item)
    ruling = authority.rule_on_item("reject", item, work.principal, work.caller.place)
    if ruling.verdict == "refuse":
        return work.refuse(ruling.rule, ruling.say, item=item)
    rejected = replace(item, status=step("reject", item.status), pinned=False)
    work.tx.items.change(rejected)
    work.index(rejected)
    if command.reason in TOMBSTONE_REASONS:
        bury(work, item, command.reason)
    _note_review(work, item, "reject", reason=command.reason, note=command.note)
    event = work.record(
        "rejected",
        rejected,
        fields=("status",),
        before=item.version,
        change={"status": (item.status, "rejected"), "pinned": (item.pinned, False)},
        code=command.reason,
    )
    kept = (
        " Its value will not come back by itself." if command.reason in TOMBSTONE_REASONS else ""
    )
    return Updated(
        code="rejected",
        say=f"Rejected m:{item.id[-6:]} as {command.reason}.{kept}"
        f" Undo: onrecord undo {event.seq}",
        undo=event.seq,
        item=rejected,
    )


def bury(work: Work, item: Item, reason: str) -> None:
    """Leave the keyed fingerprints of an item's current value; no text stays in them."""
    made = fingerprint.prints(work.secrets.key, item.content.title, item.content.body)
    prints = made.stored()
    if item.key:
        value = fingerprint.key_print(work.secrets.key, item.scope, item.key)
        prints = (*prints, Print(part="key", value=value))
    work.tx.tombstones.add(
        Tombstone(
            id=work.ids.new(work.now),
            item=item.id,
            scope=item.scope,
            reason=reason,
            by=work.principal,
            at=work.now,
            key_id=work.secrets.key_id,
            normaliser=fold.NORMALISER_VERSION,
            prints=prints,
            sketch=made.sketch,
        )
    )


def _note_review(
    work: Work, item: Item, decision: str, *, became: bytes = b"", reason: str = "", note: str = ""
) -> None:
    from onrecord.policy import redact  # noqa: PLC0415 - loaded where a person decides

    work.tx.provenance.add_review(
        Review(
            id=work.ids.new(work.now),
            item=item.id,
            decision=decision,
            seen=item.head.digest,
            became=became,
            reason=reason,
            note=redact.redact(note).text[:1_000],
            by=work.principal,
            at=work.now,
        )
    )


def mark(work: Work, command: Mark) -> Outcome:
    """Archive, restore, pin, unpin, verify or dispute."""
    if command.action not in (
        "archive",
        "restore",
        "pin",
        "unpin",
        "verify",
        "dispute",
        "decline",
    ):
        raise BadField("That action is not known.", details={"field": "action"})
    turned_away = _people_only(work, command.action)
    if turned_away is not None:
        return turned_away
    item = work.item(command.item)
    ruling = authority.rule_on_item(command.action, item, work.principal, work.caller.place)
    if ruling.verdict == "refuse":
        return work.refuse(ruling.rule, ruling.say, item=item)
    if ruling.verdict == "propose":
        return _ask_review(work, item, f"{command.action}:{work.principal.name}")
    if command.action == "decline":
        return _decline(work, item)
    changed = replace(item, status=step(command.action, item.status))
    if command.action in ("pin", "unpin"):
        changed = replace(changed, pinned=command.action == "pin")
    elif command.action in ("verify", "dispute"):
        changed = replace(
            changed, verification="verified" if command.action == "verify" else "disputed"
        )
    if command.action == "restore" and item.key:
        taken = work.tx.items.by_key(item.scope, item.key, ("active",))
        if taken:
            raise IllegalTransition(
                "Its key is taken by another active item.",
                hint="Archive that one first, or save this one under another key.",
                details={"taken_by": taken[0].id[-6:]},
            )
    change = {
        name: (getattr(item, name), getattr(changed, name))
        for name in ("status", "pinned", "verification")
        if getattr(item, name) != getattr(changed, name)
    }
    work.tx.items.change(changed)
    work.index(changed)
    names = {
        "archive": "archived",
        "restore": "restored",
        "pin": "pinned",
        "unpin": "unpinned",
        "verify": "verified",
        "dispute": "disputed",
    }
    event = work.record(
        names[command.action],
        changed,
        fields=tuple(change),
        before=item.version,
        change=change,
    )
    return Updated(
        code=names[command.action],
        say=f"{names[command.action].capitalize()} m:{item.id[-6:]}."
        f" Undo: onrecord undo {event.seq}",
        undo=event.seq,
        item=changed,
    )


def _ask_review(work: Work, item: Item, flag: str) -> Outcome:
    flagged = replace(item, flags=tuple(dict.fromkeys((*item.flags, flag))))
    work.tx.items.change(flagged)
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
    kept = tuple(f for f in item.flags if not f.startswith(("forget:", "dispute:")))
    plain = replace(item, flags=kept)
    work.tx.items.change(plain)
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
    return _ask_review(work, item, f"forget:{work.principal.name}")


def set_switch(work: Work, command: Set) -> Outcome:
    """A switch or a policy; a person only."""
    values = SWITCHES.get(command.name)
    if values is None or command.value not in values:
        raise BadField(
            "That setting or value is not known.",
            hint="; ".join(f"{name}: {', '.join(v)}" for name, v in SWITCHES.items()),
            details={"field": command.name if values else "name"},
        )
    action = "policy" if command.name == "review" else "switch"
    ruling = authority.rule_on_personal(action, work.principal)
    if ruling.verdict == "refuse":
        return work.refuse(ruling.rule, ruling.say)
    scope = scopes.parse(command.scope, work.caller.place)
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
