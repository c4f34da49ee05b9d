"""Characters that a person does not see and a model does: where they are, by class.

Scripts and emoji that need such characters keep them: joiners between letters of joining
scripts and between emoji, one variation selector after an emoji or an ideograph, direction
marks beside right-to-left letters, balanced isolates in right-to-left text, the tag
sequences of the three subdivision flags and their like. Everything else is reported.
"""

from __future__ import annotations

from unicodedata import bidirectional, category

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

#: First and last code point of each class; the first row that fits decides.
_CLASSES = (
    (0x00, 0x08, "control"),
    (0x0B, 0x1F, "control"),
    (0x7F, 0x9F, "control"),
    (0xAD, 0xAD, "zero_width"),
    (0x034F, 0x034F, "zero_width"),
    (0x061C, 0x061C, "bidi"),
    (0x115F, 0x1160, "filler"),
    (0x17B4, 0x17B5, "filler"),
    (0x180B, 0x180D, "variation"),
    (0x180E, 0x180E, "zero_width"),
    (0x180F, 0x180F, "variation"),
    (0x200B, 0x200D, "zero_width"),
    (0x200E, 0x200F, "bidi"),
    (0x2028, 0x2029, "control"),
    (0x202A, 0x202E, "bidi"),
    (0x2060, 0x2065, "zero_width"),
    (0x2066, 0x206F, "bidi"),
    (0x2800, 0x2800, "filler"),
    (0x3164, 0x3164, "filler"),
    (0xD800, 0xDFFF, "surrogate"),
    (0xE000, 0xF8FF, "private_use"),
    (0xFE00, 0xFE0F, "variation"),
    (0xFEFF, 0xFEFF, "zero_width"),
    (0xFFA0, 0xFFA0, "filler"),
    (0xFFF0, 0xFFFB, "control"),
    (0xFFFE, 0xFFFF, "control"),
    (0x1D173, 0x1D17A, "zero_width"),
    (0xE0000, 0xE00FF, "tags"),
    (0xE0100, 0xE01EF, "variation"),
    (0xE01F0, 0xE0FFF, "tags"),
    (0xF0000, 0x10FFFF, "private_use"),
)
#: Those that Python calls printable, so that the rest can be told by `isprintable`.
_PRINTABLE = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0"
) | frozenset(map(chr, (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))))
#: Scripts whose letters join or stack, and so may need a joiner or non-joiner between them.
_JOINING = (
    (0x0600, 0x08FF),
    (0x0900, 0x0DFF),
    (0x0F00, 0x109F),
    (0x1780, 0x18AF),
    (0xFB50, 0xFEFC),
)
#: Scripts without spaces, which mark a line-break chance with a zero-width space.
_UNSPACED = ((0x0E00, 0x0EFF), (0x0F00, 0x109F), (0x1780, 0x17FF), (0x1980, 0x19DF))
_HAN = ((0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x323AF))
_JAMO = ((0x1100, 0x11FF), (0xA960, 0xA97F), (0xD7B0, 0xD7FF))
#: Emoji bases that are not of category So.
_EMOJI_EXTRA = frozenset("0123456789#*‼⁉↔\u2139▪▫◾◽〰〽")
_FLAG = "\U0001f3f4"
_CANCEL = 0xE007F
_TAG_LETTERS = range(0xE0061, 0xE007B)
_TAG_DIGITS = range(0xE0030, 0xE003A)
_RTL = ("R", "AL")
_OVERRIDES = frozenset("\u202a\u202b\u202c\u202d\u202e")
_ISOLATES = frozenset("\u2066\u2067\u2068")
_POP = "\u2069"


def class_of(char: str) -> str:
    """The class of a character that may hide something, or "" for an ordinary one.

    Classes: control, zero_width, bidi, filler, variation, tags, private_use, surrogate.
    Tab and line feed are ordinary. Context is not looked at; `hidden` does that.
    """
    if char.isprintable() and char not in _PRINTABLE:
        return ""
    code = ord(char)
    for first, last, name in _CLASSES:
        if code <= last:
            return name if code >= first else ""
    return ""


def hidden(text: str) -> list[tuple[int, str]]:
    """Offset and class of each character that has no honest use where it stands."""
    if _is_plain(text):
        return []
    suspects = [(at, name) for at, char in enumerate(text) if (name := class_of(char))]
    if not suspects:
        return []
    flags = _flag_tags(text) if any(name == "tags" for _, name in suspects) else frozenset[int]()
    isolates = any(name == "bidi" for _, name in suspects) and _isolates_are_honest(text)
    found: list[tuple[int, str]] = []
    for at, name in suspects:
        if name == "tags":
            honest = at in flags
        elif text[at] in _ISOLATES or text[at] == _POP:
            honest = isolates
        else:
            honest = name in _ALLOWANCES and _ALLOWANCES[name](text, at)
        if not honest:
            found.append((at, name))
    return found


