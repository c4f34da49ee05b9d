"""Lines of JSON in a file that may be hundreds of megabytes, damaged, and still growing."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterator, Mapping, Sequence
from typing import BinaryIO

from onrecord.capture.agents.base import as_mapping

#: A longer line is passed over without being held, in bytes.
MAX_LINE = 8 * 1024 * 1024
_CHUNK = 256 * 1024
_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


class JsonLines:
    """The objects of a file's lines from an offset on, one in memory at a time.

    Attributes:
        offset: where reading goes on next time; a last line that is cut off is left for then.
        damaged: lines that are no JSON object.
        too_long: lines over MAX_LINE.
    """

    def __init__(self, path: str, offset: int = 0, *, roots: Sequence[str] | None = None) -> None:
        """`roots` are the folders that the file has to lie in; None for anywhere."""
        self._path = path
        self._roots = roots
        self.offset = offset
        self.damaged = 0
        self.too_long = 0

    def __iter__(self) -> Iterator[tuple[int, Mapping[str, object]]]:
        """(where the line begins, its object); nothing where there is no plain file of ours."""
        file = opened(self._path, self._roots)
        if file is None:
            return
        with file:
            if self.offset > os.fstat(file.fileno()).st_size:
                self.offset = 0  # another file took its place
            file.seek(self.offset)
            while line := file.readline(MAX_LINE):
                start = self.offset
                if not line.endswith(b"\n"):
                    if len(line) == MAX_LINE:
                        if not self._passed_over(file, len(line)):
                            return
                        continue
                    found = _object(line)
                    if found is not None:  # a whole last line that only lacks its end
                        self.offset += len(line)
                        yield start, found
                    return
                self.offset += len(line)
                if not line.strip():
                    continue
                found = _object(line)
                if found is None:
                    self.damaged += 1
                else:
                    yield start, found

    def _passed_over(self, file: BinaryIO, size: int) -> bool:
        """Go to the end of a line that is too long; False where it has none yet."""
        while chunk := file.readline(_CHUNK):
            size += len(chunk)
            if chunk.endswith(b"\n"):
                self.offset += size
                self.too_long += 1
                return True
        return False


def opened(path: str, roots: Sequence[str] | None = None) -> BinaryIO | None:
    """The file for reading: a plain one of the user's own, None for anything else.

    With `roots` it has to lie below one of them, and no step from there to it is a link.
    """
    try:
        number = os.open(path, _FLAGS) if roots is None else _stepped(path, roots)
    except (OSError, ValueError):
        return None
    seen = os.fstat(number)
    if not stat.S_ISREG(seen.st_mode) or seen.st_uid != os.getuid():
        os.close(number)
        return None
    return os.fdopen(number, "rb", buffering=_CHUNK)


def _stepped(path: str, roots: Sequence[str]) -> int:
    """The descriptor of a file, opened step by step from the folder that it has to lie in."""
    for root in dict.fromkeys((*roots, *map(os.path.realpath, roots))):
        inside = path.removeprefix(f"{root.rstrip('/')}/")
        names = inside.split("/")
        if inside == path or not inside.endswith(".jsonl") or {"", ".", ".."} & set(names):
            continue
        folder = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            for name in names[:-1]:
                below = os.open(name, _FLAGS | os.O_DIRECTORY, dir_fd=folder)
                os.close(folder)
                folder = below
            return os.open(names[-1], _FLAGS, dir_fd=folder)
        finally:
            os.close(folder)
    raise FileNotFoundError(path)


def _object(line: bytes) -> Mapping[str, object] | None:
    try:
        found: object = json.loads(line)
    except (ValueError, RecursionError):
        return None
    whole = as_mapping(found)
    return whole if whole or found == {} else None
