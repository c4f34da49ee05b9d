"""Checking a store: look at everything first, clean up only where nothing was found."""

from __future__ import annotations

from contextlib import suppress

from onrecord.domain.errors import StoreBusy, StoreFull, StoreNewer, StoreReadOnly
from onrecord.domain.event import broken_at
from onrecord.domain.item import Item, ItemQuery
from onrecord.domain.ports import Store, Transaction
from onrecord.service import auditing
from onrecord.service.answers import Check
from onrecord.service.findings import Finding
from onrecord.service.reading import is_whole
from onrecord.service.work import Secrets, document_of

#: Items that are looked at together.
_PAGE = 200


def check(
    store: Store, key: Secrets | None, head: tuple[int, bytes] | None, *, audit: bool = False
) -> Check:
    """What the engine, the audit chain and the digests say; `head` is one exported before.

    The schema is compared with what the migrations make, and with `audit` the log is replayed and
    compared with every row. Without the key digests stay unchecked, which is a fault. What erasing
    had to leave in logs and free pages is cleared where all is sound and the store can be written.
    """
    faults = [*store.faults()]
    if key is None:
        faults.append("the fingerprint key cannot be read: digests stay unchecked")
    findings = [*auditing.of_schema(store.schema_faults())]
    damaged: list[str] = []
    with store.read() as tx:
        seq, last = tx.events.head()
        broken = broken_at(tx.events.walk(), head)
        if broken is not None:
            findings.append(_of_chain(tx, broken, head))
        after: str | None = None
        while page := tx.items.page(ItemQuery(after=after, limit=_PAGE)):
            after = page[-1].id
            damaged += [item.id for item in page if not is_whole(key, item)]
            findings += [
                Finding(code="item.unfound", target=item.id)
                for item in page
                if item.id not in damaged and not _is_found(tx, item)
            ]
        if audit:
            findings += auditing.findings(tx)
    found = Check(
        faults=tuple(faults),
        events=seq,
        head=last.hex(),
        broken_at=broken,
        damaged=tuple(damaged),
        findings=tuple(findings),
        audited=audit,
    )
    if found.sound:
        with suppress(StoreReadOnly, StoreBusy, StoreFull, StoreNewer):
            store.scrub()
    return found


def _is_found(tx: Transaction, item: Item) -> bool:
    """Whether the index of words holds an item's current text; what was erased is in none."""
    if item.status == "forgotten":
        return True
    return tx.index.holds(document_of(item, item.head, live=item.status == "active"))


def _of_chain(tx: Transaction, broken: int, head: tuple[int, bytes] | None) -> Finding:
    """What is wrong with the log: a line in it, or that it does not hold an exported head."""
    if head is None or broken_at(tx.events.walk()) is not None:
        return Finding(code="audit.chain", target="", event=broken)
    restored = [line.seq for line in tx.events.walk() if line.action == "backup_restored"]
    code = "audit.head_restored" if restored else "audit.head"
    return Finding(code=code, target="", event=restored[-1] if restored else broken)
