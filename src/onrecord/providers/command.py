"""A command of the user's choice as the summariser: the prompt on its stdin, the answer on stdout.

It runs in a process group of its own, in an empty folder, for a bounded time and a bounded
answer. Whatever it started is ended with it, as long as that stays in its process group.
"""

from __future__ import annotations

import os
import selectors
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress

from onrecord.domain.summariser import Unanswered

#: Bytes of an answer; more is not taken.
MAX_ANSWER = 256 * 1024
_CHUNK = 64 * 1024
#: Seconds between two looks at whether it is still there.
_LOOK_S = 0.25


class CommandSummariser:
    """The `Summariser` port over a command line; no shell reads it."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        timeout_s: float,
        environ: Mapping[str, str],
        max_answer: int = MAX_ANSWER,
    ) -> None:
        self._command = list(command)
        self._timeout_s = timeout_s
        self._environ = dict(environ)
        self._max_answer = max_answer

    def ask(self, prompt: str) -> bytes:
        """Run it once; raises `Unanswered` (missing, failed, slow, too_big)."""
        folder = tempfile.mkdtemp(prefix="onrecord-")
        try:
            with self._started(folder) as process:
                try:
                    answer = self._exchange(process, prompt.encode("utf-8", "replace"))
                finally:
                    _end(process)
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        if process.returncode != 0:
            raise Unanswered("failed")
        return answer

    def _started(self, folder: str) -> subprocess.Popen[bytes]:
        try:
            return subprocess.Popen(  # noqa: S603 - the user's own configuration names it
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                cwd=folder,
                env=self._environ,
                start_new_session=True,
            )
        except (OSError, ValueError):
            raise Unanswered("missing") from None

    def _exchange(self, process: subprocess.Popen[bytes], prompt: bytes) -> bytes:
        """Write and read at once, so that neither waits for the other."""
        assert process.stdin is not None  # noqa: S101 - for the type checker: it is a pipe
        assert process.stdout is not None  # noqa: S101 - the same
        ends = time.monotonic() + self._timeout_s
        talk = _Talk(process.stdin.fileno(), process.stdout.fileno(), prompt)
        with selectors.DefaultSelector() as waiting:
            waiting.register(talk.reads, selectors.EVENT_READ)
            waiting.register(talk.writes, selectors.EVENT_WRITE)
            while talk.goes_on:
                if time.monotonic() >= ends:
                    raise Unanswered("slow")
                found = waiting.select(_LOOK_S)
                if not found and process.poll() is not None:
                    break  # what it left running holds its output open, and says nothing
                for key, _ in found:
                    if key.fileobj == talk.reads:
                        talk.read()
                    elif not talk.write():
                        waiting.unregister(talk.writes)
                        process.stdin.close()
                if len(talk.answer) > self._max_answer:
                    raise Unanswered("too_big")
        try:
            process.wait(max(0.0, ends - time.monotonic()))
        except subprocess.TimeoutExpired:
            raise Unanswered("slow") from None
        return bytes(talk.answer)


class _Talk:
    """What is still to be said, and what was answered so far."""

    def __init__(self, writes: int, reads: int, prompt: bytes) -> None:
        self.writes, self.reads = writes, reads
        self.answer = bytearray()
        self.goes_on = True
        self._prompt = prompt
        for number in (writes, reads):
            os.set_blocking(number, False)

    def read(self) -> None:
        """Take what is there; at its end nothing goes on."""
        part = os.read(self.reads, _CHUNK)
        self.answer += part
        self.goes_on = bool(part)

    def write(self) -> bool:
        """Say some more; False once all is said, or nobody listens."""
        self._prompt = _written(self.writes, self._prompt)
        return bool(self._prompt)


def _written(number: int, prompt: bytes) -> bytes:
    """What is left to write; nothing where nobody reads any more."""
    try:
        return prompt[os.write(number, prompt[:_CHUNK]) :]
    except BlockingIOError:
        return prompt
    except OSError:
        return b""


def _end(process: subprocess.Popen[bytes]) -> None:
    """End the command and what it started; the group is its own, so nobody else is met."""
    with suppress(OSError):
        os.killpg(process.pid, signal.SIGKILL)
    with suppress(OSError, ValueError):
        if process.stdin is not None:
            process.stdin.close()
    process.wait()
