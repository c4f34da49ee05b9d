"""Room that is kept aside: a full disk must not keep anybody from erasing.

A file of random bytes lies beside the store. Erasing on a full disk gives it up and tries again;
it is laid down anew where there is room.
"""

from __future__ import annotations

import os
from contextlib import suppress

#: Bytes: many times what the erasing of one memory with its versions writes.
SIZE = 1 << 20


def path_of(store: str) -> str:
    """Where the room of a store is kept."""
    return store + ".ballast"


def stock(store: str) -> None:
    """Keep room aside, unless it is; without room for it there is none, and that is no error."""
    path = path_of(store)
    if os.path.lexists(path):
        return
    flags = os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_NOFOLLOW", 0)
    try:
        number = os.open(path, flags, 0o600)
    except OSError:
        return
    try:
        with os.fdopen(number, "wb") as file:
            # a file system that packs files gives zeroes no room
            file.write(os.urandom(SIZE))
            file.flush()
            os.fsync(number)
    except OSError:
        release(store)


def release(store: str) -> bool:
    """Give the room up; whether there was any."""
    with suppress(OSError):
        os.unlink(path_of(store))  # noqa: PTH108 - a plain string
        return True
    return False
