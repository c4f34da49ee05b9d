"""Who has a handoff: claimed for a while, acknowledged, or let lapse."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from onrecord.domain import time
from onrecord.domain.candidate import Candidate
from onrecord.domain.errors import Clash
from onrecord.domain.item import Item
from onrecord.domain.ports import Transaction
from onrecord.domain.session import HANDOFF_STATUSES, Handoff, Session

#: A claim holds for this long; then another session may have it.
LEASE = 30 * time.MINUTE

#: Why a handoff stands in a delivery: it was offered to that session to take over.
OFFERED = "offered to this session"

#: Deliveries of a session among which the offer is looked for.
_LOOK_BACK = 20

#: A handoff whose text waits for a person, and one whose text is not in force any more: how
#: those stand that their own row has as open or claimed.
WAITING, WITHDRAWN = "waiting", "withdrawn"

#: How a handoff stands that can be taken over now or later, and every way in which one can.
LIVE = ("open", "claimed", WAITING)
EVERY = (*LIVE, *(status for status in HANDOFF_STATUSES if status not in LIVE), WITHDRAWN)


#: Words by which a question asks what was handed on.
_HANDING = ("handoff", "hand off", "handed o", "hand over", "left off", "took over", "take over")


def findable(
    tx: Transaction,
    query: str,
    kinds: Sequence[str],
    visible: Callable[[Candidate], bool] | None,
) -> Callable[[Candidate], bool]:
    """What a recall may find: automatic handoffs only where it asks for a kind or for handoffs."""
    words = " ".join(query.casefold().replace("-", " ").split())
    asked = bool(kinds) or any(word in words for word in _HANDING)

    def fits(item: Candidate) -> bool:
        if visible is not None and not visible(item):
            return False
        row = None if asked or item.kind != "handoff" else tx.handoffs.get(item.id)
        return row is None or not row.automatic

    return fits


def standing(handoff: Handoff, item: Item | None) -> Handoff:
    """The handoff as it stands by its text: what was undone, archived or rejected is nobody's.

    The stored row keeps its own state, so that one whose text comes back is open again.
    """
    if handoff.status not in ("open", "claimed") or (item and item.status == "active"):
        return handoff
    waits = item is not None and item.status == "proposed"
    return replace(handoff, status=WAITING if waits else WITHDRAWN)


def listed(
    tx: Transaction,
    *,
    repo: str | None,
    statuses: Sequence[str],
    fits: Callable[[Item], bool],
    limit: int,
) -> list[tuple[Handoff, Item]]:
    """Handoffs with their items, by how they stand (`EVERY`), newest first; none forgotten."""
    stored = set(statuses) & set(HANDOFF_STATUSES)
    if {WAITING, WITHDRAWN} & set(statuses):
        stored |= {"open", "claimed"}
    # what is over by its text alone must not take the places of those that are open
    reach = limit
    while True:
        rows = tx.handoffs.recent(repo=repo, statuses=sorted(stored), limit=reach)
        items = {item.id: item for item in tx.items.many([row.item for row in rows])}
        found = [
            (seen, item)
            for row in rows
            if (item := items.get(row.item)) is not None
            and item.status != "forgotten"
            and (seen := standing(row, item)).status in statuses
            and fits(item)
        ]
        if len(found) >= limit or len(rows) < reach:
            return found[:limit]
        reach *= 4


def is_free(handoff: Handoff, now: int) -> bool:
    """Whether a session may claim it: open, or claimed under a lease that ran out."""
    if handoff.status == "claimed":
        return handoff.lease_until is not None and handoff.lease_until <= now
    return handoff.status == "open" and handoff.lapses_at > now


def claim(tx: Transaction, handoff: Handoff, by: str, now: int) -> Handoff:
    """Take a handoff for a session; raises `Clash` where another one has it."""
    if handoff.status == "claimed" and handoff.claimed_by == by:
        taken = replace(handoff, lease_until=now + LEASE)
    elif is_free(handoff, now):
        taken = replace(
            handoff, status="claimed", claimed_by=by, claimed_at=now, lease_until=now + LEASE
        )
    else:
        raise _taken(handoff)
    tx.handoffs.change(taken)
    return taken


def _taken(handoff: Handoff) -> Clash:
    """Why it cannot be claimed, and what can be done."""
    said = f"That handoff is {handoff.status}."
    hint = "`onrecord handoffs` lists those that are open."
    if handoff.status == "claimed":
        hint = "It can be claimed when its lease runs out."
    elif handoff.status == WAITING:
        said = "That handoff waits for the user's review, so nobody can take it over yet."
        hint = "The user decides with `onrecord review`; after that it can be claimed."
    return Clash(
        said,
        hint=hint,
        details={"status": handoff.status, "lease_until": handoff.lease_until},
    )


def acknowledge(tx: Transaction, handoff: Handoff, by: str, now: int) -> Handoff:
    """Say that it was taken over; only the session that claimed it can."""
    if handoff.status != "claimed" or handoff.claimed_by != by:
        raise Clash(
            "Only the session that claimed a handoff can acknowledge it.",
            hint="`onrecord handoffs` says which are free; claim it first: onrecord handoffs claim"
            f" {handoff.item[-6:]}",
            details={"status": handoff.status},
        )
    done = replace(handoff, status="acknowledged", acknowledged_at=now)
    tx.handoffs.change(done)
    return done


def cancel(tx: Transaction, handoff: Handoff) -> Handoff:
    """Take a handoff back."""
    if handoff.status not in LIVE:
        raise Clash(f"That handoff is {handoff.status} already.")
    gone = replace(handoff, status="cancelled")
    tx.handoffs.change(gone)
    return gone


def claim_offered(tx: Transaction, session: Session, now: int) -> Handoff | None:
    """A person's prompt claims the handoff that the session was offered, if it is free.

    A later prompt in the same session holds on to it: the lease begins anew.
    """
    for item in _offered(tx, session):
        row = tx.handoffs.get(item)
        if row is None or row.session == session.id or row.to_agent not in ("", session.agent):
            continue
        handoff = standing(row, tx.items.get(item))
        if handoff.claimed_by == session.id and handoff.status == "claimed":
            return claim(tx, handoff, session.id, now)
        if is_free(handoff, now):
            return claim(tx, handoff, session.id, now)
    return None


def _offered(tx: Transaction, session: Session) -> list[str]:
    """The handoff that a pack last put before the session as its own."""
    for delivery in tx.deliveries.recent(session=session.id, limit=_LOOK_BACK):
        offered = [row.item for row in delivery.items if row.shown and row.why == OFFERED]
        if offered:
            return offered
    return []


def lapse(tx: Transaction, now: int) -> int:
    """Expire open handoffs that are past their time; says how many."""
    due = [
        handoff
        for handoff in tx.handoffs.recent(statuses=("open",), limit=200)
        if handoff.lapses_at <= now
    ]
    for handoff in due:
        tx.handoffs.change(replace(handoff, status="expired"))
    return len(due)
