"""Words and meanings in one list: what the two bring up, and when both have nothing (light).

Both lists are scored on scales of their own and then added; a rank says nothing of how good it
is. The nearest of many is always near to something, so nearness alone answers only what is said
in whole sentences, and words that decide on little must not be far from what is meant.
"""

from __future__ import annotations

from onrecord.retrieval import rank, several
from onrecord.retrieval.beside import MEANT
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
#: Less in a prompt and in a list, which as a whole mean none of the things that they ask for. Of
#: .8, .6, .5, .4 and .3, the last three find the same of typed/dev's lists (R@5 .957 for .913);
#: of its prompts all but .4 do.
SPREAD_WEIGHT = 0.50
#: What a turn counts of the nearness of the turns next to it, and again of those next to these.
#: Of LoCoMo's conversations 1 to 5, .3 to .5 find the same to within a hundredth.
LENT = 0.50
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
    next_to: Sequence[tuple[Read, Read, int]] = (),
) -> list[Read]:
    """Those that words or meaning choose, with their nearness put down in `recalled`.

    `next_to` are turns of conversations that stand next to each other: what is near lends them
    a part of its nearness.
    """
    near = [one for one in meant.near if visible is None or visible(one[0])]
    cosines = {item.id: cosine for item, cosine in near}
    known = {one.item.id: one for one in read}
    recalled.mode = "semantic" if meant.alone else "hybrid"
    doubted = meant.count > FEW and _against(recalled, text, chosen, cosines)
    kept = [] if meant.alone or doubted else list(chosen)
    top = near[0][1] if near else 0.0
    # what words have vouched for needs no more than company
    least = VOUCHED if kept else needed(recalled.units, text, read)
    by_meaning = _brought_up(near, known) if top >= least else []
    there = {one.item.id for one in kept}
    talks = {one.talk for one in read if one.talk}
    for item in by_meaning:
        if item.id not in there:
            kept.append(known.get(item.id) or Read(item, probes))
            kept[-1].talk = item.session if item.session in talks else ""
    if len(recalled.units) >= LONG:
        for one in kept:
            # on one scale, whether words or meaning chose it
            one.share = one.worth / (one.worth + HALF)
    weight = ALONE_WEIGHT if not there else TALK_WEIGHT if talks else _weight(recalled, text)
    scale = max(top, least) - meant.mean
    if scale > 0:
        nearness = {
            name: min(max((cosine - meant.mean) / scale, 0.0), 1.0)
            for name, cosine in cosines.items()
        }
        lent = _lent(nearness, next_to)
        for one in kept:
            part = weight * (_fullness(one.item) if one.talk else 1.0)
            own, around = (had.get(one.item.id, 0.0) for had in (nearness, lent))
            recalled.near[one.item.id] = (part * own, part * around)
    return kept


def _weight(recalled: Recalled, text: str) -> float:
    """What nearness counts at most, where words have found something too."""
    spread = len(recalled.units) >= LONG or several.enumerates(text)
    return SPREAD_WEIGHT if spread else WEIGHT


def _brought_up(
    near: Sequence[tuple[Candidate, float]], known: dict[str, Read]
) -> list[Candidate]:
    """The nearest few; more where they are turns, since what stands around these tells as well."""
    least = near[0][1] - WITHIN if near else 0.0
    few = [item for item, cosine in near if cosine >= least][:MOST]
    turns = [item for item, _ in near if item.id in known and known[item.id].talk]
    return few + [item for item in turns[:MEANT] if item not in few]


def _lent(
    nearness: dict[str, float], next_to: Sequence[tuple[Read, Read, int]]
) -> dict[str, float]:
    """What turns have of what stands around them: of the nearer one at each distance."""
    best: dict[tuple[str, int], float] = {}
    for one, other, away in next_to:
        for name, near in ((one.item.id, other.item.id), (other.item.id, one.item.id)):
            best[name, away] = max(best.get((name, away), 0.0), nearness.get(near, 0.0))
    lent: dict[str, float] = {}
    for (name, _), value in best.items():
        lent[name] = lent.get(name, 0.0) + LENT * value
    return lent


def _fullness(item: Candidate) -> float:
    """A turn that says more counts a little more, as it does where words match."""
    chars = min(len(item.title) + item.body_chars, rank.MUCH)
    return 1 + rank.SAID * (chars - rank.USUAL) / rank.USUAL


def needed(units: Sequence[Unit], text: str, read: Sequence[Read]) -> float:
    """The cosine from which on the nearest is taken to answer a text."""
    if len(units) >= LONG:
        return PROMPT_FLOOR
    words = len(text.split())
    least = FLOOR + MISSING * max(WORDS - words, 0)
    if words <= SHORT and _names_the_unknown(units, text, read):
        least = max(least, NAMED)
    return least


def put_near(items: Sequence[Candidate], near: dict[str, tuple[float, float]]) -> None:
    """Add to each score how near its item is, and how near what stands around it."""
    for item in items:
        item.parts["meaning"], around = near.get(item.id, (0.0, 0.0))
        if around:
            item.parts["meaning_around"] = around
        item.score += item.parts["meaning"] + around


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

    In a prompt, neither is anything of it among the nearest few. A name that is found decides,
    and so does any word of a tongue that is not written in ASCII, whatever a small model makes
    of it.
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
        few = list(cosines)[:MOST]
        found = any(one.item.id in few for one in chosen)
        return not found and nearest < PROMPT_NEAR and _worth(chosen) < SURE_WORTH
    return nearest < NEAR and max(one.share for one in chosen) < SURE


def _worth(some: Sequence[Read]) -> float:
    """What speaks for the best of them."""
    return max(one.worth for one in some)
