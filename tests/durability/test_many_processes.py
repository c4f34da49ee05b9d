"""Many processes write to one file: nobody sees an error and nothing is lost."""

from __future__ import annotations

import os
from pathlib import Path

from durability.rounds import rounds
from onrecord.domain.event import broken_at
from onrecord.storage.sqlite_engine import open_sqlite
from onrecord.testing.builders import Maker, keep

_PROCESSES = 8


def write(path: str, seed: int, turns: int, go: int) -> None:
    """Wait for the start, then open, which may have to make the store, and write."""
    os.read(go, 1)
    store = open_sqlite(path, create=True)
    make = Maker(seed=seed)
    for _ in range(turns):
        with store.write() as tx:
            item = make.item("kestrel")
            keep(tx, item)
            tx.events.append(make.event("created", item.id))
        with store.read() as tx:
            assert tx.items.get(item.id) == item
    store.close()


def test_durability_many_processes(tmp_path: Path) -> None:
    """All of them make the store at once, all of them write, and the log is one chain."""
    path = str(tmp_path / "home" / "onrecord.db")
    turns = len(rounds(12))
    go, start = os.pipe()
    pids = []
    for seed in range(_PROCESSES):
        pid = os.fork()
        if not pid:
            code = 1
            try:
                os.close(start)
                write(path, seed, turns, go)
                code = 0
            finally:
                os._exit(code)
        pids.append(pid)
    os.close(go)
    os.close(start)
    codes = [os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) for pid in pids]

    assert codes == [0] * _PROCESSES
    store = open_sqlite(path, create=False)
    with store.read() as tx:
        assert tx.items.count(None, ["active"]) == _PROCESSES * turns
        assert tx.events.head()[0] == _PROCESSES * turns
        assert broken_at(tx.events.walk()) is None
    assert list(store.faults()) == []
    assert store.scrub() is True
    store.close()
