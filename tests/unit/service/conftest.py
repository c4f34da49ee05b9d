"""Service tests run on the in-memory store and on SQLite: the same meaning on both."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from desk import Desk
from onrecord.storage.inmemory import InMemoryStore
from onrecord.storage.sqlite_engine import open_sqlite

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture(params=["memory", "sqlite"])
def desk(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Desk]:
    """A fresh store with callers."""
    if request.param == "memory":
        yield Desk(InMemoryStore())
        return
    folder = tmp_path / "data"
    folder.mkdir(mode=0o700)
    store = open_sqlite(str(folder / "memory.db"), create=True)
    yield Desk(store)
    store.close()
