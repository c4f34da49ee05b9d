"""How far long work is, on standard error: one line that changes, or plain lines elsewhere."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Mapping

from onrecord.doors.cli import streams
from onrecord.doors.cli.text import printable

#: Seconds between two looks of a terminal's line, and between two plain lines.
_LIVE_S = 0.1
_PLAIN_S = 2.0
_CELLS = 24


class Progress:
    """Told what is being done, and how much of it; says nothing beside JSON."""

    def __init__(
        self,
        *,
        quiet: bool,
        environ: Mapping[str, str] = os.environ,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._quiet = quiet
        self._clock = clock
        self._live = not quiet and sys.stderr.isatty() and environ.get("TERM", "") != "dumb"
        self._said = clock()
        self._on_screen = False

    def stage(self, doing: str) -> None:
        """What is being done now."""
        if self._live:
            self._show(f"{doing} …")
        elif not self._quiet:
            streams.complain(printable(f"{doing} …\n"))

    def step(self, doing: str, done: int, total: int) -> None:
        """How many of so many are done; said only every now and then."""
        now = self._clock()
        if self._quiet or (now - self._said < (_LIVE_S if self._live else _PLAIN_S)):
            return
        self._said = now
        count = f"{doing}: {done:,} of {total:,}"
        if not self._live:
            streams.complain(printable(f"{count}\n"))
            return
        filled = _CELLS * done // max(total, 1)
        self._show(f"[{'#' * filled}{'.' * (_CELLS - filled)}] {count}")

    def end(self) -> None:
        """Take the changing line away before an answer is given."""
        if self._on_screen:
            streams.complain("\r\x1b[K")
            self._on_screen = False

    def _show(self, text: str) -> None:
        streams.complain(f"\r\x1b[K{printable(text)}")
        self._on_screen = True
