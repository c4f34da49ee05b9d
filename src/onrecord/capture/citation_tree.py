"""Cited lines in a working tree: read without ever leaving it, compared by digest (light).

No link is followed on the way, nothing but regular files is opened, and git's own folder is none
of the tree.
"""

from __future__ import annotations

import hashlib
import os
import stat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

#: Files beyond so many bytes are not read; their citations are not compared.
LARGEST = 2 * 1024 * 1024

#: Places in a file at which cited lines are looked for, the nearest first.
_PLACES = 20_000
#: What a process remembers, by what the file system says of it: files, and bytes in memory.
_REMEMBERED = 256
REMEMBERED_BYTES = 8 * 1024 * 1024
#: Bytes that a line needs in memory beside its text.
_LINE = 48
_SHORTEST_COMMIT = 7

_ROOT = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
_FOLDER = _ROOT | os.O_NOFOLLOW
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK

_known: dict[tuple[int, ...], tuple[int, list[bytes]]] = {}


class Pointer:
    """A file as evidence points at it: `src/app.py@c0ffee1:3-9`."""

    __slots__ = ("commit", "lines", "path")

    def __init__(self, path: str, commit: str = "", lines: tuple[int, int] | None = None) -> None:
        self.path = path
        #: empty where none was recorded
        self.commit = commit
        #: first and last, None for the whole file
        self.lines = lines

    def at(self, path: str, lines: tuple[int, int] | None) -> str:
        """Another place in the same form, without a commit."""
        if lines is None:
            return path
        first, last = lines
        return f"{path}:{first}" + (f"-{last}" if last != first else "")


def read_pointer(text: str) -> Pointer:
    """A stored pointer in its parts; whatever is no line or commit belongs to the path.

    Lines stand behind a colon, or as in an address: `src/app.py#L3-L9`.
    """
    text, _, anchor = text.partition("#L")
    if anchor:
        text += ":" + anchor.replace("L", "")
    path, colon, tail = text.rpartition(":")
    first, dash, last = tail.partition("-")
    lines = None
    if colon and first.isdecimal() and (last.isdecimal() if dash else True):
        lines = (int(first), int(last or first))
    else:
        path = text
    name, mark, commit = path.rpartition("@")
    if mark and len(commit) >= _SHORTEST_COMMIT and set(commit) <= set("0123456789abcdef"):
        return Pointer(name, commit, lines)
    return Pointer(path, "", lines)


def compare(
    pointer: Pointer, root: str, kept: bytes, *, largest: int = LARGEST
) -> tuple[str, tuple[int, int] | None, int]:
    """(what became of it, its lines now, lines of the file now).

    `holds`, `moved` (they stand elsewhere in their file), `changed`, `gone`, or `unchecked`
    where the file is too large to be read.
    """
    try:
        text = lines_of(pointer.path, root, largest=largest)
    except OSError:
        return "gone", None, 0
    if text is None:
        return "unchecked", None, 0
    if pointer.lines is None:
        return ("holds" if whole(text) == kept else "changed"), None, len(text)
    first, last = pointer.lines
    if 1 <= first <= last <= len(text) and digest(text[first - 1 : last]) == kept:
        return "holds", pointer.lines, len(text)
    size = last - first + 1
    for at in _nearest(first - 1, len(text) - size):
        if digest(text[at : at + size]) == kept:
            return "moved", (at + 1, at + size), len(text)
    return "changed", None, len(text)


def _nearest(start: int, last: int) -> Iterator[int]:
    """Places from 0 to the last, those around the start first."""
    for step in range(1, min(_PLACES, max(start, last) + 1) + 1):
        if 0 <= start - step <= last:
            yield start - step
        if 0 <= start + step <= last:
            yield start + step


def digest(lines: Sequence[bytes]) -> bytes:
    """The digest of lines, whatever white space ends them."""
    return hashlib.sha256(b"".join(line.rstrip() + b"\n" for line in lines)).digest()


def whole(lines: Sequence[bytes]) -> bytes:
    """The digest of a whole file."""
    return hashlib.sha256(b"".join(lines)).digest()


def lines_of(target: str, root: str, *, largest: int = LARGEST) -> list[bytes] | None:
    """The lines of a plain file below the root, None for a larger one; raises `OSError`.

    What did not change since it was read last is not read again.
    """
    with open(open_inside(target, root), "rb") as source:
        seen = os.fstat(source.fileno())
        if seen.st_size > largest:
            return None
        key = (seen.st_dev, seen.st_ino, seen.st_size, seen.st_mtime_ns, seen.st_ctime_ns)
        remembered = _known.get(key)
        if remembered is not None:
            return remembered[1]
        lines = source.read(largest).splitlines(keepends=True)
    _remember(key, lines, seen.st_size + _LINE * len(lines))
    return lines


def _remember(key: tuple[int, ...], lines: list[bytes], size: int) -> None:
    """Keep a file's lines, in the place of the oldest; what is too large by itself is not."""
    if size > REMEMBERED_BYTES:
        return
    kept = sum(one for one, _ in list(_known.values()))
    while _known and (kept + size > REMEMBERED_BYTES or len(_known) >= _REMEMBERED):
        kept -= _known.pop(next(iter(_known)))[0]
    _known[key] = (size, lines)


def inside(target: str, root: str) -> list[str]:
    """The steps from the root to a path; none if it leaves the tree or is git's own."""
    home = root.rstrip("/") + "/"
    target = target.removeprefix(home)
    if target.startswith(("/", "~", "\\")) or target[1:2] == ":" or "\0" in target:
        return []
    steps: list[str] = []
    for step in target.split("/"):
        if step == "..":
            if not steps:
                return []
            steps.pop()
        elif step not in ("", "."):
            steps.append(step)
    return steps if steps and steps[0] != ".git" else []


def open_inside(target: str, root: str) -> int:
    """A descriptor of a plain file below the root; raises `OSError` where there is none.

    No link is followed on the way, even if the tree changes meanwhile.
    """
    steps = inside(target, root)
    if not steps:
        raise FileNotFoundError
    folder = os.open(root, _ROOT)
    try:
        for step in steps[:-1]:
            below = os.open(step, _FOLDER, dir_fd=folder)
            os.close(folder)
            folder = below
        file = os.open(steps[-1], _FILE, dir_fd=folder)
    finally:
        os.close(folder)
    if stat.S_ISREG(os.fstat(file).st_mode):
        return file
    os.close(file)
    raise FileNotFoundError
