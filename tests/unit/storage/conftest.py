"""What the tests of the storage room share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from onrecord.storage.sqlite_engine import open_sqlite

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path

    from onrecord.storage.store import SqlStore


@pytest.fixture
def path(tmp_path: Path) -> str:
    """Where the store of one test is."""
    return str(tmp_path / "home" / "onrecord.db")


@pytest.fixture
def store(path: str) -> Generator[SqlStore]:
    """A fresh store in a file."""
    store = open_sqlite(path, create=True)
    yield store
    store.close()
