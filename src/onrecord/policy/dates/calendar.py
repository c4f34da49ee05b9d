"""What a relative phrase means, seen from the day it was said: calendar arithmetic only.

Each function gives a reading: called with a `Now`, it answers the values that the phrase can
have. One value is a clear meaning; several are a question. Weeks begin on Monday.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

_SATURDAY = 5
_DAYS = {"day": 1, "week": 7, "fortnight": 14}
_MONTHS = {"month": 1, "quarter": 3, "year": 12, "decade": 120}
#: years farther away than this are history, which nobody dates from the day of writing
_FARTHEST = 200
_CLOCK = {"hour": 3600, "minute": 60, "second": 1}


@dataclass(frozen=True, kw_only=True)
class Now:
    """The day on which a text was recorded, where it was recorded."""

    #: the local day
    day: date
    #: the same moment with its offset, for hours and minutes
    moment: datetime


Reading = Callable[[Now], tuple[str, ...]]


def shift_month(day: date, months: int) -> date:
    """The first day of the month that lies some months away."""
    index = day.year * 12 + day.month - 1 + months
    return date(index // 12, index % 12 + 1, 1)


def _start(unit: str, day: date, away: int) -> date:
    """The first day of the week, month, quarter or year that lies some of them away."""
    if unit == "week":
        return day - timedelta(days=day.weekday() - 7 * away)
    if unit == "month":
        return shift_month(day, away)
    if unit == "quarter":
        return shift_month(day, 3 * away - (day.month - 1) % 3)
    return date(day.year + away, 1, 1)


def _quarter(first: date) -> str:
    return f"{first.year}-Q{(first.month + 2) // 3}"


def days_away(days: int) -> Reading:
    """The day some days away."""
    return lambda now: (str(now.day + timedelta(days=days)),)


def units_away(unit: str, count: int) -> Reading:
    """A number of units away, as exact as the unit is: a day, a month, a year, a minute."""
    if unit in _CLOCK:
        away = timedelta(seconds=count * _CLOCK[unit])
        return lambda now: (_moment(now.moment, away),)
    if unit in _DAYS:
        return days_away(count * _DAYS[unit])
    if unit == "month":
        return lambda now: (str(shift_month(now.day, count))[:7],)
    if unit == "quarter":
        return lambda now: (_quarter(_start("quarter", now.day, count)),)
    years = count * _MONTHS[unit] // 12
    return lambda now: (_year(now.day.year, years),)


def period(unit: str, away: int) -> Reading:
    """The week, weekend, month, quarter or year that lies some of them away."""
    if unit == "weekend":
        return lambda now: _weekend(now.day, away)
    if unit == "week":
        return lambda now: (f"week of {_start('week', now.day, away)}",)
    if unit == "quarter":
        return lambda now: (_quarter(_start("quarter", now.day, away)),)
    length = len("2031-03") if unit == "month" else len("2031")
    return lambda now: (str(_start(unit, now.day, away))[:length],)


def _year(here: int, away: int) -> str:
    if abs(away) > _FARTHEST:
        raise ValueError("a figure of speech")
    return str(date(here + away, 1, 1))[:4]


def _moment(moment: datetime, away: timedelta) -> str:
    """A minute, reached in elapsed time: clocks may be set in between."""
    return (moment.astimezone(UTC) + away).astimezone(moment.tzinfo).isoformat(timespec="minutes")


def _weekend(day: date, away: int) -> tuple[str, ...]:
    def named(weeks: int) -> str:
        saturday = day + timedelta(days=_SATURDAY - day.weekday() + 7 * weeks)
        return f"{saturday} to {saturday + timedelta(days=1)}"

    if away > 0 and day.weekday() < _SATURDAY:
        return named(away - 1), named(away)
    return (named(away),)


def coming_weekend(now: Now) -> tuple[str, ...]:
    """The next weekend to begin; open on a Saturday and a Sunday."""
    here = _weekend(now.day, 0)
    return here if now.day.weekday() < _SATURDAY else (*here, *_weekend(now.day, 1))


def edge(unit: str, away: int, *, last: bool) -> Reading:
    """The first or the last day of a week, month, quarter or year."""
    if not last:
        return lambda now: (str(_start(unit, now.day, away)),)
    return lambda now: (str(_start(unit, now.day, away + 1) - timedelta(days=1)),)


def prefixed(words: str, reading: Reading) -> Reading:
    """The same values with words before them, such as `until`."""
    return lambda now: tuple(f"{words} {value}" for value in reading(now))


def since(reading: Reading) -> Reading:
    """From the day that a reading gives until today."""
    return lambda now: tuple(f"{value} to {now.day}" for value in reading(now))


def same_day(unit: str, count: int) -> Reading:
    """The day that lies a number of units away, in the middle of a month as well."""
    if unit in _DAYS:
        return days_away(count * _DAYS[unit])

    def read(now: Now) -> tuple[str, ...]:
        first = shift_month(now.day, count * _MONTHS[unit])
        last = shift_month(first, 1) - timedelta(days=1)
        return (str(min(last, first + timedelta(days=now.day.day - 1))),)

    return read


def either(first: Reading, second: Reading) -> Reading:
    """The values of both, for words that may mean one or the other."""
    return lambda now: tuple(dict.fromkeys((*first(now), *second(now))))
