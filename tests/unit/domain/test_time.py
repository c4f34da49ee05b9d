"""Instants as text, and half-open intervals."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onrecord.domain.errors import BadField
from onrecord.domain.time import (
    DAY,
    HOUR,
    SECOND,
    after,
    from_datetime,
    from_iso,
    holds_at,
    to_datetime,
    to_iso,
)

FIRST, LAST = -62_135_596_800 * SECOND, 253_402_300_800 * SECOND - 1


@given(st.integers(FIRST, LAST))
def test_an_instant_survives_as_text(at: int) -> None:
    """Every microsecond that a calendar knows is written and read back."""
    assert from_iso(to_iso(at)) == at
    assert from_datetime(to_datetime(at)) == at


@pytest.mark.parametrize("at", [FIRST, -1, 0, 1, LAST])
def test_texts_sort_as_their_instants_do(at: int) -> None:
    """All have one length, so that the letters' order is the order in time."""
    assert len(to_iso(at)) == len(to_iso(0))


def test_an_instant_is_written_in_utc() -> None:
    """With microseconds and a final Z."""
    assert to_iso(0) == "1970-01-01T00:00:00.000000Z"
    assert to_iso(1_767_225_600 * SECOND + 5) == "2026-01-01T00:00:00.000005Z"


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("1970-01-02", DAY),
        (" 1970-01-01T01:00:00Z\n", HOUR),
        ("1970-01-01T01:00:00", HOUR),
        ("1970-01-01T01:00:00+01:00", 0),
        ("1970-01-01T01:00:00.000001Z", HOUR + 1),
    ],
)
def test_dates_and_times_are_read(text: str, at: int) -> None:
    """A time without a zone counts as UTC; a date is its midnight."""
    assert from_iso(text) == at


@pytest.mark.parametrize(
    "text",
    [
        "",
        "soon",
        "2026-13-01",
        "0001-01-01T00:00:00+23:59",
        "9999-12-31T23:59:59-23:59",
    ],
)
def test_what_is_no_date_is_refused(text: str) -> None:
    """As an error of the tree that says how to write one and repeats nothing."""
    with pytest.raises(BadField) as caught:
        from_iso(text)

    assert "2026-11-30" in caught.value.hint
    assert not text or text not in str(caught.value)


def test_a_time_without_a_zone_is_refused() -> None:
    """It would mean another instant on another machine."""
    with pytest.raises(BadField):
        from_datetime(datetime(2026, 1, 1))  # noqa: DTZ001 - what is refused

    assert from_datetime(datetime(1970, 1, 1, 1, tzinfo=timezone(timedelta(hours=1)))) == 0
    assert to_datetime(0) == datetime(1970, 1, 1, tzinfo=UTC)


def test_an_interval_is_half_open() -> None:
    """It holds from its first instant on, up to but without its end; a missing end is open."""
    assert [holds_at(5, 7, at) for at in (4, 5, 6, 7)] == [False, True, True, False]
    assert holds_at(None, 7, -LAST) is True
    assert holds_at(5, None, LAST) is True
    assert holds_at(None, None, 0) is True


def test_a_clock_that_was_set_back_misorders_nothing() -> None:
    """What follows the last instant is later than it."""
    assert after(10, None) == 10
    assert after(10, 9) == 10
    assert after(10, 10) == 11
    assert after(3, 10) == 11
