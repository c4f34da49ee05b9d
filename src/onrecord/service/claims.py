"""Who has a handoff: claimed for a while, acknowledged, or let lapse."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from onrecord.domain import time
from onrecord.domain.candidate import Candidate
from onrecord.domain.errors import Clash
from onrecord.domain.ports import Transaction
from onrecord.domain.session import Handoff, Session

#: A claim holds for this long; then another session may have it.
LEASE = 30 * time.MINUTE

#: Why a handoff stands in a delivery: it was offered to that session to take over.
OFFERED = "offered to this session"

#: Deliveries of a session among which the offer is looked for.
_LOOK_BACK = 20


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
        raise Clash(
            f"That handoff is {handoff.status}.",
            hint="It can be claimed when its lease runs out."
            if handoff.status == "claimed"
            else "`onrecord handoffs` lists those that are open.",
            details={"status": handoff.status, "lease_until": handoff.lease_until},
        )
    tx.handoffs.change(taken)
    return taken


def acknowledge(tx: Transaction, handoff: Handoff, by: str, now: int) -> Handoff:
    """Say that it was taken over; only the session that claimed it can."""
    if handoff.status != "claimed" or handoff.claimed_by != by:
        raise Clash("Only the session that claimed a handoff can acknowledge it.")
    done = replace(handoff, status="acknowledged", acknowledged_at=now)
    tx.handoffs.change(done)
    return done


def cancel(tx: Transaction, handoff: Handoff) -> Handoff:
    """Take a handoff back."""
    if handoff.status not in ("open", "claimed"):
        raise Clash(f"That handoff is {handoff.status} already.")
    gone = replace(handoff, status="cancelled")
    tx.handoffs.change(gone)
    return gone


def claim_offered(tx: Transaction, session: Session, now: int) -> Handoff | None:
    """A person's prompt claims the handoff that the session was offered, if it is free.

    A later prompt in the same session holds on to it: the lease begins anew.
    """
    for item in _offered(tx, session):
        handoff = tx.handoffs.get(item)
        if handoff is None or handoff.session == session.id:
            continue
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
