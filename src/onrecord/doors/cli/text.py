"""Text on its way to a terminal: nothing in it may act there."""

from __future__ import annotations

import unicodedata
from typing import Any

#: Stands for a line break in what is one line.
_BREAK = "⏎"


def printable(text: str) -> str:
    """The text with control characters made visible; line breaks and tabs stay."""
    if text.isascii() and text.replace("\n", "").replace("\t", "").isprintable():
        return text
    return "".join(char if _harmless(char) else _named(char) for char in text)


def one_line(text: str) -> str:
    """A stored text of one line as it stands between words of ours.

    A line break in it is a visible mark, so that what follows is not taken for a line of ours.
    """
    if text.isprintable():
        return text
    return printable(text.replace("\r\n", "\n")).replace("\n", _BREAK).replace("\t", " ")


def json_text(shape: Any, *, indent: int | None = 2) -> str:
    """A shape as JSON; characters that act on a terminal are escaped, as JSON allows."""
    import json

    made = json.dumps(shape, ensure_ascii=False, indent=indent)
    if made.isascii() and "\x7f" not in made:
        return made
    return "".join(char if _harmless(char) else json.dumps(char)[1:-1] for char in made)


def _harmless(char: str) -> bool:
    return char.isprintable() or char in "\n\t" or unicodedata.category(char) == "Zs"


def _named(char: str) -> str:
    number = ord(char)
    return f"\\u{number:04x}" if number <= 0xFFFF else f"\\U{number:08x}"  # noqa: PLR2004 - BMP
