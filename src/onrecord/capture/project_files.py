"""A project's own files of decisions, plans and notes: which there are, and reading them safely.

Nothing outside of the repository is reached: every folder on the way is opened without
following links, and what is not a plain file of text of a sensible size is told, not read.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase

#: Name of a file at the top or in a folder of documents -> kind of what its sections say.
NAMES = {"decisions.md": "decision", "plan.md": "note", "log.md": "note"}
_NAME_FOLDERS = ("", "docs", "doc")

#: Folders with one decision a file.
ADR_FOLDERS = (
    "adr",
    "adrs",
    "decisions",
    "doc/adr",
    "doc/adrs",
    "docs/adr",
    "docs/adrs",
    "docs/decisions",
    "doc/architecture/decisions",
    "docs/architecture/decisions",
)
#: Files in those folders that are no decision.
_NOT_ADR = ("readme.md", "index.md", "template.md", "adr-template.md")

#: Largest file that is read, in bytes.
MAX_BYTES = 1024 * 1024
#: Files of one repository, folders below its top and entries that are looked at.
MAX_FILES = 1_000
MAX_DEPTH = 12
MAX_ENTRIES = 50_000

_NEVER = (".git", "node_modules", ".venv", ".hg", ".svn")
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


@dataclass(frozen=True, kw_only=True, slots=True)
class Found:
    """One file of a project."""

    #: from the repository's top, with slashes
    path: str
    #: size, times in ns and inode: the same as before means that it was not touched
    stamp: tuple[int, int, int, int]
    #: one decision as a whole, in place of one for each section
    whole: bool = False
    kind: str = "note"
    #: why it cannot be read, empty where it can: not_a_file · too_big
    wrong: str = ""


@dataclass(kw_only=True, slots=True)
class _Looked:
    """What was found so far, and how much was looked at."""

    found: dict[str, Found] = field(default_factory=dict[str, Found])
    entries: int = 0


def find(root: str, globs: Sequence[str] = ()) -> list[Found]:
    """The project files below a repository's top, by path.

    `globs` are further patterns from the top, in which `*` fits within one name and `**` any
    folders; one that is absolute or climbs out fits nothing. At most MAX_FILES.
    """
    patterns = [tuple(glob.split("/")) for glob in globs if is_inside(glob)]
    looked = _Looked()
    try:
        top = os.open(root, _FOLDER)
    except OSError:
        return []
    try:
        _look(top, (), patterns, looked)
    finally:
        os.close(top)
    return [looked.found[path] for path in sorted(looked.found)][:MAX_FILES]


def is_inside(glob: str) -> bool:
    """Whether a pattern stays below where it starts."""
    parts = glob.split("/")
    return bool(glob) and not any(part in ("", ".", "..") for part in parts) and "\0" not in glob


def _look(
    folder: int, at: tuple[str, ...], patterns: Sequence[tuple[str, ...]], looked: _Looked
) -> None:
    try:
        names = sorted(os.listdir(folder))
    except OSError:
        return
    for name in names:
        looked.entries += 1
        if looked.entries > MAX_ENTRIES or len(looked.found) >= MAX_FILES:
            return
        below = (*at, name)
        try:
            seen = os.stat(name, dir_fd=folder, follow_symlinks=False)
        except OSError:
            continue
        if not stat.S_ISDIR(seen.st_mode):
            _note(below, seen, patterns, looked)
        elif name not in _NEVER and len(below) < MAX_DEPTH and _may_hold(below, patterns):
            _enter(folder, name, below, patterns, looked)


def _enter(
    folder: int,
    name: str,
    below: tuple[str, ...],
    patterns: Sequence[tuple[str, ...]],
    looked: _Looked,
) -> None:
    try:
        inner = os.open(name, _FOLDER, dir_fd=folder)
    except OSError:
        return
    try:
        _look(inner, below, patterns, looked)
    finally:
        os.close(inner)


def _note(
    parts: tuple[str, ...],
    seen: os.stat_result,
    patterns: Sequence[tuple[str, ...]],
    looked: _Looked,
) -> None:
    what = _what(parts, patterns)
    path = "/".join(parts)
    if what is None or not _is_plain(path):
        return
    wrong = ""
    if not stat.S_ISREG(seen.st_mode):
        wrong = "not_a_file"
    elif seen.st_size > MAX_BYTES:
        wrong = "too_big"
    stamp = (seen.st_size, seen.st_mtime_ns, seen.st_ctime_ns, seen.st_ino)
    whole, kind = what
    looked.found[path] = Found(path=path, stamp=stamp, whole=whole, kind=kind, wrong=wrong)


def _is_plain(path: str) -> bool:
    """Whether a path is a line of text that can be shown."""
    return path.isprintable() and len(path.encode("utf-8", "replace")) <= 400  # noqa: PLR2004 - a line


def _what(parts: tuple[str, ...], patterns: Sequence[tuple[str, ...]]) -> tuple[bool, str] | None:
    """(one decision as a whole, kind) of a file that counts."""
    folder, name = "/".join(parts[:-1]).lower(), parts[-1].lower()
    if folder in _NAME_FOLDERS and name in NAMES:
        return False, NAMES[name]
    if folder in ADR_FOLDERS and name.endswith(".md") and name not in _NOT_ADR:
        return True, "decision"
    if any(fits(parts, pattern) for pattern in patterns):
        return False, NAMES.get(name, "note")
    return None


def _may_hold(parts: tuple[str, ...], patterns: Sequence[tuple[str, ...]]) -> bool:
    """Whether a file that counts can stand in a folder or below it."""
    folder = "/".join(parts).lower() + "/"
    known = (*_NAME_FOLDERS, *ADR_FOLDERS)
    if any(f"{name}/".startswith(folder) for name in known):
        return True
    return any(_may_lead(parts, pattern) for pattern in patterns)


def _may_lead(parts: tuple[str, ...], pattern: tuple[str, ...]) -> bool:
    for have, want in zip(parts, pattern, strict=False):
        if want == "**":
            return True
        if not fnmatchcase(have, want):
            return False
    return len(parts) < len(pattern)


def fits(parts: tuple[str, ...], pattern: tuple[str, ...]) -> bool:
    """Whether a path fits a pattern, name by name; `**` stands for any folders, or none."""
    reached = {0}
    for part in parts:
        after: set[int] = set()
        for at in _skipped(reached, pattern):
            if pattern[at] == "**":
                after.add(at)
            elif fnmatchcase(part, pattern[at]):
                after.add(at + 1)
        reached = after
    return any(set(pattern[at:]) <= {"**"} for at in reached)


def _skipped(reached: set[int], pattern: tuple[str, ...]) -> Iterator[int]:
    """The places in a pattern that come next, also past folders that are not there."""
    for start in reached:
        at = start
        while at < len(pattern):
            yield at
            if pattern[at] != "**":
                break
            at += 1


class Unreadable(Exception):
    """A file is not what can be read: not_a_file · too_big · not_text · gone."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


