"""Draining the spool from a hook: in a process of its own, which the agent does not wait for."""
# ruff: noqa: PTH208

from __future__ import annotations

import os
import select
import sys

from onrecord.capture import process, spool
from onrecord.config import hook_deadline_ms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from onrecord.doors.hook.call import Call

#: The share of a hook's time that a session's start waits for what ended sessions left.
PATIENCE = 2 / 3

#: Sessions that a start looks at for one whose agent is gone.
LOOKED_AT = 20

#: Between turns the spool is drained once it holds this many records.
MANY = 40


def catch_up(call: Call) -> None:
    """Have sessions that ended taken in first, so that their handoffs are in the pack.

    That is the end of a session that nobody took in yet, and a session whose agent is gone
    without a word. Waits a moment for it; a drain that takes longer goes on by itself.
    Sessions that go on elsewhere are not waited for.
    """
    waiting = spool.names(call.folder)
    ended = any(spool.tells_end(name) for name in waiting)
    if not ended and not _gone(call, waiting) and not _left_here(call):
        if len(waiting) >= MANY or _reads_files(call.config.store):
            _spawn(call.config.store)
        return
    call.close_shelf()
    reader, writer = os.pipe()
    os.set_inheritable(writer, True)
    _spawn(call.config.store, keep=writer)
    os.close(writer)
    select.select([reader], [], [], hook_deadline_ms(os.environ) / 1_000 * PATIENCE)
    os.close(reader)


def _reads_files(store: str) -> bool:
    """Whether projects' own files are read, so that what changed in them is taken in."""
    from onrecord.wiring import files_cache

    return os.path.exists(files_cache(store))  # noqa: PTH110 - light


def _gone(call: Call, waiting: list[str]) -> bool:
    """Whether the agent of a session that waits in the spool runs no more."""
    latest = {spool.mark_in(name): name for name in waiting}
    latest.pop(spool.mark_of(call.event.client, call.event.session), None)
    for name in list(latest.values())[-LOOKED_AT:]:
        pid, started = call.process_in(spool.read(call.folder, name) or "")
        if pid and not process.alive(pid, started):
            return True
    return False


def _left_here(call: Call) -> bool:
    """Whether a session of this repository is still to be closed, or its agent is gone."""
    own = (call.event.client, call.event.session)
    for agent, session, pid, started in call.shelf.unfinished(
        call.place.repo or "", limit=LOOKED_AT
    ):
        if not pid or ((agent, session) != own and not process.alive(pid, started)):
            return True
    return False


def drain_later(store: str, *, always: bool) -> None:
    """Have the spool drained after this hook has ended."""
    from onrecord.wiring import spool_folder

    if always or len(spool.names(spool_folder(store))) >= MANY:
        _spawn(store)


def _spawn(store: str, *, keep: int = -1) -> None:
    """Start a drain in a session of its own, so that ending the agent does not end it.

    It holds nothing of the client's: its streams are null devices, and no other descriptor
    goes along but `keep`, by which a start waits: its drain waits for one that is at work.
    `-P` and `-E` keep the working directory, which may be anyone's
    repository, and what the environment names out of the import path.
    """
    for name in os.listdir("/dev/fd"):
        descriptor = int(name)
        if descriptor > 2 and descriptor != keep:  # noqa: PLR2004 - standard error
            _keep_out(descriptor)
    null = os.open(os.devnull, os.O_RDWR)
    waits = ["wait"] if keep >= 0 else []
    os.posix_spawn(
        sys.executable,
        [sys.executable, "-P", "-E", "-m", "onrecord.doors.hook.drain", store, *waits],
        dict(os.environ),
        file_actions=[(os.POSIX_SPAWN_DUP2, null, fd) for fd in (0, 1, 2)],
        setsid=True,
    )
    os.close(null)


def _keep_out(descriptor: int) -> None:
    try:
        os.set_inheritable(descriptor, False)
    except OSError:
        return
