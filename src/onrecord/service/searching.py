"""Recall that is narrowed further: by tags, by when it was recorded, by status."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, cast

from onrecord.domain.candidates import candidate_of
from onrecord.domain.item import Item, ItemQuery
from onrecord.service.answers import Hit, Recall
from onrecord.service.caller import Caller

if TYPE_CHECKING:
    from onrecord.domain.shelf import Shelf
    from onrecord.service.memory import Memory

#: Hits that are looked at before they are narrowed, and items of other statuses.
MOST = 200
MOST_ITEMS = 5_000


@dataclass(frozen=True, kw_only=True, slots=True)
class Narrowing:
    """What a hit must be like beside its words; every given field narrows."""

    kinds: tuple[str, ...] = ()
    #: with all of these
    tags: tuple[str, ...] = ()
    #: active alone, where none is given
    statuses: tuple[str, ...] = ()
    #: bounds on the current version's recorded time, half-open
    since: int | None = None
    until: int | None = None
    as_of: int | None = None
    valid_at: int | None = None

    @property
    def beyond_active(self) -> bool:
        """Whether items are asked for that no longer count, or do not yet."""
        return bool(self.statuses) and set(self.statuses) != {"active"}


def search(
    memory: Memory,
    query: str,
    caller: Caller,
    narrowing: Narrowing,
    *,
    given: Sequence[str] = (),
    limit: int = 10,
    mode: str = "",
) -> Recall:
    """What fits the words and the narrowing, best first; at most MOST hits are looked through.

    Items of other statuses than active are no part of the index: of those the newest
    MOST_ITEMS are looked at one by one.
    """
    narrow = narrowing.tags or narrowing.since is not None or narrowing.until is not None
    wanted = MOST if narrow else limit
    found = memory.recall(
        query,
        caller,
        given=given,
        kinds=narrowing.kinds,
        limit=wanted,
        as_of=narrowing.as_of,
        valid_at=narrowing.valid_at,
        mode=mode,
    )
    hits = list(found.hits)
    if narrowing.beyond_active:
        hits = hits if "active" in narrowing.statuses else []
        hits += _others(memory, query, caller, narrowing, found.scopes)
        hits.sort(key=lambda hit: -hit.score)
    kept = tuple(hit for hit in hits if _fits(hit.item, narrowing))[:limit]
    return replace(found, hits=kept, abstained=not kept)


def _others(
    memory: Memory, query: str, caller: Caller, narrowing: Narrowing, scopes: tuple[str, ...]
) -> list[Hit]:
    from onrecord.retrieval.past import PastShelf  # noqa: PLC0415 - only where it is asked for
    from onrecord.retrieval.recall import recall  # noqa: PLC0415 - the same

    statuses = tuple(status for status in narrowing.statuses if status != "active")
    items: dict[str, Item] = {}
    asked = ItemQuery(
        scopes=scopes,
        statuses=statuses,
        kinds=narrowing.kinds or None,
        tags=narrowing.tags or None,
        since=narrowing.since,
        until=narrowing.until,
        as_of=narrowing.as_of,
        limit=MOST,
    )
    while len(items) < MOST_ITEMS and (page := memory.page(asked, caller)):
        items |= {item.id: item for item in page}
        asked = replace(asked, after=page[-1].id)
    rows = [candidate_of(item, counted=False) for item in items.values()]
    now = max((row.recorded_at for row in rows), default=0)
    shelf = cast("Shelf", PastShelf(rows))
    found = recall(shelf, query, list(scopes), now=now, limit=MOST)
    return [
        Hit(
            item=items[hit.id],
            score=hit.score,
            reasons=(*hit.reasons, items[hit.id].status),
            parts=dict(hit.parts),
        )
        for hit in found.hits
    ]


def _fits(item: Item, narrowing: Narrowing) -> bool:
    recorded = item.head.recorded_at
    return (
        set(narrowing.tags) <= set(item.content.tags)
        and (narrowing.since is None or recorded >= narrowing.since)
        and (narrowing.until is None or recorded < narrowing.until)
    )
