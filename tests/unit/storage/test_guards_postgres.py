"""What no statement in the database can do, in the role of a replica either."""

from __future__ import annotations

from typing import TYPE_CHECKING

import psycopg
import pytest

from onrecord.domain import errors
from onrecord.storage import postgres
from onrecord.storage.postgres import open_postgres
from onrecord.testing.builders import Maker, keep, keep_revised

if TYPE_CHECKING:
    from collections.abc import Generator

    from harness.postgres import Databases

#: Every table whose rows are guarded, with a change that is forbidden.
FORGED = {
    "items": "created_at = 1",
    "versions": "title = 'forged'",
    "item_states": "at = 1",
    "events": "action = 'forged'",
    "tombstones": "scope = 'forged'",
    "tombstone_prints": "value = ''",
    "tombstone_lifts": "at = 1",
    "erased_keys": "at = 1",
}


def prepare(url: str) -> None:
    """Make the schema, once for all tests."""
    open_postgres(url, tenant="local").close()


@pytest.fixture
def url(postgres_server: Databases) -> Generator[str]:
    """A database with rows in every guarded table."""
    make = Maker()
    item = make.item("first", key="k")
    stone = make.tombstone(item.id, "a", "b")
    with postgres_server.fresh(postgres_server.template("store", prepare)) as url:
        store = open_postgres(url, tenant="local")
        with store.write() as tx:
            keep(tx, item)
            keep_revised(tx, make.revised(item, "second"))
            for action in ("created", "revised"):
                tx.events.append(make.event(action, item.id))
            tx.tombstones.add(stone)
            tx.tombstones.note_erased_key(b"key", 5)
        store.close()
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(
                "INSERT INTO tombstone_lifts VALUES ('local', %s, 'global', 5, 'ada')", (stone.id,)
            )
        yield url


def told(url: str, statement: str, role: str) -> errors.OnrecordError:
    """The error of the tree for a statement that a session of the role may not run."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"SET session_replication_role = {role}".encode())
        with pytest.raises(psycopg.Error) as caught:
            connection.execute(statement.encode())
    return postgres.told(caught.value)


@pytest.mark.parametrize("role", ["origin", "replica"])
@pytest.mark.parametrize("table", FORGED)
def test_no_row_is_changed_or_deleted(url: str, table: str, role: str) -> None:
    """By no statement on the table, in no role that a session can take."""
    for statement in (
        f"UPDATE {table} SET {FORGED[table]}",  # noqa: S608 - one of ours
        f"DELETE FROM {table}",  # noqa: S608
        f"TRUNCATE {table} CASCADE",
    ):
        assert type(told(url, statement, role)) is errors.StoreError


@pytest.mark.parametrize("role", ["origin", "replica"])
def test_an_item_keeps_its_identity(url: str, role: str) -> None:
    """Its name, its birth, its salt; its head only advances."""
    for changed in ("id = 'x'", "tenant = 'x'", "head = head - 1", "salt = '\\x01'"):
        error = told(url, f"UPDATE items SET {changed}", role)  # noqa: S608 - one of ours
        assert type(error) is errors.StoreError


@pytest.mark.parametrize("role", ["origin", "replica"])
def test_log_and_versions_only_grow_in_order(url: str, role: str) -> None:
    """A gap, a fork, a second line; a version out of turn or while another is open."""
    for seq, previous in ((1, "prev_hash"), (2, "prev_hash"), (4, "hash"), (3, "prev_hash")):
        rest = _rest(url, "events", first=2, last=2)
        statement = (
            f"INSERT INTO events SELECT tenant, {seq}, {rest}, {previous}, hash"  # noqa: S608
            " FROM events WHERE seq = 2"
        )
        assert isinstance(told(url, statement, role), errors.StoreError)
    for n in (1, 2, 3, 4):
        rest = _rest(url, "versions", first=3, last=0)
        statement = f"INSERT INTO versions SELECT tenant, item, {n}, {rest} FROM versions"  # noqa: S608
        assert isinstance(told(url, statement, role), errors.StoreError)


def _rest(url: str, table: str, *, first: int, last: int) -> str:
    """The columns of a table but for some at its beginning and end."""
    with psycopg.connect(url) as connection:
        found = connection.execute(
            "SELECT column_name FROM information_schema.columns WHERE table_name = %s"
            " ORDER BY ordinal_position",
            (table,),
        ).fetchall()
    names = [row[0] for row in found]
    return ", ".join(names[first : len(names) - last])


@pytest.mark.parametrize("role", ["origin", "replica"])
def test_an_erasure_happens_once(url: str, role: str) -> None:
    """A blank version is blanked no second time, and a lift is not taken back."""
    store = open_postgres(url, tenant="local")
    with store.write() as tx:
        (name,) = tx.items.ids_like("0")
        (stone,) = tx.tombstones.of(name)
        tx.items.erase(name, 7)
        tx.tombstones.lift(stone.id, 9, "ada")
    store.close()
    for statement in (
        "UPDATE versions SET erased_at = 9",
        "UPDATE versions SET valid_from = 9",
        "UPDATE items SET status = 'active'",
        "UPDATE tombstones SET lifted_at = NULL",
        "UPDATE tombstones SET lifted_by = 'eve'",
    ):
        assert type(told(url, statement, role)) is errors.StoreError
