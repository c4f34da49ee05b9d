"""A folder of Markdown that follows the store: what we wrote there, and what somebody changed.

An index in the folder holds a digest of every file as we left it. Both the digest before and the
one after are in it while files are written, so that a run that is cut off is not taken for edits.
"""

from __future__ import annotations

import hashlib
import json
import os
import stat
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import cast

from onrecord.capture.formats.documents import MAX_DOCUMENT, MAX_LEVELS, read_plain
from onrecord.capture.formats.strict_json import parsed
from onrecord.domain.errors import StoreFull, UsageError

INDEX = ".onrecord-mirror.json"
FORM = 1

_MAX_INDEX = 64 << 20
_NO_ROOM = (27, 28, 69, 122)


@dataclass(kw_only=True, slots=True)
class Kept:
    """One file of the mirror."""

    #: id of the memory that it shows
    item: str
    #: digests that the file may have without having been edited
    digests: tuple[str, ...]


@dataclass(kw_only=True, slots=True)
class Index:
    """What the mirror holds."""

    files: dict[str, Kept] = field(default_factory=dict[str, Kept])
    #: canonical scopes that it shows, none for all
    scopes: tuple[str, ...] = ()


class MirrorFolder:
    """The folder at a path; made where there is none."""

    def __init__(self, path: str) -> None:
        """Raises `UsageError` for a link, a file, or a folder that holds other things."""
        self._root = os.path.abspath(path)  # noqa: PTH100 - plain strings
        try:
            os.makedirs(self._root, mode=0o700, exist_ok=True)  # noqa: PTH103
            names = os.listdir(self._root)  # noqa: PTH208
        except OSError:
            raise _unfit("That folder cannot be made or read.", path) from None
        if os.path.islink(self._root):  # noqa: PTH114
            raise _unfit("That is a link to another folder.", path)
        if names and INDEX not in names:
            raise _unfit("That folder holds other files, so it is left alone.", path)
        self.index = self._read_index() if names else Index()

    @property
    def path(self) -> str:
        """Where it is."""
        return self._root

    def _read_index(self) -> Index:
        try:
            found = parsed(read_plain(self._at(INDEX), _MAX_INDEX), max_depth=8)
            return _index_of(found)
        except (OSError, ValueError):
            raise _unfit("The index of that mirror cannot be read.", self._root) from None

    def state(self, name: str, kept: Kept, wanted: str = "") -> str:
        """How a file stands: wanted · ours · edited · gone."""
        if self._leads_away(name):
            return "edited"
        try:
            digest = digest_of(read_plain(self._at(name), MAX_DOCUMENT))
        except FileNotFoundError:
            return "gone"
        except OSError:
            return "edited"
        if wanted and digest == wanted:
            return "wanted"
        return "ours" if digest in kept.digests else "edited"

    def write(self, name: str, raw: bytes) -> None:
        """One file, whole or not at all, for its owner alone."""
        if self._leads_away(name):
            raise _unfit("A folder of that mirror is a link to another place.", self._root)
        target = self._at(name)
        self._make_folders(name)
        part = f"{target}.part"
        with suppress(FileNotFoundError):
            os.unlink(part)  # noqa: PTH108
        flags = os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_NOFOLLOW", 0)
        try:
            with os.fdopen(os.open(part, flags, 0o600), "wb") as file:
                file.write(raw)
                file.flush()
                os.fsync(file.fileno())
            os.replace(part, target)  # noqa: PTH105
        except OSError as error:
            with suppress(OSError):
                os.unlink(part)  # noqa: PTH108
            if (error.errno or 0) in _NO_ROOM:
                raise StoreFull("There is no room for the mirror.") from None
            raise _unfit("A file of that mirror cannot be written.", self._root) from None

    def _make_folders(self, name: str) -> None:
        """The folders on the way to a file, each for its owner alone."""
        path = self._root
        for part in name.split("/")[:-1]:
            path = os.path.join(path, part)  # noqa: PTH118
            try:
                os.mkdir(path, 0o700)  # noqa: PTH102
            except FileExistsError:
                continue
            except OSError:
                raise _unfit("A folder of that mirror cannot be made.", self._root) from None

    def erase(self, name: str) -> None:
        """One file, and the folders that are empty without it."""
        if self._leads_away(name):
            return
        target = self._at(name)
        try:
            os.unlink(target)  # noqa: PTH108
        except FileNotFoundError:
            return
        except OSError:
            raise _unfit("A file of that mirror cannot be erased.", self._root) from None
        folder = os.path.dirname(target)  # noqa: PTH120
        with suppress(OSError):
            while folder != self._root:
                os.rmdir(folder)  # noqa: PTH106
                folder = os.path.dirname(folder)  # noqa: PTH120

    def save(self) -> None:
        """Write the index down."""
        files = {
            name: {"item": kept.item, "digests": list(kept.digests)}
            for name, kept in sorted(self.index.files.items())
        }
        shape = {
            "onrecord": "mirror",
            "version": FORM,
            "scopes": list(self.index.scopes),
            "files": files,
        }
        self.write(INDEX, f"{json.dumps(shape, indent=1)}\n".encode())

    def _at(self, name: str) -> str:
        return os.path.join(self._root, *name.split("/"))  # noqa: PTH118

    def _leads_away(self, name: str) -> bool:
        """Whether a folder on the way to a file is a link: it may lead anywhere."""
        path = self._root
        for part in name.split("/")[:-1]:
            path = os.path.join(path, part)  # noqa: PTH118
            with suppress(OSError):
                if not stat.S_ISDIR(os.lstat(path).st_mode):
                    return True
        return False


def digest_of(raw: bytes) -> str:
    """What tells one file's bytes from others."""
    return hashlib.sha256(raw).hexdigest()


def _unfit(say: str, path: str) -> UsageError:
    return UsageError(say, hint="Give a new or empty folder, or a mirror.", details={"path": path})


def _index_of(found: Mapping[str, object]) -> Index:
    """The index as it was read; raises `ValueError` where it names a place outside."""
    files: dict[str, Kept] = {}
    listed, scopes = found.get("files"), found.get("scopes")
    ours = found.get("onrecord") == "mirror" and found.get("version") == FORM
    if not ours or not isinstance(listed, dict) or not isinstance(scopes, list):
        raise ValueError
    for name, one in cast("dict[str, object]", listed).items():
        shape = cast("dict[str, object]", one) if isinstance(one, dict) else {}
        item, digests = shape.get("item"), shape.get("digests")
        if not _is_inside(name) or not isinstance(item, str) or not isinstance(digests, list):
            raise ValueError
        kept = tuple(str(digest) for digest in cast("list[object]", digests))
        files[name] = Kept(item=item, digests=kept)
    return Index(files=files, scopes=tuple(str(one) for one in cast("list[object]", scopes)))


def _is_inside(name: str) -> bool:
    parts = name.split("/")
    plain = all(part not in ("", ".", "..") and "\x00" not in part for part in parts)
    outside = "\\" in name or ":" in parts[0] or not name.endswith(".md")
    return plain and not outside and len(parts) <= MAX_LEVELS + 1
