"""When a reminder's moment is past, wherever its author lives."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from onrecord.domain.errors import BadField
from onrecord.domain.time import from_datetime, from_iso
from onrecord.service.reminders import coming

NOW = from_datetime(datetime(2026, 11, 30, 12, tzinfo=UTC))
WEST = timezone(timedelta(hours=-10))
EAST = timezone(timedelta(hours=13))


@pytest.mark.parametrize(
    ("given", "zone"),
    [
        ("2026-11-30", None),
        ("2026-11-30", WEST),
        # the day has begun there, and goes on in UTC
        ("2026-12-01", EAST),
        ("2026-11-30", EAST),
        ("2026-11-30T12:00:00Z", None),
        ("today", None),
        ("tomorrow", EAST),
        ("in 3 days", WEST),
    ],
)
def test_a_day_that_goes_on_is_not_past(given: str, zone: timezone | None) -> None:
    """Neither is the moment itself."""
    found = coming(given, NOW, zone)

    assert found is not None
    assert found >= from_iso("2026-11-30")


def test_a_day_that_is_over_in_utc_goes_on_in_the_west() -> None:
    """At two in the morning UTC it is still yesterday in Honolulu."""
    night = from_iso("2026-12-01T02:00:00Z")

    assert coming("2026-11-30", night, WEST) == from_iso("2026-11-30")
    with pytest.raises(BadField):
        coming("2026-11-30", night, UTC)


@pytest.mark.parametrize(
    "given",
    ["2026-11-29", "2020-01-01", "yesterday", "2026-11-30T11:59:59Z", from_iso("2026-11-01")],
)
def test_what_is_over_is_sent_back(given: str | int) -> None:
    """With the day that was understood, and what to write instead."""
    with pytest.raises(BadField, match="past") as caught:
        coming(given, NOW, None)

    assert "day to come" in caught.value.hint
    assert caught.value.details == {"field": "at"}


def test_nothing_given_is_no_moment() -> None:
    """It comes up when it fits."""
    assert coming("", NOW, None) is None
    assert coming(None, NOW, None) is None
