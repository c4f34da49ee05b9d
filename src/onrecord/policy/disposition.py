"""What becomes of two statements that speak against each other, where nobody is asked."""

from __future__ import annotations

#: `ask` leaves it to a person; the others are what a person chose beforehand for a scope.
DISPOSITIONS = ("ask", "supersede", "coexist", "dispute")
DEFAULT = "ask"


def decide(chosen: str, *, may_replace: bool, waits: bool, against: int) -> str:
    """What is done at once with so many statements that a new one speaks against.

    Only to what the writer may change by itself, and only where the new statement counts: a
    person's word is never displaced by an agent's. One statement takes the place of one other,
    so where there are several a person is asked.
    """
    if waits or not may_replace or chosen not in DISPOSITIONS:
        return DEFAULT
    return DEFAULT if chosen == "supersede" and against != 1 else chosen


def boundary_problem(at: int, *, starts: int | None, ends: int | None) -> str:
    """What is wrong with an instant between two periods; empty for a good one.

    `starts` is where the earlier one begins, `ends` where the later one ends.
    """
    if starts is not None and at <= starts:
        return "The old one begins only then, so it cannot end there."
    if ends is not None and at >= ends:
        return "The new one has ended by then, so it cannot begin there."
    return ""
