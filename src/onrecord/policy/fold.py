"""Text made comparable: disguises of characters undone, so that equal claims are equal.

`fold` is the normaliser of fingerprints: it undoes what a person would not notice (case,
invisible characters, look-alike letters, width, punctuation, Markdown). `same_key` is the
stricter one that decides whether two texts are the same statement. `NORMALISER_VERSION` is
stored beside what was made with `fold`; it grows when `fold` or `squash` answers otherwise.
"""

from __future__ import annotations

from unicodedata import category, normalize

from onrecord.policy.confusables import LOWER_LOOKALIKES, MARKS, fold_lookalikes
from onrecord.policy.invisible import without_hidden
from onrecord.policy.prose import sentences, unmark
from onrecord.policy.statement import decode_entities, same_key

__all__ = [
    "NORMALISER_VERSION",
    "count_words",
    "fold",
    "same_key",
    "sentences",
    "skeleton",
    "split_words",
    "squash",
    "words",
]

NORMALISER_VERSION = 1

_SUPERSCRIPTS = frozenset("⁰¹²³⁴⁵⁶⁷⁸⁹")
_FRACTIONS = frozenset("½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅐⅛⅜⅝⅞⅑⅒")
#: Combining marks that are left over when letters are composed: drawn over, not spelled.
_ACCENTS = frozenset(
    map(
        chr,
        (
            *range(0x0300, 0x0370),
            *range(0x1AB0, 0x1B00),
            *range(0x1DC0, 0x1E00),
            *range(0x20D0, 0x2100),
            *range(0xFE20, 0xFE30),
        ),
    )
)
_APOSTROPHE = "'"
_CURRENCIES = frozenset("$€£¥₹₩")
_COMPARISONS = frozenset("<>≤≥≠")
_TAG_LENGTH = 120
#: Scripts written without spaces: (first, last, characters that make about one word).
_UNSPACED = (
    (0x0E00, 0x0EFF, 4),
    (0x1000, 0x109F, 4),
    (0x1780, 0x17FF, 4),
    (0x3005, 0x3007, 2),
    (0x3040, 0x30FF, 2),
    (0x3400, 0x9FFF, 2),
    (0xF900, 0xFAFF, 2),
    (0x20000, 0x323AF, 2),
)


def skeleton(text: str) -> str:
    """The text as a reader takes it in, for matching: punctuation and line breaks stay.

    Hidden characters and ANSI sequences are gone; entities, width, ligatures, mathematical
    and look-alike letters are plain; case is folded; white space is single.
    """
    if "&" in text:
        text = decode_entities(text)
    text = without_hidden(text)
    if not text.isascii():
        text = _spaced_exponents(fold_lookalikes(text.translate(MARKS)))
        text = fold_lookalikes(normalize("NFKC", text)).casefold()
        text = without_hidden(normalize("NFKC", text)).translate(MARKS)
        if not _ACCENTS.isdisjoint(text):
            text = "".join(c for c in text if c not in _ACCENTS)
    else:
        text = text.casefold()
    return "\n".join(" ".join(line.split()) for line in text.split("\n"))


def fold(text: str) -> str:
    """The words of a text in their comparable form, separated by single spaces.

    Kept beside letters and digits: points and colons inside numbers, signs, comparisons,
    percent and currency at a number, and the marks of C++ and C#. Markdown, HTML tags, link
    targets and all other punctuation are dropped.
    """
    plain = unmark(skeleton(text))
    if "<" in plain:
        plain = _without_tags(plain)
    if "](" in plain:
        plain = _without_targets(plain)
    if not plain.isascii():
        plain = plain.translate(LOWER_LOOKALIKES)
    return " ".join(_tokens(plain))


def squash(folded: str) -> str:
    """A folded text without its spaces, except between two numbers that would run together.

    Makes a text equal to itself with spaces added, dropped or moved. `2 000` equals `2000`.
    """
    kept: list[str] = []
    for word in folded.split(" "):
        before = kept[-1] if kept else ""
        if before[-1:].isdigit() and word[:1].isdigit() and not _is_thousands(before, word):
            kept.append(" ")
        kept.append(word)
    return "".join(kept)


def words(text: str) -> list[str]:
    """The folded words; a word of a script without spaces comes as its single characters."""
    return split_words(fold(text))


def split_words(folded: str) -> list[str]:
    """The words of a text that is folded already."""
    found: list[str] = []
    for word in folded.split():
        if word.isascii() or not any(_per_word(c) for c in word):
            found.append(word)
        else:
            found.extend(_pieces(word))
    return found


