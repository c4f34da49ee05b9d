"""What a store holds, how it grows, and what became of what it gave."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from onrecord.domain.item import Item
from onrecord.domain.session import Delivery
from onrecord.domain.time import DAY

#: Items named as most and as least useful.
_NAMED = 5
#: Given at least so often before never being opened says anything.
_OFTEN = 5
#: Weeks of growth that are told.
WEEKS = 8


@dataclass(frozen=True, kw_only=True, slots=True)
class Statistics:
    """The figures of a store."""

    #: status (or `expired`) -> items; the rest speaks of active items
    by_status: dict[str, int]
    by_kind: dict[str, int]
    by_scope: dict[str, int]
    by_belief: dict[str, int]
    #: items made in each of the last WEEKS weeks, the earliest first
    weekly: tuple[int, ...]
    #: opened or found helpful most
    most: tuple[Item, ...]
    #: given often, and never opened nor found helpful
    least: tuple[Item, ...]
    #: deliveries into sessions, and the tokens of what they gave, by occasion
    deliveries: int
    tokens: dict[str, int]


def figures(items: Iterable[Item], deliveries: Iterable[Delivery], *, now: int) -> Statistics:
    """The figures of items of every status and of some latest deliveries."""
    status: Counter[str] = Counter()
    kind: Counter[str] = Counter()
    scope: Counter[str] = Counter()
    belief: Counter[str] = Counter()
    weeks = [0] * WEEKS
    active: list[Item] = []
    for item in items:
        stands = item.state(now)
        status[stands] += 1
        age = (now - item.created_at) // (7 * DAY)
        if 0 <= age < WEEKS:
            weeks[WEEKS - 1 - age] += 1
        if stands == "active":
            kind[item.kind] += 1
            scope[item.scope] += 1
            belief[item.verification] += 1
            active.append(item)
    tokens: Counter[str] = Counter()
    count = 0
    for delivery in deliveries:
        if not delivery.session:
            continue  # a person looked at it
        count += 1
        tokens[delivery.occasion] += delivery.tokens
    return Statistics(
        by_status=dict(status),
        by_kind=dict(kind),
        by_scope=dict(scope),
        by_belief=dict(belief),
        weekly=tuple(weeks),
        most=_most(active),
        least=_least(active),
        deliveries=count,
        tokens=dict(tokens),
    )


def _most(items: list[Item]) -> tuple[Item, ...]:
    used = [item for item in items if item.helpful or item.opened]
    used.sort(key=lambda item: (-item.helpful, -item.opened, item.id))
    return tuple(used[:_NAMED])


def _least(items: list[Item]) -> tuple[Item, ...]:
    idle = [
        item
        for item in items
        if item.delivered >= _OFTEN and not (item.helpful or item.opened or item.pinned)
    ]
    idle.sort(key=lambda item: (-item.delivered, item.id))
    return tuple(idle[:_NAMED])
