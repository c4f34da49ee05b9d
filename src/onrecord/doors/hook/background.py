"""Draining the spool from a hook: in a process of its own, which the agent does not wait for."""

from __future__ import annotations

import os
import select
import sys

from onrecord.capture import spool

TYPE_CHECKING = False
if TYPE_CHECKING:
    from onrecord.doors.hook.call import Call

#: How long a session's start waits for what other sessions left in the spool, in seconds.
PATIENCE_S = 0.2

#: Between turns the spool is drained once it holds this many records.
MANY = 40


def catch_up(call: Call) -> None:
    """Have records of other sessions taken in first, so that their handoffs are in the pack.

    Waits a moment for it; a drain that takes longer goes on by itself.
    """
    own = f"-{spool.mark_of(call.event.client, call.event.session)}-"
    if all(own in name for name in spool.names(call.folder)):
        return
    reader, writer = os.pipe()
    os.set_inheritable(writer, True)
    _spawn(call.config.store)
    os.close(writer)
    select.select([reader], [], [], PATIENCE_S)
    os.close(reader)


def drain_later(store: str, *, always: bool) -> None:
    """Have the spool drained after this hook has ended."""
    from onrecord.wiring import spool_folder

    if always or len(spool.names(spool_folder(store))) >= MANY:
        _spawn(store)


def _spawn(store: str) -> None:
    """Start a drain in a session of its own, so that ending the agent does not end it.

    Its file descriptors are null devices, but for inheritable ones of the caller. `-P` keeps
    the working directory, which may be anyone's repository, out of the import path.
    """
    null = os.open(os.devnull, os.O_RDWR)
    os.posix_spawn(
        sys.executable,
        [sys.executable, "-P", "-m", "onrecord.doors.hook.drain", store],
        dict(os.environ),
        file_actions=[(os.POSIX_SPAWN_DUP2, null, fd) for fd in (0, 1, 2)],
        setsid=True,
    )
    os.close(null)
