"""The SQLite store is held to the same suite as every other."""

from __future__ import annotations

from collections.abc import Callable, Generator
from functools import partial
from pathlib import Path

import pytest

from onrecord.domain.ports import Store
from onrecord.storage.sqlite_engine import open_sqlite
from onrecord.testing.store_suite import ConcurrencySuite, DurableSuite, StoreSuite, TenantSuite


class TestSqliteStore(StoreSuite, TenantSuite, ConcurrencySuite, DurableSuite):
    """Every suite, on a file."""

    @pytest.fixture
    def path(self, tmp_path: Path) -> str:
        """Where the store of one test is."""
        return str(tmp_path / "home" / "onrecord.db")

    @pytest.fixture
    def store(self, path: str) -> Generator[Store]:
        """A fresh, empty store."""
        store = open_sqlite(path, create=True)
        yield store
        store.close()

    @pytest.fixture
    def other_tenant_store(self, path: str, store: Store) -> Generator[Store]:
        """A store of another tenant in the same file."""
        assert store
        other = open_sqlite(path, create=False, tenant="other")
        yield other
        other.close()

    @pytest.fixture
    def reopen(self, path: str) -> Callable[[], Store]:
        """One more handle on the same file."""
        return partial(open_sqlite, path, create=False)
