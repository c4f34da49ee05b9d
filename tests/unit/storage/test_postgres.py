"""The PostgreSQL engine: errors, turns, forks, and what its schema forbids."""

from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING

import psycopg
import pytest

from onrecord.domain import errors
from onrecord.storage import migrate, migrate_postgres, patience, postgres
from onrecord.storage.postgres import PostgresEngine, open_postgres
from onrecord.testing.builders import Maker, keep

if TYPE_CHECKING:
    from collections.abc import Generator

    from harness.postgres import Databases
    from onrecord.domain.ports import Scopes, Transaction
    from onrecord.storage.store import SqlStore


def prepare(url: str) -> None:
    """Make the schema, once for all tests."""
    open_postgres(url, tenant="local").close()


@pytest.fixture
def url(postgres_server: Databases) -> Generator[str]:
    """A database of the test's own, with the schema in it."""
    with postgres_server.fresh(postgres_server.template("store", prepare)) as url:
        yield url


@pytest.fixture
def store(url: str) -> Generator[SqlStore]:
    """A fresh store."""
    store = open_postgres(url, tenant="local")
    yield store
    store.close()


def told_by(url: str, *statements: bytes) -> errors.OnrecordError:
    """The error of the tree for what the last statement makes the database say."""
    with psycopg.connect(url, autocommit=True) as connection:
        *before, last = statements
        for statement in before:
            connection.execute(statement)
        with pytest.raises(psycopg.Error) as caught:
            connection.execute(last)
    return postgres.told(caught.value)


def test_migrations_come_in_pairs() -> None:
    """Both databases know the same schema numbers under the same names."""
    pairs = (
        [os.path.basename(path) for _, path in migrate.scripts(database)]  # noqa: PTH119
        for database in ("sqlite", "postgres")
    )

    sqlite_names, postgres_names = pairs
    assert sqlite_names == postgres_names
    assert len(sqlite_names) == migrate_postgres.SCHEMA


