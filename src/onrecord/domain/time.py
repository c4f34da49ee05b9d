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
    moment = _EPOCH + timedelta(microseconds=at)
    return moment.strftime("%Y-%m-%dT%H:%M:%S.%f") + "Z"


def from_iso(text: str) -> int:
    """An ISO 8601 date or time as UTC microseconds; a time without a zone counts as UTC."""
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError:
        raise BadField(
            "That is not a date or time.",
            hint="write it as 2026-11-30 or 2026-11-30T14:05:00Z",
            details={"field": "time", "given_length": len(text)},
        ) from None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return from_datetime(moment)


def from_datetime(moment: datetime) -> int:
    """An aware moment as UTC microseconds; a naive one is refused."""
    if moment.tzinfo is None:
        raise BadField("A time needs a zone.", hint="use a datetime with tzinfo")
    return (moment - _EPOCH) // timedelta(microseconds=1)


def to_datetime(at: int) -> datetime:
    """UTC microseconds as an aware datetime in UTC."""
    return _EPOCH + timedelta(microseconds=at)


def check_interval(valid_from: int | None, valid_to: int | None) -> None:
    """Refuse an empty or negative interval."""
    if valid_from is not None and valid_to is not None and valid_to <= valid_from:
        raise BadField(
            "`valid_to` must lie after `valid_from`.",
            details={"field": "valid_to", "valid_from": valid_from, "valid_to": valid_to},
        )


def holds_at(valid_from: int | None, valid_to: int | None, at: int) -> bool:
    """Whether a half-open interval covers an instant; a missing bound is open."""
    return (valid_from is None or valid_from <= at) and (valid_to is None or at < valid_to)


def after(now: int, last: int | None) -> int:
    """An instant after the last recorded one, so that a clock set back misorders nothing."""
    return now if last is None or now > last else last + 1
