"""Opening a file: switches, the engine's version, and what its errors become."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import apsw
import pytest

from onrecord.domain import errors
from onrecord.domain.errors import OnrecordError
from onrecord.storage import migrate, sqlite
from onrecord.testing.builders import Maker, keep

if TYPE_CHECKING:
    from onrecord.storage.store import SqlStore

#: Standard modules that would cost the hook its time.
HEAVY: Final = frozenset(
    {
        "re",
        "dataclasses",
        "typing",
        "json",
        "enum",
        "pathlib",
        "argparse",
        "logging",
        "subprocess",
        "datetime",
        "tomllib",
        "inspect",
        "uuid",
        "random",
        "tempfile",
        "threading",
        "contextlib",
    }
)


def test_the_known_schema_is_the_newest_migration() -> None:
    """The light module's number and mark are those of the files."""
    numbers = [number for number, _ in migrate.scripts()]

    assert numbers == list(range(1, sqlite.SCHEMA + 1))
    first = Path(migrate.scripts()[0][1]).read_text(encoding="utf-8")
    assert f"PRAGMA application_id = {sqlite.APPLICATION};" in first


def test_the_shelf_costs_the_hook_nothing_heavy() -> None:
    """A process that reads the shelf loads no standard module that is slow to load."""
    code = "import sys, onrecord.storage.shelf; print(*sys.modules)"
    found = subprocess.run(
        [sys.executable, "-I", "-c", code], capture_output=True, encoding="utf-8", check=True
    ).stdout.split()

    assert set(found) & HEAVY == set()
    ours = [name for name in found if name.startswith("onrecord")]
    assert len(ours) <= 12, ours


@pytest.mark.parametrize("version", ["3.51.2", "3.7.0", "3.50.10", "2.99.99"])
def test_an_engine_with_the_known_fault_is_refused(version: str) -> None:
    """The message names the version and what to upgrade."""
    with pytest.raises(errors.EngineTooOld) as caught:
        sqlite.check_engine(version)
    assert version in caught.value.message
    assert "apsw" in caught.value.message


@pytest.mark.parametrize("version", [None, "3.51.3", "3.60.0", "4.0.0"])
def test_a_mended_engine_is_fine(version: str | None) -> None:
    """The one in use is."""
    sqlite.check_engine(version)


def test_every_switch_is_set_for_writing(store: SqlStore, path: str) -> None:
    """Durable, checked, overwriting what it deletes, and deaf to the schema's own functions."""
    assert store
    connection = sqlite.connect(path)
    found = {
        name: connection.pragma(name)
        for name in (
            "journal_mode",
            "synchronous",
            "fullfsync",
            "checkpoint_fullfsync",
            "foreign_keys",
            "recursive_triggers",
            "secure_delete",
            "cell_size_check",
            "trusted_schema",
            "temp_store",
            "mmap_size",
            "journal_size_limit",
        )
    }
    defensive = connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, -1)
    connection.close()

    assert found == {
        "journal_mode": "wal",
        "synchronous": 2,
        "fullfsync": 1,
        "checkpoint_fullfsync": 1,
        "foreign_keys": 1,
        "recursive_triggers": 1,
        "secure_delete": 1,
        "cell_size_check": 1,
        "trusted_schema": 0,
        "temp_store": 2,
        "mmap_size": 0,
        "journal_size_limit": 16 * 1024 * 1024,
    }
    assert defensive == 1


def test_a_reading_connection_cannot_write(store: SqlStore, path: str) -> None:
    """Whatever it is asked to do."""
    assert store
    connection = sqlite.connect(path, readonly=True)
    with pytest.raises(apsw.ReadOnlyError):
        connection.execute("DELETE FROM meta")
    connection.close()


def told_by(work: Any) -> OnrecordError:
    """The error of the tree for what the engine raises."""
    with pytest.raises(apsw.Error) as caught:
        work()
    return sqlite.told(caught.value)


def test_another_writer_is_store_busy(store: SqlStore, path: str) -> None:
    """After the time that the connection waits."""
    other = sqlite.connect(path, busy_ms=1)
    with store.write():
        error = told_by(lambda: other.execute("BEGIN IMMEDIATE"))
    other.close()

    assert type(error) is errors.StoreBusy
    assert error.details == {"engine": apsw.SQLITE_BUSY}


