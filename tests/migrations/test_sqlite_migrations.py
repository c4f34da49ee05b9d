"""Schemas of files: made by many at once, cut at any statement, copied before a change."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING, Any

import apsw
import pytest

from onrecord.domain import errors
from onrecord.storage import keyring, migrate, sqlite
from onrecord.storage.sqlite_engine import open_sqlite
from onrecord.testing.builders import Maker, keep

if TYPE_CHECKING:
    from collections.abc import Callable

    from onrecord.domain.item import Item

#: A later schema as it could be: a table, a column with its values, a fresh minimum.
NEXT = """\
CREATE TABLE notes (tenant TEXT NOT NULL, id TEXT NOT NULL, PRIMARY KEY (tenant, id)) STRICT;
ALTER TABLE items ADD COLUMN colour TEXT NOT NULL DEFAULT '';
UPDATE items SET colour = 'red' WHERE status = 'active';
INSERT INTO notes (tenant, id) SELECT tenant, id FROM items;
UPDATE meta SET value = '2' WHERE name = 'min_writer';
"""
_WRONG = "INSERT INTO nothing VALUES (1);"
_KILLED = 9


@pytest.fixture
def path(tmp_path: Path) -> str:
    """Where the store of one test is."""
    return str(tmp_path / "home" / "onrecord.db")


@pytest.fixture
def item(path: str) -> Item:
    """An item in a store of the newest released schema."""
    make = Maker()
    item = make.item("kestrel")
    store = open_sqlite(path, create=True)
    with store.write() as tx:
        keep(tx, item)
    store.close()
    return item


@pytest.fixture
def upgraded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An installation that knows one schema more; its script, which tests may change."""
    script = tmp_path / f"{sqlite.SCHEMA + 1:04d}_next.sql"
    script.write_text(NEXT, encoding="utf-8")
    known = [*migrate.scripts(), (sqlite.SCHEMA + 1, str(script))]
    monkeypatch.setattr(migrate, "scripts", lambda: known)
    monkeypatch.setattr(sqlite, "SCHEMA", sqlite.SCHEMA + 1)
    return script


def killed_at(statement: int, work: Callable[[], object]) -> bool:
    """Do something in a process that dies at its n-th statement; whether it came that far."""
    pid = os.fork()
    if not pid:
        left = [statement]

        def trace(_cursor: Any, _sql: str, _values: Any) -> bool:
            if not left[0]:
                os._exit(_KILLED)
            left[0] -= 1
            return True

        def arm(connection: apsw.Connection) -> None:
            connection.exec_trace = trace

        try:
            apsw.connection_hooks.append(arm)
            work()
        finally:
            os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == _KILLED


def schema(path: str) -> tuple[int, list[str]]:
    """The schema number of a file, and all that it consists of."""
    connection = sqlite.connect(path)
    number = sqlite.schema_of(connection)
    rows = connection.execute("SELECT coalesce(sql, name) FROM sqlite_schema ORDER BY name, sql")
    found = number, [str(row[0]) for row in rows]
    connection.close()
    return found


def copies(path: str) -> list[Path]:
    """The copies that were made of a store."""
    return sorted(Path(path + ".backups").glob("*"))


def test_a_new_store_needs_no_copy(path: str) -> None:
    """There is nothing in it yet."""
    open_sqlite(path, create=True).close()

    assert schema(path)[0] == sqlite.SCHEMA
    assert not Path(path + ".backups").exists()


def test_many_processes_make_one_store(path: str) -> None:
    """At the same time, without an error, and with one key that all of them read."""
    go, start = os.pipe()
    heard, told = os.pipe()
    pids = []
    for _ in range(8):
        pid = os.fork()
        if not pid:
            try:
                os.close(start)
                os.read(go, 1)
                open_sqlite(path, create=True).close()
                os.write(told, keyring.load(keyring.path_of(path)).key)
            finally:
                os._exit(0)
        pids.append(pid)
    for end in (go, start, told):
        os.close(end)
    for pid in pids:
        os.waitpid(pid, 0)
    with os.fdopen(heard, "rb") as keys:
        found = keys.read()

    assert len(found) == 8 * 32
    assert len({found[n : n + 32] for n in range(0, len(found), 32)}) == 1
    assert schema(path)[0] == sqlite.SCHEMA


