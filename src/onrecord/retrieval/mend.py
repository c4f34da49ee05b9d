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
    stumps = [spelling.beginning(recalled.units[at].parts[0]) for at in missing]
    stumps += [form for at in missing for form in spelling.slipped(recalled.units[at].parts[0])]
    more = _look_up(shelf, recalled, read, query, stumps, visible)
    _take_near(recalled, [*read, *more], missing)
    unread = [at for at in missing if recalled.units[at].whole not in recalled.corrected]
    # one word, since each asks for dozens; the longest has the fewest neighbours
    words = ["".join(recalled.units[at].parts) for at in unread]
    firsts = spelling.other_firsts(max(words, key=len, default=""))
    if firsts:
        known = [*read, *more]
        late = _look_up(shelf, recalled, known, query, firsts, visible)
        _take_near(recalled, late, unread)
        more += [one for one in late if any(one.found)]
    return more


def _take_near(recalled: Recalled, read: Sequence[Read], missing: Sequence[int]) -> None:
    """Count a near word for the one that was typed."""
    for one in read:
        words = one.text.spaced.split()
        for at in missing:
            unit = recalled.units[at]
            meant = spelling.nearest("".join(unit.parts), words)
            if meant.isalpha():
                one.found[at] = fit.NEAR
                one.titled[at] = fit.NEAR if meant in fold(one.item.title) else 0.0
                recalled.corrected[unit.whole] = meant


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
    terms: Sequence[str],
    visible: Callable[[Candidate], bool] | None,
) -> list[Read]:
    """Candidates with one of the terms that were not read before."""
    wider = LexicalQuery(
        terms=list(terms[:_TERMS]),
        scopes=query.scopes,
        now=query.now,
        kinds=query.kinds,
        limit=READ,
    )
    have = {one.item.id for one in read}
    probes = [fit.Probe(unit) for unit in recalled.units]
    return [
        Read(item, probes, by_name=True)
        for item in shelf.matching(wider, body_chars=BODY)
        if item.id not in have and (visible is None or visible(item))
    ]
