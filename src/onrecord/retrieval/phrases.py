"""What stands between quotation marks: words in a row, as they are (light).

Quotation marks shut nothing out: what has the words in that row comes first, and what has them
elsewhere comes behind. A mark without its partner is no mark.
"""

from __future__ import annotations

from onrecord.retrieval.words import fold

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from onrecord.retrieval.found import Read

_MARKS = {'"': '"', "\u201c": "\u201d", "\u201e": "\u201c", "\u00ab": "\u00bb"}
#: Phrases of a query that are looked at, and words of one.
MOST = 4
WORDS = 12


def quoted(text: str) -> list[str]:
    """The phrases of two words or more between marks, folded, a space between the words."""
    found: list[str] = []
    at = 0
    while at < len(text) and len(found) < MOST:
        closing = _MARKS.get(text[at], "")
        end = text.find(closing, at + 1) if closing else -1
        if end > 0:
            inside = fold(text[at + 1 : end])
            words = "".join([char if char.isalnum() else " " for char in inside]).split()
            if 1 < len(words) <= WORDS:
                found.append(" ".join(words))
            at = end
        at += 1
    return list(dict.fromkeys(found))


def terms(phrases: Sequence[str]) -> list[str]:
    """The phrases as terms of a lexical query."""
    return [phrase.replace(" ", "_") for phrase in phrases]


def look_up(phrases: Sequence[str], read: Sequence[Read]) -> None:
    """Set how much of the phrases each candidate has, 0 to 1."""
    for one in read:
        has = sum(1 for phrase in phrases if f" {phrase} " in one.text.spaced)
        one.quoted = has / len(phrases)
