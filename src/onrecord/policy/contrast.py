"""What a new statement is to one that stands: the same, a contradiction, or neither.

Words decide, no meaning is guessed. `same` needs all the words that carry the claim, in the
same order or in one that only voice or a moved phrase explains, said of the same time and as
surely: a statement must never be merged away. `conflict` flags what a person should look at, and
nothing more.
"""

from __future__ import annotations

from functools import lru_cache

from onrecord.policy import manner
from onrecord.policy.contradiction import clashes
from onrecord.policy.said import Said
from onrecord.policy.sameness import resembles, says_the_same

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

#: Longer texts say more than one thing, which words alone cannot set against each other.
MAX_CHARS = 400


#: Characters of two long texts that are taken apart; more would take too long.
_LOOKED_AT = 4_096

#: A new statement is set against many; each is taken apart once.
_taken_apart = lru_cache(maxsize=512)(Said)


def compare(standing: str, new: str) -> Literal["same", "conflict", "similar", ""]:
    """`same`, `conflict`, `similar`, or empty where the new one can stand beside the other.

    `similar` has the very words of the other, and may well be the same said again.
    """
    if max(len(standing), len(new)) > MAX_CHARS:
        return ""
    a, b = _taken_apart(standing), _taken_apart(new)
    if not a.content or not b.content:
        return ""
    if says_the_same(a, b):
        return _in_one_manner(a.folded, b.folded)
    if clashes(a, b):
        return "conflict"
    return "similar" if resembles(a, b) else ""


def _in_one_manner(a: str, b: str) -> Literal["same", "conflict", "similar"]:
    """What two texts of the same words are, going by time, mode and the small words."""
    if manner.agrees(a, b):
        return "same"
    return "conflict" if manner.turns(a, b) else "similar"


def opposed(one: str, other: str) -> bool:
    """Whether two texts with much the same words must not be taken for one.

    One of them turns something round that the other does not, or they clash either way; of
    texts over MAX_CHARS only the former is told, by the first `_LOOKED_AT` characters of where
    they differ.
    """
    if max(len(one), len(other)) > MAX_CHARS:
        left, right = _where_they_differ(one, other)
        return Said(left).even != Said(right).even
    if _taken_apart(one).even != _taken_apart(other).even:
        return True
    return "conflict" in (compare(one, other), compare(other, one))


def _where_they_differ(one: str, other: str) -> tuple[str, str]:
    """Two long texts without the words that both begin and end with."""
    left, right = one.split(), other.split()
    most = min(len(left), len(right))
    start = next((n for n in range(most) if left[n] != right[n]), most)
    most -= start
    end = next((n for n in range(most) if left[-1 - n] != right[-1 - n]), most)
    # a word on either side, as `no longer` and `rather than` are told by two
    start, end = max(start - 1, 0), max(end - 1, 0)
    middles = (" ".join(words[start : len(words) - end]) for words in (left, right))
    one, other = (middle[:_LOOKED_AT] for middle in middles)
    return one, other
