"""What the doctor can put right by itself.

Settings of agent CLIs that lost or outlived entries of ours, and files of the store that other
accounts may write to.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from onrecord.capture.agents.base import AgentSpec
from onrecord.capture.connection import PARTS
from onrecord.domain.errors import ConfigUnsafe, OnrecordError
from onrecord.service import connecting

#: Endings of what belongs to a store.
_BESIDE = (
    *("", "-wal", "-shm", "-journal", ".keys", ".ballast", ".spool", ".hook-faults"),
    *(".backups", ".copied", ".erasures", ".files", ".mirrors", ".mirrors.lock", ".summaries"),
)

_OPEN_TO_OTHERS = stat.S_IWGRP | stat.S_IWOTH


@dataclass(frozen=True, kw_only=True, slots=True)
class Repair:
    """One thing that can be put right."""

    #: what is done, in words, and where
    say: str
    #: the change of a settings file as a diff; empty for anything else
    diff: str = ""
    #: does it; raises an `OnrecordError` where it cannot
    do: Callable[[], object]


def repairs(
    store: str, specs: Sequence[AgentSpec], environ: Mapping[str, str], *, whole: bool
) -> Iterator[Repair]:
    """Everything that can be put right, found anew as it is asked for; nothing is done yet.

    A client that is not connected at all is left so, and of one that is connected in part only
    that part is repaired; with `whole` (a person named the clients) everything is.
    """
    yield from _modes(store)
    for spec in specs:
        yield from _settings(spec, environ, whole=whole)


def _settings(spec: AgentSpec, environ: Mapping[str, str], *, whole: bool) -> Iterator[Repair]:
    try:
        parts = PARTS if whole else tuple(_connected(spec, environ))
        planned = connecting.edits(spec, environ, parts=parts) if parts else []
    except OnrecordError:
        return  # the findings say what is wrong with the file
    changed = [edit for edit in planned if edit.changed]
    if changed:
        yield Repair(
            say="; ".join(
                f"{spec.title}: {edit.path}: {', '.join(edit.summary)}" for edit in changed
            ),
            diff="".join(edit.diff() for edit in changed),
            do=lambda: connecting.apply(spec, environ, parts=parts),
        )


def _connected(spec: AgentSpec, environ: Mapping[str, str]) -> Iterator[str]:
    """The parts of which something of ours is there."""
    for part in PARTS:
        gone = connecting.edits(spec, environ, parts=(part,), remove=True)
        if any(edit.changed for edit in gone):
            yield part


def _modes(store: str) -> Iterator[Repair]:
    for path in (str(Path(store).parent), *(store + ending for ending in _BESIDE)):
        try:
            found = os.lstat(path)
        except OSError:
            continue
        plain = stat.S_ISREG(found.st_mode) or stat.S_ISDIR(found.st_mode)
        if plain and found.st_uid == os.geteuid() and found.st_mode & _OPEN_TO_OTHERS:
            yield Repair(
                say=f"{path}: takes write access from other accounts",
                do=partial(_close, path),
            )


def _close(path: str) -> None:
    """Take write access away; never through a link that was laid meanwhile."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        raise ConfigUnsafe(
            f"{path} cannot be opened ({os.strerror(error.errno or 0)}).", details={"path": path}
        ) from None
    try:
        mode = stat.S_IMODE(os.fstat(descriptor).st_mode)
        os.fchmod(descriptor, mode & ~_OPEN_TO_OTHERS)
    finally:
        os.close(descriptor)
