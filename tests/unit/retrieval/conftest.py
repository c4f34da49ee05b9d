"""What the tests of the retrieval room share: a library in a real store."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from library import Library
from onrecord.storage.sqlite_engine import open_sqlite

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    """A fresh store on SQLite, whose index stems and ranks as in use."""
    folder = tmp_path / "data"
    folder.mkdir(mode=0o700)
    store = open_sqlite(str(folder / "memory.db"), create=True)
    yield Library(store)
    store.close()
