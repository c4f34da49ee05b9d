"""A repository's own `.onrecord.toml`: by anyone, so it can only narrow (light).

Whoever opens it follows no link; what is too large, no plain file or no TOML counts as empty.
"""

from __future__ import annotations

import os
import stat

from onrecord.capture.agents.base import as_mapping

#: Its name, at the top of a working tree.
NAME = ".onrecord.toml"

#: Larger ones are not read, in bytes.
MOST_BYTES = 16_384

#: How it is opened: no link is followed, and nothing is waited for.
FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC

#: What it can switch off.
SWITCHES = ("capture", "deliver")

#: Names of words that are told back; longer or odder ones are only counted.
_MOST_NAME = 24
_MOST_TOLD = 5


class Told:
    """What such a file says."""

    __slots__ = ("ignored", "most", "off", "project", "unread")

    def __init__(self) -> None:
        #: those of SWITCHES that are off
        self.off: tuple[str, ...] = ()
        #: no pack has more tokens; 0 where nothing is said
        self.most = 0
        #: name of the project that is meant, where the user's own file has it for this place
        self.project = ""
        #: words that are not obeyed
        self.ignored: tuple[str, ...] = ()
        #: why it was not read, empty where it was
        self.unread = ""


def read(file: int) -> Told:
    """What an open file says; it is closed. Nothing that stands in it raises anything."""
    told = Told()
    try:
        raw = _bytes(file, told)
    finally:
        os.close(file)
    if told.unread:
        return told
    try:
        import tomllib  # noqa: PLC0415 - only where there is a file

        _take(told, tomllib.loads(raw.decode("utf-8")))
    except Exception:  # noqa: BLE001 - whatever was put there, the hook goes on
        told = Told()
        told.unread = "it is no TOML in UTF-8"
    return told


def _bytes(file: int, told: Told) -> bytes:
    try:
        found = os.fstat(file)
        if not stat.S_ISREG(found.st_mode):
            told.unread = "it is no plain file"
            return b""
        raw = os.read(file, MOST_BYTES + 1)
    except OSError:
        told.unread = "it cannot be read"
        return b""
    if len(raw) > MOST_BYTES or found.st_size > MOST_BYTES:
        told.unread = f"it is larger than {MOST_BYTES} bytes"
    return raw


def _take(told: Told, given: dict[str, object]) -> None:
    ignored: list[str] = []
    off: list[str] = []
    for name, value in given.items():
        if name in SWITCHES and value == "off":
            off.append(name)
        elif name == "project" and isinstance(value, str):
            told.project = value
        elif name == "pack" and (table := as_mapping(value)):
            told.most = _tokens(table.get("budget"))
            ignored += [f"pack.{one}" for one in table if one != "budget" or not told.most]
        else:
            ignored.append(name)
    told.off = tuple(off)
    told.ignored = tuple(ignored)


def _tokens(budget: object) -> int:
    if not isinstance(budget, int) or isinstance(budget, bool):
        return 0
    return max(0, budget)


def names(words: tuple[str, ...]) -> str:
    """Words of the file as they can be told: plain names, a few of them, and how many more."""
    plain = [one for one in words if len(one) <= _MOST_NAME and _is_plain(one)][:_MOST_TOLD]
    more = len(words) - len(plain)
    told = [f"`{one}`" for one in plain]
    return ", ".join([*told, f"{more} more"] if more and told else told or [f"{more} words"])


def _is_plain(word: str) -> bool:
    return word.isascii() and word.replace(".", "").replace("_", "").isalnum()