def count_words(folded: str) -> int:
    """How many words a folded text has; unspaced scripts count by their usual word length."""
    n = 0
    for word in folded.split():
        unspaced = [size for c in word if (size := _per_word(c))] if not word.isascii() else []
        if unspaced:
            n += -(-len(unspaced) // max(unspaced)) + (len(unspaced) < len(word))
        else:
            n += 1
    return n


def _per_word(char: str) -> int:
    """How many such characters make a word, 0 where words are spaced."""
    code = ord(char)
    for first, last, size in _UNSPACED:
        if first <= code <= last:
            return size
    return 0


def _pieces(word: str) -> list[str]:
    found: list[str] = []
    joined = False
    for char in word:
        if category(char)[0] == "M" and found:
            found[-1] += char
        elif _per_word(char) or not joined:
            found.append(char)
        else:
            found[-1] += char
        joined = not _per_word(char)
    return found


def _spaced_exponents(text: str) -> str:
    """10² as 10^2 and 5½ as 5 ½, before compatibility forms would make them 102 and 51/2."""
    if _SUPERSCRIPTS.isdisjoint(text) and _FRACTIONS.isdisjoint(text):
        return text
    kept: list[str] = []
    for at, char in enumerate(text):
        after_digit = at > 0 and text[at - 1].isdecimal()
        if after_digit and char in _SUPERSCRIPTS:
            kept.append("^")
        elif after_digit and char in _FRACTIONS:
            kept.append(" ")
        kept.append(char)
    return "".join(kept)


def _without_tags(text: str) -> str:
    """The text without HTML tags and comment marks; what stands between them stays."""
    text = text.replace("<!--", " ").replace("-->", " ")
    kept: list[str] = []
    at = 0
    while (start := text.find("<", at)) != -1:
        kept.append(text[at:start])
        end = text.find(">", start, start + _TAG_LENGTH)
        name = text[start + 1 : start + 3].lstrip("/")[:1]
        if end != -1 and name.isalpha() and name.isascii():
            at = end + 1
        else:
            kept.append("<")
            at = start + 1
    kept.append(text[at:])
    return "".join(kept)


def _without_targets(text: str) -> str:
    """The text with `[label](target)` reduced to its label."""
    kept: list[str] = []
    at = 0
    while (start := text.find("](", at)) != -1:
        end = text.find(")", start)
        if end == -1 or "\n" in text[start:end]:
            kept.append(text[at : start + 2])
            at = start + 2
            continue
        kept.append(text[at:start] + "]")
        at = end + 1
    kept.append(text[at:])
    return "".join(kept)


def _tokens(text: str) -> list[str]:
    """Words and the few marks that carry meaning, from a skeleton."""
    pieces: list[str] = []
    for at, char in enumerate(text):
        if char.isalnum() or (char > "\u0300" and category(char)[0] == "M"):
            pieces.append(_digit_as_letter(text, at) if char in "01" else char)
        elif char in _PLAIN_SEPARATORS:
            pieces.append(" ")
        else:
            pieces.append(_mark(text, at))
    return "".join(pieces).split()


_PLAIN_SEPARATORS = frozenset(' \n\t()[]{}"_*;?|\\`/~@&')


def _digit_as_letter(text: str, at: int) -> str:
    """0 and 1 between letters, where they are drawn like o and l (r00t, Docker1ess)."""
    start, end = at, at + 1
    # Two in a row at most: longer runs are numbers.
    if text[at - 1 : at] in _DRAWN_DIGITS:
        start -= 1
    elif text[end : end + 1] in _DRAWN_DIGITS:
        end += 1
    if text[start - 1 : start].isalpha() and text[end : end + 1].isalpha():
        return "o" if text[at] == "0" else "l"
    return text[at]


_DRAWN_DIGITS = frozenset("01")


def _mark(text: str, at: int) -> str:
    """What a punctuation mark leaves: itself, a space, or nothing."""
    char = text[at]
    before, after = text[at - 1] if at else " ", text[at + 1 : at + 2] or " "
    if char == _APOSTROPHE:
        return "" if before.isalpha() and after.isalpha() else " "
    if before.isdecimal() and after.isdecimal() and char in ".:,^/":
        return "" if char == "," and _groups_thousands(text, at) else char
    if char in "+#" and _is_language_mark(text, at):
        return char
    if char == "-" and after.isdecimal() and before in " \n(=:,":
        return " -"
    return f" {char} " if _measures(text, at) else " "


def _measures(text: str, at: int) -> bool:
    """Whether a percent, currency or comparison mark stands at a number."""
    char, before, after = text[at], text[at - 1 : at], text[at + 1 : at + 2]
    if char in _COMPARISONS:
        return _near_digit(text, at, -1) or _near_digit(text, at, 1)
    if char == "%":
        return before.isdecimal()
    return char in _CURRENCIES and (before.isdecimal() or after.isdecimal())


def _groups_thousands(text: str, at: int) -> bool:
    digits = text[at + 1 : at + 5]
    return digits[:3].isdecimal() and len(digits) >= 3 and not digits[3:].isdecimal()  # noqa: PLR2004


def _is_thousands(before: str, after: str) -> bool:
    return before.isdecimal() and after.isdecimal() and len(after) == 3 and before[0] != "0"  # noqa: PLR2004


def _is_language_mark(text: str, at: int) -> bool:
    """True in C++ and C#: the mark follows a single letter, and no letter follows it."""
    head = at - 1 if text[at] == "#" or text[at - 1 : at] != "+" else at - 2
    alone = head >= 0 and text[head].isalpha() and not text[head - 1 : head].isalnum()
    tail = text[at + 1 : at + 2]
    return alone and not tail.isalnum()


def _near_digit(text: str, at: int, step: int) -> bool:
    at += step
    while 0 <= at < len(text) and text[at] in " =":
        at += step
    return 0 <= at < len(text) and text[at].isdecimal()
