"""Copies that are made while others write can all be opened, and each is one state."""

from __future__ import annotations

import os
import signal
from pathlib import Path

from durability.rounds import rounds
from durability.workload import Writer, assert_sound
from onrecord.storage import backups
from onrecord.storage.sqlite_engine import open_sqlite

_WRITERS = 3


def test_durability_backup_under_load(tmp_path: Path) -> None:
    """Items, versions, log and index of every copy agree, and later ones hold no less."""
    path = str(tmp_path / "home" / "onrecord.db")
    open_sqlite(path, create=True).close()
    pids = []
    for seed in range(_WRITERS):
        pid = os.fork()
        if not pid:
            try:
                writer = Writer(open_sqlite(path, create=False), seed)
                turn = 0
                while True:
                    writer.write(turn)
                    turn += 1
            finally:
                os._exit(1)
        pids.append(pid)
    lines = -1
    try:
        for n in rounds(6):
            target = str(tmp_path / "copies" / f"{n}.db")
            backups.copy(path, target)
            copy = open_sqlite(target, create=False)
            assert_sound(copy, {})
            with copy.read() as tx:
                seq, _ = tx.events.head()
            copy.close()
            assert seq >= lines
            lines = seq
    finally:
        for pid in pids:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)

    assert lines > 0
