"""The person's own terminal: keys and codes typed there, and text that cannot act on it."""

from __future__ import annotations

import os
import secrets
import sys
import termios
import tty
from collections.abc import Iterator
from contextlib import contextmanager

from onrecord.domain.errors import NeedsPerson

#: Letters and digits that are not mistaken for one another.
_CODE_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
_CODE_LENGTH = 4


def printable(text: str) -> str:
    """The text with control characters made visible; line breaks and tabs stay."""
    return "".join(
        char if char.isprintable() or char in "\n\t" else f"\\u{ord(char):04x}" for char in text
    )


def ask_key(question: str, keys: str) -> str:
    """One key out of `keys`, typed on the controlling terminal; it is not read from stdin."""
    with _terminal() as descriptor:
        _write(descriptor, f"{question} [{'/'.join(keys)}] ")
        while True:
            char = _read_key(descriptor)
            if char in ("\x03", "\x04", ""):
                _write(descriptor, "\n")
                raise KeyboardInterrupt
            if char.lower() in keys:
                _write(descriptor, f"{char.lower()}\n")
                return char.lower()


def ask_line(question: str) -> str:
    """One line typed on the controlling terminal."""
    with _terminal() as descriptor:
        _write(descriptor, question)
        line = b""
        while not line.endswith(b"\n"):
            part = os.read(descriptor, 1024)
            if not part:
                break
            line += part
        return line.decode("utf-8", "replace").strip()


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


def width() -> int:
    """Columns of the terminal, 80 where it is not known."""
    try:
        return os.get_terminal_size(sys.stdout.fileno()).columns
    except (OSError, ValueError):
        return 80


@contextmanager
def _terminal() -> Iterator[int]:
    try:
        descriptor = os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY | os.O_CLOEXEC)
    except OSError:
        raise NeedsPerson from None
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _read_key(descriptor: int) -> str:
    before = termios.tcgetattr(descriptor)
    try:
        # What was typed before the question stood there does not answer it.
        tty.setcbreak(descriptor, termios.TCSAFLUSH)
        return os.read(descriptor, 1).decode("ascii", "replace")
    finally:
        termios.tcsetattr(descriptor, termios.TCSADRAIN, before)


def _write(descriptor: int, text: str) -> None:
    os.write(descriptor, printable(text).encode("utf-8", "replace"))
