"""Connecting agent CLIs: edits to the user's own settings, shown first, written with care."""

from __future__ import annotations

import json
import os
import shutil
import sysconfig
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from onrecord.capture import connection, jsonc, settings_file
from onrecord.capture.agents.base import AgentSpec
from onrecord.capture.connection import PARTS, FileEdit
from onrecord.capture.made_folders import MadeFolders
from onrecord.config import data_folder
from onrecord.domain.errors import ConfigChanged, NotFound, UsageError
from onrecord.service.roster import Roster

#: How often a file that its client changes meanwhile is planned anew.
_TRIES = 5


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


def installed(environ: Mapping[str, str], roster: Roster) -> list[tuple[AgentSpec, str]]:
    """The agent CLIs that can be seen here, and by what: their program or their settings."""
    home = environ.get("HOME", "")
    found = ((spec, _sign(spec, home, environ)) for spec in roster.connectable())
    return [(spec, sign) for spec, sign in found if sign]


def _sign(spec: AgentSpec, home: str, environ: Mapping[str, str]) -> str:
    path = environ.get("PATH", "")
    program = next((name for name in spec.programs if shutil.which(name, path=path)), "")
    if program:
        return f"`{program}` is on the PATH"
    folders = [Path(file.path).parent for file in spec.config_files(home, environ)]
    folder = next((one for one in folders if one != Path(home) and _is_used(one)), None)
    return f"{folder} is there" if folder else ""


def _is_used(folder: Path) -> bool:
    """Whether there is a file in it; what is empty may be left of somebody long gone."""
    return any(files for _, _, files in os.walk(folder))


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
        return connection.unplan(spec, home, settings_file.read_file, environ=environ, parts=parts)
    ours = programs()
    planned = connection.plan(
        spec, home, ours.command, ours.hook, settings_file.read_file, environ=environ, parts=parts
    )
    return [_warned(spec, edit) for edit in planned]


def _warned(spec: AgentSpec, edit: FileEdit) -> FileEdit:
    """The edit, with a word where the client itself would not read the file."""
    if edit.after is None or not edit.path.endswith(".json") or spec.reads_commas:
        return edit
    text = edit.after.removeprefix("\ufeff")
    what = "trailing commas" if spec.reads_comments else "comments or trailing commas"
    try:
        json.loads(jsonc.without_comments(text) if spec.reads_comments else text)
    except ValueError:
        told = f"{spec.title} does not read this file, for its {what}"
        return replace(edit, unread=told)
    return edit


def apply(
    spec: AgentSpec,
    environ: Mapping[str, str],
    *,
    parts: Sequence[str] = PARTS,
    remove: bool = False,
) -> list[FileEdit]:
    """Make the edits, all or none; files that changed meanwhile are planned anew.

    With `remove` the folders that were made for them go too, where nothing else is in them.
    """
    made = MadeFolders(f"{data_folder(environ)}/connected")
    for _ in range(_TRIES):
        planned = edits(spec, environ, parts=parts, remove=remove)
        new = made.missing(edit.path for edit in planned if edit.changed and edit.after)
        try:
            settings_file.write_all(planned)
        except ConfigChanged:
            continue
        made.note(new)
        if remove:
            made.remove(edit.path for edit in planned)
        return planned
    raise ConfigChanged(hint=f"Close {spec.title} and try again.")
