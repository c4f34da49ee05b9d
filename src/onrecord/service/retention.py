"""Retention: what has had its time, and why; pinned memories and rules never have."""

from __future__ import annotations

from dataclasses import dataclass

from onrecord.domain.item import Item
from onrecord.domain.time import DAY

#: Kinds that speak of one session or one piece of work.
_PASSING = ("handoff", "summary", "reminder")

#: Statuses whose text may be erased once it is old; their tombstones stay.
PURGED = ("archived", "rejected", "superseded")


@dataclass(frozen=True, kw_only=True, slots=True)
class Policy:
    """After how many microseconds each kind of leftover is put away."""

    #: unreviewed, and never given to an agent nor opened by anyone
    unused: int = 180 * DAY
    #: handoffs and summaries, and reminders from when they were given
    passing: int = 90 * DAY
    #: stale or disputed, and nobody settled it
    doubtful: int = 90 * DAY


def why_over(item: Item, now: int, policy: Policy, given: int | None = None) -> str:
    """Why an active item has had its time: expired, passing, doubtful or unused; else empty.

    `given` is when sessions were first given what it says now: a reminder is done then.
    """
    if item.status != "active" or item.pinned or item.kind == "rule":
        return ""
    if item.expired(now):
        return "expired"
    age = now - item.head.recorded_at
    if item.kind == "reminder":
        age = now - given if given is not None else 0
    if item.kind in _PASSING and age > policy.passing:
        return "passing"
    if item.verification in ("stale", "disputed") and age > policy.doubtful:
        return "doubtful"
    untouched = not (item.delivered or item.opened or item.helpful)
    if untouched and item.verification == "unverified" and age > policy.unused:
        return "unused"
    return ""