def read(root: str, path: str) -> str:
    """The text of a file below a repository's top; raises `Unreadable`.

    No folder on the way and no file at its end may be a link, whatever they were before.
    """
    parts = path.split("/")
    if not is_inside(path):
        raise Unreadable("not_a_file")
    opened: list[int] = []
    try:
        opened.append(os.open(root, _FOLDER))
        for name in parts[:-1]:
            opened.append(os.open(name, _FOLDER, dir_fd=opened[-1]))
        opened.append(os.open(parts[-1], _FILE, dir_fd=opened[-1]))
        return _text(opened[-1])
    except FileNotFoundError:
        raise Unreadable("gone") from None
    except OSError:
        raise Unreadable("not_a_file") from None
    finally:
        for number in reversed(opened):
            os.close(number)


def _text(number: int) -> str:
    if not stat.S_ISREG(os.fstat(number).st_mode):
        raise Unreadable("not_a_file")
    raw = b""
    while len(raw) <= MAX_BYTES and (more := os.read(number, MAX_BYTES + 1 - len(raw))):
        raw += more
    if len(raw) > MAX_BYTES:
        raise Unreadable("too_big")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Unreadable("not_text") from None
    if "\0" in text:
        raise Unreadable("not_text")
    return text.replace("\r\n", "\n").replace("\r", "\n")
