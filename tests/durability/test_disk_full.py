"""A full disk refuses writes clearly; reading goes on, and so does writing once there is room."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import apsw
import pytest

from durability.power import Disk, DiskFile
from durability.workload import Writer, assert_sound
from onrecord import wiring
from onrecord.domain.errors import NotFound, StoreFull
from onrecord.domain.item import Content
from onrecord.domain.principal import Principal
from onrecord.domain.scope import Place
from onrecord.service.caller import Caller
from onrecord.service.commands import Forget, Remember
from onrecord.storage.sqlite_engine import open_sqlite

GATE: Final = "The production gate listens on port 5432"
PNPM: Final = "Use pnpm in the web folder of the shop"
ADA: Final = Caller(
    principal=Principal.person("ada", channel="terminal", confirmed=True),
    place=Place(cwd="/src/shop"),
)


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


class SmallDisk(Disk):
    """A disk with room for so many bytes in one folder, other programs' files included."""

    def __init__(self, name: str, folder: Path) -> None:
        super().__init__(name, fails_at=None)
        self.folder = folder
        self.room: int | None = None

    def xOpen(  # noqa: N802 - the engine's name
        self, name: str | apsw.URIFilename | None, flags: list[int]
    ) -> apsw.VFSFile:
        """Open a file of this disk."""
        return SmallFile(self, name, flags)

    def taken(self) -> int:
        """Bytes of all files in the folder."""
        return sum(path.stat().st_size for path in self.folder.iterdir())

    def fill(self) -> None:
        """Somebody else takes all the room that is left."""
        self.room = self.taken()


class SmallFile(DiskFile):
    """A file that grows as long as there is room."""

    def __init__(
        self, disk: SmallDisk, name: str | apsw.URIFilename | None, flags: list[int]
    ) -> None:
        super().__init__(disk, name, flags)
        self._small = disk

    def xWrite(self, data: Any, offset: int) -> None:  # noqa: N802 - the engine's name
        """Refuse what would grow the file beyond the room that is left."""
        grows = offset + len(bytes(data)) - self.xFileSize()
        if self._small.room is not None and 0 < grows > self._small.room - self._small.taken():
            raise apsw.FullError("no room")
        super().xWrite(data, offset)


@pytest.mark.parametrize("ballast", [True, False])
def test_durability_disk_full_forget(tmp_path: Path, ballast: bool) -> None:
    """Erasing goes on where nothing can be added: by the room kept aside, and by it alone."""
    path = tmp_path / "home" / "memory.db"
    disk = SmallDisk(f"small-{tmp_path.name}-{ballast}", path.parent)
    try:
        memory = wiring.open_memory(str(path))
        kept, gone = (memory.do(said(title), ADA).item for title in (GATE, PNPM))
        assert kept is not None
        assert gone is not None
        # a log that was cut has no room of its own to write into
        with apsw.Connection(str(path)) as connection:
            connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
        connection.close()
        room = Path(f"{path}.ballast")
        assert room.stat().st_size == 1 << 20
        assert room.stat().st_mode & 0o777 == 0o600
        if not ballast:
            room.unlink()
        disk.fill()

        with pytest.raises(StoreFull):
            memory.do(said("The night shift counts the boats"), ADA)
        assert memory.get(kept.id, ADA).content.title == GATE
        if not ballast:
            with pytest.raises(StoreFull):
                memory.do(Forget(item=gone.id), ADA)
            disk.room = None
            memory.close()
            return
        outcome = memory.do(Forget(item=gone.id), ADA)

        assert outcome.code in ("forgotten", "forgotten.pending")
        assert not room.exists()
        with pytest.raises(NotFound):
            memory.get(gone.id, ADA)
        assert memory.get(kept.id, ADA).content.title == GATE
        memory.close()
        disk.room = None
        memory = wiring.open_memory(str(path))
        assert room.exists()
        assert memory.check().sound
        assert memory.do(said("The night shift counts the boats"), ADA).code == "created"
        memory.close()
        left = b"".join(one.read_bytes() for one in path.parent.iterdir())
        assert PNPM.encode() not in left
        assert GATE.encode() in left
    finally:
        disk.unregister()


def said(title: str) -> Remember:
    """A statement for everywhere, long enough to need pages of its own."""
    return Remember(content=Content(title=title, body="osprey " * 600), scope="global")
