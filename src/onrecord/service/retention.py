"""Retention: what has had its time, and why; pinned memories and rules never have."""

from __future__ import annotations

from dataclasses import dataclass

from onrecord.domain.item import Item
from onrecord.domain.time import DAY

#: Kinds that speak of one session or one piece of work.
_PASSING = ("handoff", "summary")

#: Statuses whose text may be erased once it is old; their tombstones stay.
PURGED = ("archived", "rejected", "superseded")


@dataclass(frozen=True, kw_only=True, slots=True)
class Policy:
    """After how many microseconds each kind of leftover is put away."""

    #: unreviewed, and never given to an agent nor opened by anyone
    unused: int = 180 * DAY
    #: handoffs and summaries
    passing: int = 90 * DAY
    #: stale or disputed, and nobody settled it
    doubtful: int = 90 * DAY


def why_over(item: Item, now: int, policy: Policy) -> str:
    """Why an active item has had its time: expired, passing, doubtful or unused; else empty."""
    if item.status != "active" or item.pinned or item.kind in ("rule", "reminder"):
        return ""
    age = now - item.head.recorded_at
    if item.expired(now):
        return "expired"
    if item.kind in _PASSING and age > policy.passing:
        return "passing"
    if item.verification in ("stale", "disputed") and age > policy.doubtful:
        return "doubtful"
    untouched = not (item.delivered or item.opened or item.helpful)
    if untouched and item.verification == "unverified" and age > policy.unused:
        return "unused"
    return ""
