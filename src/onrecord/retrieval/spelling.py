"""Words that are nearly the ones meant (light)."""

from __future__ import annotations

from onrecord.retrieval.everyday import EVERYDAY

#: Shortest word that may be taken for a misspelling, and for one of the first letter.
SHORTEST = 5
LONG_ENOUGH = 6
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def near(typed: str, word: str) -> bool:
    """Whether a word is within one slip of the other, or two in a long one.

    A slip is a letter left out, put in, replaced, or swapped with its neighbour.
    """
    allowed = 2 if len(typed) >= 8 else 1  # noqa: PLR2004 - two slips in a long word
    if len(typed) < SHORTEST or abs(len(typed) - len(word)) > allowed:
        return False
    if typed.startswith(word) or word.startswith(typed):
        return False  # another form of the word, or another word: not a slip
    return slips(typed, word, allowed) <= allowed


def slips(left: str, right: str, most: int) -> int:
    """How many slips apart two words are; `most` + 1 where there are more than `most`."""
    before: list[int] = []
    row = list(range(len(right) + 1))
    for i, a in enumerate(left, 1):
        older, before, row = before, row, [i]
        for j, b in enumerate(right, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (a != b))
            if i > 1 and j > 1 and a == right[j - 2] and left[i - 2] == b:
                cost = min(cost, older[j - 2] + 1)
            row.append(cost)
        if min(row) > most:
            return most + 1
    return row[-1]


def nearest(typed: str, words: list[str]) -> str:
    """The first of the words that is near, or an empty string."""
    letters = len(typed)
    for word in words:
        if abs(len(word) - letters) <= 2 and near(typed, word):  # noqa: PLR2004
            return word
    return ""


def slipped(typed: str) -> list[str]:
    """What was meant if something slipped in the beginning, which a word is looked up by.

    A letter was put in, swapped with its neighbour, or not doubled.
    """
    if len(typed) < SHORTEST:
        return []
    early = range(max(3, len(typed) // 2))
    swapped = [
        typed[:at] + typed[at + 1] + typed[at] + typed[at + 2 :]
        for at in early
        if at + 1 < len(typed) and typed[at] != typed[at + 1]
    ]
    dropped = [typed[:at] + typed[at + 1 :] for at in early]
    doubled = [typed[:at] + typed[at] + typed[at:] for at in early]
    return list(dict.fromkeys([*swapped, *dropped, *doubled]))


def other_firsts(typed: str) -> list[str]:
    """What was meant if the first letter is wrong or left out; nothing of a word that may be one.

    Short words have too many such neighbours (house, mouse), and people rarely miss the first
    letter of one.
    """
    if len(typed) < LONG_ENOUGH or not (typed.isascii() and typed.isalpha()) or typed in EVERYDAY:
        return []
    return [*(letter + typed[1:] for letter in _LETTERS if letter != typed[0]),
            *(letter + typed for letter in _LETTERS)]  # fmt: skip


def beginning(typed: str) -> str:
    """The beginning to look a misspelt word up by, as a term."""
    return typed[: max(3, len(typed) // 2)] + "*"
