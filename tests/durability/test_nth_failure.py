"""Whatever statement, write or sync fails: the old state or the new one, never between."""

from __future__ import annotations

import contextlib
import shutil
from pathlib import Path
from typing import Any

import apsw
import pytest

from durability.power import Disk
from durability.rounds import rounds
from durability.workload import Writer, assert_sound
from onrecord.domain.errors import StoreError
from onrecord.storage import pool
from onrecord.storage.sqlite_engine import Opened, open_sqlite

_TURNS = range(5)
_EVERY = 25


class Failing:
    """Fails the statement whose turn it is, on every connection that is opened."""

    def __init__(self) -> None:
        self.left = -1
        self.failed = False

    def trace(self, _cursor: Any, _sql: str, _values: Any) -> bool:
        """Count down; at zero the statement is not run."""
        if not self.left:
            self.failed = True
            raise apsw.IOError("a disk that fails")
        self.left -= 1
        return True


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch) -> Failing:
    """Armed by setting `left`."""
    failing = Failing()
    take = pool.Pool.take

    def armed(self: pool.Pool[Opened], purpose: str) -> Opened:
        opened = take(self, purpose)
        opened.connection.exec_trace = failing.trace
        return opened

    monkeypatch.setattr(pool.Pool, "take", armed)
    return failing


@pytest.mark.parametrize("turn", _TURNS)
def test_durability_nth_failure_of_statements(tmp_path: Path, failing: Failing, turn: int) -> None:
    """For every write verb and every statement of it, the commit included."""
    store = open_sqlite(str(tmp_path / "home" / "onrecord.db"), create=True)
    writer = Writer(store)
    for before in range(turn):
        writer.write(before)
    nth = 0
    while True:
        failing.left, failing.failed = nth, False
        with contextlib.suppress(StoreError):
            writer.write(turn)
        failing.left = -1
        assert_sound(store, writer.acknowledged)
        if not failing.failed:
            break
        nth += 1

    assert nth > 5
    store.close()


class FailingDisk(Disk):
    """A disk on which one write or sync fails."""

    def step(self) -> None:
        """Fail at the chosen step."""
        step = self.steps
        self.steps += 1
        if step == self.fails_at:
            raise apsw.IOError("a disk that fails")


@pytest.mark.parametrize("turn", _TURNS)
def test_durability_nth_failure_of_the_disk(tmp_path: Path, turn: int) -> None:
    """For every write verb and every write and sync of it, moving the log included."""
    made = tmp_path / "made" / "onrecord.db"
    writer = Writer(open_sqlite(str(made), create=True))
    for before in range(turn):
        writer.write(before)
    writer.store.close()
    nth = 0
    while _fails(made, tmp_path / f"{nth}", writer.again(), turn, nth):
        # in the short form, every step of the write and some of the long scrub after it
        nth += 1 if nth < _EVERY or len(rounds(1)) > 1 else 9

    assert nth > 3


def _fails(made: Path, folder: Path, writer: Writer, turn: int, nth: int) -> bool:
    """Whether something failed at that step; either way the store is sound."""
    shutil.copytree(made.parent, folder)
    disk = FailingDisk(f"failing-{folder}-{nth}", fails_at=None)
    failed = False
    try:
        store = writer.store = open_sqlite(str(folder / made.name), create=False)
        disk.fails_at = disk.steps + nth
        try:
            writer.write(turn)
            store.scrub()
        except StoreError:
            failed = True
        disk.fails_at = None
        assert_sound(store, writer.acknowledged)
        store.close()
    finally:
        disk.unregister()
    return failed
