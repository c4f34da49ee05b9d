"""Which items were erased, with what they left, for the list that outlives the store's file."""

from __future__ import annotations

from typing import Any

from onrecord.domain.erasure import Erasure, Ledger
from onrecord.domain.event import Event
from onrecord.domain.ports import Store, Transaction
from onrecord.service.work import Work

#: Kind of the outbox entry of what erasing leaves in logs and free pages until it is cleared.
OWED = "scrub"


def owe(work: Work) -> None:
    """Note, with the erasure itself, that logs and free pages are to be cleared of it."""
    work.tx.outbox.add(OWED, "", 0, work.now)


def clear(store: Store) -> bool:
    """Clear what erasing left, where that is owed; False while another reads what is in the way.

    Whoever was to do it may have ended since: what is owed stays on record until it is done.
    Raises `StoreFull` and other store errors.
    """
    with store.read() as tx:
        due = [entry for entry, _, _ in tx.outbox.due(OWED)]
    if not due:
        return True
    if not store.scrub():
        return False
    with store.write() as tx:
        tx.outbox.done(due)
    return True


def erased_since(tx: Transaction, seq: int) -> list[Erasure]:
    """The erasures that the log tells of after a line."""
    found: dict[str, int] = {}
    for event in tx.events.walk(seq + 1):
        for name in erased_by(event):
            found.setdefault(name, event.at)
    return [erasure_of(tx, item, at) for item, at in found.items()]


def erased_by(event: Event) -> list[str]:
    """Ids of what an event erased: an item; or a session and the evidence that quoted it."""
    if event.action == "forgotten":
        return [event.target]
    if event.action != "source_forgotten":
        return []
    rows: Any = event.change.get("evidence", (None, ()))[1]
    quoted = [str(row) for row in rows or ()]
    return [event.target, *quoted] if event.code == "session" else quoted


def erasure_of(tx: Transaction, item: str, at: int) -> Erasure:
    """An erased item with the tombstones in force that it left by being erased."""
    stones = [s for s in tx.tombstones.of(item) if s.reason == "forgotten" and s.lifted_at is None]
    return Erasure(item=item, at=at, stones=tuple(stones))


def complete(ledger: Ledger, tx: Transaction) -> int:
    """List what the log tells of and the ledger does not; how many that were.

    A process that ends between an erasure and its line leaves such a gap.
    """
    known = {one.item for one in ledger.read()}
    missing = [one for one in erased_since(tx, 0) if one.item not in known]
    ledger.add(missing)
    return len(missing)
