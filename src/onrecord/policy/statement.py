"""When two texts are the same statement, letter for letter but for how they were typed."""

from __future__ import annotations

from unicodedata import category, decomposition, normalize

from onrecord.policy.confusables import MARKS, fold_lookalikes
from onrecord.policy.invisible import without_hidden
from onrecord.policy.prose import unmark

_ENTITIES = {
    "amp": "&",
    "lt": "<",
    "gt": ">",
    "quot": '"',
    "apos": "'",
    "nbsp": " ",
    "ensp": " ",
    "emsp": " ",
    "thinsp": " ",
    "shy": "",
    "zwnj": "",
    "zwj": "",
    "ndash": "–",
    "mdash": "—",
    "lsquo": "‘",
    "rsquo": "’",
    "ldquo": "“",
    "rdquo": "”",
    "hellip": "…",
    "period": ".",
    "comma": ",",
    "colon": ":",
    "excl": "!",
    "quest": "?",
    "lpar": "(",
    "rpar": ")",
    "lowbar": "_",
    "sol": "/",
}
_ENTITY_LENGTH = 10
_LAST = 0x10FFFF
_SURROGATES = range(0xD800, 0xE000)
#: Compatibility forms that change how a character is drawn and not what it says.
_DRAWN = ("<wide>", "<narrow>", "<font>", "<noBreak>", "<compat>")
#: Spellings with ß that have no other word beside them written with ss (Maße and Masse do).
_SHARP_S = (
    ("strasse", "straße"),
    ("gross", "groß"),
    ("heiss", "heiß"),
    ("weiss", "weiß"),
    ("gruss", "gruß"),
    ("spass", "spaß"),
    ("aussen", "außen"),
    ("ausser", "außer"),
    ("äusser", "äußer"),
    ("schliess", "schließ"),
    ("dreissig", "dreißig"),
    ("gemäss", "gemäß"),
    ("mässig", "mäßig"),
    ("massnahm", "maßnahm"),
)
_UNITS_LENGTH = 4


def decode_entities(text: str) -> str:
    """The text with numeric and common named HTML entities replaced by their characters."""
    kept: list[str] = []
    at = 0
    while (start := text.find("&", at)) != -1:
        kept.append(text[at:start])
        end = text.find(";", start, start + _ENTITY_LENGTH)
        char = _entity(text[start + 1 : end]) if end != -1 else None
        if char is None:
            kept.append("&")
            at = start + 1
        else:
            kept.append(char)
            at = end + 1
    kept.append(text[at:])
    return "".join(kept)


def _entity(name: str) -> str | None:
    if not name.startswith("#"):
        return _ENTITIES.get(name)
    digits, base = (name[2:], 16) if name[1:2] in {"x", "X"} else (name[1:], 10)
    if not (digits.isascii() and digits.isalnum()):
        return None
    try:
        code = int(digits, base)
    except ValueError:
        return None
    return chr(code) if 0 < code <= _LAST and code not in _SURROGATES else None


def same_key(text: str) -> str:
    """A key that is equal for two texts only where they say the same.

    Dropped: case of ordinary words, white space, invisible characters, width, look-alike
    letters inside Latin words, kinds of dashes and quotation marks, Markdown emphasis, list
    and quote markers, the final stop. Kept: accents, digits and their points, exponents, the
    case of flags, units, paths and identifiers, and all punctuation inside.
    """
    text = without_hidden(decode_entities(text) if "&" in text else text)
    if not text.isascii():
        text = fold_lookalikes(_drawn_plainly(text.translate(MARKS)), strict=True)
        text = without_hidden(text).translate(MARKS)
    text = " ".join(unmark(text).split())
    text = _spaced_evenly(_without_emphasis(_without_end(_unwrapped(text))))
    shouted = text == text.upper()
    pieces = text.split("`")
    if len(pieces) % 2 == 0:
        return _keyed(text, shouted=shouted)
    # Every second piece stands between back-ticks: code, whose case is kept.
    return "".join(
        piece if at % 2 else _keyed(piece, shouted=shouted) for at, piece in enumerate(pieces)
    )


