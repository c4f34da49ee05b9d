"""Words and meanings in one list: what the two bring up, and when both have nothing (light).

Both lists are scored on scales of their own and then added; a rank says nothing of how good it
is. The nearest of many is always near to something, so nearness alone answers only what is said
in whole sentences, and words that decide on little must not be far from what is meant.
"""

from __future__ import annotations

from onrecord.retrieval.found import Read

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from onrecord.domain.candidate import Candidate
    from onrecord.retrieval import fit
    from onrecord.retrieval.dense import Meant
    from onrecord.retrieval.found import Recalled
    from onrecord.retrieval.terms import Unit

#: What nearness counts in a score at most, beside words; more where there are none, less of turns
#: of a conversation, which are placed by what was said around them.
WEIGHT = 0.80
ALONE_WEIGHT = 2.0
TALK_WEIGHT = 0.30
#: The cosine that the nearest needs in a question of so many words, more for each that is missing.
FLOOR = 0.25
WORDS = 5
MISSING = 0.07
#: What it needs where a short question names something that nothing in sight has.
NAMED = 0.40
SHORT = 8
#: What it needs beside something that words have found.
VOUCHED = 0.30
#: Units from which on a text is a prompt, and the cosine that it needs.
LONG = 14
PROMPT_FLOOR = 0.45
#: What speaks for an item counts as half a fit to a prompt where it is so much, as among those
#: that words choose; on one scale for both, prompts of typed/dev rise from R@5 .871 to .886.
HALF = 4.0
#: The others are at most this far below the nearest.
WITHIN = 0.20
#: So many come by their meaning alone.
MOST = 10
#: Words that decide on less than this share of a question, or on this little evidence in a prompt,
#: need something that is so near.
SURE, NEAR = 0.60, 0.30
#: Where so little is in sight, a word in common is no chance, and needs nothing.
FEW = 40
SURE_WORTH, PROMPT_NEAR = 8.0, 0.33


def fuse(
    recalled: Recalled,
    text: str,
    read: Sequence[Read],
    chosen: Sequence[Read],
    meant: Meant,
    probes: Sequence[fit.Probe],
    visible: Callable[[Candidate], bool] | None,
) -> list[Read]:
    """Those that words or meaning choose, with their nearness put down in `recalled`."""
    near = [one for one in meant.near if visible is None or visible(one[0])]
    cosines = {item.id: cosine for item, cosine in near}
    known = {one.item.id: one for one in read}
    recalled.mode = "semantic" if meant.alone else "hybrid"
    doubted = meant.count > FEW and _against(recalled, text, chosen, cosines)
    kept = [] if meant.alone or doubted else list(chosen)
    top = near[0][1] if near else 0.0
    # what words have vouched for needs no more than company
    least = VOUCHED if kept else needed(recalled.units, text, read)
    by_meaning = [one for one in near if one[1] >= top - WITHIN][:MOST] if top >= least else []
    there = {one.item.id for one in kept}
    talks = {one.talk for one in read if one.talk}
    for item, _ in by_meaning:
        if item.id not in there:
            kept.append(known.get(item.id) or Read(item, probes))
            kept[-1].talk = item.session if item.session in talks else ""
    if len(recalled.units) >= LONG:
        for one in kept:
            # on one scale, whether words or meaning chose it
            one.share = one.worth / (one.worth + HALF)
    weight = ALONE_WEIGHT if not there else TALK_WEIGHT if talks else WEIGHT
    scale = max(top, least) - meant.mean
    if scale > 0:
        recalled.near = {
            name: weight * min(max((cosines.get(name, 0.0) - meant.mean) / scale, 0.0), 1.0)
            for name in (one.item.id for one in kept)
        }
    return kept


def needed(units: Sequence[Unit], text: str, read: Sequence[Read]) -> float:
    """The cosine from which on the nearest is taken to answer a text."""
    if len(units) >= LONG:
        return PROMPT_FLOOR
    words = len(text.split())
    least = FLOOR + MISSING * max(WORDS - words, 0)
    if words <= SHORT and _names_the_unknown(units, text, read):
        least = max(least, NAMED)
    return least


def put_near(items: Sequence[Candidate], near: dict[str, float]) -> None:
    """Add to each score how near its item is."""
    for item in items:
        item.parts["meaning"] = near.get(item.id, 0.0)
        item.score += item.parts["meaning"]


def _names_the_unknown(units: Sequence[Unit], text: str, read: Sequence[Read]) -> bool:
    """Whether an identifier or a name is asked for that no candidate has."""
    return any(
        (unit.compound or _is_name(unit.whole, text)) and not any(one.found[at] for one in read)
        for at, unit in enumerate(units)
    )


def _is_name(word: str, text: str) -> bool:
    """Written in a way that is no plain word's, where a sentence does not begin."""
    inside = any(char.isupper() or char.isdigit() for char in word[1:])
    return inside or (word[:1].isupper() and not text.lstrip().startswith(word))


def _against(
    recalled: Recalled, text: str, chosen: Sequence[Read], cosines: dict[str, float]
) -> bool:
    """Whether words decided on little, and nothing that they chose is near.

    A name that is found decides, and so does any word of a tongue that is not written in ASCII,
    whatever a small model makes of it.
    """
    if not chosen or not text.isascii():
        return False
    if any(
        _is_name(unit.whole, text) and any(one.found[at] == 1.0 for one in chosen)
        for at, unit in enumerate(recalled.units)
        if len(recalled.units) < LONG
    ):
        return False
    nearest = max(cosines.get(one.item.id, 0.0) for one in chosen)
    if len(recalled.units) >= LONG:
        return nearest < PROMPT_NEAR and max(one.worth for one in chosen) < SURE_WORTH
    return nearest < NEAR and max(one.share for one in chosen) < SURE
