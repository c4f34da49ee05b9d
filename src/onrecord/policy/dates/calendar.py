"""What a relative phrase means, seen from the day it was said: calendar arithmetic only.

Each function gives a reading: called with a `Now`, it answers the values that the phrase can
have. One value is a clear meaning; several are a question. Weeks begin on Monday.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, timedelta

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
        return lambda now: ((now.moment + away).isoformat(timespec="minutes"),)
    if unit in _DAYS:
        return days_away(count * _DAYS[unit])
    if unit == "month":
        return lambda now: (str(shift_month(now.day, count))[:7],)
    if unit == "quarter":
        return lambda now: (_quarter(_start("quarter", now.day, count)),)
    years = count * _MONTHS[unit] // 12
    if abs(years) > _FARTHEST:
        raise ValueError("a figure of speech")
    return lambda now: (str(date(now.day.year + years, 1, 1))[:4],)


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


def _weekend(day: date, away: int) -> tuple[str, ...]:
    def named(weeks: int) -> str:
        saturday = day + timedelta(days=_SATURDAY - day.weekday() + 7 * weeks)
        return f"{saturday} to {saturday + timedelta(days=1)}"

    if away > 0 and day.weekday() < _SATURDAY:
        return named(away - 1), named(away)
    return (named(away),)


def edge(unit: str, away: int, *, last: bool) -> Reading:
    """The first or the last day of a week, month, quarter or year."""
    if not last:
        return lambda now: (str(_start(unit, now.day, away)),)
    return lambda now: (str(_start(unit, now.day, away + 1) - timedelta(days=1)),)


def weekday_in_week(weekday: int, weeks: int) -> Reading:
    """A weekday of this week, or of one some weeks away."""
    return lambda now: (str(now.day + timedelta(days=weekday - now.day.weekday() + 7 * weeks)),)


def weekday_last(weekday: int) -> Reading:
    """`last Friday`: in the week before; open if this week's Friday has passed as well."""

    def read(now: Now) -> tuple[str, ...]:
        gone = (now.day.weekday() - weekday) % 7 or 7
        latest = now.day - timedelta(days=gone)
        if weekday < now.day.weekday():
            return str(latest), str(latest - timedelta(days=7))
        return (str(latest),)

    return read


def weekday_next(weekday: int) -> Reading:
    """`next Friday`: in the week after; open if this week's Friday is still to come."""

    def read(now: Now) -> tuple[str, ...]:
        ahead = (weekday - now.day.weekday()) % 7 or 7
        soonest = now.day + timedelta(days=ahead)
        if weekday > now.day.weekday():
            return str(soonest), str(soonest + timedelta(days=7))
        return (str(soonest),)

    return read


def weekday_this(weekday: int) -> Reading:
    """`this Friday`: in this week; open if it has passed."""

    def read(now: Now) -> tuple[str, ...]:
        here = now.day + timedelta(days=weekday - now.day.weekday())
        return (str(here),) if here >= now.day else (str(here), str(here + timedelta(days=7)))

    return read


def weekday_past(weekday: int, *, back: int = 0, today: bool = True) -> Reading:
    """The latest such day that has passed; open if today is one, unless it cannot be meant."""

    def read(now: Now) -> tuple[str, ...]:
        gone = (now.day.weekday() - weekday) % 7
        values = (0, 7) if gone == 0 and today else (gone or 7,)
        return tuple(str(now.day - timedelta(days=days + 7 * back)) for days in values)

    return read


def weekday_coming(weekday: int) -> Reading:
    """The first such day to come; open if today is one."""

    def read(now: Now) -> tuple[str, ...]:
        ahead = (weekday - now.day.weekday()) % 7
        return tuple(
            str(now.day + timedelta(days=d)) for d in ((0, 7) if ahead == 0 else (ahead,))
        )

    return read


def month_named(month: int, direction: int) -> Reading:
    """A month by its name: the latest one (-1), this year's (0) or the next one (1)."""

    def read(now: Now) -> tuple[str, ...]:
        year, here = now.day.year, now.day.month
        if direction < 0:
            years = (year, year - 1) if month == here else (year if month < here else year - 1,)
        elif direction > 0:
            years = (year, year + 1) if month == here else (year if month > here else year + 1,)
        else:
            years = (year,)
        return tuple(f"{y:04d}-{month:02d}" for y in years)

    return read


def month_beside(month: int, direction: int) -> Reading:
    """`last March`, `next June`: open if this year's lies on the same side."""

    def read(now: Now) -> tuple[str, ...]:
        year, here = now.day.year, now.day.month
        same_side = month < here if direction < 0 else month > here
        years = (year, year + direction) if same_side else (year + direction,)
        return tuple(f"{y:04d}-{month:02d}" for y in years)

    return read


def month_edge(month: int, direction: int, *, last: bool) -> Reading:
    """The first or last day of a month told by its name."""

    def read(now: Now) -> tuple[str, ...]:
        firsts = (date.fromisoformat(m + "-01") for m in month_named(month, direction)(now))
        if not last:
            return tuple(map(str, firsts))
        return tuple(str(shift_month(first, 1) - timedelta(days=1)) for first in firsts)

    return read


def quarter_named(quarter: int, tense: str, *, last: bool = False) -> Reading:
    """A quarter by its number, in this year unless the tense says otherwise."""

    def read(now: Now) -> tuple[str, ...]:
        here, year = (now.day.month + 2) // 3, now.day.year
        if quarter < here and tense != "past":
            years = (year + 1,) if tense == "future" else (year, year + 1)
        elif quarter > here and tense == "past":
            years = (year - 1,)
        else:
            years = (year,)
        if not last:
            return tuple(f"{y:04d}-Q{quarter}" for y in years)
        ends = (shift_month(date(y, 3 * quarter, 1), 1) - timedelta(days=1) for y in years)
        return tuple(map(str, ends))

    return read


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


def nth_weekday(weekday: int, order: int, months: int) -> Reading:
    """The first to fourth (1 to 4) or the last (-1) such weekday of a month."""

    def read(now: Now) -> tuple[str, ...]:
        if order < 0:
            day = shift_month(now.day, months + 1) - timedelta(days=1)
            return (str(day - timedelta(days=(day.weekday() - weekday) % 7)),)
        day = shift_month(now.day, months)
        ahead = (weekday - day.weekday()) % 7 + 7 * (order - 1)
        return (str(day + timedelta(days=ahead)),)

    return read


def day_of_month(number: int, direction: int) -> Reading:
    """The latest (-1) or next (1) day with this number; open if today has it."""

    def read(now: Now) -> tuple[str, ...]:
        steps = range(0, direction * 12, direction)
        firsts = (shift_month(now.day, away) for away in steps)
        days = [first + timedelta(days=number - 1) for first in firsts]
        fit = [day for day in days if day.day == number and (day - now.day).days * direction >= 0]
        return (str(fit[0]), str(fit[1])) if fit[0] == now.day else (str(fit[0]),)

    return read
