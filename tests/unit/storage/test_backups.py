"""Copies of a store: whole, checked, private, and never in place of something."""

from __future__ import annotations

import stat
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from onrecord.domain import errors
from onrecord.storage import backups
from onrecord.storage.sqlite_engine import open_sqlite
from onrecord.testing.builders import Maker, keep

if TYPE_CHECKING:
    from onrecord.storage.store import SqlStore


def test_a_copy_is_one_private_file_with_everything(store: SqlStore, path: str) -> None:
    """What is still in the log is in it too, and it opens as a store."""
    make = Maker()
    item = make.item("kestrel")
    with store.write() as tx:
        keep(tx, item)
        head = tx.events.append(make.event())
    target = Path(path).parent / "copies" / "one.db"
    backups.copy(path, str(target))

    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    assert stat.S_IMODE(target.parent.stat().st_mode) == 0o700
    assert [p.name for p in target.parent.iterdir()] == ["one.db"]
    copied = open_sqlite(str(target), create=False)
    with copied.read() as tx:
        assert tx.items.get(item.id) == item
        assert tx.events.head() == (1, head.hash)
    assert list(copied.faults()) == []
    copied.close()


def test_a_copy_can_be_made_while_somebody_writes(store: SqlStore, path: str) -> None:
    """It holds what was committed."""
    make = Maker()
    with store.write() as tx:
        keep(tx, make.item("committed"))
    with store.write() as tx:
        keep(tx, make.item("unfinished"))
        backups.copy(path, path + ".copy")

    copied = open_sqlite(path + ".copy", create=False)
    with copied.read() as tx:
        assert tx.items.count(None, ["active"]) == 1
    copied.close()


def test_nothing_is_overwritten(store: SqlStore, path: str, tmp_path: Path) -> None:
    """Neither a file nor what a planted link points to."""
    assert store
    target = tmp_path / "precious"
    target.write_bytes(b"precious")
    planted = Path(path + ".copy")
    planted.symlink_to(target)
    for taken in (str(target), str(planted)):
        with pytest.raises(errors.StoreUnsafe):
            backups.copy(path, taken)

    assert target.read_bytes() == b"precious"
    assert list(tmp_path.glob("**/*.part")) == []


def test_a_damaged_store_gives_no_copy(store: SqlStore, path: str) -> None:
    """A copy that fails its check is dropped."""
    make = Maker()
    with store.write() as tx:
        keep(tx, *(make.item(f"kestrel {n}", body="word " * 50) for n in range(50)))
    store.scrub()
    store.close()
    damaged = bytearray(Path(path).read_bytes())
    for start in range(4096 * 3, len(damaged), 4096 * 2):
        damaged[start : start + 64] = b"\xff" * 64
    Path(path).write_bytes(damaged)

    with pytest.raises(errors.StoreCorrupt):
        backups.copy(path, path + ".copy")
    assert not Path(path + ".copy").exists()
    assert list(Path(path).parent.glob("*.part")) == []
