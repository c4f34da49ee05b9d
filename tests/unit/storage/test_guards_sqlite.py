"""What no statement on the file can do, whatever the pragmas of who opens it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import apsw
import pytest

from onrecord.domain import errors
from onrecord.storage import sqlite
from onrecord.testing.builders import Maker, keep, keep_revised

if TYPE_CHECKING:
    from collections.abc import Generator

    from onrecord.domain.item import Item
    from onrecord.storage.store import SqlStore

#: Every table whose rows are guarded.
GUARDED = (
    "items",
    "versions",
    "item_states",
    "events",
    "tombstones",
    "tombstone_prints",
    "tombstone_lifts",
    "erased_keys",
)
#: What each of them must keep, in the words of SQL.
_FORGED = {
    "items": "created_at = 1",
    "versions": "title = 'forged'",
    "item_states": "at = 1",
    "events": "action = 'forged'",
    "tombstones": "scope = 'forged'",
    "tombstone_prints": "value = x'00'",
    "tombstone_lifts": "at = 1",
    "erased_keys": "at = 1",
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Kept:
    """A file with rows in every guarded table, opened the way that other programs open it."""

    connection: apsw.Connection
    #: an item of three versions, and one more of one
    item: Item
    other: Item

    def told(self, sql: str) -> errors.OnrecordError | None:
        """The error of a statement; None where it changed nothing and said nothing."""
        before = self.everything()
        error = None
        try:
            self.connection.execute(sql).fetchall()
        except apsw.Error as raised:
            error = sqlite.told(raised)
        assert self.everything() == before, sql
        return error

    def everything(self) -> list[tuple[object, ...]]:
        """All rows of the guarded tables."""
        found: list[tuple[object, ...]] = []
        for table in GUARDED:
            found += sorted(self.connection.execute(f"SELECT * FROM {table}"), key=repr)  # noqa: S608
        return found


@pytest.fixture
def kept(store: SqlStore, path: str) -> Generator[Kept]:
    """With foreign keys, delete triggers of a replace and busy waiting all off."""
    make = Maker()
    item, other = make.item("first", key="k"), make.item("other", key="o")
    second = make.revised(item, "second")
    third = make.revised(second, "third")
    stone = make.tombstone(item.id, "a", "b")
    with store.write() as tx:
        keep(tx, item, other)
        keep_revised(tx, second)
        keep_revised(tx, third)
        for action in ("created", "revised"):
            tx.events.append(make.event(action, item.id))
        tx.tombstones.add(stone)
        tx.tombstones.add(make.tombstone(other.id, "c"))
        tx.tombstones.note_erased_key(b"key", 5)
    connection = apsw.Connection(path)
    connection.execute(
        "INSERT INTO tombstone_lifts VALUES ('local', ?, 'global', 5, 'ada')", (stone.id,)
    )
    for pragma in ("foreign_keys", "recursive_triggers"):
        connection.pragma(pragma, "OFF")
    yield Kept(connection=connection, item=item, other=other)
    connection.close()


def columns(kept: Kept, table: str) -> list[str]:
    """The columns of a table in order."""
    return [row[1] for row in kept.connection.execute(f"PRAGMA table_info({table})")]


@pytest.mark.parametrize("table", GUARDED)
def test_no_row_is_changed_or_deleted(kept: Kept, table: str) -> None:
    """By no plain statement, and by none that replaces."""
    forged = _FORGED[table]
    for sql in (
        f"UPDATE {table} SET {forged}",  # noqa: S608 - one of ours
        f"UPDATE OR REPLACE {table} SET {forged}",  # noqa: S608
        f"UPDATE OR IGNORE {table} SET {forged}",  # noqa: S608
        f"DELETE FROM {table}",  # noqa: S608
    ):
        assert type(kept.told(sql)) is errors.StoreError, sql


@pytest.mark.parametrize("table", GUARDED)
@pytest.mark.parametrize("how", ["REPLACE", "INSERT OR REPLACE", "INSERT OR IGNORE"])
def test_no_row_is_replaced(kept: Kept, table: str, how: str) -> None:
    """By a copy of itself that tells something else."""
    column, _, value = _FORGED[table].partition(" = ")
    if column == "value":
        # a print is its whole row: the same one is no other
        value = "value"
    told = [value if name == column else name for name in columns(kept, table)]
    error = kept.told(f"{how} INTO {table} SELECT {', '.join(told)} FROM {table}")  # noqa: S608

    assert error is None or isinstance(error, errors.StoreError | errors.Clash)


@pytest.mark.parametrize("table", [t for t in GUARDED if t != "versions"])
def test_a_guarded_table_has_no_rowid(kept: Kept, table: str) -> None:
    """So that none can be named to put a row in another's place."""
    with pytest.raises(apsw.SQLError):
        kept.connection.execute(f"SELECT rowid FROM {table}")  # noqa: S608 - one of ours


