"""`python -m onrecord.doors.hook.drain STORE`: takes in a spool and ends, saying nothing."""

from __future__ import annotations

import fcntl
import os
import signal
import sys

from onrecord import wiring
from onrecord.capture import spool
from onrecord.config import load
from onrecord.domain.errors import OnrecordError

#: A drain that takes longer ends where it is; what it had not taken in stays in the spool.
LIFE_S = 60


def main() -> int:
    """Drain; 0 whatever happens, since what is not taken in now is taken in next time.

    One drain works at a time. One that finds another at work leaves its records to it: that
    one looks again after it is done.
    """
    if len(sys.argv) != 2:  # noqa: PLR2004 - the store's path
        return 0
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(LIFE_S)
    # the folder that the agent works in is not held
    os.chdir("/")
    store = sys.argv[1]
    folder = wiring.spool_folder(store)
    try:
        memory = wiring.open_memory(store, create=False)
    except OnrecordError:
        return 0
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
            fcntl.flock(turn, fcntl.LOCK_EX | fcntl.LOCK_NB)
            intake.drain()
            fcntl.flock(turn, fcntl.LOCK_UN)
            if tried.issuperset(spool.names(folder)):
                _read_files(store, turn)
                return 0
    except (OnrecordError, OSError):
        return 0
    finally:
        memory.close()


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


if __name__ == "__main__":
    sys.exit(main())
