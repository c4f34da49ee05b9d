"""Misspelt words, taken for a near word that is there (light).

They are looked up by their beginning and by what they are without a slip, inside the scopes
of the query: no word of another scope, or of an item that the caller may not see, comes in.
"""

from __future__ import annotations

from onrecord.domain.query import LexicalQuery
from onrecord.retrieval import fit, spelling
from onrecord.retrieval.found import BODY, READ, Read, Recalled
from onrecord.retrieval.words import fold

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from onrecord.domain.candidate import Candidate
    from onrecord.domain.shelf import Shelf

#: Terms that misspelt words are looked up by, all in all.
_TERMS = 60


def mend(
    shelf: Shelf,
    recalled: Recalled,
    read: Sequence[Read],
    query: LexicalQuery,
    visible: Callable[[Candidate], bool] | None = None,
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
    if visible is not None:
        more = [one for one in more if visible(one.item)]
    for one in (*read, *more):
        words = one.text.spaced.split()
        for at in missing:
            unit = recalled.units[at]
            meant = spelling.nearest("".join(unit.parts), words)
            if meant.isalpha():
                one.found[at] = fit.NEAR
                one.titled[at] = fit.NEAR if meant in fold(one.item.title) else 0.0
                recalled.corrected[unit.whole] = meant
    return more


def keep_told(recalled: Recalled, chosen: Sequence[Read]) -> None:
    """Leave in `recalled.corrected` what brought up one of the hits, and nothing else."""
    hits = {hit.id for hit in recalled.hits}
    used = {
        unit.whole
        for one in chosen
        if one.item.id in hits
        for unit, found in zip(recalled.units, one.found, strict=True)
        if found
    }
    recalled.corrected = {
        typed: meant for typed, meant in recalled.corrected.items() if typed in used
    }


def _look_up(
    shelf: Shelf,
    recalled: Recalled,
    read: Sequence[Read],
    query: LexicalQuery,
    missing: Sequence[int],
) -> list[Read]:
    stumps = [spelling.beginning(recalled.units[at].parts[0]) for at in missing]
    stumps += [form for at in missing for form in spelling.slipped(recalled.units[at].parts[0])]
    wider = LexicalQuery(
        terms=stumps[:_TERMS], scopes=query.scopes, now=query.now, kinds=query.kinds, limit=READ
    )
    have = {one.item.id for one in read}
    probes = [fit.Probe(unit) for unit in recalled.units]
    return [
        Read(item, probes, by_name=True)
        for item in shelf.matching(wider, body_chars=BODY)
        if item.id not in have
    ]
