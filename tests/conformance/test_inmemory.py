"""The in-memory store is held to the same suite as every other."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from onrecord.storage.inmemory import InMemoryStore, MemoryFile
from onrecord.testing.store_suite import ConcurrencySuite, DurableSuite, StoreSuite, TenantSuite


class TestInMemoryStore(StoreSuite, TenantSuite, ConcurrencySuite, DurableSuite):
    """Every suite, on dictionaries."""

    @pytest.fixture
    def file(self) -> MemoryFile:
        """The place that all handles of one test share."""
        return MemoryFile()

    @pytest.fixture
    def store(self, file: MemoryFile) -> InMemoryStore:
        """A fresh, empty store."""
        return InMemoryStore(file)

    @pytest.fixture
    def other_tenant_store(self, file: MemoryFile) -> InMemoryStore:
        """A store of another tenant in the same place."""
        return InMemoryStore(file, tenant="other")

    @pytest.fixture
    def reopen(self, file: MemoryFile) -> Callable[[], InMemoryStore]:
        """One more handle on the same place."""
        return partial(InMemoryStore, file)
