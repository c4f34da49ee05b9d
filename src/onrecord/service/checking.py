"""Checking a store: look at everything first, clean up only where nothing was found."""

from __future__ import annotations

from contextlib import suppress

from onrecord.domain.errors import StoreBusy, StoreFull, StoreNewer, StoreReadOnly
from onrecord.domain.event import broken_at
from onrecord.domain.item import ItemQuery
from onrecord.domain.ports import Store
from onrecord.service.answers import Check
from onrecord.service.reading import is_whole
from onrecord.service.work import Secrets

#: Items that are looked at together.
_PAGE = 200


def check(store: Store, key: Secrets | None, head: tuple[int, bytes] | None) -> Check:
    """What the engine, the audit chain and the digests say; `head` is one exported before.

    Without the key digests stay unchecked, which is a fault. What erasing had to leave in logs
    and free pages is cleared where all is sound and the store can be written.
    """
    faults = [*store.faults()]
    if key is None:
        faults.append("the fingerprint key cannot be read: digests stay unchecked")
    damaged: list[str] = []
    with store.read() as tx:
        seq, last = tx.events.head()
        broken = broken_at(tx.events.walk(), head)
        after: str | None = None
        while page := tx.items.page(ItemQuery(after=after, limit=_PAGE)):
            after = page[-1].id
            damaged += [item.id for item in page if not is_whole(key, item)]
    found = Check(
        faults=tuple(faults), events=seq, head=last.hex(), broken_at=broken, damaged=tuple(damaged)
    )
    if found.sound:
        with suppress(StoreReadOnly, StoreBusy, StoreFull, StoreNewer):
            store.scrub()
    return found
