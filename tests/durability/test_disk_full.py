"""A full disk refuses writes clearly; reading goes on, and so does writing once there is room."""

from __future__ import annotations

from pathlib import Path

import apsw
import pytest

from durability.power import Disk
from durability.workload import Writer, assert_sound
from onrecord.domain.errors import StoreFull
from onrecord.storage.sqlite_engine import open_sqlite


class FullDisk(Disk):
    """A disk that takes no more writes while it is full."""

    full = False

    def step(self) -> None:
        """Refuse while full."""
        if self.full:
            raise apsw.FullError("no room")


def test_durability_disk_full(tmp_path: Path) -> None:
    """At every kind of write, nothing acknowledged is lost and nothing half is kept."""
    disk = FullDisk(f"full-{tmp_path.name}", fails_at=None)
    try:
        store = open_sqlite(str(tmp_path / "home" / "onrecord.db"), create=True)
        writer = Writer(store)
        for turn in range(5):
            disk.full = True
            if turn:
                assert_sound_reading(writer)
            with pytest.raises(StoreFull):
                writer.write(turn)
            disk.full = False
            writer.write(turn)
            assert_sound(store, writer.acknowledged)
        store.close()
    finally:
        disk.unregister()


def assert_sound_reading(writer: Writer) -> None:
    """What is there can be read on a full disk."""
    with writer.store.read() as tx:
        for name in writer.acknowledged:
            assert tx.items.get(name) is not None