def test_durability_migration_cut_of_a_new_store(path: str) -> None:
    """Killed at any statement, the next run makes the same store as an uncut one."""
    open_sqlite(path + "x", create=True).close()
    whole = schema(path + "x")
    statement = 0
    while killed_at(statement, lambda: open_sqlite(path, create=True)):
        open_sqlite(path, create=True).close()
        assert schema(path) == whole
        for left in Path(path).parent.glob("onrecord.db*"):
            if not left.name.startswith("onrecord.dbx"):
                left.unlink()
        # a key that was made before the kill is kept as it is
        statement += 3

    assert statement > 60


def test_durability_migration_cut_of_a_store_with_data(
    path: str, item: Item, upgraded: Path
) -> None:
    """Killed at any statement: the old schema or the new one, and a copy of the old one first."""
    assert upgraded
    before = Path(path).read_bytes()
    statement = 0
    while killed_at(statement, lambda: migrate.migrate(path)):
        connection = sqlite.connect(path)
        number = sqlite.schema_of(connection)
        columns = [row[1] for row in connection.execute("PRAGMA table_info(items)")]
        connection.close()
        assert ("colour" in columns) == (number == sqlite.SCHEMA)
        if number == sqlite.SCHEMA:
            assert copies(path)
        migrate.migrate(path)
        assert schema(path)[0] == sqlite.SCHEMA
        _restore(path, before)
        statement += 1

    assert statement > len(NEXT.splitlines())
    store = open_sqlite(path, create=False)
    with store.read() as tx:
        assert tx.items.get(item.id) == item
    store.close()


def _restore(path: str, content: bytes) -> None:
    for left in (Path(path + ending) for ending in ("-wal", "-shm")):
        left.unlink(missing_ok=True)
    Path(path).write_bytes(content)
    for copy in copies(path):
        copy.unlink()


def test_a_copy_is_made_before_a_change(path: str, item: Item, upgraded: Path) -> None:
    """Private, checked, of the schema before, and never in place of an earlier one."""
    assert upgraded
    taken = Path(path + ".backups") / f"before-schema-{sqlite.SCHEMA}.db"
    taken.parent.mkdir(mode=0o700)
    taken.write_bytes(b"precious")
    migrate.migrate(path)

    kept, made = sorted(copies(path), key=lambda copy: copy.read_bytes() != b"precious")
    assert kept == taken
    assert made.name == f"before-schema-{sqlite.SCHEMA}-2.db"
    assert stat.S_IMODE(made.stat().st_mode) == 0o600
    connection = sqlite.connect(str(made))
    assert sqlite.schema_of(connection) == sqlite.SCHEMA - 1
    assert connection.execute("SELECT id FROM items").fetchall() == [(item.id,)]
    connection.close()


def test_a_change_that_fails_changes_nothing(path: str, item: Item, upgraded: Path) -> None:
    """The store stays as it was, and a corrected run goes on."""
    before = schema(path)
    upgraded.write_text(f"{NEXT}{_WRONG}", encoding="utf-8")
    with pytest.raises(errors.StoreError):
        migrate.migrate(path)
    assert schema(path) == before

    upgraded.write_text(NEXT, encoding="utf-8")
    store = open_sqlite(path, create=False)
    with store.read() as tx:
        assert tx.items.get(item.id) == item
    store.close()


def test_durability_version_skew(
    path: str, item: Item, upgraded: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After an upgrade the older installation reads, refuses to write and says why."""
    assert upgraded
    migrate.migrate(path)
    monkeypatch.undo()
    older = open_sqlite(path, create=True)
    with older.read() as tx:
        assert tx.items.get(item.id) == item
    with pytest.raises(errors.StoreNewer) as caught, older.write():
        pass
    older.close()

    assert "upgrade" in caught.value.message
    assert schema(path)[0] == sqlite.SCHEMA + 1
