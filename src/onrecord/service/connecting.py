"""Connecting agent CLIs: edits to the user's own settings, shown first, written with care."""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
import stat
import sysconfig
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from onrecord.capture import agents, connection
from onrecord.capture.agents.base import AgentSpec
from onrecord.capture.connection import PARTS, FileEdit
from onrecord.domain.errors import Denied, NotFound, StoreUnsafe, UsageError

#: How often a file that its client changes meanwhile is planned anew.
_TRIES = 5

_NEW_FILE = 0o600
_NEW_FOLDER = 0o700


@dataclass(frozen=True, kw_only=True, slots=True)
class Programs:
    """Our two programs by absolute path."""

    command: str
    hook: str


def programs() -> Programs:
    """The installed scripts beside this Python; raises `NotFound` where they are missing."""
    folder = Path(sysconfig.get_path("scripts"))
    command, hook = folder / "onrecord", folder / "onrecord-hook"
    for path in (command, hook):
        if not os.access(path, os.X_OK):
            raise NotFound(
                f"The program {path.name} is not installed beside this Python.",
                hint="Install the package again: pip install --force-reinstall onrecord",
                details={"path": str(path)},
            )
    if " " in str(hook):
        raise UsageError(
            "onrecord is installed under a path with a space; hooks cannot start from there.",
            hint="Install it under a path without spaces.",
        )
    return Programs(command=str(command), hook=str(hook))


def spec_named(name: str) -> AgentSpec:
    """The agent CLI of that name (`claude` counts as `claude-code`)."""
    spec = agents.find({"claude": "claude-code"}.get(name, name))
    if spec is None:
        known = ", ".join(found.name for found in agents.connectable())
        raise UsageError(f"There is no agent CLI of that name; onrecord knows {known}.")
    return spec


def installed(environ: Mapping[str, str]) -> list[AgentSpec]:
    """The agent CLIs that can be seen here: their program or their settings."""
    home = environ.get("HOME", "")
    path = environ.get("PATH", "")
    return [
        spec
        for spec in agents.connectable()
        if any(shutil.which(name, path=path) for name in spec.executables)
        or any(
            Path(file.path).parent.is_dir() and Path(file.path).parent != Path(home)
            for file in spec.config_files(home, environ)
        )
    ]


def edits(
    spec: AgentSpec,
    environ: Mapping[str, str],
    *,
    parts: Sequence[str] = PARTS,
    remove: bool = False,
) -> list[FileEdit]:
    """What connecting (or removing) would change; nothing is written."""
    home = environ.get("HOME") or str(Path("~").expanduser())
    if remove:
        return connection.unplan(spec, home, _read, environ=environ, parts=parts)
    ours = programs()
    return connection.plan(
        spec, home, ours.command, ours.hook, _read, environ=environ, parts=parts
    )


def apply(
    spec: AgentSpec,
    environ: Mapping[str, str],
    *,
    parts: Sequence[str] = PARTS,
    remove: bool = False,
) -> list[FileEdit]:
    """Make the edits; a file that changed meanwhile is planned anew. Returns what was done."""
    done: list[FileEdit] = []
    for _ in range(_TRIES):
        stale = False
        for edit in edits(spec, environ, parts=parts, remove=remove):
            if not edit.changed:
                if edit.conflicts:
                    done.append(edit)
                continue
            if _write(edit):
                done.append(edit)
            else:
                stale = True
        if not stale:
            return done
    raise Denied(
        "A settings file keeps changing while it is edited.",
        hint=f"Close {spec.title} and try again.",
    )


def _read(path: str) -> bytes | None:
    try:
        return Path(path).read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise Denied(
            "A settings file cannot be read, so nothing was changed.",
            hint=f"Check {path}",
            details={"path": path, "why": type(error).__name__},
        ) from None


def _write(edit: FileEdit) -> bool:
    """Put the new text in place, whole or not at all; False where the file changed meanwhile."""
    target = _real(edit)
    current = _read(str(target))
    if current != (None if edit.before is None else edit.before.encode()):
        return False
    if edit.after is None:
        target.unlink()
        return True
    mode = stat.S_IMODE(target.stat().st_mode) if current is not None else _NEW_FILE
    target.parent.mkdir(mode=_NEW_FOLDER, parents=True, exist_ok=True)
    draft = target.with_name(f".{target.name}.{secrets.token_hex(6)}")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    descriptor = os.open(draft, flags, _NEW_FILE)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(edit.after.encode())
            file.flush()
            os.fchmod(file.fileno(), mode)
            os.fsync(file.fileno())
        draft.replace(target)
    except OSError as error:
        with contextlib.suppress(OSError):
            draft.unlink()
        raise Denied(
            "A settings file cannot be written, so it was left as it was.",
            hint=f"Check {target}",
            details={"path": str(target), "why": type(error).__name__},
        ) from None
    return True


def _real(edit: FileEdit) -> Path:
    """The file behind links, which must lie in the folder that is the user's own."""
    target, root = Path(edit.path).resolve(), Path(edit.root).resolve()
    if not target.is_relative_to(root):
        raise StoreUnsafe(
            "A settings file is a link out of its folder, so it was left as it is.",
            details={"path": edit.path},
        )
    return target
