"""A folder of Markdown that follows the store: what we wrote there, and what somebody changed.

An index in the folder holds a digest of every file as we left it. Both the digest before and the
one after are in it while files are written, so that a run that is cut off is not taken for edits.
It is sealed with the store's key: one that somebody else wrote could name their files as ours.
"""

from __future__ import annotations

import errno
import hashlib
import hmac
import json
import os
import stat
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import cast

from onrecord.capture.formats.documents import MAX_DOCUMENT, MAX_LEVELS
from onrecord.capture.formats.strict_json import parsed
from onrecord.domain.errors import NO_ROOM, StoreFull, UsageError

INDEX = ".onrecord-mirror.json"
FORM = 1

_MAX_INDEX = 64 << 20

#: What a file is called while it is written: the process and a few random letters between these.
_PART, _PART_END = ".onrecord-", ".part"
_SALT = 8

_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_FOLDER = os.O_RDONLY | os.O_NOFOLLOW | os.O_DIRECTORY | os.O_CLOEXEC
_MAKE = os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_NOFOLLOW | os.O_CLOEXEC

#: What vouches for an index.
Sign = Callable[[Mapping[str, object]], str]


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
    #: statuses that it shows, none for what is shown where nothing is asked for
    statuses: tuple[str, ...] = ()


class MirrorFolder:
    """The folder at a path; made where there is none, unless it is only looked at.

    Every step below it is opened by itself and never through a link, so that nothing is read or
    written elsewhere, whatever is put in the way meanwhile.
    """

    def __init__(self, path: str, *, make: bool = True) -> None:
        """Raises `UsageError` for a link, a file, or a folder that holds other things."""
        self._root = os.path.abspath(path)  # noqa: PTH100 - plain strings
        try:
            if make:
                os.makedirs(self._root, mode=0o700, exist_ok=True)  # noqa: PTH103
            there = make or os.path.lexists(self._root)
            names = os.listdir(self._root) if there else []  # noqa: PTH208
        except OSError:
            raise _unfit("That folder cannot be made or read.", path) from None
        if os.path.islink(self._root):  # noqa: PTH114
            raise _unfit("That is a link to another folder.", path)
        if names and INDEX not in names:
            raise _unfit("That folder holds other files, so it is left alone.", path)
        self._is_new = not names
        self._seal = ""
        self._sign: Sign = _unsigned
        self.index = Index() if self._is_new else self._read_index()

    @property
    def path(self) -> str:
        """Where it is."""
        return self._root

    def trust(self, *signs: Sign) -> None:
        """Take the index for ours if one of these seals it; the first seals it from now on.

        Raises `UsageError` where none does: whoever wrote it could have files of others erased.
        """
        shape = _shape_of(self.index)
        seals = [sign(shape) for sign in signs]
        if not self._is_new and not any(hmac.compare_digest(self._seal, one) for one in seals):
            raise _unfit("The index of that mirror was not written by this store.", self._root)
        self._sign = signs[0]

    def _read_index(self) -> Index:
        try:
            found = parsed(self._bytes_of(INDEX, _MAX_INDEX), max_depth=8)
            self._seal = str(found.get("seal", ""))
            return _index_of(found)
        except (OSError, ValueError):
            raise _unfit("The index of that mirror cannot be read.", self._root) from None

    def state(self, name: str, kept: Kept, wanted: str = "") -> str:
        """How a file stands: wanted · ours · edited · gone."""
        try:
            digest = digest_of(self._bytes_of(name, MAX_DOCUMENT))
        except FileNotFoundError:
            return "gone"
        except OSError:
            return "edited"
        if wanted and digest == wanted:
            return "wanted"
        return "ours" if digest in kept.digests else "edited"

    def text(self, name: str) -> str:
        """What a file says; empty where it cannot be read."""
        try:
            return self._bytes_of(name, MAX_DOCUMENT).decode("utf-8")
        except (OSError, UnicodeDecodeError):
            return ""

    def write(self, name: str, raw: bytes) -> None:
        """One file, whole or not at all, for its owner alone."""
        last = name.rpartition("/")[2]
        part = f"{_PART}{os.getpid()}-{os.urandom(4).hex()}{_PART_END}"
        try:
            with self._folder_of(name, make=True) as folder:
                try:
                    number = os.open(part, _MAKE, 0o600, dir_fd=folder)
                    with os.fdopen(number, "wb") as file:
                        file.write(raw)
                        file.flush()
                        os.fsync(file.fileno())
                    os.replace(part, last, src_dir_fd=folder, dst_dir_fd=folder)
                except OSError:
                    with suppress(OSError):
                        os.unlink(part, dir_fd=folder)
                    raise
        except OSError as error:
            if (error.errno or 0) in NO_ROOM:
                raise StoreFull("There is no room for the mirror.") from None
            raise _unfit("A file of that mirror cannot be written.", self._root) from None

    def erase(self, name: str) -> None:
        """One file, and the folders that are empty without it; what a link leads to stays."""
        try:
            with self._folder_of(name) as folder:
                os.unlink(name.rpartition("/")[2], dir_fd=folder)
        except (FileNotFoundError, NotADirectoryError):
            return
        except OSError as error:
            if error.errno == errno.ELOOP:
                return
            raise _unfit("A file of that mirror cannot be erased.", self._root) from None
        above = name.rpartition("/")[0]
        with suppress(OSError):
            while above:
                with self._folder_of(above) as folder:
                    os.rmdir(above.rpartition("/")[2], dir_fd=folder)
                above = above.rpartition("/")[0]

    def tidy(self) -> None:
        """Remove what writing left that was cut off: plain files of ours, of no live process."""
        for above in {"", *(name.rpartition("/")[0] for name in self.index.files)}:
            with suppress(OSError), self._folder_of(f"{above}/-" if above else "-") as folder:
                for name in os.listdir(folder):  # noqa: PTH208 - plain strings
                    if _was_left(name) and _is_plain(os.lstat(name, dir_fd=folder)):
                        os.unlink(name, dir_fd=folder)

    def save(self) -> None:
        """Write the index down."""
        shape = _shape_of(self.index)
        raw = json.dumps({**shape, "seal": self._sign(shape)}, indent=1)
        self.write(INDEX, f"{raw}\n".encode())

    def _bytes_of(self, name: str, most: int) -> bytes:
        """A plain file's bytes; raises `OSError` for anything else, and for more than `most`."""
        with self._folder_of(name) as folder:
            number = os.open(name.rpartition("/")[2], _READ, dir_fd=folder)
        with os.fdopen(number, "rb") as file:
            if not stat.S_ISREG(os.fstat(number).st_mode):
                raise OSError(errno.EINVAL, "no plain file")
            raw = file.read(most + 1)
        if len(raw) > most:
            raise OSError(errno.EFBIG, "too large")
        return raw

    @contextmanager
    def _folder_of(self, name: str, *, make: bool = False) -> Generator[int]:
        """The folder that a file lies in, opened; no step to it is a link."""
        folder = os.open(self._root, _FOLDER)
        try:
            for part in name.split("/")[:-1]:
                if make:
                    with suppress(FileExistsError):
                        os.mkdir(part, 0o700, dir_fd=folder)
                below = os.open(part, _FOLDER, dir_fd=folder)
                os.close(folder)
                folder = below
            yield folder
        finally:
            os.close(folder)


