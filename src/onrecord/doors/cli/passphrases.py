"""A passphrase for the keys of a copy, out of a file of one's own."""

from __future__ import annotations

import os
import stat

from onrecord.domain.errors import UsageError

#: Characters of one that is worth guessing at.
LEAST = 12
_MOST_BYTES = 4_096
_OTHERS = 0o077


def of_file(path: str) -> str:
    """The first line of a file that nobody else can read; empty for no path.

    Raises `UsageError` where it is no such file, or the line is shorter than LEAST.
    """
    if not path:
        return ""
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    try:
        number = os.open(path, flags)
    except OSError:
        raise _unfit("cannot be read") from None
    try:
        found = os.fstat(number)
        if not stat.S_ISREG(found.st_mode):
            raise _unfit("is no plain file")
        if found.st_mode & _OTHERS:
            raise _unfit("can be read by others", hint=f"chmod 600 {path}")
        raw = os.read(number, _MOST_BYTES)
    finally:
        os.close(number)
    try:
        line = raw.decode("utf-8").partition("\n")[0].rstrip("\r")
    except UnicodeDecodeError:
        raise _unfit("is not UTF-8") from None
    if len(line) < LEAST:
        raise _unfit(f"holds fewer than {LEAST} characters")
    return line


def _unfit(why: str, hint: str = "") -> UsageError:
    return UsageError(f"The file of the passphrase {why}.", hint=hint)
