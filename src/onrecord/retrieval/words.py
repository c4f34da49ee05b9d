"""The walk over a text that queries and the index share (light).

It yields pieces: a word, an identifier with its words, a run of a script without spaces, or a
symbol. What ends a piece here also ends a token in both databases.
"""

from __future__ import annotations

import unicodedata

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

WORD, RUN, SIGN = "word", "run", "sign"

_BREAK, _JOIN, _LETTER, _MARK, _UNSPACED, _SYMBOL = range(6)
_JOINERS = "_-./\\:@#+$,"
_ASCII = tuple(
    _LETTER if chr(n).isalnum() else _JOIN if chr(n) in _JOINERS else _BREAK for n in range(128)
)
#: Scripts that are written without spaces, or that glue endings to words.
_RANGES = (
    (0x0E00, 0x0EFF),  # Thai, Lao
    (0x1000, 0x109F),  # Myanmar
    (0x1100, 0x11FF),  # Hangul letters
    (0x1780, 0x17FF),  # Khmer
    (0x3005, 0x3007),  # repetition marks
    (0x3040, 0x30FF),  # Hiragana, Katakana
    (0x3130, 0x318F),  # Hangul letters
    (0x31F0, 0x31FF),  # small Katakana
    (0x3400, 0x9FFF),  # ideographs
    (0xA960, 0xA97F),  # Hangul letters
    (0xAC00, 0xD7FF),  # Hangul syllables
    (0xF900, 0xFAFF),  # ideographs
    (0xFF66, 0xFF9F),  # half-width Katakana
    (0x20000, 0x3FFFF),  # ideographs
)
#: Letters that Unicode does not decompose, and the final sigma.
_SPELLINGS = str.maketrans(
    {
        "ß": "ss",
        "æ": "ae",
        "œ": "oe",
        "ø": "o",
        "ł": "l",
        "đ": "d",
        "ð": "d",
        "þ": "th",
        "ı": "i",
        "ς": "σ",
        "ħ": "h",
    }
)
#: Accents of Latin, Greek and Cyrillic, points of Hebrew, vowel signs of Arabic.
_ACCENTS = dict.fromkeys(
    [*range(0x300, 0x370), *range(0x591, 0x5C8), *range(0x610, 0x61B), *range(0x64B, 0x660)]
)
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "å": "aa"})
#: Names whose punctuation is the whole point.
_NAMES = {"c++": "cpp", "c#": "csharp", "f#": "fsharp", ".net": "dotnet"}
_OUTER = "()[]{}<>,;:!?\"'`*"


class Piece:
    """One piece of a text."""

    __slots__ = ("kind", "text", "touching", "words")

    def __init__(self, kind: str, text: str, words: list[str], *, touching: bool = False) -> None:
        self.kind = kind
        #: as written, from its first to its last letter
        self.text = text
        #: its words in order, as written, split at punctuation only
        self.words = words
        #: stands beside another script without a space between
        self.touching = touching


def fold(text: str) -> str:
    """Lower case, compatibility forms unified, accents off, ß as ss: how words are compared."""
    if text.isascii():
        return text.lower()
    text = unicodedata.normalize("NFKC", text).lower().translate(_SPELLINGS)
    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", text).translate(_ACCENTS))


def fold_run(text: str) -> str:
    """An unspaced run as it is compared; voicing marks of Kana stay, they are letters."""
    return unicodedata.normalize("NFKC", text).lower()


def is_run(word: str) -> bool:
    """Whether a word begins in a script without spaces."""
    return _class_of(word[0]) == _UNSPACED


def spellings(word: str) -> list[str]:
    """The folded word and, for umlauts, its spelling with two letters."""
    found = [fold(word)]
    if not word.isascii():
        wide = widen(word)
        if wide != found[0]:
            found.append(wide)
    return found


def widen(text: str) -> str:
    """Folded, but with umlauts as two letters: ä as ae."""
    return fold(unicodedata.normalize("NFC", text).lower().translate(_UMLAUTS))


