"""What several words of a question are to each other, and to the kinds of items (light).

Words that are all there but never together ask for what is not there, unless the question is a
list (`clock problems: skew, DST, expired certificates`), of which each part may have an item of
its own. `Kafka lessons` asks for lessons. No hook loads this.
"""

from __future__ import annotations

from onrecord.retrieval import fit, rank

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from onrecord.retrieval.found import Read
    from onrecord.retrieval.terms import Unit

#: So many words of a question must have met in some item, if all are there at all. On typed/dev
#: that silences three of six answers to questions that have none, and no right one; with words
#: that say little among them it would have silenced right ones there and in LoCoMo.
TOGETHER = 2
#: What stands between several things that are asked for at once.
_BETWEEN = (",", ":", ";")
_AND = frozenset(("and", "or", "und", "oder", "et", "ou", "y", "o", "&", "+"))
_KINDS = {"todo": "task", "todos": "task", "summaries": "summary"}


def enumerates(text: str) -> bool:
    """Whether a question asks for several things, each of which may have an item of its own.

    A mark counts where it ends a word and others follow, as people write; elsewhere it is syntax.
    """
    words = text.lower().split()
    listed = any(word.endswith(_BETWEEN) and word[-2:-1].isalnum() for word in words[:-1])
    return listed or not _AND.isdisjoint(words)


def look_up_kinds(units: Sequence[Unit], read: Sequence[Read]) -> None:
    """Where a question names a kind of item, count the word for items of it that have more.

    More is a word that says something, or a memory would be all its lessons to `add lessons`.
    """
    for at, unit in enumerate(units):
        kind = _KINDS.get(unit.key, unit.key.removesuffix("s"))
        if kind not in rank.KIND:
            continue
        for one in read:
            if one.item.kind == kind and any(
                found >= fit.INSIDE and not units[other].weak
                for other, found in enumerate(one.found)
                if other != at
            ):
                one.found[at] = 1.0


def parted(read: Sequence[Read], units: Sequence[Unit], text: str) -> bool:
    """Whether a question's plain words are all there, but no item has two of them.

    What has one of them is then of something else. A word that is nowhere says nothing of that:
    whoever asks may call it otherwise.
    """
    words = [at for at, unit in enumerate(units) if not unit.weak]
    if len(words) < TOGETHER or not all(units[at].key.isalpha() for at in words):
        return False
    had = [[max(pair) >= fit.SCATTERED for pair in _lit(one)] for one in read]
    return (
        all(any(has[at] for has in had) for at in words)
        and all(sum(has) < TOGETHER for has in had)
        and not enumerates(text)
    )


def _lit(one: Read) -> list[tuple[float, float]]:
    """What a candidate has of each unit, by itself and by what stands next to it."""
    return list(zip(one.found, one.beside or one.found, strict=True))
