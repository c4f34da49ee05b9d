"""A running command on a pseudo-terminal of its own: what it wrote, its screen, its keys.

The command's parent is a plain Python process whose parent is init, so that nothing of the
test run stands above it. Everything is waited for with a deadline; nothing sleeps.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Self

from harness.screen import Screen, plain
from harness.surroundings import TRAILER

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

SUPERVISOR = Path(__file__).with_name("supervisor.py")
_TRAILER = re.compile(rf"{TRAILER}(\d+)\s*")


@dataclass(frozen=True, kw_only=True, slots=True)
class Transcript:
    """What a command showed, and how it ended."""

    #: Everything written, escape sequences removed, in the order of writing.
    text: str
    #: The screen as it stood at the end, one line a row, trailing space removed.
    screen: str
    #: Everything written, as bytes.
    raw: bytes
    #: Exit status; negative for the number of the signal that ended it.
    exit_code: int


class TerminalTimeoutError(AssertionError):
    """What was waited for did not come; the message shows the screen."""


class Terminal:
    """A running command and the terminal it is on (or, with ``tty=False``, its output)."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        cwd: Path,
        env: Mapping[str, str],
        tty: bool = True,
        rows: int = 40,
        columns: int = 120,
    ) -> None:
        """Start the command."""
        self._written = bytearray()
        self._mark = 0
        self._screen = Screen(columns, rows, self._answer)
        self._reports = b""
        self._tty = tty
        with contextlib.ExitStack() as opened:
            near, far = os.openpty() if tty else os.pipe()
            reports, status = os.pipe()
            lifeline, life = os.pipe()
            for descriptor in (far, status, lifeline):
                opened.callback(os.close, descriptor)
            if tty:
                fcntl.ioctl(far, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
            self._near, self._status, self._life = near, reports, life
            self._open = {near, reports}
            with subprocess.Popen(
                [
                    *(sys.executable, "-I", "-S", str(SUPERVISOR)),
                    *(str(far if tty else -1), str(status), str(lifeline)),
                    *(str(-1 if tty else far), str(cwd), *command),
                ],
                env=dict(env),
                stdin=subprocess.DEVNULL,
                pass_fds=(far, status, lifeline),
                start_new_session=True,
            ) as launcher:
                launcher.wait(timeout=20)
        os.write(life, b"g")

    def __enter__(self) -> Self:
        """Give the terminal; leaving the block hangs up."""
        return self

    def __exit__(self, *_: object) -> None:
        """Hang up."""
        self.close()

    @property
    def text(self) -> str:
        """Everything written so far, escape sequences removed."""
        return plain(bytes(self._written))

    @property
    def screen(self) -> str:
        """The screen as it stands."""
        return self._screen.text

    @property
    def pid(self) -> int:
        """Process id of the command (leader of its session)."""
        self._until(lambda: b"pid " in self._reports, "the command to start", 20)
        return int(self._reports.split()[1])

    def expect(self, text: str, *, timeout_s: float = 20) -> None:
        """Wait until the text was written after the last typed keys; or raise."""
        self._until(
            lambda: text in plain(bytes(self._written[self._mark :])), f"{text!r}", timeout_s
        )

    def see(self, text: str, *, timeout_s: float = 20) -> None:
        """Wait until the text stands on the screen; or raise."""
        self._until(lambda: text in self.screen, f"{text!r} on the screen", timeout_s)

    def see_gone(self, text: str, *, timeout_s: float = 20) -> None:
        """Wait until the text no longer stands on the screen; or raise."""
        self._until(lambda: text not in self.screen, f"{text!r} to go", timeout_s)

    def type(self, keys: str) -> None:
        r"""Type keys (``\r`` is Enter, ``\x1b`` is Escape); later ``expect`` starts here."""
        self._mark = len(self._written)
        os.write(self._near, keys.encode())

    def enter(self, line: str, *, timeout_s: float = 20) -> None:
        """Type a line into a program that shows what is typed; then, once it stands, Enter."""
        self.type(line)
        self.see(line, timeout_s=timeout_s)
        self.type("\r")

    def interrupt(self) -> None:
        """Send SIGINT to the command, as Ctrl-C does where the terminal is not raw."""
        os.kill(self.pid, signal.SIGINT)

    def wait(self, *, timeout_s: float = 20) -> Transcript:
        """Wait for the end of the command; or raise."""
        self._until(lambda: b"exit " in self._reports, "the command to end", timeout_s)
        while self._read(0):
            pass
        return Transcript(
            text=self.text,
            screen=self.screen,
            raw=bytes(self._written),
            exit_code=int(self._reports.split()[3]),
        )

    def wait_for_trailer(self, *, timeout_s: float = 20, on_screen: bool = False) -> Transcript:
        """Wait for the exit status that a detached command's wrapper writes after it."""

        def ended() -> re.Match[str] | None:
            return _TRAILER.search(self.screen if on_screen else self.text)

        self._until(lambda: ended() is not None, "the detached command to end", timeout_s)
        found = ended()
        assert found is not None
        return Transcript(
            text=_TRAILER.sub("", found.string),
            screen=self.screen,
            raw=bytes(self._written),
            exit_code=int(found[1]),
        )

    def close(self) -> None:
        """Hang up: the command and its process group end, and are waited for."""
        for descriptor in (self._life, self._near):
            if descriptor >= 0:
                os.close(descriptor)
        if self._status >= 0:
            self._open = {self._status}
            while self._open and self._read(10):
                pass
            os.close(self._status)
        self._life = self._near = self._status = -1

    def _until(self, holds: Callable[[], bool], what: str, timeout_s: float) -> None:
        deadline = time.monotonic() + timeout_s
        while not holds():
            left = deadline - time.monotonic()
            if left <= 0 or not (self._read(left) or holds()):
                end = "ended" if not self._open else f"waited {timeout_s:g} s"
                message = f"{end}, without {what}; the screen:\n{self.screen or self.text}"
                raise TerminalTimeoutError(message)

    def _read(self, timeout_s: float) -> bool:
        """Take in what came within the time; False when nothing did, or nothing more can."""
        ready, _, _ = (
            select.select(list(self._open), [], [], timeout_s) if self._open else ([],) * 3
        )
        for source in ready:
            try:
                chunk = os.read(source, 65536)
            except OSError:  # how Linux reports a terminal that no process holds open any more
                chunk = b""
            if not chunk:
                self._open.discard(source)
            elif source == self._status:
                self._reports += chunk
            else:
                self._written += chunk
                self._screen.feed(chunk)
        return bool(ready)

    def _answer(self, data: str) -> None:
        """Send a terminal's own reply (cursor position, kind of terminal)."""
        if self._tty:
            os.write(self._near, data.encode())
