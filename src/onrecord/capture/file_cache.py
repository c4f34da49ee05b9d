"""What is known of the project files that were read: stamps and keyed digests, no text.

It only saves work: where it is missing, damaged or of another store, everything is read anew.
"""

# ruff: noqa: PTH105, PTH108 - plain strings

from __future__ import annotations

import json
import os
import stat
from contextlib import suppress
from dataclasses import dataclass, field

from onrecord.capture.agents.base import as_list, as_mapping

_FORM = 1
_MAX_BYTES = 16 * 1024 * 1024
_STAMP = 4


@dataclass(frozen=True, kw_only=True, slots=True)
class Known:
    """One file as it was read."""

    stamp: tuple[int, ...]
    #: keyed digest of its text, in hexadecimal; empty where it could not be read
    digest: str
    #: sections that it had
    sections: int = 0


@dataclass(kw_only=True, slots=True)
class Checkout:
    """The files of one repository, as they were read."""

    #: the checkout that they are read from
    root: str
    files: dict[str, Known] = field(default_factory=dict[str, Known])


@dataclass(kw_only=True, slots=True)
class Cached:
    """What a cache holds."""

    #: name of the store's key, and the last line of its log that this goes with
    key_id: str = ""
    seq: int = 0
    #: repository scope -> its checkout
    checkouts: dict[str, Checkout] = field(default_factory=dict[str, Checkout])


class FileCache:
    """A file for the owner alone, beside the store."""

    def __init__(self, path: str) -> None:
        self.path = path

    def load(self) -> Cached:
        """What it holds; nothing where it cannot be read as what it should be."""
        try:
            found = as_mapping(json.loads(self._raw()))
        except (OSError, ValueError, RecursionError):
            return Cached()
        if found.get("form") != _FORM:
            return Cached()
        key_id, seq = found.get("key"), found.get("seq")
        checkouts = {
            scope: _checkout(value) for scope, value in as_mapping(found.get("at")).items()
        }
        return Cached(
            key_id=key_id if isinstance(key_id, str) else "",
            seq=seq if isinstance(seq, int) else 0,
            checkouts={scope: one for scope, one in checkouts.items() if one is not None},
        )

    def _raw(self) -> bytes:
        flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        number = os.open(self.path, flags)
        with os.fdopen(number, "rb") as file:
            seen = os.fstat(number)
            if not stat.S_ISREG(seen.st_mode) or seen.st_uid != os.getuid():
                raise ValueError
            return file.read(_MAX_BYTES)

    def save(self, cached: Cached) -> None:
        """Keep it, in one step; where that fails, the next time reads everything anew."""
        shape = {
            "form": _FORM,
            "key": cached.key_id,
            "seq": cached.seq,
            "at": {scope: _shape(one) for scope, one in cached.checkouts.items()},
        }
        part = f"{self.path}.{os.getpid()}"
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        with suppress(OSError):
            os.unlink(part)
        try:
            with os.fdopen(os.open(part, flags, 0o600), "w", encoding="utf-8") as file:
                json.dump(shape, file)
            os.replace(part, self.path)
        except OSError:
            with suppress(OSError):
                os.unlink(part)


def _checkout(value: object) -> Checkout | None:
    found = as_mapping(value)
    root = found.get("root")
    if not isinstance(root, str) or not root.startswith("/"):
        return None
    files: dict[str, Known] = {}
    for path, row in as_mapping(found.get("files")).items():
        stamp, digest, count = [*as_list(row), None, None, None][:3]
        numbers = [one for one in as_list(stamp) if isinstance(one, int)]
        if len(numbers) == _STAMP and isinstance(digest, str) and isinstance(count, int):
            files[path] = Known(stamp=tuple(numbers), digest=digest, sections=count)
    return Checkout(root=root, files=files)


def _shape(checkout: Checkout) -> dict[str, object]:
    files = {
        path: [list(one.stamp), one.digest, one.sections] for path, one in checkout.files.items()
    }
    return {"root": checkout.root, "files": files}
