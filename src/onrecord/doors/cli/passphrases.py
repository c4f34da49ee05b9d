"""A passphrase for the keys of a copy, out of a file of one's own."""

from __future__ import annotations

import os
import shlex
import stat

from onrecord.domain.errors import UsageError

#: Characters of one that is worth guessing at.
LEAST = 12
_MOST_BYTES = 4_096
_OTHERS = 0o077
#: Makes one that nobody guesses and nobody else can read.
_MAKE = "Make one that only you can read: (umask 077; head -c 24 /dev/urandom | base64"


def of_file(path: str, *, opens: bool = False) -> str:
    """The first line of a file that nobody else can read; empty for no path.

    One that `opens` something has to be there; for closing something one can be made.

    Raises `UsageError` where it is no such file, or the line is shorter than LEAST.
    """
    if not path:
        return ""
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    try:
        number = os.open(path, flags)
    except OSError:
        why = "cannot be read" if os.path.lexists(path) else "is not there"
        hint = "" if opens or os.path.lexists(path) else f"{_MAKE} >{shlex.quote(path)})"
        raise _unfit(path, why, hint=hint) from None
    try:
        found = os.fstat(number)
        if not stat.S_ISREG(found.st_mode):
            raise _unfit(path, "is no plain file")
        if found.st_mode & _OTHERS:
            raise _unfit(path, "can be read by others", hint=f"chmod 600 {shlex.quote(path)}")
        raw = os.read(number, _MOST_BYTES)
    finally:
        os.close(number)
    try:
        line = raw.decode("utf-8").partition("\n")[0].rstrip("\r")
    except UnicodeDecodeError:
        raise _unfit(path, "is not UTF-8") from None
    if len(line) < LEAST:
        raise _unfit(path, f"holds fewer than {LEAST} characters")
    return line


def _unfit(path: str, why: str, hint: str = "") -> UsageError:
    said = f"The file of the passphrase {why}, so nothing was done."
    return UsageError(said, hint=hint, details={"path": path})
