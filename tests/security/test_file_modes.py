"""Nobody else on the machine can read what a store consists of, or take its place."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import apsw
import pytest

from onrecord.domain.errors import StoreError, StoreUnsafe
from onrecord.storage import backups
from onrecord.storage.shelf import open_shelf
from onrecord.storage.sqlite_engine import open_sqlite
from onrecord.testing.builders import Maker, keep


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o077])
def test_safety_file_modes(tmp_path: Path, umask: int) -> None:
    """Every file is 0600 and every folder 0700 while the store is in use, under any umask."""
    path = tmp_path / "home" / "deeper" / "onrecord.db"
    before = os.umask(umask)
    try:
        store = open_sqlite(str(path), create=True)
        with store.write() as tx:
            keep(tx, Maker().item("kestrel"))
        shelf = open_shelf(str(path))
        backups.copy(str(path), str(path) + ".backups/one.db")
        found = {file.name: stat.S_IMODE(file.stat().st_mode) for file in path.parent.rglob("*")}
        folder = stat.S_IMODE(path.parent.stat().st_mode)
        shelf.close()
        store.close()
    finally:
        os.umask(before)

    assert folder == 0o700
    assert found == {
        "onrecord.db": 0o600,
        "onrecord.db-wal": 0o600,
        "onrecord.db-shm": 0o600,
        "onrecord.db.keys": 0o600,
        "onrecord.db.backups": 0o700,
        "one.db": 0o600,
    }


@pytest.mark.parametrize("ending", ["", "-wal", "-shm", "-journal", ".backups"])
def test_safety_file_modes_planted_links(tmp_path: Path, ending: str) -> None:
    """A link where a file of the store would be is refused, and what it points to untouched."""
    folder = tmp_path / "home"
    folder.mkdir(mode=0o700)
    target = tmp_path / "target"
    target.write_bytes(b"precious")
    target.chmod(0o600)
    path = folder / "onrecord.db"
    if ending:
        open_sqlite(str(path), create=True).close()
    planted = Path(f"{path}{ending}")
    planted.unlink(missing_ok=True)
    planted.symlink_to(target)

    for use in (
        lambda: open_sqlite(str(path), create=True),
        lambda: backups.copy(str(path), f"{planted}/one.db"),
    )[ending == ".backups" :]:
        with pytest.raises(StoreUnsafe):
            use()
    assert target.read_bytes() == b"precious"
    assert stat.S_IMODE(target.stat().st_mode) == 0o600


def test_safety_file_modes_of_an_existing_store(tmp_path: Path) -> None:
    """A file that others could read is taken from them when it is opened for writing."""
    path = tmp_path / "home" / "onrecord.db"
    open_sqlite(str(path), create=True).close()
    keys = Path(f"{path}.keys")
    for file in (path, keys):
        file.chmod(0o644)
    open_sqlite(str(path), create=True).close()

    assert stat.S_IMODE(path.stat().st_mode) == stat.S_IMODE(keys.stat().st_mode) == 0o600


@pytest.mark.parametrize("what", ["text", "another database"])
def test_a_file_of_another_program_keeps_its_mode(what: str, tmp_path: Path) -> None:
    """What is not a store of ours is refused and not touched, its mode neither."""
    folder = tmp_path / "theirs"
    folder.mkdir(mode=0o700)
    path = folder / "passwd"
    if what == "text":
        path.write_text("root:x:0:0\n" * 100, encoding="utf-8")
    else:
        other = apsw.Connection(str(path))
        other.execute("CREATE TABLE t (a); INSERT INTO t VALUES (1)")
        other.close()
    path.chmod(0o644)
    before = path.read_bytes()

    with pytest.raises(StoreError):
        open_sqlite(str(path), create=True)

    assert stat.S_IMODE(path.stat().st_mode) == 0o644
    assert path.read_bytes() == before
