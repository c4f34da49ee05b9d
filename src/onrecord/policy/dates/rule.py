"""One rule: a pattern of words, and what it makes of a match at its place."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

from onrecord.policy.dates.calendar import Reading
from onrecord.policy.dates.context import Context
from onrecord.policy.dates.words import phrase
from onrecord.policy.regex import Pattern

if TYPE_CHECKING:
    from onrecord.policy.regex import Match


@dataclass(frozen=True, kw_only=True)
class Meaning:
    """The words have a meaning that the calendar can tell."""

    #: the values they can have, seen from a day
    reading: Reading


@dataclass(frozen=True, kw_only=True)
class Open:
    """The words are about time, and only their author knows which."""

    #: `vague`, `event`, `calendar` or `language`
    why: str


@dataclass(frozen=True, kw_only=True)
class Kept:
    """The words only look like a date, here."""


#: nothing was recognised: another rule may try the same words
Found = Meaning | Open | Kept | None
Reader: TypeAlias = "Callable[[Match, Context], Found]"

KEPT = Kept()
VAGUE = Open(why="vague")
EVENT = Open(why="event")
CALENDAR = Open(why="calendar")


@dataclass(frozen=True)
class Rule:
    """Words that may be a date, and how to read them."""

    #: the phrase, in the notation of `words.phrase`
    source: str
    #: what a match means where it stands
    read: Reader

    @cached_property
    def pattern(self) -> Pattern:
        """The compiled phrase."""
        return phrase(rf"\b(?:{self.source})")


def meaning(reading: Reading) -> Reader:
    """A reader of words that always mean the same."""
    found = Meaning(reading=reading)
    return lambda _match, _context: found


def always(found: Found) -> Reader:
    """A reader that always finds the same."""
    return lambda _match, _context: found


def part(match: Match, name: str) -> str:
    """A named part of a match in lower case with single spaces; empty if it is absent."""
    return " ".join((match.group(name) or "").lower().split())
