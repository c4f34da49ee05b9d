"""What was acknowledged outlives a process that is killed in the middle of writing."""

from __future__ import annotations

import os
import random
import signal
from pathlib import Path

from durability.rounds import rounds
from durability.workload import Writer, assert_sound
from onrecord.storage.inmemory import InMemoryStore, MemoryFile
from onrecord.storage.sqlite_engine import open_sqlite


def write_until_killed(path: str, seed: int, told: int) -> None:
    """Write for ever, and acknowledge each write with one byte."""
    writer = Writer(open_sqlite(path, create=True), seed)
    turn = 0
    while True:
        writer.write(turn)
        os.write(told, b".")
        turn += 1


def test_durability_kill9(tmp_path: Path) -> None:
    """Each round acknowledges at least one write before the kill; nothing of it is lost."""
    for seed in rounds(5):
        path = str(tmp_path / f"round-{seed}" / "onrecord.db")
        heard, told = os.pipe()
        pid = os.fork()
        if not pid:
            os.close(heard)
            try:
                write_until_killed(path, seed, told)
            finally:
                os._exit(1)
        os.close(told)
        wanted = random.Random(seed).randint(1, 25)  # noqa: S311 - repeatable
        with os.fdopen(heard, "rb") as acks:
            turns = len(acks.read(wanted))
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
            turns += len(acks.read())

        assert turns >= wanted
        # the same writer on another store says what must be there
        twin = Writer(InMemoryStore(MemoryFile()), seed)
        for turn in range(turns):
            twin.write(turn)
        store = open_sqlite(path, create=False)
        assert_sound(store, twin.acknowledged)
        with store.write() as tx:
            tx.scopes.note("org:after", 1)
        store.close()
