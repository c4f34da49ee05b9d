"""What a terminal shows: escape sequences carried out, or taken out."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pyte

if TYPE_CHECKING:
    from collections.abc import Callable

#: One whole escape sequence: control (CSI), string (OSC, DCS, APC, PM, SOS), or short.
SEQUENCE = re.compile(
    rb"\x1b(?:\[[0-?]*[ -/]*[@-~]"
    rb"|[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)"
    rb"|[ -/]*[0-OQ-WYZ\\`-~])"
)
#: The control sequences that the emulator knows; it stumbles over the newer private ones.
KNOWN = re.compile(rb"\x1b(?:\[\??[0-9;]*[@-~]|[ -/]*[0-OQ-WYZ\\`-~])\Z")
PRIVATE = re.compile(rb"\x1b\[\?[0-9;]*[^hlJK]\Z")


def plain(written: bytes) -> str:
    """What was written without its escape sequences, lines ended as in a file."""
    return SEQUENCE.sub(b"", written).decode("utf-8", "replace").replace("\r\n", "\n")


class _Answering(pyte.Screen):
    """A screen that answers a program's questions about the terminal."""

    def __init__(self, columns: int, rows: int, reply: Callable[[str], None]) -> None:
        """Start empty."""
        super().__init__(columns, rows)
        self._reply = reply

    def write_process_input(self, data: str) -> None:
        """Pass an answer on."""
        self._reply(data)


class Screen:
    """A screen of characters that follows what a program writes."""

    def __init__(self, columns: int, rows: int, reply: Callable[[str], None]) -> None:
        """Start empty; ``reply`` gets what a terminal answers to a program's questions."""
        self._screen = _Answering(columns, rows, reply)
        self._stream = pyte.ByteStream(self._screen)
        self._held = b""

    @property
    def text(self) -> str:
        """The rows as lines, trailing space removed."""
        return "\n".join(row.rstrip() for row in self._screen.display).rstrip()

    def feed(self, written: bytes) -> None:
        """Carry out what was written; an unfinished sequence waits for its end."""
        rest = self._held + written
        done = 0
        for found in SEQUENCE.finditer(rest):
            self._stream.feed(rest[done : found.start()])
            done = found.end()
            if KNOWN.match(found[0]) and not PRIVATE.match(found[0]):
                self._stream.feed(found[0])
        open_at = rest.find(b"\x1b", done)
        cut = len(rest) if open_at < 0 else open_at
        self._stream.feed(rest[done:cut])
        self._held = rest[cut:]
