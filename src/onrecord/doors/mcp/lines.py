"""Lines to and from two descriptors: bounded, in whole, and nothing else on them (light)."""

from __future__ import annotations

import os
import select

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

#: Longest line that is taken, in bytes; what is beyond is read and thrown away.
MAX_LINE: Final = 4 * 1024 * 1024

_PART = 65_536

#: What `Lines.take` gives besides a line.
ENDED: Final = "ended"
WAITED: Final = "waited"
TOO_LONG: Final = "too long"


def claim_streams() -> tuple[int, int]:
    """Descriptors of standard input and output for this module alone.

    Everything else in the process, and every program it starts, then reads nothing and
    prints to standard error, or nowhere where that is closed. Raises OSError where input or
    output are closed.
    """
    reader, writer = os.dup(0), os.dup(1)
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    try:
        os.dup2(2, 1)
    except OSError:
        os.dup2(null, 1)
        os.dup2(null, 2)
    os.close(null)
    return reader, writer


class Lines:
    """Reads lines from one descriptor and writes them to another."""

    def __init__(self, reader: int, writer: int) -> None:
        self._reader = reader
        self._writer = writer
        self._buffer = bytearray()
        self._looked = 0
        self._skipping = False
        self._ended = False

    def take(self, patience_s: float | None = None) -> bytes | str:
        """The next line without its end; `TOO_LONG` in place of one that is.

        `WAITED` when nothing came for `patience_s` seconds, `ENDED` after the last line; a
        line without an end counts as one.
        """
        while True:
            found = self._next()
            if found is not None:
                return found
            if self._ended:
                return self._rest()
            if not select.select([self._reader], [], [], patience_s)[0]:
                return WAITED
            self._read()

    def put(self, line: bytes) -> None:
        """Write a line whole; raises OSError where nobody reads it any more."""
        rest = memoryview(line + b"\n")
        while rest:
            try:
                rest = rest[os.write(self._writer, rest) :]
            except BlockingIOError:
                select.select([], [self._writer], [])

    def _read(self) -> None:
        try:
            part = os.read(self._reader, _PART)
        except BlockingIOError:
            return
        except OSError:
            part = b""
        self._ended = not part
        self._buffer += part

    def _next(self) -> bytes | str | None:
        end = self._buffer.find(b"\n", self._looked)
        if end < 0:
            self._looked = len(self._buffer)
            if len(self._buffer) > MAX_LINE:
                self._skipping = True
            if self._skipping:
                self._buffer.clear()
                self._looked = 0
            return None
        line = bytes(self._buffer[:end])
        del self._buffer[: end + 1]
        self._looked = 0
        if self._skipping or len(line) > MAX_LINE:
            self._skipping = False
            return TOO_LONG
        return line

    def _rest(self) -> bytes | str:
        if self._skipping:
            self._skipping = False
            return TOO_LONG
        line = bytes(self._buffer)
        self._buffer.clear()
        self._looked = 0
        return line or ENDED
