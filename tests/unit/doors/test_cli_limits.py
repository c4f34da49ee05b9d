"""Numbers, durations and times from the command line."""

from __future__ import annotations

import argparse

import pytest

from onrecord.domain.errors import BadField, UsageError
from onrecord.doors.cli import limits


@pytest.mark.parametrize("text", ["1", "200", " 7 "])
def test_rows_takes_whole_numbers(text: str) -> None:
    """From one to the most that leaves at once."""
    assert limits.rows(text) == int(text)


@pytest.mark.parametrize("text", ["0", "-1", "201", "x", "", "1.5", "٣", "²", "9" * 5000])
def test_rows_refuses_anything_else(text: str) -> None:
    """Zero, signs, fractions, other digits and endless numbers are told what is wanted."""
    with pytest.raises(argparse.ArgumentTypeError, match="from 1 to 200"):
        limits.rows(text)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [("90s", 90), ("90", 90), ("2m", 120), ("12h", 43_200), ("30d", 2_592_000), ("8w", 4_838_400)],
)
def test_durations(text: str, wanted: int) -> None:
    """A number and a unit; seconds where there is none."""
    assert limits.seconds(text) == wanted


@pytest.mark.parametrize("text", ["5x", "d", "-3d", "1.5h", "٣d", "9" * 40 + "d"])
def test_durations_that_are_none(text: str) -> None:
    """The error says how one is written."""
    with pytest.raises(UsageError, match="30d"):
        limits.seconds(text)


def test_nothing_given_is_nothing() -> None:
    """An option that was left out has no value."""
    assert limits.seconds("") is None
    assert limits.moment("") is None
    with pytest.raises(BadField):
        limits.moment("tomorrow")
