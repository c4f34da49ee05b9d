"""What sessions made of memories that they were given, where it moves a recall's order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

from onrecord.domain.event import Event
from onrecord.domain.ports import Transaction
from onrecord.domain.provenance import Feedback
from onrecord.service.answers import Hit

#: What `not_relevant` takes from a score at most: as much as being used a lot adds.
WEIGHT = 0.02
#: So many sessions that say so take all of it.
_FULL = 3


def weighed(tx: Transaction, hits: Sequence[Hit], *, until: int) -> tuple[Hit, ...]:
    """The hits in the order that what was said of them until then leaves them in.

    Belief is not touched: it is not said to be wrong, only that it did not belong there.
    """
    found: list[Hit] = []
    for hit in hits:
        share = unwanted([row for row in standing(tx, hit.item.id) if row.at <= until])
        if share:
            part = -WEIGHT * share
            hit = replace(  # noqa: PLW2901 - the same hit, weighed
                hit,
                score=hit.score + part,
                parts={**hit.parts, "feedback": part},
                reasons=(*hit.reasons, "called not relevant"),
            )
        found.append(hit)
    return tuple(sorted(found, key=lambda hit: -hit.score))


def standing(tx: Transaction, item: str) -> list[Feedback]:
    """What was said of an item and not taken back since, oldest first.

    A row stays as it was put on record; the log says whether it counts.
    """
    rows = tx.provenance.feedback(item)
    if not rows:
        return rows
    gone: set[str] = set()
    undone: set[int] = set()
    for line in reversed(tx.events.of(item)):
        if line.seq in undone:
            gone |= _named(line)
        elif line.undoes:
            undone.add(line.undoes)
    return [row for row in rows if row.id not in gone]


def _named(line: Event) -> set[str]:
    """Ids of the opinions that came by a line."""
    bound = line.change["bound"][1] if "bound" in line.change else ()
    told = cast("Sequence[Sequence[str]]", bound)
    return {name for kind, _, name, _ in told if kind == "feedback"}


def helped(rows: Sequence[Feedback]) -> int:
    """How many said that it helped, each counted once."""
    said = {(row.session, row.by.writer, row.by.name) for row in rows if row.verdict == "helpful"}
    return len(said)


def unwanted(rows: Sequence[Feedback]) -> float:
    """From 0 to 1 by how many sessions last called it not relevant, less those it helped."""
    last: dict[str, str] = {}
    for row in rows:
        last[row.session or f"{row.by.writer}:{row.by.name}"] = row.verdict
    said = list(last.values())
    return max(0, min(_FULL, said.count("not_relevant") - said.count("helpful"))) / _FULL
