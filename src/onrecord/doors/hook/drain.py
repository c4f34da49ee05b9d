"""`python -m onrecord.doors.hook.drain STORE [wait]`: takes in a spool, saying nothing.

Where the user's own configuration says so, sessions that ended or were compacted are summarised
then, by the command that it names.
"""

from __future__ import annotations

import fcntl
import os
import signal
import sys
from contextlib import suppress

from onrecord import wiring
from onrecord.capture import spool
from onrecord.config import config_file, load
from onrecord.domain.errors import OnrecordError
from onrecord.service.who import home_of

#: A drain that takes longer ends where it is; what it had not taken in stays in the spool.
LIFE_S = 60

#: Descriptors that can have come along from whoever started it.
_DESCRIPTORS = 1_024


def main() -> int:
    """Drain; 0 whatever happens, since what is not done now is done next time."""
    if len(sys.argv) not in (2, 3):  # the store's path, and `wait`
        return 0
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(LIFE_S)
    # the folder that the agent works in is not held
    os.chdir("/")
    store = sys.argv[1]
    _take_in(store, wait=sys.argv[2:] == ["wait"])
    with suppress(OnrecordError, OSError):
        _summarise(store)
    return 0


def _take_in(store: str, *, wait: bool) -> None:
    """Drain the spool.

    One drain works at a time. One that finds another at work leaves its records to it: that
    one looks again after it is done. With `wait` it is waited for, as whoever asked waits.
    """
    held = fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB
    folder = wiring.spool_folder(store)
    try:
        memory = wiring.open_memory(store, create=False)
    except OnrecordError:
        return
    turn = -1
    try:
        turn = os.open(
            os.path.join(folder, ".turn"),  # noqa: PTH118 - no more than a name
            os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC,
            0o600,
        )
        intake = wiring.open_intake(store, memory)
        tried: set[str] = set()
        while True:
            tried.update(spool.names(folder))
            fcntl.flock(turn, held)
            intake.drain()
            fcntl.flock(turn, fcntl.LOCK_UN)
            if tried.issuperset(spool.names(folder)):
                _read_files(store, turn)
                return
    except (OnrecordError, OSError):
        return
    finally:
        memory.close()
        if turn >= 0:
            os.close(turn)


def _read_files(store: str, turn: int) -> None:
    """Take in what changed in the files of projects whose files are read."""
    if not os.path.exists(wiring.files_cache(store)):  # noqa: PTH110 - no more than a look
        return
    fcntl.flock(turn, fcntl.LOCK_EX | fcntl.LOCK_NB)
    files = wiring.open_project_files(store, load(os.environ).tables["files"])
    try:
        files.catch_up()
    finally:
        files.close()


def _summarise(store: str) -> None:
    """Have summarised what is owed, where the user wants that.

    A variable may be an agent's or a repository's, so none names the file that says it.
    """
    home = home_of(store, os.environ)
    if not home:
        return
    own = {"HOME": home}
    file = config_file(own)
    if not os.path.isfile(file):  # noqa: PTH113 - no more than a look
        return
    tables = load(own).tables
    if tables["summaries"].get("automatic") is not True:
        return
    os.closerange(3, _DESCRIPTORS)  # a hook may wait until nobody holds its pipe
    signal.alarm(0)  # each part has its own time, and the run has so many parts
    summaries = wiring.open_summaries(store, tables["summaries"], tables["agents"], home=home)
    try:
        summaries.catch_up(file)
    finally:
        summaries.close()


if __name__ == "__main__":
    sys.exit(main())
