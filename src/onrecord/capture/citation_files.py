"""Paths and names of files in a text, with the lines that are cited."""

from __future__ import annotations

from typing import TYPE_CHECKING

from onrecord.capture.citation_patterns import Found, Match, before, compiled, joined
from onrecord.capture.citation_words import (
    ATTRIBUTES,
    BARE_FILES,
    DIRECTORIES,
    DOT_FILES,
    EXTENSIONS,
    FRAMEWORKS,
    HOST_ENDINGS,
    ROOTS,
    WELL_KNOWN,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

_CHAR = r"[\p{Latin}\p{N}_.@+~$%-]"
_LINES = (
    r":L?(\d{1,7})(?:[-–]L?(\d{1,7})|:\d{1,5})?|"
    r"#L(\d{1,7})(?:C\d{1,5})?(?:-L?(\d{1,7})(?:C\d{1,5})?)?"
)
#: a path, a name with a dot in it, or one of the few names without; other words are passed over
_PATH = (
    rf"({_CHAR}*(?:/{_CHAR}+)+|[\p{{Latin}}\p{{N}}_@+~$%-]*\.{_CHAR}+|"
    rf"\b(?:{'|'.join(sorted(BARE_FILES)).replace('.', '[.]')})\b)(?:{_LINES})?"
)
_DRIVE = r"([A-Za-z]:\\(?:[^\s\\/:*?\"<>|`()]+\\)*[^\s\\/:*?\"<>|`(),;]+)(?::(\d{1,7}))?"
_HEX = frozenset("0123456789abcdef")
#: the shortest and the longest form of a commit id
_COMMIT = range(7, 41)


def files(text: str) -> Iterator[Found]:
    """Every file, in the order of the text."""
    for match in compiled(_DRIVE).finditer(text):
        if not joined(text, match.start()):
            path = match.group(1) or ""
            number = match.group(2)
            yield _found(match, path if number else path.rstrip(".!?"), number, None)
    for match in compiled(_PATH).finditer(text):
        first, last = match.group(2) or match.group(4), match.group(3) or match.group(5)
        path = _without_commit(match.group(1) or "")
        if not first:
            path = path.rstrip(".-+@~$%")
        end = match.end() if first else match.start() + len(path)
        if path and _is_file(text, match.start(), path, end):
            yield _found(match, path, first, last)


def _without_commit(path: str) -> str:
    """`src/lens.py@3fa9c1e` names the file at a commit."""
    name, mark, commit = path.rpartition("@")
    return name if mark and len(commit) in _COMMIT and _HEX.issuperset(commit) else path


def _found(match: Match, path: str, first: str | None, last: str | None) -> Found:
    start = match.start()
    if not first:
        return Found(start, start + len(path), "file", path)
    return Found(start, match.end(), "line", path, (int(first), int(last or first)))


def _is_file(text: str, start: int, path: str, end: int) -> bool:
    mark = before(text, start)
    if (mark.isascii() and mark.isalnum()) or mark in "\\#&}":
        return False
    if mark == ":" and not _of_commit(text, start):
        return False
    if mark == "*" and text[max(0, start - 3) : start].rstrip("*")[-1:] in ("/", "."):
        return False  # the end of a pattern such as src/**/*.rs
    if "/" not in path:
        called = text[end : end + 1] == "(" and not text[end + 1 : end + 2].isdecimal()
        return not called and _is_bare(path, ticked=mark == "`")
    return _is_path(path, ticked=mark == "`")


def _of_commit(text: str, start: int) -> bool:
    """Whether a commit stands before the colon, as in `3fa9c1e:src/lens.py`."""
    words = text[max(0, start - len(_COMMIT) - len(_HEX)) : start - 1].split()
    commit = words[-1].strip("`\"'(") if words else ""
    return commit == "HEAD" or (len(commit) in _COMMIT and _HEX.issuperset(commit))


def _is_bare(name: str, *, ticked: bool) -> bool:
    """Whether a name without a folder is a file's."""
    if name in BARE_FILES or name in WELL_KNOWN:
        return True
    if name.startswith("."):
        return name[1:] in DOT_FILES or name.startswith(".env.")
    stem, _, ending = name.rpartition(".")
    if not stem or "@" in name or ending not in EXTENSIONS:
        return False
    if stem.lower() in FRAMEWORKS and not ticked:
        return stem.islower() and ending not in ("js", "rs")
    if len(ending) == len(stem) == 1:
        return False  # a.m., U.S.
    return ticked or ending not in ATTRIBUTES


def _is_path(path: str, *, ticked: bool) -> bool:
    """Whether words with a slash are a path, not a choice, a ratio, a host or a branch."""
    folders, _, name = path.rpartition("/")
    parts = [part for part in folders.split("/") if part]
    top = parts[0] if parts else ""
    if not name or _is_host(top):
        return False
    if name in BARE_FILES or (name[0] == "." and name[1:] in DOT_FILES):
        return True
    stem, _, ending = name.rpartition(".")
    if stem and ending[:1].isalpha() and (len(ending) > 1 or ending in EXTENSIONS):
        return not (ending == "js" and parts and parts[-1].endswith(".js"))
    if path.startswith(("./", "../", "~/", "$")) or top.startswith("."):
        return True
    if path.startswith("/"):
        return top in ROOTS
    return top in DIRECTORIES and (ticked or "-" in name or len(parts) > 1)


def _is_host(part: str) -> bool:
    return "." in part.strip(".") and part.rpartition(".")[2] in HOST_ENDINGS
