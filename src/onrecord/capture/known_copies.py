"""Copies of memories outside of a store that are known: mirrors, exports, answers set aside.

What is erased in the store is erased in them. What cannot be reached now (a drive that is not
there) stays owed, and is tried with the next erasing or the next run of that mirror.
"""

# ruff: noqa: PTH105, PTH108, PTH112, PTH114, PTH118, PTH208 - plain strings

from __future__ import annotations

import fcntl
import json
import os
import stat
from collections.abc import Callable, Collection, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import BinaryIO, cast

from onrecord.capture import spool as records
from onrecord.capture.agents.base import as_list, as_mapping
from onrecord.capture.mirror_folder import MirrorFolder, Sign
from onrecord.domain.errors import (
    NO_ROOM,
    NotFound,
    OnrecordError,
    StoreCorrupt,
    StoreError,
    StoreFull,
)

#: Mirrors that are remembered, the latest; and items that one of them is owed.
MAX_MIRRORS = 50
MAX_OWED = 10_000

#: How the names of answers that were set aside end.
SET_ASIDE = ".answer.json"

#: More than the list can be: so many mirrors, each with its path and what it is owed.
_MAX_FILE = MAX_MIRRORS * (MAX_OWED * 32 + (64 << 10))
#: A line of an export is no longer than what can be imported again.
_MAX_LINE = (1 << 20) + 1
_FLAGS = os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


@dataclass(frozen=True, kw_only=True, slots=True)
class KnownMirror:
    """A mirror in the list."""

    path: str
    #: whether there is a folder
    stands: bool
    #: memories that were erased here and may still be in it
    owed: int


class KnownCopies:
    """The list of them, in a small file beside the store."""

    def __init__(
        self,
        path: str,
        *,
        exports: str,
        answers: str,
        spool: str,
        signs: Callable[[], Sequence[Sign]],
    ) -> None:
        """`exports` is the folder of the store's own copies; `signs` seal its mirrors.

        `answers` is the folder of summarisers' answers that were set aside, `spool` that of hooks'
        records, among them what could not be read.
        """
        self._path = path
        self._exports = exports
        self._aside = ((answers, SET_ASIDE), (spool, records.SET_ASIDE))
        self._signs = signs

    def note(self, folder: str) -> None:
        """A mirror was made, or is about to be; raises a `StoreError` where that cannot be kept.

        One that is not in the list would keep what is erased in the store.
        """
        with self._held():
            known = self._read()
            owed = known.pop(folder, [])
            self._write({**known, folder: owed})

    def mirrors(self) -> list[KnownMirror]:
        """The mirrors that are known; raises a `StoreError` where the list cannot be read."""
        return [_known(folder, owed) for folder, owed in self._read().items()]

    def folders(self) -> list[str]:
        """The mirrors that are known and stand; none where the list cannot be read."""
        with suppress(StoreError):
            return [known.path for known in self.mirrors() if known.stands]
        return []

    def drop(self, folder: str, *, keep: bool = True) -> KnownMirror:
        """Reach a mirror no more; what it is owed goes first, where it stands.

        Says what was known of it, with what it is owed still; without `keep` nothing is done.
        Raises `NotFound` for a folder that is no mirror of this store.
        """
        if not keep:
            return self._found(folder, self._read())
        with self._held():
            known = self._read()
            found = self._found(folder, known)
            owed = known.pop(folder)
            if owed and self._erased_in_mirror(folder, set(owed)):
                found = _known(folder, [])
            self._write(known)
        return found

    def _found(self, folder: str, known: Mapping[str, Sequence[str]]) -> KnownMirror:
        if folder not in known:
            raise NotFound(
                "That folder is no mirror of this store, so nothing was changed.",
                hint="\n".join(["The mirrors are:", *known]) if known else "There is no mirror.",
                details={"path": folder},
            )
        return _known(folder, known[folder])

    def reach(self, items: Sequence[str]) -> int:
        """Erase these items in all of them; says how many could not be reached.

        Whether an answer or a record that was set aside carries one cannot be told, so all go.

        A mirror that is not there waits until it is: it may have been moved away for a while.
        Raises a `StoreError` where the list of mirrors cannot be read, or what one is owed not
        be kept in it; the list is then as it was.
        """
        missed = self._reach_exports(set(items)) + self._drop_aside()
        if os.path.lexists(self._path):
            # a mirror that is noted meanwhile waits, so that neither list is written over
            with self._held():
                missed += self._reach_mirrors(items)
        return missed

    def _reach_mirrors(self, items: Sequence[str]) -> int:
        known = self._read()
        left: dict[str, list[str]] = {}
        for folder, before in known.items():
            owed = [*dict.fromkeys([*before, *items])][-MAX_OWED:]
            left[folder] = [] if self._erased_in_mirror(folder, set(owed)) else owed
        if left != known:
            self._write(left)
        return sum(map(bool, left.values()))

    def _erased_in_mirror(self, path: str, owed: Collection[str]) -> bool:
        if not os.path.isdir(path):
            return False
        try:
            folder = MirrorFolder(path)
            folder.trust(*self._signs())
            gone = [name for name, kept in folder.index.files.items() if kept.item in owed]
            for name in gone:
                folder.erase(name)
                folder.index.files.pop(name)
            folder.tidy()
            if gone:
                folder.save()
        except (OnrecordError, OSError):
            return False
        return True

    # -- exports ------------------------------------------------------------------
    def _reach_exports(self, items: Collection[str]) -> int:
        """Take items out of the exports in the store's own folder; says how many stay in."""
        return sum(not _erased_in_export(path, items) for path in _files_in(self._exports))

    def _drop_aside(self) -> int:
        """Remove what summarisers and hooks left and nobody could use; says how many stay."""
        missed = 0
        for folder, ending in self._aside:
            for path in _files_in(folder):
                # neither made a folder: one that is there holds nothing of theirs
                if path.endswith(ending) and (os.path.islink(path) or not os.path.isdir(path)):
                    try:
                        os.unlink(path)
                    except OSError:
                        missed += os.path.lexists(path)
        return missed

    # -- the list -----------------------------------------------------------------
    @contextmanager
    def _held(self) -> Generator[None]:
        """Be the only one who changes the list."""
        try:
            number = os.open(f"{self._path}.lock", os.O_RDWR | os.O_CREAT | _FLAGS, 0o600)
        except OSError as error:
            raise _unkept(error, self._path) from None
        try:
            fcntl.flock(number, fcntl.LOCK_EX)
            yield
        finally:
            os.close(number)

    def _read(self) -> dict[str, list[str]]:
        """What is known; raises a `StoreError` where there is a list that cannot be read."""
        try:
            number = os.open(self._path, os.O_RDONLY | _FLAGS)
            with os.fdopen(number, "rb") as file:
                raw = file.read(_MAX_FILE + 1) if _is_ours(number) else b"not ours"
            found: object = json.loads(raw or b"{}") if len(raw) <= _MAX_FILE else None
        except FileNotFoundError:
            return {}
        except (OSError, ValueError, RecursionError):
            found = None
        if not isinstance(found, dict):
            raise StoreCorrupt(
                "The list of mirrors beside the store cannot be read, so it was left as it is.",
                hint="Move it away, then run `onrecord mirror` for each of your mirrors.",
                details={"path": self._path},
            )
        return {
            folder: [one for one in as_list(cast("object", owed)) if isinstance(one, str)]
            for folder, owed in as_mapping(cast("object", found)).items()
            if folder.startswith("/") and isinstance(owed, list)
        }

    def _write(self, known: Mapping[str, Sequence[str]]) -> None:
        """Keep the list, on the disk when this returns; raises a `StoreError`."""
        kept = dict(list(known.items())[-MAX_MIRRORS:])
        part = f"{self._path}.{os.getpid()}.part"
        try:
            with suppress(FileNotFoundError):
                os.unlink(part)
            number = os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY | _FLAGS, 0o600)
            with os.fdopen(number, "wb") as file:
                file.write(json.dumps(kept).encode())
                file.flush()
                os.fsync(number)
            os.replace(part, self._path)
        except OSError as error:
            with suppress(OSError):
                os.unlink(part)
            raise _unkept(error, self._path) from None