def _drawn_plainly(text: str) -> str:
    """NFC, with full-width, ligature, mathematical and similar forms plain; exponents stay."""
    kept: list[str] = []
    for char in normalize("NFC", text):
        if char < "\u00a0":
            kept.append(char)
        elif category(char) == "Zs":
            kept.append(" ")
        elif decomposition(char).startswith(_DRAWN):
            kept.append(normalize("NFKC", char))
        else:
            kept.append(char)
    return normalize("NFC", "".join(kept))


def _unwrapped(text: str) -> str:
    """The text without quotation marks around the whole of it."""
    for mark in ('"', "'"):
        if len(text) > 1 and text[0] == text[-1] == mark and text.count(mark) == 2:  # noqa: PLR2004
            return text[1:-1].strip()
    return text


def _without_end(text: str) -> str:
    """The text without its final stop; `..` as a path and `./...` as a pattern stay."""
    bare = text.rstrip("!。！｡")
    if bare.endswith("...") and bare[-4:-3] not in {"/", "."}:
        return bare[:-3].rstrip()
    if bare.endswith(".") and bare[-2:-1] not in {"", " ", ".", "/"}:
        return bare[:-1].rstrip()
    return bare.rstrip() or text


def _without_emphasis(text: str) -> str:
    """The text without paired `**` around words, and `__`, `*` and `_` around phrases.

    Around a single word the latter may be part of a name or a pattern: __init__, *test*.
    """
    for mark in ("**", "__", "*", "_"):
        if text.count(mark) > 1:
            text = _without_pairs(text, mark)
    return text


def _without_pairs(text: str, mark: str) -> str:
    kept: list[str] = []
    at = 0
    while (start := text.find(mark, at)) != -1:
        inner = start + len(mark)
        end = text.find(mark, inner + 1)
        if end == -1:
            break
        outer = end + len(mark)
        opens = not text[start - 1 : start].isalnum() and text[inner].isalnum()
        closes = not text[outer : outer + 1].isalnum() and text[end - 1].isalnum()
        if opens and closes and (mark == "**" or " " in text[inner:end]):
            kept.append(text[at:start] + text[inner:end])
            at = outer
        else:
            kept.append(text[at:inner])
            at = inner
    kept.append(text[at:])
    return "".join(kept)


def _spaced_evenly(text: str) -> str:
    """No space before a comma or stop that ends a word."""
    for mark in (",", ".", ";", ":", "!", "?"):
        if f" {mark}" in text:
            text = text.replace(f" {mark} ", f"{mark} ")
            if text.endswith(f" {mark}") and len(text) > 2:  # noqa: PLR2004
                text = text[:-2] + mark
    return text


def _keyed(text: str, *, shouted: bool) -> str:
    """The words with their case dropped where case says nothing."""
    kept: list[str] = []
    before = ""
    for token in text.split(" "):
        word = token.strip("\"'()[]{},.;:!?")
        lower = token
        if not _case_matters(word, before, shouted=shouted):
            lower = token.lower()
            for swiss, german in _SHARP_S:
                if swiss in lower:
                    lower = lower.replace(swiss, german)
        kept.append(lower)
        before = token
    return " ".join(kept)


def _case_matters(word: str, before: str, *, shouted: bool) -> bool:
    if word.startswith("-") or any(c in "_/\\=@$#~<>" for c in word):
        return True
    if len(word) == 1:
        return word not in {"A", "a", "I", "i", "O", "o", "Y", "y", "E", "e", "À", "à"}
    if "." in word.strip(".") and not word.replace(".", "").isdecimal():
        return not shouted
    if before[-1:].isdecimal() and len(word) < _UNITS_LENGTH:
        return word.lower() not in {"am", "pm", "or", "and", "to", "in", "on", "of", "is", "at"}
    if word[:1].isdecimal():
        return True
    # An inner capital after a small letter is a name of code: getUser is not getuser.
    inner = any(a.islower() and b.isupper() for a, b in zip(word, word[1:], strict=False))  # noqa: RUF007 - itertools is not light
    return inner and not shouted