def _was_left(name: str) -> bool:
    """Whether a name is one of a file that was being written by a process that is no more."""
    words = name.removeprefix(_PART).removesuffix(_PART_END)
    pid, dash, salt = words.partition("-")
    if words == name or not (pid.isascii() and pid.isdigit() and dash and len(salt) == _SALT):
        return False
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return True
    except (OSError, OverflowError):
        return False
    return int(pid) == os.getpid()


def _is_plain(found: os.stat_result) -> bool:
    return stat.S_ISREG(found.st_mode) and found.st_uid == os.getuid() and found.st_nlink == 1


def _unsigned(_shape: Mapping[str, object]) -> str:
    return ""


def _shape_of(index: Index) -> dict[str, object]:
    """An index as it is written down, but for its seal."""
    files = {
        name: {"item": kept.item, "digests": list(kept.digests)}
        for name, kept in sorted(index.files.items())
    }
    return {
        "onrecord": "mirror",
        "version": FORM,
        "scopes": list(index.scopes),
        "statuses": list(index.statuses),
        "files": files,
    }


def digest_of(raw: bytes) -> str:
    """What tells one file's bytes from others."""
    return hashlib.sha256(raw).hexdigest()


def _unfit(say: str, path: str) -> UsageError:
    return UsageError(say, hint="Give a new or empty folder, or a mirror.", details={"path": path})


def _index_of(found: Mapping[str, object]) -> Index:
    """The index as it was read; raises `ValueError` where it names a place outside."""
    files: dict[str, Kept] = {}
    listed, scopes = found.get("files"), _texts(found.get("scopes"))
    statuses = _texts(found.get("statuses"))
    ours = found.get("onrecord") == "mirror" and found.get("version") == FORM
    if not ours or not isinstance(listed, dict):
        raise ValueError
    for name, one in cast("dict[str, object]", listed).items():
        shape = cast("dict[str, object]", one) if isinstance(one, dict) else {}
        item = shape.get("item")
        if not _is_inside(name) or not isinstance(item, str):
            raise ValueError
        files[name] = Kept(item=item, digests=_texts(shape.get("digests")))
    return Index(files=files, scopes=scopes, statuses=statuses)


def _texts(found: object) -> tuple[str, ...]:
    """A list as texts; raises `ValueError` for anything else."""
    if not isinstance(found, list):
        raise ValueError  # noqa: TRY004 - one error for whatever is wrong with an index
    return tuple(str(one) for one in cast("list[object]", found))


def _is_inside(name: str) -> bool:
    parts = name.split("/")
    plain = all(part not in ("", ".", "..") and "\x00" not in part for part in parts)
    outside = "\\" in name or ":" in parts[0] or not name.endswith(".md")
    return plain and not outside and len(parts) <= MAX_LEVELS + 1
