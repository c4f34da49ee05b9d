"""What somebody names as a moment is one, or is asked back."""

from __future__ import annotations

from datetime import UTC

import pytest

from onrecord.domain.errors import BadField, UsageError
from onrecord.domain.time import DAY, from_iso
from onrecord.service.moments import moment_of

#: a Monday
NOW = from_iso("2026-11-30T09:00:00Z")


@pytest.mark.parametrize(
    ("given", "day"),
    [
        ("2027-01-15", "2027-01-15"),
        ("2027-01-15T08:30:00Z", "2027-01-15T08:30:00Z"),
        ("in 3 days", "2026-12-03"),
        ("tomorrow", "2026-12-01"),
    ],
)
def test_dates_and_words_are_moments(given: str, day: str) -> None:
    """A date as it is, words as of now."""
    assert moment_of(given, NOW, UTC) == from_iso(day)


def test_nothing_given_is_no_moment() -> None:
    """Neither now nor an error."""
    assert moment_of("", NOW, UTC) is None


@pytest.mark.parametrize("given", ["soon", "recently", "one day", "in 3 days or in 5 days"])
def test_what_means_no_one_day_is_asked_back(given: str) -> None:
    """It is never guessed."""
    with pytest.raises(UsageError):
        moment_of(given, NOW, UTC)


def test_a_date_that_there_is_not_is_told() -> None:
    """As a field outside its limits."""
    with pytest.raises(BadField):
        moment_of("2027-02-31", NOW, UTC)


def test_a_day_ends_where_the_next_begins() -> None:
    """In the zone that the words are read in."""
    first, second = (moment_of(f"in {n} days", NOW, UTC) for n in (3, 4))

    assert first is not None
    assert second == first + DAY
