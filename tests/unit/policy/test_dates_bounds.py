"""What a statement says of its own time is read where it is plain, and left alone elsewhere."""

from __future__ import annotations

from datetime import date

import pytest

from onrecord.policy.dates import Bounds, bounds

D = date


@pytest.mark.parametrize(
    ("title", "first", "last"),
    [
        ("The east stair is closed until 2031-01-05", None, D(2031, 1, 5)),
        ("Until 5 December 2031, deploys go through Argo.", None, D(2031, 12, 5)),
        ("Tomas is away until next Monday (2031-03-17).", None, D(2031, 3, 17)),
        ("The contract runs until the end of the month (2031-03-31).", None, D(2031, 3, 31)),
        ("Prices hold until the end of May 2031", None, D(2031, 5, 31)),
        ("Prices hold through Dec 3rd, 2031", None, D(2031, 12, 3)),
        ("Fares are frozen up to and including 2031-02-01", None, D(2031, 2, 1)),
        ("The freeze is extended until 1 March 2031", None, D(2031, 3, 1)),
        ("No deploys until Monday (2031-03-17)", None, D(2031, 3, 17)),
        ("Since 2030 it is data/rates.parquet", D(2030, 1, 1), None),
        ("We have used Argo since March 2030", D(2030, 3, 1), None),
        ("As of 2030-11-30 the map tiles come from Lomsund", D(2030, 11, 30), None),
        ("From 2030-01-01 on, fares are in cents", D(2030, 1, 1), None),
        ("Freeze from 2031-06-18 to 2031-06-24.", D(2031, 6, 18), D(2031, 6, 24)),
        ("From 2031-06-18 until 2031-06-24 the quay is shut", D(2031, 6, 18), D(2031, 6, 24)),
    ],
)
def test_what_bounds_the_whole_statement_is_read(
    title: str, first: date | None, last: date | None
) -> None:
    """At its beginning or its end, with a day, or a whole month or year where that is clear."""
    assert bounds(title) == Bounds(first, last)


@pytest.mark.parametrize(
    "title",
    [
        "The stair is closed until further notice",
        "The stair is closed until 2031-02-30",
        "The stair is closed until 5 December",
        "Prices hold until May 2031",
        "Prices hold until 2031",
        "Wait until 2031-01-05 14:00",
        "Is the stair closed until 2031-01-05?",
        "If the stair is closed until 2031-01-05, use the lift",
        "Discounts apply to licences sold until 2031-01-05",
        "The old path was legacy/rates.csv; since 2030 it is data/rates.parquet.",
        "Use tabs until 2031-02-03, then spaces",
        "Stair one is closed, and stair two is shut until 2031-01-05",
        "Import the orders from 2031-03-01 to 2031-04-01",
        "The export from 2031-03-01 is broken",
        "Run `quayctl plan --until 2031-06-30`",
        'The sign reads "closed until 2031-01-05"',
        "Rune said it is closed until 2031-01-05",
        "Until 2031-01-05",
        "The gate is closed until at least 2031-01-05",
        "Gesperrt bis 2031-01-05",
    ],
)
def test_what_may_bound_something_else_is_left_to_its_words(title: str) -> None:
    """Quotes, code, questions, conditions, second clauses, wholes, days that are none."""
    assert bounds(title) == Bounds(None, None)


@pytest.mark.parametrize(
    "title",
    [
        "Ports are open from 1024 to 2048",
        "Ports are open from 1900 to 2100",
        "Ports are open from low (1900) to high (2100)",
        "Ticket numbers run from 1000 to 1999",
        "Ticket numbers run from 2000 until 2100",
        "From 2000 to 2100 the ports are free",
        "Between 2000 and 2100 ports are open",
        "From 2000 on, ports are free",
        "Ports are handed out starting from 2000",
        "Error codes are valid since 1042",
        "Error codes are valid as of 2200",
        "Error codes are valid since 1042-11",
    ],
)
def test_numbers_are_no_years(title: str) -> None:
    """Four digits by themselves, outside of 1900 to 2199 or where a number may begin or end."""
    assert bounds(title) == Bounds(None, None)


@pytest.mark.parametrize(
    ("title", "first", "last"),
    [
        ("Error codes are valid since 1999", D(1999, 1, 1), None),
        ("Effective 2030, fares are in cents", D(2030, 1, 1), None),
        ("The lease is valid from 2030 to the end of 2034", D(2030, 1, 1), D(2034, 12, 31)),
        ("The lease runs from May 2030 to 2034", D(2030, 5, 1), None),
        ("The lease runs from 2030-05 until 2034-06-01", D(2030, 5, 1), D(2034, 6, 1)),
        ("From the year 2030 on, fares are in cents", None, None),
        ("Fares are frozen from next year (2031) on", D(2031, 1, 1), None),
        ("Fares are the same since 1 March 1845", D(1845, 3, 1), None),
    ],
)
def test_years_are_known_by_what_stands_beside_them(
    title: str, first: date | None, last: date | None
) -> None:
    """A word of time, a month, a day, or an end of one."""
    assert bounds(title) == Bounds(first, last)


def test_a_body_about_what_comes_afterwards_leaves_the_time_alone() -> None:
    """It is needed after the day, too; a body about something else is not."""
    title = "Deploys go through Argo until 2031-01-05"

    assert bounds(title, "Afterwards use the blue lane.") == Bounds(None, None)
    assert bounds(title, "Ask Rune for access.") == Bounds(None, D(2031, 1, 5))