def test_a_rowid_replaces_no_version(kept: Kept) -> None:
    """Neither by a new version nor by moving one that may be closed."""
    rest = ", ".join(columns(kept, "versions")[3:]).replace("superseded_at", "NULL", 1)
    names = ", ".join(columns(kept, "versions"))
    for n, item in ((4, kept.item.id), (2, kept.other.id)):
        sql = (
            f"REPLACE INTO versions (rowid, {names}) SELECT 1, tenant, '{item}', {n}, {rest}"  # noqa: S608
            " FROM versions LIMIT 1"
        )
        assert type(kept.told(sql)) is errors.StoreError
    for alias in ("rowid", "oid", "_rowid_"):
        ended = f"superseded_at = 9e15, {alias} = 1"
        sql = f"UPDATE OR REPLACE versions SET {ended} WHERE n = 3"  # noqa: S608
        assert type(kept.told(sql)) is errors.StoreError


def test_an_erased_version_is_moved_nowhere(store: SqlStore, kept: Kept) -> None:
    """Erasing happens once, so that a blank row cannot come in place of another's."""
    with store.write() as tx:
        tx.items.erase(kept.other.id, 7)
    for changed in ("rowid = 1", "erased_at = 9", "valid_from = 1", "erased_at = NULL"):
        sql = f"UPDATE OR REPLACE versions SET {changed} WHERE item = '{kept.other.id}'"  # noqa: S608
        assert type(kept.told(sql)) is errors.StoreError


def test_an_address_is_taken_from_no_item(kept: Kept) -> None:
    """Neither by a new item nor by one that moves to it."""
    names = ", ".join(columns(kept, "items"))
    born = names.replace("id,", "'NEW',", 1)
    for sql in (
        f"REPLACE INTO items ({names}) SELECT {born} FROM items WHERE id = '{kept.item.id}'",  # noqa: S608
        f"UPDATE OR REPLACE items SET key = 'k' WHERE id = '{kept.other.id}'",  # noqa: S608
    ):
        assert type(kept.told(sql)) is errors.Clash


@pytest.mark.parametrize(
    "changed",
    ["id = 'x'", "tenant = 'x'", "head = head - 1", "salt = x'01'", "created_at = 0"],
)
def test_an_item_keeps_its_identity(kept: Kept, changed: str) -> None:
    """Its name, its birth, its salt; its head only advances."""
    assert type(kept.told(f"UPDATE items SET {changed}")) is errors.StoreError  # noqa: S608


@pytest.mark.parametrize(
    ("seq", "previous"),
    [("1", "prev_hash"), ("2", "prev_hash"), ("4", "hash"), ("3", "prev_hash"), ("0", "hash")],
)
def test_a_line_follows_the_last_one(kept: Kept, seq: str, previous: str) -> None:
    """By number and by hash; a gap, a second one and a fork are refused."""
    rest = ", ".join(columns(kept, "events")[2:-2])
    for how in ("INSERT", "REPLACE"):
        sql = (
            f"{how} INTO events SELECT tenant, {seq}, {rest}, {previous}, hash"  # noqa: S608
            " FROM events WHERE seq = 2"
        )
        assert type(kept.told(sql)) is errors.StoreError


@pytest.mark.parametrize(
    ("n", "ended"), [("4", "NULL"), ("4", "9e15"), ("5", "NULL"), ("3", "9e15"), ("1", "NULL")]
)
def test_one_version_of_an_item_is_open(kept: Kept, n: str, ended: str) -> None:
    """None is added while one is, and none out of turn."""
    rest = ", ".join(columns(kept, "versions")[3:])
    rest = rest.replace("superseded_at", f"CAST({ended} AS INTEGER)")
    for how in ("INSERT", "REPLACE"):
        sql = (
            f"{how} INTO versions SELECT tenant, item, {n}, {rest}"  # noqa: S608
            f" FROM versions WHERE item = '{kept.item.id}' AND n = 3"
        )
        assert type(kept.told(sql)) is errors.StoreError


def test_a_tombstone_is_lifted_once(store: SqlStore, kept: Kept) -> None:
    """When and by whom stays as it was first written, and it is never put back in force."""
    with store.write() as tx:
        (stone,) = tx.tombstones.of(kept.item.id)
        tx.tombstones.lift(stone.id, 9, "ada")
    for changed in ("lifted_at = 10", "lifted_at = NULL", "lifted_by = 'eve'"):
        sql = f"UPDATE OR REPLACE tombstones SET {changed} WHERE lifted_at = 9"  # noqa: S608
        assert type(kept.told(sql)) is errors.StoreError
