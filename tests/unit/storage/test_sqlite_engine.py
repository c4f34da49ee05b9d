"""Transactions over threads, processes and mistakes of the caller's."""

from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING

import pytest

from onrecord.domain import errors
from onrecord.storage import patience, sqlite
from onrecord.storage.sqlite_engine import SqliteEngine, open_sqlite
from onrecord.testing.builders import Maker, keep

if TYPE_CHECKING:
    from collections.abc import Callable

    from onrecord.storage.store import SqlStore


def in_child(work: Callable[[], None]) -> int:
    """Run something in a forked child; its exit code, 0 for no error."""
    pid = os.fork()
    if not pid:
        code = 1
        try:
            work()
            code = 0
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def test_a_missing_store_is_only_made_on_request(path: str) -> None:
    """Opening alone makes neither file nor folder."""
    with pytest.raises(errors.StoreMissing):
        open_sqlite(path, create=False)
    assert not os.path.exists(os.path.dirname(path))  # noqa: PTH110, PTH120


def test_a_write_inside_a_write_is_told_at_once(store: SqlStore) -> None:
    """Not after waiting for itself; the outer one goes on."""
    with store.write() as tx:
        tx.scopes.note("global", 1)
        with pytest.raises(errors.StoreError), store.write():
            pass

    with store.read() as tx:
        assert tx.scopes.known("global")


def test_a_read_inside_a_write_sees_the_state_before(store: SqlStore) -> None:
    """And a write inside a read is no mistake."""
    with store.write() as tx:
        tx.scopes.note("global", 1)
        with store.read() as reader:
            assert not reader.scopes.known("global")
    with store.read() as reader, store.write() as tx:
        tx.scopes.note("org:acme", 1)
        assert not reader.scopes.known("org:acme")


def test_a_transaction_ends_with_its_block(store: SqlStore) -> None:
    """Its ports are no use afterwards, a walk that was begun included."""
    with store.write() as tx:
        tx.scopes.note("global", 1)
        walk = tx.events.walk()

    for late in (lambda: tx.scopes.known("global"), lambda: list(walk)):
        with pytest.raises(errors.StoreError):
            late()


def test_a_closed_store_is_not_used_again(store: SqlStore) -> None:
    """Closing twice is no error, and a transaction that runs finishes."""
    with store.write() as tx:
        tx.scopes.note("global", 1)
        store.close()
        tx.scopes.note("org:acme", 1)
    store.close()

    with pytest.raises(errors.StoreError), store.read():
        pass


def test_a_store_can_be_used_after_a_fork(store: SqlStore) -> None:
    """The child opens connections of its own; both write, and nothing is lost."""
    make = Maker()
    with store.write() as tx:
        keep(tx, make.item("parent's"))

    def write() -> None:
        with store.write() as tx:
            keep(tx, make.item("child's"))

    assert in_child(write) == 0
    with store.write() as tx:
        keep(tx, Maker(seed=9).item("parent's again"))
    with store.read() as tx:
        assert tx.items.count(None, ["active"]) == 3
    assert list(store.faults()) == []


def test_a_transaction_does_not_cross_a_fork(store: SqlStore) -> None:
    """In the child it is over and commits nothing; in the parent it goes on."""

    def misuse() -> None:
        with pytest.raises(errors.StoreError):
            tx.scopes.note("project:child", 1)

    with store.write() as tx:
        tx.scopes.note("global", 1)
        assert in_child(misuse) == 0
        tx.scopes.note("org:acme", 1)

    with store.read() as tx:
        assert tx.scopes.names() == ["global", "org:acme"]


def test_a_child_that_leaves_its_parents_block_commits_nothing(store: SqlStore) -> None:
    """Even if it falls out of the block as if all were well."""
    codes: list[int] = []
    pid = -1
    try:
        with store.write() as tx:
            tx.scopes.note("global", 1)
            pid = os.fork()
    except errors.StoreError:
        if not pid:
            os._exit(7)
        raise
    if not pid:
        os._exit(8)
    codes.append(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))

    assert codes == [7]
    with store.read() as tx:
        assert tx.scopes.names() == ["global"]
    assert list(store.faults()) == []


def test_threads_share_a_store(store: SqlStore) -> None:
    """Each has transactions of its own, and no write is lost."""
    failures: list[BaseException] = []

    def write(seed: int) -> None:
        make = Maker(seed=seed)
        try:
            for _ in range(10):
                with store.write() as tx:
                    tx.events.append(make.event())
                with store.read() as tx:
                    assert tx.events.head()[0] > 0
        except BaseException as failure:  # noqa: BLE001 - told to the test's own thread
            failures.append(failure)

    threads = [threading.Thread(target=write, args=(n,)) for n in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert failures == []
    with store.read() as tx:
        assert tx.events.head()[0] == 60


def test_waiting_for_a_writer_has_an_end(
    store: SqlStore, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Then the store is busy, and nothing was changed."""
    monkeypatch.setattr(patience, "LIMIT_S", 0.05)
    other = SqliteEngine(path, tenant="local")
    with store.write() as tx:
        tx.scopes.note("global", 1)
        with pytest.raises(errors.StoreBusy), other.write():
            pass
    with other.write() as runner:
        assert runner.row("scope_known", name="global")
    other.close()


def test_a_reader_holds_back_a_scrub(store: SqlStore, path: str) -> None:
    """It says so, and works once the reader is gone."""
    with store.write() as tx:
        tx.scopes.note("global", 1)
    other = SqliteEngine(path, tenant="local")
    with other.read():
        with store.write() as tx:
            tx.scopes.note("org:acme", 1)
        assert store.scrub() is False
    assert store.scrub() is True
    other.close()


def test_faults_name_what_is_broken(store: SqlStore, path: str) -> None:
    """References to nothing and an index that differs from its documents."""
    make = Maker()
    with store.write() as tx:
        keep(tx, make.item("kestrel"))
    connection = sqlite.connect(path)
    connection.pragma("foreign_keys", "OFF")
    connection.execute("INSERT INTO links VALUES ('local', 'nothing', 'about', 'x', 1)")
    connection.execute("DROP TRIGGER documents_changed")
    connection.execute("UPDATE documents SET title = 'osprey'")
    connection.close()

    found = list(store.faults())
    assert found == [
        "row 1 of links refers to nothing in items",
        "the lexical index differs from its documents: `onrecord rebuild` makes it anew",
    ]
    with store.read() as tx:
        assert tx.index.check() is False
    with store.write() as tx:
        assert tx.index.check() is False


def test_a_newer_schema_stops_writers_that_run(store: SqlStore, path: str) -> None:
    """A process that was there before the upgrade may read where allowed, and not write."""
    with store.write() as tx:
        tx.scopes.note("global", 1)
    newer = sqlite.connect(path)
    newer.pragma("user_version", sqlite.SCHEMA + 1)
    newer.execute("UPDATE meta SET value = '2' WHERE name = 'min_writer'")

    with pytest.raises(errors.StoreNewer), store.write():
        pass
    with store.read() as tx:
        assert tx.scopes.known("global")
    newer.execute("UPDATE meta SET value = '2' WHERE name = 'min_reader'")
    with pytest.raises(errors.StoreNewer), store.read():
        pass
    newer.close()
