"""Citations in a text, and whether they hold in a working tree.

`find` knows files, their lines, flags, addresses, commits and functions. `holds` looks up files
and lines only; it never leaves the tree, follows no link and opens nothing but regular files.
"""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass

from onrecord.capture.citation_files import files
from onrecord.capture.citation_rules import commits, flags, functions, urls
from onrecord.capture.citation_tree import inside

KINDS = ("file", "line", "flag", "url", "commit", "function")
#: in the order in which they take their words
_RULES = (urls, flags, functions, files, commits)
#: files larger than this many bytes are not read for their lines
LARGEST = 8 * 1024 * 1024
_BLOCK = 1 << 16
_ROOT = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
_FOLDER = _ROOT | os.O_NOFOLLOW
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK


@dataclass(frozen=True, kw_only=True, slots=True)
class Citation:
    """Something outside the text that a part of it points at."""

    #: where it stands, in code points, without quotation marks and brackets around it
    start: int
    end: int
    #: one of KINDS; `line` is a file with a line or several
    kind: str
    #: the path without its lines, or the words as they stand
    target: str
    #: first and last line, for `line` alone
    lines: tuple[int, int] | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Check:
    """Whether a citation holds, and if not, why."""

    ok: bool
    #: holds · missing · outside · link · not_a_file · too_large · no_such_line · unreadable ·
    #: not_checkable
    why: str


def find(text: str) -> list[Citation]:
    """Every citation of a text, in order and without overlaps; nothing is looked up."""
    taken, found = bytearray(len(text)), list[Citation]()
    for rule in _RULES:
        for start, end, kind, target, lines in rule(text):
            if taken.find(1, start, end) >= 0:
                continue
            taken[start:end] = b"\1" * (end - start)
            found.append(Citation(start=start, end=end, kind=kind, target=target, lines=lines))
    return sorted(found, key=lambda citation: citation.start)


def holds(citation: Citation, root: str | os.PathLike[str]) -> Check:
    """Whether a cited file stands in the working tree at `root` and has the cited lines.

    Paths are taken from the root, whether they begin with `./` or with the root itself. A link
    anywhere on the way does not hold, since it may lead out of the tree.
    """
    if citation.kind not in ("file", "line"):
        return Check(ok=False, why="not_checkable")
    parts = inside(citation.target, os.fspath(root))
    if not parts:
        return Check(ok=False, why="outside")
    try:
        why = _look_up(os.fspath(root), parts, citation.lines)
    except FileNotFoundError:
        why = "missing"
    except OSError:
        why = "unreadable"
    return Check(ok=why == "holds", why=why)


def _look_up(root: str, steps: list[str], lines: tuple[int, int] | None) -> str:
    """Walk down one folder at a time, so that no link is followed even if the tree changes."""
    folder = os.open(root, _ROOT)
    try:
        for step in steps[:-1]:
            kind = os.stat(step, dir_fd=folder, follow_symlinks=False).st_mode
            if not stat.S_ISDIR(kind):
                return "link" if stat.S_ISLNK(kind) else "missing"
            below = os.open(step, _FOLDER, dir_fd=folder)
            os.close(folder)
            folder = below
        kind = os.stat(steps[-1], dir_fd=folder, follow_symlinks=False).st_mode
        if not stat.S_ISREG(kind):
            return "link" if stat.S_ISLNK(kind) else "not_a_file"
        return _read(os.open(steps[-1], _FILE, dir_fd=folder), lines)
    finally:
        os.close(folder)


def _read(file: int, lines: tuple[int, int] | None) -> str:
    """Whether an open file is a regular one and long enough; closes it."""
    with open(file, "rb", buffering=0) as source:
        found = os.fstat(source.fileno())
        if not stat.S_ISREG(found.st_mode):
            return "not_a_file"
        if lines is None:
            return "holds"
        first, last = lines
        if found.st_size > LARGEST:
            return "too_large"
        if not 1 <= first <= last:
            return "no_such_line"
        count, tail = 0, b"\n"
        while count < last and (block := source.read(_BLOCK)):
            count, tail = count + block.count(b"\n"), block[-1:]
    return "holds" if count + (tail != b"\n") >= last else "no_such_line"
