"""Chains of renamings, followed to their ends (light)."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

#: Longest chain of renamings that is followed.
MOST_RENAMINGS = 64


def current_names(rows: Iterable[Sequence[Any]]) -> dict[str, str]:
    """(old, new) rows as old name -> the name that its chain ends at."""
    steps = {row[0]: row[1] for row in rows}
    found: dict[str, str] = {}
    for old, new in steps.items():
        name = new
        for _ in range(MOST_RENAMINGS):
            if name not in steps:
                break
            name = steps[name]
        found[old] = name
    return found
