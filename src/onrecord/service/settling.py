"""Making an item count: in the place of the one it replaces, with one event for both."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from onrecord.domain.event import Event
from onrecord.domain.item import Content, Item
from onrecord.domain.outcome import Updated
from onrecord.domain.ports import Transaction
from onrecord.domain.provenance import Link, Review
from onrecord.domain.status import step
from onrecord.policy import redact
from onrecord.service.work import Work, commitment_of

#: Characters of a reviewer's note that are kept.
MAX_NOTE = 1_000

Change = dict[str, tuple[object, object]]


def settle(
    work: Work, before: Item, placed: Item, content: Content, *, action: str, more: Change
) -> tuple[Item, Event]:
    """Make `placed` active with this content, under one event that undo takes back whole.

    `before` is the item as it stands; `placed` is it with its new scope, belief, pin and so
    on. The digest that was seen and the one that counts now are both kept.
    """
    old = displaced(work.tx, placed)
    return settle_in_place(work, before, placed, content, old, action=action, more=more)


def settle_in_place(
    work: Work,
    before: Item,
    placed: Item,
    content: Content,
    old: Item | None,
    *,
    action: str,
    more: Change,
) -> tuple[Item, Event]:
    """As `settle`, in the place of the item that is given, or of none."""
    if old is not None and content.valid_from is None:
        content = replace(content, valid_from=work.now)
    if content != before.content:
        placed = work.next_version(placed, content, f"as {action}")
    status = step("approve", before.status) if before.status == "proposed" else before.status
    settled = replace(placed, status=status, flags=())
    change = difference(before, settled)
    if old is not None:
        change |= supersede(work, old, by=settled)
    if settled.version != before.version:
        work.tx.items.revise(settled)
    else:
        work.tx.items.change(settled, at=work.now)
    if old is not None:
        link_replaced(work, old, by=settled)
    work.tx.scopes.note(settled.scope, work.now)
    work.index(settled)
    note_review(work, before, "approve", became=settled.head.digest)
    fields = (*(name for name in ("status", "verification") if name in change), *more)
    event = work.record(
        action, settled, fields=fields, before=before.version, change=change | more
    )
    return settled, event


#: Fields of an item that events tell the change of; content stands in the versions.
FIELDS = ("status", "verification", "pinned", "expires_at", "kind", "scope", "tainted")


def difference(before: Item, after: Item) -> Change:
    """What an event says of an item's own fields, enough to undo it exactly."""
    change: Change = {
        name: (getattr(before, name), getattr(after, name))
        for name in FIELDS
        if getattr(before, name) != getattr(after, name)
    }
    if before.flags != after.flags:
        change["flags"] = (list(before.flags), list(after.flags))
    return change


def displaced(tx: Transaction, item: Item) -> Item | None:
    """The item that has to leave: the one at the same address, else the one it names."""
    if item.key:
        taken = tx.items.by_key(item.scope, item.key, ("active",))
        if taken and taken[0].id != item.id:
            return taken[0]
    if item.replaces and item.replaces != item.id:
        old = tx.items.get(item.replaces)
        if old is not None and old.status in ("active", "archived", "proposed"):
            return old
    return None


def supersede(work: Work, old: Item, *, by: Item) -> Change:
    """Close an item: a last version whose validity ends where the new one's begins.

    An end that it had before that stays. Returns what the event says of it, enough to undo
    it and to replay it.
    """
    start, end = old.content.valid_from, by.content.valid_from or work.now
    if old.content.valid_to is not None:
        end = min(end, old.content.valid_to)
    if start is not None and end <= start:
        end = start + 1
    closed = work.next_version(old, replace(old.content, valid_to=end))
    closed = replace(closed, status=step("supersede", old.status), pinned=False)
    work.tx.items.revise(closed)
    work.index(closed)
    return {
        "replaced": (None, old.id),
        "replaced.version": (old.version, closed.version),
        "replaced.status": (old.status, closed.status),
        "replaced.pinned": (old.pinned, False),
        "replaced.commitment": (None, commitment_of(closed).hex()),
    }


def take_place(work: Work, item: Item, old: Item) -> Updated:
    """Let an active item that stands already replace another; its belief stays as it is."""
    content = item.content
    if content.valid_from is None:
        content = replace(content, valid_from=work.now)
    placed = work.next_version(item, content) if content != item.content else item
    change = supersede(work, old, by=placed)
    if placed is not item:
        work.tx.items.revise(placed)
        work.index(placed)
    link_replaced(work, old, by=placed)
    event = work.record(
        "updated", placed, fields=("replaces",), before=item.version, change=change
    )
    return Updated(
        code="updated",
        say=f"m:{item.id[-6:]} takes the place of m:{old.id[-6:]}."
        f" Undo: onrecord undo {event.seq}",
        undo=event.seq,
        item=placed,
    )


def link_replaced(work: Work, old: Item, *, by: Item) -> None:
    """Keep that one item took the other's place."""
    work.keep(by, Link(source=by.id, kind="supersedes", target=old.id, at=work.now))


def note_review(
    work: Work, item: Item, decision: str, *, became: bytes = b"", reason: str = "", note: str = ""
) -> None:
    """Keep a person's decision with the digest that they saw."""
    work.keep(
        item,
        Review(
            id=work.ids.new(work.now),
            item=item.id,
            decision=decision,
            seen=item.head.digest,
            became=became,
            reason=reason,
            note=redact.redact(note).text[:MAX_NOTE],
            by=work.principal,
            at=work.now,
        ),
    )


def standing_after(lines: Sequence[Event], seq: int) -> list[Event]:
    """Of an item's lines, in order, those after one that were not taken back since."""
    standing: list[Event] = []
    taken_back: set[int] = set()
    for line in reversed(lines):
        if line.seq <= seq or line.seq in taken_back:
            continue
        if line.undoes > seq:
            taken_back.add(line.undoes)
        else:
            standing.append(line)
    return standing[::-1]


def earlier(change: Mapping[str, tuple[object, object]], name: str, default: object) -> object:
    """The value before a change, or the default where it did not change."""
    return change[name][0] if name in change else default
