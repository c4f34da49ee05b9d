"""The finder: what fits the letters typed so far, for a list that changes with every key."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from onrecord.retrieval.words import RUN, SIGN, walk

if TYPE_CHECKING:
    from onrecord.service.answers import Hit
    from onrecord.service.caller import Caller
    from onrecord.service.memory import Memory

#: Letters or digits below which nothing is looked for; a sign, or a script that is written
#: without spaces, says enough with one.
LEAST: Final = 3
#: What stands between the parts of a name.
_JOINTS: Final = "_-./:"
#: So many hits at most.
MOST: Final = 8


def find(
    memory: Memory,
    typed: str,
    caller: Caller,
    *,
    given: Sequence[str] = (),
    kinds: Sequence[str] = (),
    limit: int = MOST,
) -> tuple[Hit, ...]:
    """The best hits for a text whose last word may go on, at most `limit` (8).

    Nothing for fewer than LEAST letters: a list of everything that begins with an a helps
    nobody. By words alone, so that it keeps up with the keys.
    """
    if not says_enough(typed):
        return ()
    most = max(0, min(limit, MOST))
    if not most:
        return ()
    found = memory.recall(
        _settled(typed), caller, given=given, kinds=kinds, limit=most, mode="lexical"
    )
    return found.hits


def _settled(typed: str) -> str:
    """The text without the one or two letters that begin a further part of a name.

    What they begin is too much to be told apart: `parse_l` is looked for as `parse`. Nothing is
    taken away where what is left says too little itself: `iPh` is looked for as it stands.
    """
    text = typed.rstrip()
    start = len(text)
    while start and text[start - 1].isalnum():
        start -= 1
    last = text[start:]
    left = text
    if start and text[start - 1] in _JOINTS and last.isalpha() and len(last) < LEAST:
        left = text[: start - 1]
    else:
        for n in range(1, LEAST):
            if last[-n - 1 : -n].islower() and last[-n].isupper():
                left = text[:-n]
                break
    return left if says_enough(left) else text


def says_enough(typed: str) -> bool:
    """Whether a text is looked for at all."""
    if sum(char.isalnum() for char in typed) >= LEAST:
        return True
    return any(piece.kind in (RUN, SIGN) for piece in walk(typed))
