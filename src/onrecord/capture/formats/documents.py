"""Text files of a folder that anybody may have filled: plain ones, in bounds, never by a link."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass

from onrecord.capture.formats.foreign import Skipped
from onrecord.domain.errors import BadField, NotFound, UsageError

#: Bounds: bytes of one text, files and folders of one source, levels of folders.
MAX_DOCUMENT = 1 << 20
MAX_FILES = 20_000
MAX_LEVELS = 12

#: Folders of tools and not of memories.
_PASSED = frozenset({".git", ".obsidian", "node_modules", ".venv", "__pycache__", ".trash"})


@dataclass(frozen=True, kw_only=True, slots=True)
class Document:
    """One text with the path that it has inside of what was asked for."""

    name: str
    text: str


def documents(path: str, *, ending: str = ".md") -> Iterator[Document | Skipped]:
    """The texts of a file or a folder, by name; a link, a device or what is too large is skipped.

    Raises `NotFound` where there is nothing and `BadField` past MAX_FILES.
    """
    if not os.path.isdir(path):  # noqa: PTH112 - plain strings
        yield _document(path, os.path.basename(path))  # noqa: PTH119
        return
    for name in sorted(_names(path, ending)):
        yield _document(os.path.join(path, name), name)  # noqa: PTH118


def _names(root: str, ending: str) -> Iterator[str]:
    waiting, seen = [("", 0)], 0
    while waiting:
        folder, level = waiting.pop()
        try:
            entries = list(os.scandir(os.path.join(root, folder)))  # noqa: PTH118
        except OSError:
            continue
        seen += len(entries)
        if seen > MAX_FILES:
            raise BadField(
                f"The folder holds more than {MAX_FILES:,} files. Nothing was imported."
            )
        for entry in entries:
            name = f"{folder}/{entry.name}" if folder else entry.name
            if entry.is_dir(follow_symlinks=False):
                if entry.name not in _PASSED and level < MAX_LEVELS:
                    waiting.append((name, level + 1))
            elif entry.name.lower().endswith(ending):
                yield name


def _document(path: str, name: str) -> Document | Skipped:
    try:
        raw = read_plain(path, MAX_DOCUMENT)
    except LinkRefusedError:
        return Skipped(where=name, why="link")
    except TooLargeError:
        return Skipped(where=name, why="too_large")
    except OSError:
        return Skipped(where=name, why="damaged")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        return Skipped(where=name, why="not_text")
    if "\x00" in text:
        return Skipped(where=name, why="not_text")
    return Document(name=name, text=text.replace("\r\n", "\n").replace("\r", "\n"))


class LinkRefusedError(OSError):
    """A link, a device, a pipe: anything but a plain file."""


class TooLargeError(OSError):
    """More bytes than there may be."""


def read_plain(path: str, most: int) -> bytes:
    """All bytes of a plain file; never through a link that it is itself, never more than `most`.

    Raises `LinkRefusedError`, `TooLargeError` and other `OSError`.
    """
    if os.path.islink(path):  # noqa: PTH114 - plain strings
        raise LinkRefusedError
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    number = os.open(path, flags | getattr(os, "O_BINARY", 0))
    with os.fdopen(number, "rb") as file:
        found = os.fstat(number)
        if not stat.S_ISREG(found.st_mode):
            raise LinkRefusedError
        raw = file.read(most + 1)
    if len(raw) > most:
        raise TooLargeError
    return raw


def whole_file(path: str, most: int) -> bytes:
    """All bytes of the one file that was asked for, as errors for a person.

    Raises `NotFound` where there is none, and `UsageError` for a link, a device or too much.
    """
    try:
        return read_plain(path, most)
    except FileNotFoundError:
        raise NotFound("There is no file at that path.", details={"path": path}) from None
    except LinkRefusedError:
        raise UsageError("That is not a plain file.", details={"path": path}) from None
    except TooLargeError:
        raise BadField(f"The file is over its limit of {most:,} bytes.") from None
    except (OSError, ValueError):
        raise UsageError("That file cannot be read.", details={"path": path}) from None