def test_a_full_file_is_store_full(store: SqlStore, path: str) -> None:
    """Nothing of the text that did not fit is in the error."""
    make = Maker()
    with store.write() as tx:
        keep(tx, make.item("first"))
    connection = sqlite.connect(path)
    connection.pragma("max_page_count", 1)
    text = "kestrel" * 10_000
    error = told_by(lambda: connection.execute("UPDATE meta SET value = ?", (text,)))
    connection.close()

    assert type(error) is errors.StoreFull
    assert "kestrel" not in repr((error.message, error.hint, error.details, error.args))


def test_a_file_size_limit_is_store_full(store: SqlStore) -> None:
    """Quotas and limits come as write errors and mean the same; reading goes on."""
    make = Maker()
    with store.write() as tx:
        keep(tx, make.item("first"))
    pid = os.fork()
    if not pid:
        code = 1
        try:
            code = _write_against_a_limit(store, make)
        finally:
            os._exit(code)

    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0


def _write_against_a_limit(store: SqlStore, make: Maker) -> int:
    resource.setrlimit(resource.RLIMIT_FSIZE, (64 * 1024, resource.RLIM_INFINITY))
    try:
        with store.write() as tx:
            keep(tx, *(make.item("more", body="word " * 10_000) for _ in range(40)))
    except errors.StoreFull:
        with store.read() as tx:
            return 0 if tx.items.count(None, ["active"]) == 1 else 2
    return 3


def test_a_file_that_is_no_database_is_store_corrupt(path: str) -> None:
    """It is left as it was."""
    Path(path).parent.mkdir(mode=0o700)
    Path(path).write_bytes(b"these are my notes, not a database " * 100)
    Path(path).chmod(0o600)

    with pytest.raises(errors.StoreCorrupt):
        sqlite.connect(path)
    assert Path(path).read_bytes().startswith(b"these are my notes")


def test_another_programs_database_is_refused(path: str) -> None:
    """Before anything is written to it."""
    Path(path).parent.mkdir(mode=0o700)
    theirs = apsw.Connection(path)
    theirs.execute("CREATE TABLE theirs (x); INSERT INTO theirs VALUES (1)").fetchall()
    theirs.close()
    Path(path).chmod(0o600)
    before = Path(path).read_bytes()

    with pytest.raises(errors.StoreCorrupt):
        migrate.migrate(path)
    assert Path(path).read_bytes() == before


def test_rules_of_the_schema_are_told_apart(store: SqlStore, path: str) -> None:
    """A taken id or key is a clash; anything else is a fault of the caller's."""
    make = Maker()
    item = make.item("first", key="k")
    with store.write() as tx:
        keep(tx, item)
    connection = sqlite.connect(path)
    twice = told_by(lambda: connection.execute("INSERT INTO meta VALUES ('min_reader', '')"))
    kept = told_by(lambda: connection.execute("UPDATE versions SET title = 'forged'"))
    gone = told_by(lambda: connection.execute("DELETE FROM versions"))
    orphan = told_by(lambda: connection.execute("UPDATE versions SET item = 'none'"))
    connection.close()

    assert type(twice) is errors.Clash
    assert {type(kept), type(gone), type(orphan)} == {errors.StoreError}


def test_every_engine_error_has_a_place_in_the_tree() -> None:
    """Unknown ones become the general one, and none brings its words along."""
    kinds = [kind for kind in vars(apsw).values() if isinstance(kind, type)]
    faults = [kind for kind in kinds if issubclass(kind, apsw.Error) and kind is not apsw.Error]

    assert len(faults) > 30
    for kind in faults:
        error = sqlite.told(kind("kestrel"))
        assert isinstance(error, OnrecordError)
        assert "kestrel" not in f"{error.message} {error.hint} {error.details}"


def test_half_a_character_pair_cannot_be_stored(store: SqlStore) -> None:
    """Neither can a number of more than 64 bits; both are the caller's fault."""
    make = Maker()
    for off in (make.item("half", reason="\ud800"), make.item("big", expires_at=2**70)):
        with pytest.raises(errors.BadField), store.write() as tx:
            tx.items.add(off)
    with store.read() as tx:
        assert tx.items.count(None, ["active"]) == 0
