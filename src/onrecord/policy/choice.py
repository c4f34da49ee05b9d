"""Whether two statements choose between the same two things, and not the same one (light).

`X, never Y` and `Y, never X` have every word in common: what is chosen stands on one side of a
mark (`not`, `instead of`, `over`), and what is not on the other.
"""

from __future__ import annotations

from functools import lru_cache

from onrecord.policy import contrast_words as known
from onrecord.policy.said import KEPT, Said, carries, form

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    #: Words that carry a claim, in order.
    Words = tuple[str, ...]
    #: What is chosen, and what it is chosen before.
    Sides = tuple[Words, Words]

#: Words of one of two things, at most, and of all that is not chosen.
_MAX_SPAN = 4
_MAX_DECLINED = 12
#: Stands where a phrase such as `instead of` puts one thing before another; no text has it.
_MARK = "\ufdd0"


def turned(a: Said, b: Said) -> bool:
    """Whether what one of them chooses is what the other does not, and all else is equal."""
    if _reversed(a, b):
        return True
    right = _choices(b.folded) if _may_choose(b) else ()
    left = _choices(a.folded) if _may_choose(a) else ()
    if not left and not right:
        return False
    if left and right:
        return any(_exchanged(one, other) for one in left for other in right)
    # one of them names a single thing: the very one that the other turns down
    sided, bare = (left, b) if left else (right, a)
    return any(_only(sides, tuple(bare.content)) for sides in sided)


@lru_cache(maxsize=KEPT)
def _may_choose(said: Said) -> bool:
    """A quick look at whether anything in it sets one thing before another."""
    if said.negated or said.has(known.INSTEAD):
        return True
    if not said.has(known.OVER):
        return False
    # `over` and `to` do so after some verbs alone; `not` may have gone into a phrase of one word
    plain = said.folded.isascii() and " not " not in said.folded
    return not plain or _prefers(said.folded)


def _prefers(folded: str) -> bool:
    return any(f" {word}" in folded for word in known.PREFERRING)


@lru_cache(maxsize=KEPT)
def _choices(folded: str) -> tuple[Sides, ...]:
    """The ways to read one statement as a choice; none for most."""
    tokens = _marked(folded)
    if _MARK not in tokens or any(piece in known.NEGATIONS for piece in tokens):
        return ()
    chosen, declined = _sides(tokens)
    if len(declined) > _MAX_DECLINED:
        return ()
    # in `use X instead of Y in tests` the last words may belong to either
    return tuple((chosen + declined[n:], declined[:n]) for n in range(len(declined), 0, -1))


def _marked(folded: str) -> list[str]:
    """The words, with a mark before whatever is turned down; other negations stay."""
    for phrase in (*known.INSTEAD, *(known.OVER if _prefers(folded) else ())):
        folded = folded.replace(phrase, f" {_MARK} ")
    words = folded.split()
    for at, word in enumerate(words):
        before = words[at - 1].strip("\"'()") if at else ""
        # after a verb such as `is` or `must`, `not` turns the sentence round
        if word == "not" and before not in known.FUNCTION and before not in known.MODALS:
            words[at] = _MARK
    tokens = Said(" ".join(words)).tokens
    return [
        _MARK if piece in known.NEGATIONS and _joins(tokens, at) else piece
        for at, piece in enumerate(tokens)
    ]


def _joins(tokens: Sequence[str], at: int) -> bool:
    """Whether a negation sets one thing against another, and does not turn a verb round."""
    before = tokens[at - 1] if at else ","
    if before == "," or before in known.AND or before in known.BUT or before in known.ASKING:
        return True
    end = next((n for n in range(at, len(tokens)) if tokens[n] == ","), len(tokens))
    return any(piece in known.BUT for piece in tokens[at:end])


def _sides(tokens: Sequence[str]) -> Sides:
    """What stands after a mark, until the next comma or `but`, and all the rest."""
    sides: tuple[list[str], list[str]] = ([], [])
    after = False
    for piece in tokens:
        if piece == _MARK:
            after = True
        elif piece == "," or piece in known.BUT:
            after = False
        elif carries(piece):
            sides[after].append(form(piece))
    return tuple(sides[0]), tuple(sides[1])


def _exchanged(a: Sides, b: Sides) -> bool:
    """One puts X before Y, the other Y before X."""
    lead, one, other = _apart(a[0], b[0])
    before, lost, gone = _apart(a[1], b[1])
    fits = 0 < len(one) <= _MAX_SPAN and 0 < len(other) <= _MAX_SPAN
    # `in X never do Y` and `in Y never do X` hold together: the verb is after the mark alone
    return fits and (one, other) == (gone, lost) and set(before) <= set(lead)


def _only(sides: Sides, bare: Words) -> bool:
    """X is chosen and not Y, and elsewhere it is Y, in the same words."""
    _, chosen, other = _apart(sides[0], bare)
    return 0 < len(chosen) <= _MAX_SPAN and other == sides[1]


def _apart(a: Words, b: Words) -> tuple[Words, Words, Words]:
    """What two sequences begin with alike, and the middles in which they differ."""
    most = min(len(a), len(b))
    start = next((n for n in range(most) if a[n] != b[n]), most)
    most -= start
    end = next((n for n in range(most) if a[-1 - n] != b[-1 - n]), most)
    return a[:start], a[start : len(a) - end], b[start : len(b) - end]


def _reversed(a: Said, b: Said) -> bool:
    """X does it to Y and not the other way round, and elsewhere Y does it to X."""
    if not _one_way(a) and not _one_way(b):
        return False
    left, right = (_without(one.folded, known.ONE_WAY) for one in (a, b))
    if sorted(left.content) != sorted(right.content) or not left.even or not right.even:
        return False
    by = [sum(piece in known.BY for piece in one.tokens) for one in (left, right)]
    _, one, other = _apart(tuple(left.content), tuple(right.content))
    return by[0] == by[1] and _swapped(one, other)


@lru_cache(maxsize=KEPT)
def _one_way(said: Said) -> bool:
    return said.has(known.ONE_WAY)


def _swapped(one: Words, other: Words) -> bool:
    """Whether the first and the last words of one stand the other way round in the other."""
    size = len(one)
    spans = range(1, _MAX_SPAN + 1)
    return any(
        one[:first] == other[size - first :]
        and one[size - last :] == other[:last]
        and one[first : size - last] == other[last : size - first]
        for first in spans
        for last in spans
        if first + last <= size
    )


def _without(folded: str, phrases: Sequence[str]) -> Said:
    for phrase in phrases:
        folded = folded.replace(phrase, " ")
    return Said(folded)