def test_many_can_make_the_schema_at_once(postgres_url: str) -> None:
    """One of them does, the others wait and find it there."""
    failures: list[BaseException] = []

    def make() -> None:
        try:
            open_postgres(postgres_url, tenant="local").close()
        except BaseException as failure:  # noqa: BLE001 - told to the test's own thread
            failures.append(failure)

    threads = [threading.Thread(target=make) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert failures == []


def test_nothing_of_the_log_can_be_changed(store: SqlStore, url: str) -> None:
    """By no statement, and neither can a version."""
    make = Maker()
    with store.write() as tx:
        keep(tx, make.item("kestrel"))
        tx.events.append(make.event())
    for statement in (
        b"UPDATE events SET action = 'forged'",
        b"DELETE FROM events",
        b"TRUNCATE events",
        b"UPDATE versions SET title = 'forged'",
        b"UPDATE versions SET by_user = 'forged', superseded_at = 1",
        b"DELETE FROM versions",
        b"TRUNCATE versions CASCADE",
    ):
        assert type(told_by(url, statement)) is errors.StoreError


@pytest.mark.parametrize(
    ("statements", "kind"),
    [
        ((b"INSERT INTO meta VALUES ('schema', 'x')",), errors.Clash),
        (
            (b"SET default_transaction_read_only = on", b"DELETE FROM meta"),
            errors.StoreReadOnly,
        ),
        ((b"SET statement_timeout = 1", b"SELECT pg_sleep(9)"), errors.StoreBusy),
        ((b"SELECT chr(0)",), errors.BadField),
        ((b"SELECT 9223372036854775807 + 1",), errors.BadField),
        ((b"SELECT kestrel",), errors.StoreError),
    ],
)
def test_the_databases_errors_have_a_place_in_the_tree(
    url: str, statements: tuple[bytes, ...], kind: type[errors.OnrecordError]
) -> None:
    """None of its words come along, which may quote what is stored."""
    error = told_by(url, *statements)

    assert type(error) is kind
    assert "kestrel" not in f"{error.message} {error.hint} {error.details}"


def test_a_database_out_of_reach_is_told() -> None:
    """Without its URL, which may hold a password."""
    with pytest.raises(errors.StoreError) as caught:
        open_postgres("postgresql://ada:secret@/none?host=/nonexistent", tenant="local")
    assert "secret" not in f"{caught.value.message} {caught.value.details}"
    assert caught.value.__cause__ is None


@pytest.mark.parametrize("text", ["a\x00b", "\ud800"])
def test_what_cannot_be_stored_is_the_callers_fault(store: SqlStore, text: str) -> None:
    """The transaction is undone and the store goes on."""
    make = Maker()
    with pytest.raises(errors.BadField), store.write() as tx:
        keep(tx, make.item("kestrel", reason=text))
    with store.write() as tx:
        keep(tx, make.item("kestrel"))
    with store.read() as tx:
        assert tx.items.count(None, ["active"]) == 1


def test_waiting_for_a_writer_has_an_end(
    store: SqlStore, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Writers of one tenant take turns; another tenant's does not wait."""
    monkeypatch.setattr(patience, "LIMIT_S", 0.05)
    same, other = (PostgresEngine(url, tenant=name) for name in ("local", "other"))
    with store.write() as tx:
        tx.scopes.note("global", 1)
        with pytest.raises(errors.StoreBusy), same.write():
            pass
        with other.write() as runner:
            runner.run("scope_number", name="global")
    same.close()
    other.close()


def test_a_write_inside_a_write_is_told_at_once(store: SqlStore) -> None:
    """Not after waiting for itself."""
    with store.write() as tx:
        tx.scopes.note("global", 1)
        with pytest.raises(errors.StoreError), store.write():
            pass

    with store.read() as tx:
        assert tx.scopes.known("global")


def test_a_store_can_be_used_after_a_fork(store: SqlStore) -> None:
    """The child opens connections of its own; the parent's go on."""
    with store.write() as tx:
        tx.scopes.note("global", 1)
    pid = os.fork()
    if not pid:
        code = 1
        try:
            with store.write() as tx:
                tx.scopes.note("org:child", 1)
            code = 0
        finally:
            os._exit(code)

    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
    with store.write() as tx:
        tx.scopes.note("org:parent", 1)
    with store.read() as tx:
        assert tx.scopes.names() == ["global", "org:child", "org:parent"]


def test_a_connection_that_broke_is_replaced(store: SqlStore, url: str) -> None:
    """The transaction fails, the next one works."""
    with store.write() as tx:
        tx.scopes.note("global", 1)
    with pytest.raises(errors.StoreError), store.write() as tx:
        _broken(tx, url).note("org:lost", 1)

    with store.read() as tx:
        assert tx.scopes.names() == ["global"]


def _broken(tx: Transaction, url: str) -> Scopes:
    """A port of a transaction whose connection the server has ended."""
    with psycopg.connect(url, autocommit=True) as other:
        other.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
    return tx.scopes


def test_a_reader_holds_back_a_scrub(store: SqlStore, url: str) -> None:
    """Its view may still need what was erased."""
    with store.write() as tx:
        tx.scopes.note("global", 1)
    other = PostgresEngine(url, tenant="local")
    with other.read() as runner:
        assert runner.rows("scope_names") == [("global",)]
        assert scrubbed_beside(store) is False
    assert store.scrub() is True
    other.close()


def scrubbed_beside(store: SqlStore) -> bool:
    """What a scrub answers while somebody reads."""
    return store.scrub()


def test_a_newer_schema_stops_writers(store: SqlStore, url: str) -> None:
    """A process that was there before the upgrade may read where allowed, and not write."""
    with psycopg.connect(url, autocommit=True) as newer:
        newer.execute("UPDATE meta SET value = '2' WHERE name IN ('schema', 'min_writer')")
        with pytest.raises(errors.StoreNewer), store.write():
            pass
        with store.read() as tx:
            assert tx.scopes.names() == []
        newer.execute("UPDATE meta SET value = '2' WHERE name = 'min_reader'")
        with pytest.raises(errors.StoreNewer), store.read():
            pass


def test_faults_name_an_index_that_differs(store: SqlStore, url: str) -> None:
    """A changed function leaves the words of before."""
    make = Maker()
    with store.write() as tx:
        keep(tx, make.item("kestrel"))
    assert list(store.faults()) == []
    with psycopg.connect(url, autocommit=True) as other:
        other.execute(
            "CREATE OR REPLACE FUNCTION words_of(said text) RETURNS text LANGUAGE sql IMMUTABLE"
            " PARALLEL SAFE STRICT RETURN 'other'"
        )

    assert len(list(store.faults())) == 1
    with store.read() as tx:
        assert tx.index.check() is False


def test_a_changed_schema_is_told(store: SqlStore, url: str) -> None:
    """A fresh one is as the migrations make it; what is changed in it is named."""
    assert store.schema_faults() == []
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("DROP TRIGGER events_keep ON events")
        connection.execute("ALTER TABLE items DISABLE TRIGGER items_stay")
        connection.execute("CREATE INDEX mine ON items (kind)")

    assert store.schema_faults() == [
        ("missing", "events.events_keep"),
        ("changed", "items.items_stay"),
        ("extra", "mine"),
    ]
