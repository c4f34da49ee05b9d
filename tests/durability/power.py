"""A disk that forgets: what was not synced may be lost, whole or in part, when power fails."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any, Final

import apsw

#: A disk writes so many bytes whole or not at all.
SECTOR: Final = 512


class Image:
    """One file: what is on the disk for sure, and what is still on its way."""

    def __init__(self, synced: bytes = b"") -> None:
        self.synced = bytearray(synced)
        #: (where, what), or (new length, None) for a cut
        self.pending: list[tuple[int, bytes | None]] = []

    def sync(self) -> None:
        """Everything has arrived."""
        for at, data in self.pending:
            _apply(self.synced, at, data)
        self.pending.clear()

    def after_power_loss(self, chance: random.Random) -> bytes:
        """What a disk may hold: each pending write whole, in part, or not at all."""
        found = bytearray(self.synced)
        for at, data in self.pending:
            fate = chance.random()
            if fate < 1 / 3:
                continue
            if fate < 2 / 3 or data is None:
                _apply(found, at, data)
                continue
            for start in range(0, len(data), SECTOR):
                if chance.random() < 0.5:
                    _apply(found, at + start, data[start : start + SECTOR])
        return bytes(found)


def _apply(content: bytearray, at: int, data: bytes | None) -> None:
    if data is None:
        del content[at:]
        return
    if len(content) < at + len(data):
        content.extend(bytes(at + len(data) - len(content)))
    content[at : at + len(data)] = data


class Disk(apsw.VFS):
    """The default file system while it is in use; the power fails at one write or sync."""

    def __init__(self, name: str, *, fails_at: int | None) -> None:
        self.images: dict[str, Image] = {}
        self.fails_at = fails_at
        self.steps = 0
        #: what each file may still hold at the moment of failure
        self.lost: dict[str, Image] | None = None
        super().__init__(name, "unix", makedefault=True)

    def xOpen(  # noqa: N802 - the engine's name
        self, name: str | apsw.URIFilename | None, flags: list[int]
    ) -> apsw.VFSFile:
        """Open a file of this disk."""
        return DiskFile(self, name, flags)

    def xDelete(self, filename: str, syncdir: bool) -> None:  # noqa: N802
        """Delete a file; a later one of its name is another."""
        super().xDelete(filename, syncdir)
        self.images.pop(filename, None)

    def step(self) -> None:
        """One write or sync begins; at the chosen one, the power fails before it."""
        if self.steps == self.fails_at and self.lost is None:
            self.lost = {path: _copied(image) for path, image in self.images.items()}
        self.steps += 1

    def write_lost_files(self, folder: Path, chance: random.Random) -> None:
        """Lay down what the disk may hold after the failure."""
        assert self.lost is not None
        for path, image in self.lost.items():
            target = folder / Path(path).name
            target.write_bytes(image.after_power_loss(chance))
            target.chmod(0o600)


def _copied(image: Image) -> Image:
    copy = Image(bytes(image.synced))
    copy.pending = list(image.pending)
    return copy


class DiskFile(apsw.VFSFile):
    """A file whose writes are noted."""

    def __init__(self, disk: Disk, name: str | apsw.URIFilename | None, flags: list[int]) -> None:
        super().__init__("unix", name, flags)
        path = name.filename() if isinstance(name, apsw.URIFilename) else str(name)
        self._disk = disk
        self._image = disk.images.setdefault(path, Image(Path(path).read_bytes()))

    def xWrite(self, data: Any, offset: int) -> None:  # noqa: N802 - the engine's name
        """Write, and note it."""
        self._disk.step()
        self._image.pending.append((offset, bytes(data)))
        super().xWrite(data, offset)

    def xTruncate(self, newsize: int) -> None:  # noqa: N802 - the engine's name
        """Cut, and note it."""
        self._disk.step()
        self._image.pending.append((newsize, None))
        super().xTruncate(newsize)

    def xSync(self, flags: int) -> None:  # noqa: N802 - the engine's name
        """Everything that was noted has arrived."""
        self._disk.step()
        self._image.sync()
        super().xSync(flags)
