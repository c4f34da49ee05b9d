"""The person's own terminal: keys and codes typed there."""

from __future__ import annotations

import os
import secrets
import termios
import tty
from collections.abc import Generator
from contextlib import contextmanager

from onrecord.domain.errors import NeedsPerson
from onrecord.doors.cli.text import printable

__all__ = ["ask_key", "ask_line", "ask_reason", "keys", "printable", "show", "type_code"]

#: Letters and digits that are not mistaken for one another.
_CODE_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
_CODE_LENGTH = 4

#: Ctrl-C and Ctrl-D where the terminal passes them on, and the end of input.
_GIVING_UP = ("\x03", "\x04", "")


def ask_key(question: str, keys: str) -> str:
    """One key out of `keys`, typed on the controlling terminal; it is not read from stdin.

    What was typed before the question stood there does not answer it.
    """
    with _terminal() as descriptor, _single_keys(descriptor):
        _write(descriptor, f"{question} [{'/'.join(keys)}] ")
        while True:
            char = os.read(descriptor, 1).decode("ascii", "replace").lower()
            if char in _GIVING_UP:
                _write(descriptor, "\n")
                raise KeyboardInterrupt
            if char in keys:
                _write(descriptor, f"{char}\n")
                return char


def ask_line(question: str) -> str:
    """One line typed on the controlling terminal, after the question stood there."""
    with _terminal() as descriptor:
        termios.tcflush(descriptor, termios.TCIFLUSH)
        _write(descriptor, question)
        line = b""
        while not line.endswith(b"\n"):
            part = os.read(descriptor, 1024)
            if not part:
                break
            line += part
        return line.decode("utf-8", "replace").strip()


def show(lines: list[str]) -> None:
    """Lines on the controlling terminal itself, wherever standard output goes."""
    with _terminal() as descriptor:
        _write(descriptor, "".join(f"{line}\n" for line in lines))


def type_code(why: str) -> bool:
    """Whether a short code shown on the terminal was typed there."""
    code = "".join(secrets.choice(_CODE_LETTERS) for _ in range(_CODE_LENGTH))
    typed = ask_line(f"{why} If you are a person, type {code} and Enter: ")
    return typed == code


def ask_reason() -> str:
    """Why something is rejected, by its first letter."""
    reasons = {
        "w": "wrong",
        "u": "unwanted",
        "d": "duplicate",
        "s": "wrong_scope",
        "n": "not_useful",
    }
    question = "Why? (w)rong (u)nwanted (d)uplicate wrong (s)cope (n)ot useful"
    return reasons[ask_key(question, "".join(reasons))]


@contextmanager
def keys() -> Generator[int]:
    """The terminal itself, with every key read at once and not shown."""
    with _terminal() as descriptor, _single_keys(descriptor):
        yield descriptor


@contextmanager
def _terminal() -> Generator[int]:
    try:
        descriptor = os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY | os.O_CLOEXEC)
    except OSError:
        raise NeedsPerson from None
    try:
        yield descriptor
    except (OSError, termios.error):
        # the terminal went away while it was asked
        raise NeedsPerson from None
    finally:
        os.close(descriptor)


@contextmanager
def _single_keys(descriptor: int) -> Generator[None]:
    before = termios.tcgetattr(descriptor)
    tty.setcbreak(descriptor, termios.TCSAFLUSH)
    try:
        yield
    finally:
        termios.tcsetattr(descriptor, termios.TCSADRAIN, before)


def _write(descriptor: int, text: str) -> None:
    raw = printable(text).encode("utf-8", "replace")
    while raw:
        raw = raw[os.write(descriptor, raw) :]
