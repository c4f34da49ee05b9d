"""What decisions left beside an item, as far as they stand: none that was taken back since."""

from __future__ import annotations

from collections.abc import Sequence

from onrecord.domain.event import Event
from onrecord.domain.ports import Transaction
from onrecord.domain.provenance import Link, Review
from onrecord.service import past, settling

#: A decision -> the actions of the lines that may have put it on record.
_LINES = {"approve": ("approved", "affirmed"), "reject": ("rejected",)}


def links(tx: Transaction, item: str, as_of: int | None = None) -> list[Link]:
    """Relations of an item that there were at an instant, but for places it gave back."""
    return standing(tx, item, tx.provenance.links_from(item), as_of)


def standing(
    tx: Transaction, item: str, rows: Sequence[Link], as_of: int | None = None
) -> list[Link]:
    """The same of an item's rows that were read already."""
    found = past.links(rows, as_of)
    if not any(link.kind == "supersedes" for link in found):
        return found
    taken: dict[str, bool] = {}
    for line in _known(tx.events.of(item), as_of):
        for name in ("replaced", "unreplaced"):
            if name in line.change:
                taken[str(line.change[name][1])] = name == "replaced"
    return [link for link in found if link.kind != "supersedes" or taken.get(link.target, True)]


def reviews(tx: Transaction, item: str, as_of: int | None = None) -> list[Review]:
    """A person's decisions about an item that stood at an instant."""
    found = [row for row in tx.provenance.reviews(item) if as_of is None or row.at <= as_of]
    if not found:
        return found
    lines = _known(tx.events.of(item), as_of)
    standing = {line.seq for line in settling.standing_after(lines, 0)}
    return [row for row in found if _stands(row, lines, standing)]


def _known(lines: Sequence[Event], as_of: int | None) -> list[Event]:
    return [line for line in lines if as_of is None or line.at <= as_of]


def _stands(row: Review, lines: Sequence[Event], standing: set[int]) -> bool:
    """Whether the line that put it on record was not taken back; one without a line stands."""
    made = [
        line.seq
        for line in lines
        if line.at == row.at and line.action in _LINES.get(row.decision, ())
    ]
    return not made or any(seq in standing for seq in made)
