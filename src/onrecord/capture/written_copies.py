"""Where copies and exports were written outside of a store's own folder.

Erasing does not reach them; whoever erases is told their names.
"""

# ruff: noqa: PTH112, PTH120 - plain strings

from __future__ import annotations

import os

from onrecord.capture.private_folder import PrivateFolder
from onrecord.domain.errors import StoreError

#: Of so many of the latest it is known.
MAX_KNOWN = 200


class WrittenCopies:
    """The list of them, a small file each in a folder beside the store."""

    def __init__(self, folder: str, *, own: str) -> None:
        """`own` is the store's folder of copies: what is in it needs no list."""
        self._list = PrivateFolder(folder, most=MAX_KNOWN)
        self._own = own

    def note(self, path: str, at: int) -> None:
        """A copy is about to be written there; raises a `StoreError` where that cannot be kept.

        One that is not in the list would not be named when something is erased.
        """
        folder = os.path.dirname(path)
        if os.path.realpath(folder) == os.path.realpath(self._own):
            return
        if not self._list.write(f"{at:020d}-{os.getpid()}", path):
            raise StoreError(
                "The list of copies beside the store could not be written, so none was made.",
                hint="Free some room, or check the folder's permissions; then run that again.",
                details={"path": self._list.path},
            )

    def since(self, at: int) -> list[str]:
        """Those that were written at that instant or later, oldest first, and may be there still.

        One whose folder stands without it is gone; what is on a drive that is away may be there.
        """
        found: dict[str, None] = {}
        for name in self._list.names():
            noted, path = name.partition("-")[0], self._list.read(name)
            if noted.isdecimal() and path and _may_hold(path, int(noted), at):
                found[path] = None
        return list(found)


def _may_hold(path: str, noted: int, at: int) -> bool:
    """Whether it may be there, and was begun or last written to no earlier than `at`."""
    try:
        written = os.lstat(path).st_mtime_ns // 1000
    except OSError:
        return noted >= at and not os.path.isdir(os.path.dirname(path))
    return max(noted, written) >= at
