"""Which words of a text stood in its earlier form, as far as their neighbours did too."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from difflib import SequenceMatcher

from onrecord.policy.dates.guards import Span
from onrecord.policy.regex import Pattern

_WORD = Pattern(r"\S+")
#: pairs of words beyond which the part that differs counts as new as a whole
_MOST = 250_000


class KeptWords:
    """Compares a text with its earlier form."""

    def __init__(self, old: str, new: str) -> None:
        """Both without the dates that were put beside their words."""
        before, _ = _words(old)
        after, self._starts = _words(new)
        self._same = before == after
        self._places = _places(before, after)

    def holds(self, span: Span) -> bool:
        """Whether the words of a range stood there before, with a neighbour of theirs."""
        if self._same:
            return True
        first = bisect_right(self._starts, span.start) - 1
        last = bisect_left(self._starts, span.end) - 1
        if first < 0 or not all(self._joined(at) for at in range(first, last)):
            return False
        return self._places[first] >= 0 and (self._joined(first - 1) or self._joined(last))

    def _joined(self, at: int) -> bool:
        """Whether a word and the next one stood beside one another."""
        places = self._places
        return 0 <= at < len(places) - 1 and 0 <= places[at] == places[at + 1] - 1


def _words(text: str) -> tuple[list[str], list[int]]:
    found = [
        (match.group().strip(".,;:!?\"'()[]*_").casefold(), match.start())
        for match in _WORD.finditer(text)
    ]
    return [word for word, _ in found], [start for _, start in found]


def _places(before: list[str], after: list[str]) -> list[int]:
    """Where each word of the later text stood in the earlier one; -1 for a new one."""
    places = [-1] * len(after)
    most = min(len(before), len(after))
    head = next((n for n in range(most) if before[n] != after[n]), most)
    tail = next((n for n in range(most - head) if before[-1 - n] != after[-1 - n]), most - head)
    for at in range(head):
        places[at] = at
    for at in range(1, tail + 1):
        places[len(after) - at] = len(before) - at
    old, new = before[head : len(before) - tail], after[head : len(after) - tail]
    if len(old) * len(new) <= _MOST:
        matcher = SequenceMatcher(None, old, new, autojunk=False)
        for a, b, size in matcher.get_matching_blocks():
            for n in range(size):
                places[head + b + n] = head + a + n
    return places
