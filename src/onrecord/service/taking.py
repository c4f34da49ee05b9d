"""Taking a handoff over: claim, acknowledge, cancel; both ends are on record."""

from __future__ import annotations

from onrecord.domain.errors import BadField, NotFound
from onrecord.domain.item import Item
from onrecord.domain.outcome import Outcome, Updated
from onrecord.domain.session import Handoff
from onrecord.policy import authority
from onrecord.service import claims
from onrecord.service.commands import Settle
from onrecord.service.work import Work

#: What a handoff's row says of who has it, beside how it stands; events tell what it was before.
HELD = ("claimed_by", "claimed_at", "lease_until", "acknowledged_at")


def settle(work: Work, command: Settle) -> Outcome:
    """Change who has a handoff; raises `Clash` where another session has it."""
    item = work.item(command.item)
    row = work.tx.handoffs.get(item.id)
    if row is None:
        raise NotFound("That memory is not a handoff.")
    by = work.principal.session or f"user:{work.principal.name}"
    if command.action == "cancel" and not _may_cancel(work, item, row, by):
        ruling = authority.rule_on_agents_cancel()
        return work.refuse(ruling.rule, ruling.say, item=item)
    if command.action == "claim":
        ruling = authority.rule_on_claim(row.to_agent, work.principal)
        if ruling.verdict == "refuse":
            return work.refuse(ruling.rule, ruling.say, item=item)
    settled = _settled(work, command.action, claims.standing(row, item), by)
    event = work.record(
        f"handoff_{settled.status}",
        item,
        before=item.version,
        change={
            "handoff": (row.status, settled.status),
            **{
                f"handoff.{name}": (getattr(row, name), getattr(settled, name))
                for name in HELD
                if getattr(row, name) != getattr(settled, name)
            },
        },
    )
    return Updated(
        code=f"handoff.{settled.status}",
        say=f"Handoff m:{item.id[-6:]} is {settled.status}. Undo: onrecord undo {event.seq}",
        undo=event.seq,
        item=item,
    )


def _may_cancel(work: Work, item: Item, row: Handoff, by: str) -> bool:
    own = item.head.author.same_party(work.principal)
    return work.principal.is_person or own or row.claimed_by == by


def _settled(work: Work, action: str, row: Handoff, by: str) -> Handoff:
    if action == "claim":
        return claims.claim(work.tx, row, by, work.now)
    if action == "ack":
        return claims.acknowledge(work.tx, row, by, work.now)
    if action == "cancel":
        return claims.cancel(work.tx, row)
    raise BadField("That is not something to do with a handoff.", details={"field": "action"})
