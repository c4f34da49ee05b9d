"""The spool: one file for each thing that a hook saw, taken in by whoever opens the store next.

Light. A record is written whole under another name and then renamed, so that a reader never
sees half of one and a hook that is killed leaves nothing behind. Names sort by time and carry
a short mark of the session, so that a hook can find its own session's records cheaply.

The folder can be written by anything that runs as the user, agents included. What is in it
is an observation and never authority: readers bound and check every record.
"""
# pathlib costs more than the rest of the hook:
# ruff: noqa: PTH101, PTH103, PTH104, PTH108, PTH116, PTH118, PTH208

from __future__ import annotations

import binascii
import os
import stat

from onrecord.capture.agents.base import json_string
from onrecord.domain.errors import StoreUnsafe

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

#: Largest record that is written or read, in bytes.
MAX_BYTES = 64 * 1024

#: Records beyond this are not written; the oldest ones are worth more than a flood.
MAX_RECORDS = 20_000

_ENDING = ".json"
_BAD = ".bad"


def mark_of(client: str, session: str) -> str:
    """The short mark of a session in file names; two sessions may share one."""
    return f"{binascii.crc32(f'{client}:{session}'.encode()):08x}"


def to_json(value: object) -> str:
    """A record's value as JSON, without the cost of importing a JSON module."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, str):
        return json_string(value)
    if isinstance(value, dict):
        pairs = [f"{json_string(str(name))}:{to_json(v)}" for name, v in value.items()]
        return "{" + ",".join(pairs) + "}"
    if isinstance(value, list | tuple):
        return "[" + ",".join(to_json(v) for v in value) + "]"
    raise TypeError(type(value).__name__)


def write(folder: str, record: dict[str, object], *, at: int) -> str:
    """Write one record; returns its file's name, empty where the spool is full.

    `record` holds `client` and `session`; every text in it is redacted already. Raises
    OSError where the folder cannot be written, and `StoreUnsafe` where it is not ours alone.
    """
    _prepare(folder)
    text = to_json(record).encode("utf-8", "replace")
    if len(text) > MAX_BYTES or _crowded(folder):
        return ""
    mark = mark_of(str(record.get("client", "")), str(record.get("session", "")))
    name = f"{at:020d}-{os.getpid()}-{mark}"
    number = 0
    while True:
        draft = os.path.join(folder, f".{name}-{number}")
        try:
            descriptor = os.open(
                draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600
            )
            break
        except FileExistsError:
            number += 1
    try:
        os.write(descriptor, text)
    finally:
        os.close(descriptor)
    final = f"{name}-{number}{_ENDING}"
    os.rename(draft, os.path.join(folder, final))
    return final


def _prepare(folder: str) -> None:
    try:
        found = os.lstat(folder)
    except FileNotFoundError:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        os.chmod(folder, 0o700)
        found = os.lstat(folder)
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid():
        raise StoreUnsafe("The spool's folder is a link or belongs to someone else.")


def _crowded(folder: str) -> bool:
    """Whether the spool is full; a folder's size tells an empty one from a flood at no cost."""
    if os.stat(folder).st_size < MAX_RECORDS:
        return False
    return len(os.listdir(folder)) >= MAX_RECORDS


def names(folder: str) -> list[str]:
    """The names of all waiting records, oldest first; empty where there is no spool."""
    try:
        found = os.listdir(folder)
    except OSError:
        return []
    return sorted(name for name in found if name.endswith(_ENDING) and not name.startswith("."))


def pending(folder: str, client: str, session: str) -> Iterator[str]:
    """The texts of one session's waiting records, oldest first (others may be among them)."""
    mark = f"-{mark_of(client, session)}-"
    for name in names(folder):
        if mark in name:
            text = read(folder, name)
            if text is not None:
                yield text


def read(folder: str, name: str) -> str | None:
    """One record's text; None where it is gone, too large, a link or not text."""
    try:
        descriptor = os.open(
            os.path.join(folder, name), os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK
        )
    except OSError:
        return None
    try:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode) or found.st_size > MAX_BYTES:
            return None
        return os.read(descriptor, MAX_BYTES + 1).decode("utf-8")
    except (OSError, UnicodeDecodeError):
        return None
    finally:
        os.close(descriptor)


def drop(folder: str, name: str) -> None:
    """Remove a record that was taken in; one that is gone already is fine."""
    try:
        os.unlink(os.path.join(folder, name))
    except OSError:
        return


def set_aside(folder: str, name: str) -> None:
    """Keep a record that could not be read, out of the way, for `doctor` to count."""
    try:
        os.rename(os.path.join(folder, name), os.path.join(folder, name + _BAD))
    except OSError:
        return


def set_aside_count(folder: str) -> int:
    """How many records could not be read."""
    try:
        return sum(name.endswith(_BAD) for name in os.listdir(folder))
    except OSError:
        return 0
