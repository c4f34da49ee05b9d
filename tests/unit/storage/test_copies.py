"""Copies with their keys: private, apart, and never in place of something."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from onrecord.domain import errors
from onrecord.storage import copies, keyring
from onrecord.storage.sqlite_engine import open_sqlite
from onrecord.testing.builders import Maker, keep

if TYPE_CHECKING:
    from onrecord.storage.store import SqlStore


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o077])
def test_a_copy_and_its_keys_are_for_the_owner_alone(
    store: SqlStore, path: str, umask: int
) -> None:
    """Whatever the umask; both together are a store."""
    item = Maker().item("kestrel")
    with store.write() as tx:
        keep(tx, item)
    before = os.umask(umask)
    try:
        made = copies.make_copy(path, "", "20260101T000000Z")
    finally:
        os.umask(before)

    assert made.path == f"{path}.backups/backup-20260101T000000Z.db"
    assert made.size == Path(made.path).stat().st_size
    for file in (made.path, made.keys):
        assert stat.S_IMODE(Path(file).stat().st_mode) == 0o600
    assert keyring.load(made.keys) == keyring.load(keyring.path_of(path))
    opened = open_sqlite(made.path, create=False)
    with opened.read() as tx:
        assert tx.items.get(item.id) == item
    opened.close()


def test_two_copies_of_one_second_are_two(store: SqlStore, path: str) -> None:
    """The second has a number, and neither is written over."""
    assert store
    names = [Path(copies.make_copy(path, "", "now").path).name for _ in range(3)]

    assert names == ["backup-now.db", "backup-now-2.db", "backup-now-3.db"]
    assert {Path(one).name for one in copies.kept(path)} == set(names)


def test_nothing_is_overwritten(store: SqlStore, path: str, tmp_path: Path) -> None:
    """Neither a copy, nor a file of keys, nor what a planted link points to."""
    assert store
    target = Path(path).parent / "copy.db"
    precious = tmp_path / "precious"
    precious.write_bytes(b"precious")
    for taken in (target, Path(keyring.path_of(str(target)))):
        taken.symlink_to(precious)
        with pytest.raises(errors.StoreUnsafe):
            copies.make_copy(path, str(target), "now")
        taken.unlink()

    assert precious.read_bytes() == b"precious"
    assert list(Path(path).parent.glob("copy.db*")) == []


def test_a_folder_that_others_may_write_to_is_refused(store: SqlStore, path: str) -> None:
    """Another account could put its own file in the copy's place."""
    assert store
    open_folder = Path(path).parent / "open"
    open_folder.mkdir()
    open_folder.chmod(0o777)

    with pytest.raises(errors.StoreUnsafe):
        copies.make_copy(path, str(open_folder / "copy.db"), "now")
    assert list(open_folder.iterdir()) == []


def test_no_folder_is_made_for_a_copy(store: SqlStore, path: str) -> None:
    """A mistyped path, or a disk that is not mounted, is told; the store's own folder is made."""
    assert store
    wrong = Path(path).parent / "typo" / "deeper" / "copy.db"
    with pytest.raises(errors.NotFound) as told:
        copies.make_copy(path, str(wrong), "now")

    assert told.value.details == {"path": str(wrong.parent)}
    assert not wrong.parent.parent.exists()


def test_a_store_without_its_key_is_still_copied(store: SqlStore, path: str) -> None:
    """The copy says that it has none."""
    assert store
    Path(keyring.path_of(path)).unlink()

    made = copies.make_copy(path, "", "now")

    assert made.keys == ""
    assert Path(made.path).exists()


def test_there_must_be_a_store(tmp_path: Path) -> None:
    """No empty one is made to be copied."""
    folder = tmp_path / "data"
    folder.mkdir(mode=0o700)

    with pytest.raises(errors.StoreMissing):
        copies.make_copy(str(folder / "memory.db"), "", "now")
    assert list(folder.iterdir()) == []
