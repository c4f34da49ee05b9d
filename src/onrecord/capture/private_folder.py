"""Small files for the owner alone in one folder, with plain names; bounded in number and size."""

# ruff: noqa: PTH103, PTH105, PTH108, PTH118, PTH208 - plain strings

from __future__ import annotations

import fcntl
import os
import stat
from collections.abc import Generator
from contextlib import contextmanager, suppress

#: Bytes of one file.
MAX_BYTES = 256 * 1024


class PrivateFolder:
    """A folder with mode 0700; made with the first file that is written."""

    def __init__(self, path: str, *, most: int = 50) -> None:
        self.path = path
        self._most = most

    def names(self) -> list[str]:
        """The files in it, by name."""
        try:
            found = os.listdir(self.path)
        except OSError:
            return []
        return sorted(name for name in found if not name.startswith("."))

    def read(self, name: str) -> str:
        """A file's text; empty where it cannot be read."""
        flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        try:
            number = os.open(os.path.join(self.path, os.path.basename(name)), flags)  # noqa: PTH119
        except OSError:
            return ""
        with os.fdopen(number, "rb") as file:
            if not stat.S_ISREG(os.fstat(number).st_mode):
                return ""
            return file.read(MAX_BYTES).decode("utf-8", "replace")

    def write(self, name: str, text: str) -> bool:
        """Write a file in one step, mode 0600; says if it did. Of too many the first go."""
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        part = os.path.join(self.path, f".{os.getpid()}")
        try:
            os.makedirs(self.path, mode=0o700, exist_ok=True)
            with suppress(OSError):
                os.unlink(part)
            with os.fdopen(os.open(part, flags, 0o600), "wb") as file:
                file.write(text.encode("utf-8", "replace")[:MAX_BYTES])
                file.flush()
                os.fsync(file.fileno())
            os.replace(part, os.path.join(self.path, os.path.basename(name)))  # noqa: PTH119
        except OSError:
            return False
        for old in self.names()[: -self._most]:
            self.drop(old)
        return True

    @contextmanager
    def turn(self) -> Generator[bool]:
        """Be the only process at work here; False where another one is, or it cannot be told."""
        flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        try:
            os.makedirs(self.path, mode=0o700, exist_ok=True)
            number = os.open(os.path.join(self.path, ".turn"), flags, 0o600)
        except OSError:
            yield False
            return
        try:
            try:
                fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                yield False
            else:
                yield True
        finally:
            os.close(number)

    def drop(self, name: str) -> None:
        """Remove a file."""
        with suppress(OSError):
            os.unlink(os.path.join(self.path, os.path.basename(name)))  # noqa: PTH119
