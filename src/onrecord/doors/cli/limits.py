"""Numbers and times given on the command line."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from onrecord.domain.errors import UsageError

#: At most this many rows leave at once; listings go on from a cursor.
MOST = 200

_UNITS = {"s": 1, "m": 60, "h": 3_600, "d": 86_400, "w": 604_800}
_LONGEST = 9


def rows(text: str) -> int:
    """How many rows to show: 1 to MOST."""
    return _whole(text, MOST)


def positive(text: str) -> int:
    """A whole number of at least 1."""
    return _whole(text, 999_999_999)


def named(what: str) -> Callable[[str], str]:
    """The type of an option that takes a name: a blank one is told what is wanted."""

    def name(text: str) -> str:
        if not text.strip():
            raise argparse.ArgumentTypeError(f"give {what}, or leave the option out")
        return text

    return name


def _whole(text: str, most: int) -> int:
    given = text.strip()
    if (
        given.isascii()
        and given.isdecimal()
        and len(given) <= _LONGEST
        and 1 <= int(given) <= most
    ):
        return int(given)
    raise argparse.ArgumentTypeError(f"give a whole number from 1 to {most}")


def seconds(given: str) -> int | None:
    """A duration like 90s, 12h, 30d or 8w in seconds; None for nothing given."""
    if not given:
        return None
    number, unit = (given, "s") if given[-1:].isdecimal() else (given[:-1], given[-1:])
    fits = number.isascii() and number.isdecimal() and len(number) <= _LONGEST
    if not fits or unit not in _UNITS:
        raise UsageError("A time is written like 90s, 12h, 30d or 8w.")
    return int(number) * _UNITS[unit]


def moment(given: str) -> int | None:
    """A date or time as an instant; None for nothing given."""
    from onrecord.domain.time import from_iso

    return from_iso(given) if given else None
