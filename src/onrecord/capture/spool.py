"""The spool: one file for each thing that a hook saw, taken in by whoever opens the store next.

Light. A record is written whole under another name and then renamed, so that a reader never
sees half of one and a hook that is killed leaves nothing behind but a draft. Names sort by
time and carry a short mark of the session, so that a hook can find its own session's records
cheaply, and whether it is the end of a session.

The folder can be written by anything that runs as the user, agents included. What is in it
is an observation and never authority: readers bound and check every record.
"""
# pathlib costs more than the rest of the hook:
# ruff: noqa: PTH101, PTH103, PTH104, PTH108, PTH116, PTH118, PTH208

from __future__ import annotations

import os
import stat

from onrecord.capture.agents.base import as_list, as_mapping, json_string
from onrecord.domain.errors import StoreUnsafe

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

#: Largest record that is written or read, in bytes.
MAX_BYTES = 32 * 1024

#: Records beyond this are not written; the oldest ones are worth more than a flood.
MAX_RECORDS = 10_000

#: Records set aside beyond this are removed instead.
MAX_ASIDE = 100

#: A draft older than this, in seconds, was left by a hook that was killed.
DRAFT_LIFE_S = 120

_ENDING = ".json"
_END = "-end.json"
#: How the names of records that were set aside end.
SET_ASIDE = ".bad"


def mark_of(client: str, session: str) -> str:
    """The short mark of a session in file names; two sessions may share one.

    FNV-1a of 32 bits (RFC 9923): the modules with checksums take longer to load.
    """
    mark = 0x811C9DC5
    for byte in f"{client}:{session}".encode("utf-8", "replace"):
        mark = (mark ^ byte) * 0x01000193 & 0xFFFFFFFF
    return f"{mark:08x}"


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
        members = as_mapping(value).items()  # pyright: ignore[reportUnknownArgumentType]
        pairs = [f"{json_string(str(name))}:{to_json(v)}" for name, v in members]
        return "{" + ",".join(pairs) + "}"
    if isinstance(value, list):
        parts = as_list(value)  # pyright: ignore[reportUnknownArgumentType]
        return "[" + ",".join([to_json(part) for part in parts]) + "]"
    raise TypeError(type(value).__name__)


def write(folder: str, record: dict[str, object], *, at: int) -> str:
    """Write one record; returns its file's name, empty where it is too large or the spool full.

    `record` holds `client`, `session` and `event`; every text in it is redacted already.
    Raises OSError where the folder cannot be written, and `StoreUnsafe` where it is not ours
    alone.
    """
    _prepare(folder)
    text = to_json(record).encode("utf-8", "replace")
    if len(text) > MAX_BYTES or _crowded(folder):
        return ""
    mark = mark_of(str(record.get("client", "")), str(record.get("session", "")))
    name = f"{at:020d}-{os.getpid()}-{mark}"
    ending = _END if record.get("event") == "session_end" else _ENDING
    draft, descriptor, number = _draft(folder, name, ending)
    try:
        try:
            written = os.write(descriptor, text)
        finally:
            os.close(descriptor)
        final = f"{name}-{number}{ending}"
        if written == len(text):
            os.rename(draft, os.path.join(folder, final))
            return final
    except OSError:
        os.unlink(draft)
        raise
    os.unlink(draft)
    return ""


def _draft(folder: str, name: str, ending: str) -> tuple[str, int, int]:
    """(path, open file, number) of a draft that nobody has, nor the record it becomes."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    number = 0
    while True:
        draft = os.path.join(folder, f".{name}-{number}")
        final = os.path.join(folder, f"{name}-{number}{ending}")
        try:
            if not os.path.lexists(final):
                return draft, os.open(draft, flags, 0o600), number
        except FileExistsError:
            pass
        number += 1


def _prepare(folder: str) -> None:
    try:
        found = os.lstat(folder)
    except FileNotFoundError:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        os.chmod(folder, 0o700)
        found = os.lstat(folder)
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid():
        raise StoreUnsafe(
            "The spool's folder is a link or belongs to someone else. Nothing was written.",
            hint=f"Move {folder} away; the next hook makes a new one.",
            details={"path": folder},
        )
    if found.st_mode & 0o022:
        os.chmod(folder, 0o700)


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


def mark_in(name: str) -> str:
    """The mark in a record's name; empty where there is none."""
    parts = name.split("-", 3)
    return parts[2] if len(parts) > 3 else ""  # noqa: PLR2004 - time, process, mark, the rest


def tells_end(name: str) -> bool:
    """Whether a record of that name says that a session ended."""
    return name.endswith(_END)


def pending(
    folder: str, client: str, session: str, known: Mapping[str, str] | None = None
) -> dict[str, str]:
    """Name -> text of one session's waiting records, oldest first (others may be among them).

    `known` are those that were read before; they may have been taken in since.
    """
    mark = f"-{mark_of(client, session)}-"
    found = dict(known or {})
    for name in names(folder):
        if mark in name and name not in found:
            text = read(folder, name)
            if text is not None:
                found[name] = text
    return {name: found[name] for name in sorted(found)}


def read(folder: str, name: str) -> str | None:
    """One record's text; None where it is gone, too large, a link, someone else's or no text."""
    try:
        descriptor = os.open(
            os.path.join(folder, name), os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK
        )
    except OSError:
        return None
    try:
        found = os.fstat(descriptor)
        ours = stat.S_ISREG(found.st_mode) and found.st_uid == os.getuid()
        if not ours or found.st_size > MAX_BYTES:
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
    path = os.path.join(folder, name)
    try:
        if set_aside_count(folder) < MAX_ASIDE:
            os.rename(path, path + SET_ASIDE)
        else:
            os.unlink(path)
    except OSError:
        return


def set_aside_count(folder: str) -> int:
    """How many records could not be read."""
    try:
        return sum(name.endswith(SET_ASIDE) for name in os.listdir(folder))
    except OSError:
        return 0


def tidy(folder: str, *, now_s: float) -> None:
    """Remove the drafts of hooks that were killed while they wrote."""
    try:
        found = [name for name in os.listdir(folder) if name.startswith(".0")]
    except OSError:
        return
    for name in found:
        path = os.path.join(folder, name)
        try:
            if os.lstat(path).st_mtime < now_s - DRAFT_LIFE_S:
                os.unlink(path)
        except OSError:
            continue
