"""A moment that somebody names: a date, a time, or words that mean one day."""

from __future__ import annotations

from datetime import tzinfo

from onrecord.domain.errors import UsageError
from onrecord.domain.time import from_iso, to_datetime
from onrecord.policy import dates

#: Characters of a whole date.
_DAY = len("2027-01-15")


def moment_of(given: str, now: int, zone: tzinfo | None) -> int | None:
    """UTC microseconds of what is named, as of `now`; None for nothing given.

    Words are read in the zone; a week is told by its first day. Raises `UsageError` for what
    means no one day, and `BadField` for a date that there is not.
    """
    if not given:
        return None
    if given[:4].isdecimal():
        return from_iso(given)
    found = dates.annotate(given, to_datetime(now), zone)
    added = found.added if isinstance(found, dates.Annotated) else ()
    day = added[0][1].rpartition(" ")[2] if len(added) == 1 else ""
    if len(day) != _DAY or not day[:4].isdecimal():
        raise UsageError(
            "That is no date that can be worked out.",
            hint='Write it like 2027-01-15, or "in 3 days".',
        )
    return from_iso(day)
