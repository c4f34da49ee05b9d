"""What waits for a person: proposals, and what agents asked about items that count."""

from __future__ import annotations

from dataclasses import replace

from onrecord.domain.item import Item, ItemQuery
from onrecord.domain.limits import ASKED
from onrecord.domain.ports import Transaction
from onrecord.service import corroborate, settling
from onrecord.service.answers import Waiting
from onrecord.service.caller import Caller
from onrecord.service.reading import verified
from onrecord.service.work import Secrets

#: Items that count are looked through in pages for what was asked about them.
_PAGE = 200


def queue(
    tx: Transaction, caller: Caller, *, now: int, key: Secrets | None, limit: int
) -> list[Waiting]:
    """Proposals that several sessions made by themselves, other proposals, then requests.

    Each part oldest first.
    """
    proposals = tx.items.page(ItemQuery(statuses=("proposed",), unexpired_at=now, limit=limit))
    proposals.reverse()
    proposals.sort(key=lambda item: not _is_raised(item))
    both = [item for item in (*proposals, *_asked(tx, limit)) if caller.sees(item)]
    return [_entry(tx, item, key) for item in both[:limit]]


def _is_raised(item: Item) -> bool:
    return any(flag.startswith(corroborate.RAISED) for flag in item.flags)


def _asked(tx: Transaction, limit: int) -> list[Item]:
    """Every request that the count of what waits has, oldest first; mostly there is none."""
    found: list[Item] = []
    wanted = tx.shelf.flagged(ASKED)
    asked = ItemQuery(statuses=("active",), limit=max(limit, _PAGE))
    while len(found) < wanted and (page := tx.items.page(asked)):
        found += [item for item in page if request_of(item)]
        asked = replace(asked, after=page[-1].id)
    found.reverse()
    return found


def request_of(item: Item) -> str:
    """What an agent asked about an item, such as `forget:codex`; empty for nothing."""
    return next((flag for flag in item.flags if flag.startswith(ASKED)), "")


def _entry(tx: Transaction, item: Item, key: Secrets | None) -> Waiting:
    return Waiting(
        item=verified(key, item),
        replaces=settling.displaced(tx, item) if item.status == "proposed" else None,
        sightings=len(corroborate.seen_by(tx, item)),
        evidence=tuple(tx.provenance.evidence(item.id)),
        asked=request_of(item) if item.status == "active" else "",
    )
