"""RE2 for citations, what a rule finds, and how the neighbours of a find are read."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, Protocol, cast

import re2  # type: ignore[import-untyped]

if TYPE_CHECKING:
    from collections.abc import Iterator

#: how far back the word before a find is looked for, in code points
_NEAR = 40


class Match(Protocol):
    """Where RE2 found a pattern; offsets count code points."""

    def group(self, group: int = 0, /) -> str | None:
        """The text of a group."""
        ...

    def start(self, group: int = 0, /) -> int:
        """Where a group begins."""
        ...

    def end(self, group: int = 0, /) -> int:
        """Where a group ends."""
        ...


class Compiled(Protocol):
    """What RE2 makes of a pattern."""

    def finditer(self, text: str) -> Iterator[Match]:
        """Every find, left to right."""
        ...


class Engine(Protocol):
    """The part of RE2 that is needed here."""

    def compile(self, pattern: str) -> Compiled:
        """Compile a pattern, or raise on a wrong one."""
        ...


class Found(NamedTuple):
    """A citation as its rule found it."""

    #: where it stands
    start: int
    end: int
    #: file · line · flag · url · commit · function
    kind: str
    #: the path, or the words
    target: str
    #: first and last line of a file
    lines: tuple[int, int] | None = None


@lru_cache(maxsize=16)
def compiled(source: str) -> Compiled:
    """A pattern, compiled when it is first used."""
    return cast("Engine", re2).compile(source)


def before(text: str, start: int) -> str:
    """The character before a place; a space at the start of the text."""
    return text[start - 1 : start] if start else " "


def joined(text: str, start: int) -> bool:
    """Whether a Latin letter, a digit or `_` stands directly before: the find is half a word."""
    char = before(text, start)
    return char.isascii() and (char.isalnum() or char == "_")


def word_before(text: str, start: int) -> str:
    """The word before a place, lower case and without marks; empty if there is none."""
    words = text[max(0, start - _NEAR) : start].split()
    return words[-1].strip("`\"'(*:,").lower() if words else ""
