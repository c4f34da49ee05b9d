"""Days, months and quarters that are told by a name or a number, seen from the day of writing.

Two values mean that a reader of that day could take the name for either.
"""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING

from onrecord.policy.dates.calendar import shift_month

if TYPE_CHECKING:
    from onrecord.policy.dates.calendar import Now, Reading


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


def day_in_month(number: int, months: int) -> Reading:
    """A day by its number in the month that lies some months away; raises if it has none."""
    return lambda now: (str(shift_month(now.day, months).replace(day=number)),)


def day_of_month(number: int, direction: int) -> Reading:
    """The latest (-1) or next (1) day with this number; open if today has it."""

    def read(now: Now) -> tuple[str, ...]:
        steps = range(0, direction * 12, direction)
        firsts = (shift_month(now.day, away) for away in steps)
        days = [first + timedelta(days=number - 1) for first in firsts]
        fit = [day for day in days if day.day == number and (day - now.day).days * direction >= 0]
        return (str(fit[0]), str(fit[1])) if fit[0] == now.day else (str(fit[0]),)

    return read
