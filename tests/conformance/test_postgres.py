"""The PostgreSQL store is held to the same suite as every other."""

from __future__ import annotations

from collections.abc import Callable, Generator
from functools import partial

import pytest

from harness.postgres import Databases
from onrecord.domain.ports import Store
from onrecord.storage.postgres import open_postgres
from onrecord.testing.store_suite import ConcurrencySuite, DurableSuite, StoreSuite, TenantSuite


def prepare(url: str) -> None:
    """Make the schema, once for all tests."""
    open_postgres(url, tenant="local").close()


class TestPostgresStore(StoreSuite, TenantSuite, ConcurrencySuite, DurableSuite):
    """Every suite, on a server."""

    @pytest.fixture
    def url(self, postgres_server: Databases) -> Generator[str]:
        """A database of the test's own, with the schema in it."""
        with postgres_server.fresh(postgres_server.template("store", prepare)) as url:
            yield url

    @pytest.fixture
    def store(self, url: str) -> Generator[Store]:
        """A fresh, empty store."""
        store = open_postgres(url, tenant="local")
        yield store
        store.close()

    @pytest.fixture
    def other_tenant_store(self, url: str) -> Generator[Store]:
        """A store of another tenant in the same database."""
        other = open_postgres(url, tenant="other")
        yield other
        other.close()

    @pytest.fixture
    def reopen(self, url: str) -> Callable[[], Store]:
        """One more handle on the same database."""
        return partial(open_postgres, url, tenant="local")
