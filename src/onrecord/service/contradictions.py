"""Everything live that speaks against something else that is live, pair by pair."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from onrecord.domain.item import Item, ItemQuery
from onrecord.domain.ports import Transaction
from onrecord.policy import contrast
from onrecord.service import reconciling
from onrecord.service.caller import Caller
from onrecord.service.reading import verified
from onrecord.service.work import Secrets, states_same

#: Links and proposals that are looked through, the latest.
_LOOKED_AT = 2_000


@dataclass(frozen=True, kw_only=True, slots=True)
class Opposed:
    """Two items of which one speaks against the other."""

    #: what came later: a proposal, or an active item
    new: Item
    #: the active item that it speaks against or would replace
    old: Item


def opposed(
    tx: Transaction, caller: Caller, *, now: int, secrets: Secrets | None
) -> list[Opposed]:
    """The pairs that nobody has settled, oldest first, as far as the caller sees both."""
    found: dict[frozenset[str], tuple[str, str]] = {}
    for new, old in (*_linked(tx), *_replacing(tx, now)):
        found.setdefault(frozenset((new, old)), (new, old))
    pairs = [
        Opposed(new=verified(secrets, new), old=verified(secrets, old))
        for new, old in _loaded(tx, list(found.values()))
        if _is_open(tx, new, old, now) and caller.sees(new) and caller.sees(old)
    ]
    pairs.sort(key=lambda pair: (pair.new.head.recorded_at, pair.new.id, pair.old.id))
    return pairs


def _linked(tx: Transaction) -> Iterator[tuple[str, str]]:
    for link in tx.provenance.clashes(_LOOKED_AT):
        yield link.source, link.target


def _replacing(tx: Transaction, now: int) -> Iterator[tuple[str, str]]:
    """Proposals that would take an item's place."""
    query = ItemQuery(statuses=("proposed",), unexpired_at=now, limit=_LOOKED_AT)
    for item in tx.items.page(query):
        if item.replaces:
            yield item.id, item.replaces


def _loaded(tx: Transaction, pairs: list[tuple[str, str]]) -> Iterator[tuple[Item, Item]]:
    names = sorted({name for pair in pairs for name in pair})
    items = {item.id: item for item in tx.items.many(names)}
    for new, old in pairs:
        if new in items and old in items:
            yield items[new], items[old]


def _is_open(tx: Transaction, new: Item, old: Item, now: int) -> bool:
    if old.status != "active" or new.status not in ("active", "proposed"):
        return False
    if new.expired(now) or old.expired(now):
        return False
    # a late edit that says what stands by now; review shows what else it would change
    if states_same(new.content, old.content):
        return False
    # what merely resembles another was let count by a person who saw that
    if new.status == "active" and not (_contradicts(tx, new, old) and _still(new, old)):
        return False
    return not reconciling.is_settled(tx, new, old)


def _still(new: Item, old: Item) -> bool:
    """Whether they clash as they are now: either may have been reworded since."""
    if (new.version, old.version) == (1, 1):
        return True
    return contrast.opposed(*(f"{i.content.title}\n{i.content.body}" for i in (old, new)))


def _contradicts(tx: Transaction, new: Item, old: Item) -> bool:
    links = tx.provenance.links_from(new.id)
    return any(link.kind == "contradicts" and link.target == old.id for link in links)
