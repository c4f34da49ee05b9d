"""Settings files of other programs on disk: read whole, replaced whole, or left alone."""

from __future__ import annotations

import contextlib
import os
import secrets
import stat
from collections.abc import Sequence
from pathlib import Path

from onrecord.capture.connection import FileEdit
from onrecord.domain.errors import ConfigChanged, ConfigError, ConfigUnsafe

#: Largest settings file that is read, in bytes.
MAX_BYTES = 67_108_864


def read_file(path: str) -> bytes | None:
    """The file's bytes, links followed; None where there is no file.

    Raises `ConfigUnsafe` (`config.unsafe`) for what is no regular file, too large, or locked.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise _unsafe(path, f"cannot be read ({os.strerror(error.errno or 0)})") from None
    found = os.fstat(descriptor)
    if not stat.S_ISREG(found.st_mode):
        os.close(descriptor)
        raise _unsafe(path, "is no regular file")
    with os.fdopen(descriptor, "rb") as file:
        if found.st_size > MAX_BYTES:
            raise _unsafe(path, f"has {found.st_size} bytes, more than {MAX_BYTES}")
        return file.read()


def real_path(path: str, root: str) -> str:
    """Where the file really lies, links followed.

    Raises `ConfigUnsafe` when that is outside `root`, when the file belongs to someone else,
    is no regular file, or when its owner may not write it.
    """
    target = os.path.realpath(path)
    if not Path(target).is_relative_to(os.path.realpath(root)):
        raise _unsafe(path, f"is a link out of {root}")
    try:
        found = os.stat(target)  # noqa: PTH116 - the whole path is resolved already
    except FileNotFoundError:
        return target
    except OSError as error:
        raise _unsafe(path, f"cannot be read ({os.strerror(error.errno or 0)})") from None
    if not stat.S_ISREG(found.st_mode):
        raise _unsafe(path, "is no regular file")
    if hasattr(os, "geteuid") and found.st_uid != os.geteuid():
        raise _unsafe(path, "belongs to another user")
    if not found.st_mode & stat.S_IWUSR:
        raise _unsafe(path, "is read-only")
    return target


def write_all(edits: Sequence[FileEdit]) -> None:
    """Writes every edit that changes something, or none of them.

    Each file is replaced in one step and keeps its mode; a new one is readable by its owner
    alone. Raises `ConfigChanged` (`config.changed`) when a file is not what the edit was
    planned on, and `ConfigUnsafe` as `real_path` does; files that were written by then get
    their earlier text back unless someone else changed them since.
    """
    wanted = [edit for edit in edits if edit.changed]
    for edit in wanted:
        real_path(edit.path, edit.root)
    done: list[FileEdit] = []
    try:
        for edit in wanted:
            _write(edit.path, edit.root, edit.before, edit.after)
            done.append(edit)
    except (OSError, ConfigChanged, ConfigUnsafe) as error:
        for edit in reversed(done):
            with contextlib.suppress(OSError, ConfigError):
                _write(edit.path, edit.root, edit.after, edit.before)
        if isinstance(error, OSError):
            told = os.strerror(error.errno or 0)
            raise _unsafe(wanted[len(done)].path, f"cannot be written ({told})") from error
        raise


def _write(path: str, root: str, before: str | None, after: str | None) -> None:
    target = Path(real_path(path, root))
    if read_file(str(target)) != (None if before is None else before.encode()):
        raise ConfigChanged(
            f"{path} changed while it was being edited. It was left as it is; try again.",
            details={"path": path},
        )
    if after is None:
        target.unlink()
        return
    mode = stat.S_IMODE(target.stat().st_mode) if before is not None else 0o600
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    beside = target.with_name(f".{target.name}.{secrets.token_hex(8)}")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        with os.fdopen(os.open(beside, flags, 0o600), "wb") as file:
            file.write(after.encode())
            file.flush()
            os.fchmod(file.fileno(), mode)
            os.fsync(file.fileno())
        beside.replace(target)
    except OSError:
        beside.unlink(missing_ok=True)
        raise


def _unsafe(path: str, why: str) -> ConfigUnsafe:
    return ConfigUnsafe(f"{path} {why}. It was left as it is.", details={"path": path})
