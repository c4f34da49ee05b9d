"""The standard streams as a shell may leave them: closed, full, a pipe that ends, any encoding.

Light: loaded at every start.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TextIO

_DESCRIPTORS = (("stdin", 0), ("stdout", 1), ("stderr", 2))


def settle() -> None:
    """Put something into each closed stream, so that no file of ours takes its number.

    What a stream's encoding cannot carry is written as an escape instead of ending the command.
    """
    for name, number in _DESCRIPTORS:
        try:
            os.fstat(number)
        except OSError:
            # the lowest free number is this one: those below were settled before it
            os.open(os.devnull, os.O_RDWR)
        if getattr(sys, name) is None:
            mode = "r" if name == "stdin" else "w"
            stream = open(number, mode, encoding="utf-8")  # noqa: PTH123, SIM115 - kept to the end
            setattr(sys, name, stream)
    _reconfigure(sys.stdout)
    _reconfigure(sys.stderr)


def _reconfigure(stream: TextIO) -> None:
    change = getattr(stream, "reconfigure", None)
    if change is not None:
        change(errors="backslashreplace")


def write(text: str) -> None:
    """Write to standard output; raises `OutputLost`, or `BrokenPipeError` where nobody reads."""
    try:
        sys.stdout.write(text)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise _lost(error) from None


def write_utf8(text: str) -> None:
    """Write to standard output as UTF-8 whatever the locale says: JSON is UTF-8."""
    raw = getattr(sys.stdout, "buffer", None)
    if raw is None:
        write(text)
        return
    try:
        sys.stdout.flush()
        raw.write(text.encode("utf-8", "backslashreplace"))
    except BrokenPipeError:
        raise
    except OSError as error:
        raise _lost(error) from None


def complain(text: str) -> None:
    """Write to standard error; where that is gone too there is nobody to tell."""
    try:
        sys.stderr.write(text)
        sys.stderr.flush()
    except OSError:
        pass


def finish() -> None:
    """Send what is still held; raises as `write` does."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise _lost(error) from None


def abandon() -> None:
    """Nobody reads any more: let the rest go nowhere, so that the end is quiet."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def _lost(error: OSError) -> Exception:
    from onrecord.domain.errors import OutputLost

    abandon()
    reason = os.strerror(error.errno) if error.errno else "the output is closed"
    return OutputLost(hint=f"{reason}: free some room, or send the output elsewhere.")
