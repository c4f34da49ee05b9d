"""Files that a person names: new ones for the owner alone, and plain ones to read."""

from __future__ import annotations

import os
import stat
from collections.abc import Generator
from contextlib import contextmanager, suppress
from typing import BinaryIO

from onrecord.domain.errors import NO_ROOM, NotFound, StoreFull, UsageError


@contextmanager
def new_private_file(path: str) -> Generator[BinaryIO]:
    """A file that was not there before, mode 0600; gone again where writing it fails.

    Raises `UsageError` where something is at the path already or it cannot be made.
    """
    flags = os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_NOFOLLOW", 0)
    try:
        number = os.open(path, flags, 0o600)
    except FileExistsError:
        raise UsageError(
            "There is a file at that path already, so nothing was written.",
            hint="Give another name, or remove it first.",
            details={"path": path},
        ) from None
    except OSError as error:
        raise UsageError(
            "That file cannot be made, so nothing was written.",
            hint=f"{os.strerror(error.errno or 0)}.",
            details={"path": path},
        ) from None
    try:
        with os.fdopen(number, "wb") as file:
            if hasattr(os, "fchmod"):
                os.fchmod(number, 0o600)
            yield file
            file.flush()
            os.fsync(number)
    except BaseException as error:
        with suppress(OSError):
            os.unlink(path)  # noqa: PTH108 - a plain string
        if isinstance(error, OSError) and (error.errno or 0) in NO_ROOM:
            raise StoreFull(
                "There is no room for that file, so none was written.", details={"path": path}
            ) from None
        raise


@contextmanager
def plain_file(path: str) -> Generator[BinaryIO]:
    """A regular file opened for reading; never a pipe, a device or a folder.

    Raises `NotFound` where there is none, and `UsageError` for anything else.
    """
    try:
        # a pipe without a writer would be waited for
        number = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    except FileNotFoundError:
        raise NotFound("There is no file at that path.", details={"path": path}) from None
    except (OSError, ValueError):
        raise UsageError("That file cannot be read.", details={"path": path}) from None
    if not stat.S_ISREG(os.fstat(number).st_mode):
        os.close(number)
        raise UsageError("That is not a plain file.", details={"path": path})
    with os.fdopen(number, "rb") as file:
        yield file
