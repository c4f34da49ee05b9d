"""A pack's own account of itself as rows of its delivery."""

from __future__ import annotations

from typing import TYPE_CHECKING

from onrecord.domain.session import Delivered
from onrecord.service.claims import OFFERED

if TYPE_CHECKING:
    from onrecord.service.packs import Pack


def delivered(made: Pack, *, offers: bool = False) -> tuple[Delivered, ...]:
    """A pack's own account as rows of its delivery.

    With `offers` the handoff that it holds for its session is offered to it: a prompt claims it.
    """
    shown = [
        Delivered(
            item=item,
            version=version,
            rank=rank,
            score=score,
            parts=parts,
            tokens=tokens,
            why=OFFERED if offers and item == made.handoff else "",
        )
        for item, version, rank, score, parts, tokens in made.shown
    ]
    seen = {row.item for row in shown}
    withheld = [
        Delivered(item=item, version=0, rank=0, shown=False, why=why)
        for item, why in dict(made.withheld).items()
        if item not in seen
    ]
    return (*shown, *withheld)
