"""Misspelt words: looked up by their beginning, taken for a near word that is there (light)."""

from __future__ import annotations

from onrecord.domain.query import LexicalQuery
from onrecord.retrieval import fit, spelling
from onrecord.retrieval.found import BODY, READ, Read, Recalled
from onrecord.retrieval.words import fold

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from onrecord.domain.ports import Shelf


def mend(
    shelf: Shelf, recalled: Recalled, read: Sequence[Read], query: LexicalQuery
) -> list[Read]:
    """Take words that no candidate has for near ones that some have.

    Marks what was found in `read` and in `recalled.corrected`; returns the candidates that only
    came up by this.
    """
    missing = [
        at
        for at, unit in enumerate(recalled.units)
        if not unit.run
        and not unit.weak
        and "".join(unit.parts).isalpha()
        and not any(one.found[at] > fit.SCATTERED for one in read)
    ]
    if not missing:
        return []
    more = _look_up(shelf, recalled, read, query, missing)
    for one in (*read, *more):
        words = one.text.spaced.split()
        for at in missing:
            unit = recalled.units[at]
            meant = spelling.nearest("".join(unit.parts), words)
            if meant:
                one.found[at] = fit.NEAR
                one.titled[at] = fit.NEAR if meant in fold(one.item.title) else 0.0
                recalled.corrected[unit.whole] = meant
    return more


def _look_up(
    shelf: Shelf,
    recalled: Recalled,
    read: Sequence[Read],
    query: LexicalQuery,
    missing: Sequence[int],
) -> list[Read]:
    stumps = [spelling.beginning(recalled.units[at].parts[0]) for at in missing]
    wider = LexicalQuery(
        terms=stumps, scopes=query.scopes, now=query.now, kinds=query.kinds, limit=READ
    )
    have = {one.item.id for one in read}
    probes = [fit.Probe(unit) for unit in recalled.units]
    return [
        Read(item, probes, by_name=True)
        for item in shelf.matching(wider, body_chars=BODY)
        if item.id not in have
    ]
