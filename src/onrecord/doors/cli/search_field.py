"""A field to type into, with what fits below it, on the person's own terminal.

It is drawn where the cursor stands and leaves nothing behind. Only whole keys count: a text
that is pasted is looked for once.
"""

from __future__ import annotations

import os
import select
from codecs import getincrementaldecoder
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING
from unicodedata import combining, east_asian_width

from onrecord.doors.cli import terminal
from onrecord.doors.cli.text import printable
from onrecord.service.finding import says_enough

if TYPE_CHECKING:
    from onrecord.service.answers import Hit

#: What begins the line that is typed into.
PROMPT = "find: "
HELP = "type three letters or more; up and down choose, Enter shows, Esc leaves"

_ERASE = ("\x7f", "\x08")
_UP = ("\x1b[A", "\x1bOA", "\x10")
_DOWN = ("\x1b[B", "\x1bOB", "\x0e")
_CLEAR, _WORD, _ENTER, _ESCAPE = "\x15", "\x17", ("\r", "\n"), "\x1b"
_END_OF_INPUT = "\x04"
#: What follows Esc in a key of several characters, and what may stand between it and the last.
_LEADS = ("[", "O")
_BETWEEN = frozenset(map(chr, range(0x20, 0x40)))
#: Seconds that the rest of a key may take to follow its first byte.
_REST_S = 0.05
#: Characters that may be typed.
_LONGEST = 200


class Field:
    """What is typed, what fits it, and which of these is chosen."""

    def __init__(self, ask: Callable[[str], Sequence[Hit]]) -> None:
        """`ask` gives the hits for a text, best first."""
        self._ask = ask
        self._asked: str = ""
        self.typed: str = ""
        self.hits: Sequence[Hit] = ()
        self.at = 0

    def press(self, key: str) -> None:
        """Take one key in; what means nothing here changes nothing."""
        if key in _ERASE:
            self.typed = self.typed[:-1]
        elif key == _CLEAR:
            self.typed = ""
        elif key == _WORD:
            self.typed = self.typed.rstrip().rpartition(" ")[0]
        elif key in _UP:
            self.at = max(self.at - 1, 0)
        elif key in _DOWN:
            self.at = max(min(self.at + 1, len(self.hits) - 1), 0)
        elif key.isprintable() and len(self.typed) < _LONGEST:
            self.typed += key

    def look(self) -> None:
        """Find what fits by now, unless that was done; the best is chosen again."""
        if self.typed != self._asked:
            self.hits = self._ask(self.typed)
            self._asked = self.typed
            self.at = 0

    def lines(self, told: Callable[[Hit], str], columns: int) -> list[str]:
        """The lines below the field, each no wider than so many columns."""
        if not self.hits:
            said = says_enough(self.typed)
            near = f"nothing here fits {self.typed.strip()}" if said else HELP
            return [fitted(f"  {near}", columns)]
        return [
            fitted(f"{'>' if n == self.at else ' '} {told(hit)}", columns)
            for n, hit in enumerate(self.hits)
        ]


def pick(ask: Callable[[str], Sequence[Hit]], told: Callable[[Hit], str]) -> Hit | None:
    """The hit that a person chose, or None where they left; `told` makes a line of one.

    Raises `NeedsPerson` where there is no terminal.
    """
    field = Field(ask)
    with terminal.keys() as descriptor:
        try:
            for key in keys(descriptor, lambda: _draw(descriptor, field, told)):
                if key in _ENTER:
                    field.look()
                    return field.hits[field.at] if field.hits else None
                if key in (_ESCAPE, _END_OF_INPUT):
                    return None
                field.press(key)
        finally:
            os.write(descriptor, b"\r\x1b[J")
    return None


def _draw(descriptor: int, field: Field, told: Callable[[Hit], str]) -> None:
    field.look()
    columns = os.get_terminal_size(descriptor).columns
    line = fitted(PROMPT + field.typed, columns)
    below = field.lines(told, columns)
    # back up to the field, and to the right of what is typed
    back = f"\x1b[{len(below)}A\r\x1b[{width(line)}C"
    text = f"\r\x1b[J{line}\r\n" + "\r\n".join(below) + back
    os.write(descriptor, text.encode("utf-8", "replace"))


def keys(descriptor: int, idle: Callable[[], None]) -> Iterator[str]:
    """Every key as the terminal sent it, arrows and keys with Alt whole.

    `idle` is called whenever all that was typed is taken in.
    """
    decoder = getincrementaldecoder("utf-8")("replace")
    waiting = ""
    while True:
        if not waiting and not _ready(descriptor, 0):
            idle()
        size = _first(waiting)
        if not size and (not waiting or _ready(descriptor, _REST_S)):
            raw = os.read(descriptor, 1024)
            if not raw:
                break
            waiting += decoder.decode(raw)
            continue
        key = waiting[: size or len(waiting)]
        waiting = waiting[len(key) :]
        # Esc that is pressed twice is Esc
        yield key if key.strip(_ESCAPE) else _ESCAPE
    if waiting:
        yield waiting if waiting.strip(_ESCAPE) else _ESCAPE


def _first(waiting: str) -> int:
    """How many characters the first key has; 0 where more of it may follow."""
    if not waiting.startswith(_ESCAPE):
        return min(len(waiting), 1)
    at = 1
    if waiting[1:2] == _ESCAPE:
        # Alt with an arrow, or Esc pressed twice
        if waiting[2:3] not in ("", *_LEADS):
            return 1
        at = 2
    if waiting[at : at + 1] not in _LEADS:
        return at + 1 if len(waiting) > at else 0
    for end in range(at + 1, len(waiting)):
        if waiting[end] not in _BETWEEN:
            return end + 1
    return 0


def _ready(descriptor: int, seconds: float) -> bool:
    return bool(select.select([descriptor], [], [], seconds)[0])


def width(text: str) -> int:
    """Columns that a text takes on a terminal."""
    return sum(_width(char) for char in text)


def _width(char: str) -> int:
    if combining(char):
        return 0
    return 2 if east_asian_width(char) in "WF" else 1


def fitted(text: str, columns: int) -> str:
    """A text on one line, made harmless and cut to so many columns less one."""
    line = printable(text).replace("\n", " ").replace("\t", " ")
    room = columns - 1
    if width(line) <= room:
        return line
    kept, used = "", 0
    for char in line:
        used += _width(char)
        if used > room - 1:
            break
        kept += char
    return kept + "…"
