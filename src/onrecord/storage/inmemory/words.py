"""Words of a text and how well terms match them: case and accents folded, no stems."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence


def words_of(text: str) -> list[str]:
    """The words of a text: runs of letters and digits, lower case, without accents."""
    plain = "".join(
        letter
        for letter in unicodedata.normalize("NFD", text)
        if unicodedata.category(letter) != "Mn"
    )
    return "".join(letter if _in_word(letter) else " " for letter in plain.lower()).split()


def match(terms: Sequence[str], texts: Sequence[str]) -> float:
    """How well texts match any of the terms; 0 where none of them occurs.

    A term is its words, one after another; a final `*` makes the last one a prefix. Each
    term that occurs counts more than any number of repetitions of one that did already.
    """
    columns = [words_of(text) for text in texts]
    score = 0.0
    for term in dict.fromkeys(terms):
        times = sum(_occurrences(words_of(term), column, term.endswith("*")) for column in columns)
        score += 1 + times / (times + 1) if times else 0
    return score


def _occurrences(wanted: list[str], words: list[str], prefix: bool) -> int:
    if not wanted:
        return 0
    *exact, last = wanted
    return sum(
        words[start : start + len(exact)] == exact
        and (word.startswith(last) if prefix else word == last)
        for start, word in enumerate(words[len(exact) :])
    )


def _in_word(letter: str) -> bool:
    return unicodedata.category(letter)[0] in "LN" or unicodedata.category(letter) == "Co"