def _known(folder: str, owed: Sequence[str]) -> KnownMirror:
    return KnownMirror(path=folder, stands=os.path.isdir(folder), owed=len(owed))


def _unkept(error: OSError, path: str) -> StoreError:
    kind = StoreFull if (error.errno or 0) in NO_ROOM else StoreError
    return kind(
        "The list of mirrors beside the store could not be written, so it is as it was.",
        hint="Free some room, or check the folder's permissions; then run that again.",
        details={"path": path, "errno": error.errno or 0},
    )


def _files_in(folder: str) -> list[str]:
    """What is in a folder of ours, by name; nothing where it is none, or a link to one."""
    if os.path.islink(folder):
        return []
    try:
        return [os.path.join(folder, name) for name in sorted(os.listdir(folder))]
    except OSError:
        return []


def _is_ours(number: int) -> bool:
    found = os.fstat(number)
    return stat.S_ISREG(found.st_mode) and found.st_uid == os.getuid() and found.st_nlink == 1


def _erased_in_export(path: str, items: Collection[str]) -> bool:
    """Whether a file holds none of these items any more, or never was an export of ours."""
    try:
        number = os.open(path, os.O_RDONLY | _FLAGS)
    except OSError:
        return True  # a link, or gone
    if not _is_ours(number):
        os.close(number)
        return True
    with os.fdopen(number, "rb") as file:
        if _field(file.readline(_MAX_LINE), "onrecord") != "export":
            return True
        if not any(_field(line, "id") in items for line in _lines(file)):
            return True
        part = f"{path}.{os.getpid()}.part"
        try:
            _write_without(file, part, items)
            os.replace(part, path)
        except OSError:
            with suppress(OSError):
                os.unlink(part)
            return False
    return True


def _write_without(file: BinaryIO, part: str, items: Collection[str]) -> None:
    """The export without some of its lines, its header counting what is left."""
    file.seek(0)
    header = dict(as_mapping(json.loads(file.readline(_MAX_LINE))))
    at = file.tell()
    gone = sum(_field(line, "id") in items for line in _lines(file))
    count = header.get("items")
    if isinstance(count, int):
        header["items"] = count - gone
    file.seek(at)
    number = os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY | _FLAGS, 0o600)
    with os.fdopen(number, "wb") as out:
        out.write(json.dumps(header, ensure_ascii=False).encode("utf-8", "replace") + b"\n")
        out.writelines(line for line in _lines(file) if _field(line, "id") not in items)
        out.flush()
        os.fsync(number)


def _lines(file: BinaryIO) -> Iterator[bytes]:
    while line := file.readline(_MAX_LINE):
        yield line


def _field(line: bytes, name: str) -> str:
    """A text of a line of JSON; empty where it has none."""
    try:
        found: object = json.loads(line)
    except (ValueError, RecursionError):
        return ""
    value = as_mapping(found).get(name)
    return value if isinstance(value, str) else ""