def split_case(word: str) -> list[str]:
    """The parts of an identifier: validateTapToken, HTTPServer, phase2, 250ms."""
    if word[1:].islower() and word.isalpha():
        return [word]
    cuts = [at for at in range(1, len(word)) if _cut_before(word, at)]
    return [word[a:b] for a, b in zip([0, *cuts], [*cuts, len(word)], strict=True)]


def _cut_before(word: str, at: int) -> bool:
    left, right = word[at - 1], word[at]
    if word[0].isdigit():
        # 250ms is a number and a unit; 0xB3 and 3f2a are not
        # the ends are looked at first: a long word is not read anew at each of its characters
        joins = left.isdigit() and right.isalpha() and len(word) - at > 1
        return joins and word[at:].isalpha() and word[:at].isdigit()
    if right.isupper():
        return left.islower() or (left.isupper() and at + 1 < len(word) and word[at + 1].islower())
    joins = right.isdigit() and left.isalpha() and at > 1
    return joins and word[at:].isdigit() and word[:at].isalpha()


def walk(text: str) -> Iterator[Piece]:
    """The pieces of a text, in order."""
    for raw in text.split():
        if raw.isascii():
            if raw.isalnum():
                yield Piece(WORD, raw, [raw])
                continue
            name = _NAMES.get(raw.strip(_OUTER).lower())
            if name:
                yield Piece(WORD, name, [name])
                continue
        yield from _walk_mixed(raw)


def _walk_mixed(raw: str) -> Iterator[Piece]:
    """Cut one blank-free stretch into pieces."""
    classes = [_class_of(char) for char in raw]
    at, end = 0, len(raw)
    while at < end:
        kind = classes[at]
        if kind == _LETTER:
            stop = _identifier_end(raw, classes, at)
            beside = (at > 0 and classes[at - 1] == _UNSPACED) or (
                stop < end and classes[stop] == _UNSPACED
            )
            yield Piece(WORD, raw[at:stop], _words(raw, classes, at, stop), touching=beside)
            at = stop
        elif kind == _UNSPACED:
            stop = at
            while stop < end and classes[stop] in (_UNSPACED, _MARK):
                stop += 1
            yield Piece(RUN, raw[at:stop], [raw[at:stop]])
            at = stop
        else:
            if kind == _SYMBOL:
                yield Piece(SIGN, raw[at], [f"u{ord(raw[at]):x}"])
            at += 1


def _identifier_end(raw: str, classes: list[int], at: int) -> int:
    """Where the identifier that starts at `at` ends: joiners count only between letters."""
    end, size = at, len(raw)
    while at < size:
        kind = classes[at]
        if kind in (_LETTER, _MARK):
            end = at + 1
        elif kind != _JOIN or not _joins(raw, at):
            break
        at += 1
    return end


def _joins(raw: str, at: int) -> bool:
    """A comma or a single colon joins digits only, and an ellipsis joins nothing."""
    char, after = raw[at], raw[at + 1 : at + 2]
    if char == ":" and ":" in (raw[at - 1], after):
        return True
    if char in ",:":
        return raw[at - 1].isdigit() and after.isdigit()
    return not (char == "." and after == ".")


def _words(raw: str, classes: list[int], at: int, stop: int) -> list[str]:
    if _JOIN not in classes[at:stop]:
        return [raw[at:stop]]
    spaced = "".join(" " if classes[n] == _JOIN else raw[n] for n in range(at, stop))
    return spaced.split()


def _class_of(char: str) -> int:
    code = ord(char)
    if code < 128:  # noqa: PLR2004 - ASCII
        return _ASCII[code]
    if char.isalnum():
        unspaced = code >= 0xE00 and any(first <= code <= last for first, last in _RANGES)  # noqa: PLR2004
        return _UNSPACED if unspaced else _LETTER
    kind = unicodedata.category(char)
    if kind[0] == "M":
        return _MARK
    return _SYMBOL if kind == "So" else _BREAK
