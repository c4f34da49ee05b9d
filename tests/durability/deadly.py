"""A disk that kills its process, and processes to be killed by it."""

from __future__ import annotations

import os
import shutil
import signal
from typing import TYPE_CHECKING

from durability.power import Disk

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


class Deadly(Disk):
    """A disk at whose chosen write or sync the process is killed."""

    def step(self) -> None:
        """Count; at the chosen step, die before it."""
        if self.steps == self.fails_at:
            os.kill(os.getpid(), signal.SIGKILL)
        self.steps += 1


def forked(work: Callable[[], object]) -> bool:
    """Whether a process that does something was killed before its end."""
    pid = os.fork()
    if not pid:
        try:
            work()
        finally:
            os._exit(0)
    _, status = os.waitpid(pid, 0)
    return os.WIFSIGNALED(status)


def copied(made: Path, folder: Path) -> str:
    """The store in a place of its own."""
    shutil.copytree(made.parent, folder)
    return str(folder / made.name)
