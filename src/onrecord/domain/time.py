"""Instants and intervals: UTC microseconds, half-open, on both clocks."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from onrecord.domain.errors import BadField

SECOND = 1_000_000
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE
DAY = 24 * HOUR
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def to_iso(at: int) -> str:
    """An instant as ISO 8601 in UTC with microseconds and a final Z."""
    return to_datetime(at).isoformat(timespec="microseconds").removesuffix("+00:00") + "Z"


def from_iso(text: str) -> int:
    """An ISO 8601 date or time as UTC microseconds; a time without a zone counts as UTC.

    A month or a year alone (2026-03, 2026) is its first instant.
    """
    text = text.strip()
    if len(text) in (4, 7) and text.replace("-", "").isdecimal():
        text += "-01-01" if len(text) == 4 else "-01"  # noqa: PLR2004 - four digits of a year
    try:
        moment = datetime.fromisoformat(text)
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=UTC)
        # a zone can move the ends of the calendar beyond what it holds
        return from_datetime(moment.astimezone(UTC))
    except (ValueError, OverflowError):
        raise BadField(
            "That is not a date or time.",
            hint="write it as 2026-11-30 or 2026-11-30T14:05:00Z",
            details={"field": "time", "given_length": len(text)},
        ) from None


def from_datetime(moment: datetime) -> int:
    """An aware moment as UTC microseconds; a naive one is refused."""
    if moment.tzinfo is None:
        raise BadField("A time needs a zone.", hint="use a datetime with tzinfo")
    return (moment - _EPOCH) // timedelta(microseconds=1)


def to_datetime(at: int) -> datetime:
    """UTC microseconds as an aware datetime in UTC."""
    return _EPOCH + timedelta(microseconds=at)


def holds_at(valid_from: int | None, valid_to: int | None, at: int) -> bool:
    """Whether a half-open interval covers an instant; a missing bound is open."""
    return (valid_from is None or valid_from <= at) and (valid_to is None or at < valid_to)


def after(now: int, last: int | None) -> int:
    """An instant after the last recorded one, so that a clock set back misorders nothing."""
    return now if last is None or now > last else last + 1
