"""What sessions made of memories that they were given, where it moves a recall's order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

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
        share = unwanted([row for row in tx.provenance.feedback(hit.item.id) if row.at <= until])
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


def unwanted(rows: Sequence[Feedback]) -> float:
    """From 0 to 1 by how many sessions last called it not relevant, less those it helped."""
    last: dict[str, str] = {}
    for row in rows:
        last[row.session or f"{row.by.writer}:{row.by.name}"] = row.verdict
    said = list(last.values())
    return max(0, min(_FULL, said.count("not_relevant") - said.count("helpful"))) / _FULL


def is_first(rows: Sequence[Feedback], row: Feedback) -> bool:
    """Whether nobody of that session said the same of it before."""
    who = (row.session, row.by.writer, row.by.name)
    return all(
        (one.session, one.by.writer, one.by.name) != who
        for one in rows
        if one.verdict == row.verdict
    )
