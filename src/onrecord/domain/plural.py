"""Numbers of things, in words that fit the number."""

from __future__ import annotations


def counted(number: int, one: str) -> str:
    """`1 memory`, `2 memories`, `1,200 lines`; `one` is what a single one is called."""
    return f"{number:,} {one if number == 1 else plural(one)}"


def plural(one: str) -> str:
    """What several are called: `memory` becomes `memories`, `day` becomes `days`."""
    if one.endswith("y") and one[-2:-1] not in "aeiou":
        return f"{one[:-1]}ies"
    return f"{one}s"


def fits(number: int, one: str, several: str) -> str:
    """The word that goes with the number: `is` or `are`, say."""
    return one if number == 1 else several