def without_hidden(text: str) -> str:
    """The text without any character of those classes, honest or not; ANSI sequences go whole."""
    if _is_plain(text):
        return text
    kept: list[str] = []
    at = 0
    while at < len(text):
        char = text[at]
        name = class_of(char)
        if char == "\x1b":
            at = _after_ansi(text, at)
            continue
        if name in {"control", "filler"}:
            kept.append(_SPACED.get(char, ""))
        elif not name and category(char) != "Cf":
            kept.append(char)
        at += 1
    return "".join(kept)


#: Control characters that stand for white space; a filler is drawn as a blank, Hangul's is not.
_SPACED = dict.fromkeys("\r\x0b\x0c\x1c\x1d\x1e\x1f\x85\u2028\u2029\u2800", " ")


def _is_plain(text: str) -> bool:
    """Whether nothing in a text can be hidden, without a look at each character."""
    bare = text.replace("\n", "").replace("\t", "")
    return bare.isprintable() and (text.isascii() or _PRINTABLE.isdisjoint(text))


def _after_ansi(text: str, at: int) -> int:
    """The offset after the terminal sequence that starts at `at`."""
    if text[at + 1 : at + 2] != "[":
        return at + 1
    end = at + 2
    while end < len(text) and " " <= text[end] < "@":
        end += 1
    return min(end + 1, len(text))


def _within(char: str, ranges: tuple[tuple[int, int], ...]) -> bool:
    return char != "" and any(first <= ord(char) <= last for first, last in ranges)


def _beside(text: str, at: int) -> tuple[str, str]:
    return text[at - 1] if at else "", text[at + 1 : at + 2]


def _is_emoji(char: str) -> bool:
    return char != "" and (char in _EMOJI_EXTRA or category(char) in ("So", "Sm"))


def _zero_width_is_honest(text: str, at: int) -> bool:
    before, after = _beside(text, at)
    char = text[at]
    if char == "\u200b":
        return _within(before, _UNSPACED) and _within(after, _UNSPACED)
    if char not in "\u200c\u200d":
        return False
    if _within(before, _JOINING) and not class_of(before) and not class_of(after or " "):
        # Also at the end of a word, where it shapes the last letter.
        return _within(after, _JOINING) or not after.isalnum()
    coloured = "\U0001f3fb" <= before <= "\U0001f3ff" or before == "\ufe0f"
    return char == "\u200d" and category(after or " ") == "So" and (coloured or _is_emoji(before))


def _variation_is_honest(text: str, at: int) -> bool:
    before, after = _beside(text, at)
    char = text[at]
    if class_of(after or " ") == "variation":
        return False
    if char in "\ufe0e\ufe0f":
        return _is_emoji(before)
    if "\u180b" <= char <= "\u180f":
        return "\u1820" <= before <= "\u18aa"
    if char == "\ufe00" and category(before or " ") == "Sm":
        return True
    return (char <= "\ufe02" or char >= "\U000e0100") and _within(before, _HAN)


def _direction_is_honest(text: str, at: int) -> bool:
    if text[at] not in "\u200e\u200f\u061c":
        return False
    before, after = _beside(text, at)
    if class_of(before or " ") or class_of(after or " "):
        return False
    left, right = text[max(0, at - 3) : at], text[at + 1 : at + 4]
    return any(bidirectional(c) in _RTL for c in left + right)


def _filler_is_honest(text: str, at: int) -> bool:
    before, after = _beside(text, at)
    if text[at] == "\u2800":
        return "\u2801" <= before <= "\u28ff" or "\u2801" <= after <= "\u28ff"
    return text[at] in "\u115f\u1160" and (_within(before, _JAMO) or _within(after, _JAMO))


def _control_is_honest(text: str, at: int) -> bool:
    return text[at : at + 2] == "\r\n"


_ALLOWANCES: dict[str, Callable[[str, int], bool]] = {
    "zero_width": _zero_width_is_honest,
    "variation": _variation_is_honest,
    "bidi": _direction_is_honest,
    "filler": _filler_is_honest,
    "control": _control_is_honest,
}


def _flag_tags(text: str) -> frozenset[int]:
    """Offsets of the tag characters that spell a subdivision flag (two to six letters)."""
    offsets: set[int] = set()
    start = text.find(_FLAG)
    while start != -1:
        end = start + 1
        while end < len(text) and _spells_flag(ord(text[end])):
            end += 1
        closed = end < len(text) and ord(text[end]) == _CANCEL
        if closed and 2 <= end - start - 1 <= 6:  # noqa: PLR2004 - the standard's lengths
            offsets.update(range(start + 1, end + 1))
        start = text.find(_FLAG, start + 1)
    return frozenset(offsets)


def _spells_flag(code: int) -> bool:
    return code in _TAG_LETTERS or code in _TAG_DIGITS


def _isolates_are_honest(text: str) -> bool:
    """Isolates are, where the text has right-to-left letters, no override, and all are closed."""
    if any(c in _OVERRIDES for c in text):
        return False
    for line in text.split("\n"):
        depth = 0
        for char in line:
            depth += (char in _ISOLATES) - (char == _POP)
            if depth < 0:
                return False
        if depth:
            return False
    return any(bidirectional(c) in _RTL for c in text)
