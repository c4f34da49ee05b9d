"""Every engine's matches are ranked to the same answers."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path

import pytest

from harness.postgres import Databases
from onrecord.domain.ports import Store
from onrecord.storage import shelf
from onrecord.storage.inmemory import InMemoryStore
from onrecord.storage.postgres import open_postgres
from onrecord.storage.sqlite_engine import open_sqlite
from onrecord.testing.ranking_suite import RankingSuite


def prepare(url: str) -> None:
    """Make the schema, once for all tests."""
    open_postgres(url, tenant="local").close()


class TestRankingInMemory(RankingSuite):
    """On dictionaries, which know no forms of words."""

    stems = False

    @pytest.fixture
    def store(self) -> InMemoryStore:
        """A fresh, empty store."""
        return InMemoryStore()


class TestRankingSqlite(RankingSuite):
    """On FTS5."""

    @pytest.fixture
    def store(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Generator[Store]:
        """A fresh, empty store, in which few documents count as many."""
        monkeypatch.setattr(shelf, "_RANKED", 100)
        folder = tmp_path / "data"
        folder.mkdir(mode=0o700)
        store = open_sqlite(str(folder / "memory.db"), create=True)
        yield store
        store.close()


class TestRankingPostgres(RankingSuite):
    """On tsvector."""

    @pytest.fixture
    def store(self, postgres_server: Databases) -> Generator[Store]:
        """A fresh, empty store."""
        with postgres_server.fresh(postgres_server.template("ranking", prepare)) as url:
            store = open_postgres(url, tenant="local")
            yield store
            store.close()
