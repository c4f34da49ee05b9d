"""A store that can only be read is read; writing says why it cannot be done."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from onrecord.domain.errors import StoreReadOnly
from onrecord.storage.shelf import open_shelf
from onrecord.storage.sqlite_engine import open_sqlite
from onrecord.testing.builders import Maker, keep

if TYPE_CHECKING:
    from collections.abc import Generator

_NOBODY = 65534


@pytest.fixture
def path() -> Generator[Path]:
    """A store with an item, in a folder whose name is awkward in an address."""
    top = Path(tempfile.mkdtemp())
    top.chmod(0o755)
    path = top / "50%? #1" / "onrecord.db"
    store = open_sqlite(str(path), create=True)
    with store.write() as tx:
        keep(tx, Maker().item("kestrel", status="proposed"))
    store.close()
    yield path
    path.parent.chmod(0o700)
    shutil.rmtree(top)


@pytest.mark.parametrize(("folder", "file"), [(0o500, 0o600), (0o500, 0o400), (0o700, 0o400)])
def test_durability_read_only(path: Path, folder: int, file: int) -> None:
    """By the shelf and by the store, with nothing made beside it where nothing may be."""
    path.chmod(file)
    path.parent.chmod(folder)
    for each in (path.parent, *path.parent.iterdir()):
        if os.geteuid() == 0:
            os.chown(each, _NOBODY, _NOBODY)
    pid = os.fork()
    if not pid:
        code = 1
        try:
            # no mode stops root
            if os.geteuid() == 0:
                os.setgid(_NOBODY)
                os.setuid(_NOBODY)
            code = use(str(path))
        finally:
            os._exit(code)

    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
    if folder == 0o500:
        left = {each.name for each in path.parent.iterdir()}
        assert left == {"onrecord.db", "onrecord.db.keys"}


def use(path: str) -> int:
    """Read in both ways and try to write; 0 where all is as it should be."""
    shelf = open_shelf(path)
    waiting = shelf.waiting(None, now=0)
    shelf.close()
    store = open_sqlite(path, create=False)
    with store.read() as tx:
        count = tx.items.count(None, ["proposed"])
    try:
        with store.write():
            return 2
    except StoreReadOnly:
        pass
    faults = list(store.faults())
    store.close()
    return 0 if (waiting, count, faults) == (1, 1, []) else 3
