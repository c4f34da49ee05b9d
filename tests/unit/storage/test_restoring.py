"""A copy in a store's place: trusted for nothing, in one step, with the store before it kept."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING, LiteralString

import apsw
import pytest

from onrecord.domain import errors
from onrecord.storage import copies, keyring, restoring, sqlite
from onrecord.storage.sqlite_engine import open_sqlite
from onrecord.testing.builders import Maker, keep

if TYPE_CHECKING:
    from onrecord.domain.item import Item
    from onrecord.storage.store import SqlStore

MAKE = Maker()


def kept(store: SqlStore, title: str) -> Item:
    """One more item with its line of the log."""
    item = MAKE.item(title)
    with store.write() as tx:
        keep(tx, item)
        tx.events.append(MAKE.event("created", item.id))
    return item


def titles(store: SqlStore) -> set[str]:
    """What is active."""
    with store.read() as tx:
        return {item.content.title for item in tx.items.many(tx.items.ids_like("", 1_000))}


def head_of(store: SqlStore) -> tuple[int, bytes]:
    """The last line of the log."""
    with store.read() as tx:
        return tx.events.head()


@pytest.fixture
def copy(store: SqlStore, path: str) -> str:
    """A copy from before something was added."""
    kept(store, "kestrel")
    made = copies.make_copy(path, "", "then").path
    kept(store, "osprey")
    return made


def test_a_copy_itself_holds_no_key(copy: str) -> None:
    """They lie beside it, readable by its owner alone; the copy has neither bytes nor letters."""
    held, beside = Path(copy).read_bytes(), Path(f"{copy}.keys")
    ring = keyring.load(str(beside))

    for key in (ring.key, *ring.older.values()):
        assert key not in held
        assert key.hex().encode() not in held.lower()
    assert ring.key.hex() in beside.read_text(encoding="utf-8")
    assert beside.stat().st_mode & 0o777 == 0o600
    assert b"kestrel" in held


def test_who_has_the_store_open_goes_on_with_the_copy(
    store: SqlStore, path: str, copy: str
) -> None:
    """In one step, without a moment in which there is no store; writing goes on after it."""
    with store.read() as tx, restoring.prepared(path, copy) as ready:
        assert tx.items.count(None, ["active"]) == 2
        aside = restoring.put_in_place(ready, path, "now", head=head_of(store))
        # a reader keeps the state that it began with
        assert tx.items.count(None, ["active"]) == 2

    assert titles(store) == {"kestrel"}
    assert list(store.faults()) == []
    kept(store, "merlin")
    assert titles(store) == {"kestrel", "merlin"}
    assert aside == f"{path}.backups/before-restore-now.db"
    before = open_sqlite(str(aside), create=False)
    assert titles(before) == {"kestrel", "osprey"}
    before.close()
    assert keyring.load(f"{aside}.keys") == keyring.load(f"{path}.keys")
    assert list(Path(path).parent.glob("*.backups/restoring-*")) == []


def test_what_was_written_meanwhile_is_in_the_store_that_is_kept(
    store: SqlStore, path: str, copy: str
) -> None:
    """It is copied aside under the lock, so nothing falls between the two."""
    head = head_of(store)
    kept(store, "merlin")
    with restoring.prepared(path, copy) as ready:
        aside = restoring.put_in_place(ready, path, "now", head=head, heeding=("forgotten",))

    assert titles(store) == {"kestrel"}
    before = open_sqlite(str(aside), create=False)
    assert titles(before) == {"kestrel", "osprey", "merlin"}
    before.close()


def test_an_erasure_that_came_meanwhile_is_heeded(store: SqlStore, path: str, copy: str) -> None:
    """Then nothing happens, and the caller looks again; a log of another past stops it too."""
    head = head_of(store)
    with store.write() as tx:
        tx.events.append(MAKE.event("forgotten", MAKE.id()))
    with restoring.prepared(path, copy) as ready:
        for seen in (head, (head[0], b"\x00" * 32), (head[0] + 5, head[1])):
            again = restoring.put_in_place(ready, path, "x", head=seen, heeding=("forgotten",))
            assert again is None

    assert titles(store) == {"kestrel", "osprey"}
    kept(store, "hobby")
    assert not list(Path(path).parent.glob("*.backups/before-restore-*"))


def test_a_store_that_is_missing_is_made(store: SqlStore, copy: str, tmp_path: Path) -> None:
    """On another machine the copy and its keys are all there is."""
    store.close()
    place = str(tmp_path / "elsewhere" / "memory.db")
    with restoring.prepared(place, copy) as ready:
        assert restoring.put_in_place(ready, place, "now", head=None) == ""

    opened = open_sqlite(place, create=False)
    assert titles(opened) == {"kestrel"}
    kept(opened, "merlin")
    opened.close()
    assert keyring.load(f"{place}.keys") == keyring.load(f"{copy}.keys")


def test_a_store_that_cannot_be_read_is_moved_aside(store: SqlStore, path: str, copy: str) -> None:
    """All of its files, as they are."""
    store.close()
    Path(path).write_bytes(b"no database " * 1_000)
    with restoring.prepared(path, copy) as ready:
        aside = restoring.put_in_place(ready, path, "now", head=None)

    assert aside == f"{path}.backups/damaged-now.db"
    assert Path(str(aside)).read_bytes().startswith(b"no database")
    opened = open_sqlite(path, create=False)
    assert titles(opened) == {"kestrel"}
    opened.close()


def test_a_key_that_cannot_be_read_is_replaced_by_the_copys(
    store: SqlStore, path: str, copy: str
) -> None:
    """The unreadable file is kept."""
    wanted = keyring.load(f"{path}.keys")
    Path(f"{path}.keys").write_bytes(b"damaged\n")
    with restoring.prepared(path, copy) as ready:
        restoring.put_in_place(ready, path, "now", head=head_of(store))

    assert keyring.load(f"{path}.keys") == wanted
    assert Path(f"{path}.backups/damaged-now.keys").read_bytes() == b"damaged\n"


def test_a_copy_is_not_in_place_before_its_keys_are(store: SqlStore, path: str, copy: str) -> None:
    """Where they cannot be laid nothing is restored; a newer ring than the store's is added."""
    before = keyring.load(f"{path}.keys")
    _, newer, use = keyring.fresh(f"{copy}.keys")
    use()
    blocked = Path(f"{path}.keys.part")
    blocked.mkdir()
    with restoring.prepared(path, copy) as ready:
        with pytest.raises(errors.StoreReadOnly):
            restoring.put_in_place(ready, path, "now", head=head_of(store))
        assert titles(store) == {"kestrel", "osprey"}
        assert keyring.load(f"{path}.keys") == before
        blocked.rmdir()
        restoring.put_in_place(ready, path, "later", head=head_of(store))

    assert titles(store) == {"kestrel"}
    after = keyring.load(f"{path}.keys")
    assert (after.key_id, list(after.older)) == (before.key_id, [newer])


def test_a_copy_without_keys_takes_the_stores(store: SqlStore, path: str, copy: str) -> None:
    """They are the same store's."""
    assert store
    Path(f"{copy}.keys").unlink()

    with restoring.prepared(path, copy) as ready:
        assert ready.key == keyring.load(f"{path}.keys").key


def test_without_any_key_nothing_is_restored(store: SqlStore, path: str, copy: str) -> None:
    """Its fingerprints could not be checked, nor new ones made."""
    assert store
    Path(f"{copy}.keys").unlink()
    Path(f"{path}.keys").unlink()

    with pytest.raises(errors.KeyUnreadable), restoring.prepared(path, copy):
        pass


def test_a_copy_of_another_store_does_not_take_this_ones_place(
    store: SqlStore, copy: str, tmp_path: Path
) -> None:
    """What was erased here could come back by it."""
    assert store
    place = str(tmp_path / "other" / "memory.db")
    open_sqlite(place, create=True).close()

    with pytest.raises(errors.StoreUnsafe), restoring.prepared(place, copy):
        pass


def tampered(copy: str, sql: LiteralString) -> None:
    """Change a copy as whoever has the file can."""
    connection = apsw.Connection(copy)
    sqlite.rows_of(connection, sql)
    connection.close()


@pytest.mark.parametrize(
    ("sql", "error"),
    [
        (
            "CREATE TRIGGER planted AFTER INSERT ON items BEGIN DELETE FROM settings; END",
            errors.StoreUnsafe,
        ),
        ("DROP TRIGGER events_keep", errors.StoreUnsafe),
        ("CREATE VIEW planted AS SELECT * FROM items", errors.StoreUnsafe),
        ("PRAGMA user_version = 99", errors.StoreNewer),
        ("PRAGMA application_id = 7", errors.StoreCorrupt),
        ("PRAGMA user_version = 0; PRAGMA application_id = 0", errors.StoreCorrupt),
    ],
)
def test_a_copy_that_is_not_as_we_make_it_is_refused(
    store: SqlStore, path: str, copy: str, sql: LiteralString, error: type[Exception]
) -> None:
    """Before a single row of it is used."""
    tampered(copy, sql)

    with pytest.raises(error), restoring.prepared(path, copy):
        pass
    assert titles(store) == {"kestrel", "osprey"}


def test_a_damaged_copy_is_refused(store: SqlStore, path: str, copy: str) -> None:
    """Flipped bytes, a cut end, and what is no database at all."""
    whole = Path(copy).read_bytes()
    flipped = bytearray(whole)
    for start in range(4096 * 3, len(flipped), 4096 * 2):
        flipped[start : start + 64] = b"\xff" * 64
    for raw in (bytes(flipped), whole[: len(whole) // 2], b"no database " * 1_000, b""):
        Path(copy).write_bytes(raw)
        with pytest.raises(errors.StoreCorrupt), restoring.prepared(path, copy):
            pass

    assert titles(store) == {"kestrel", "osprey"}
    assert list(Path(path).parent.glob("*.backups/restoring-*")) == []


def test_links_and_missing_files_are_refused(store: SqlStore, path: str, copy: str) -> None:
    """A link could point to what the person did not mean."""
    assert store
    link = Path(path).parent / "link.db"
    link.symlink_to(copy)
    shutil.copy(f"{copy}.keys", f"{link}.keys")

    with pytest.raises(errors.StoreUnsafe), restoring.prepared(path, str(link)):
        pass
    with pytest.raises(errors.NotFound), restoring.prepared(path, f"{copy}.gone"):
        pass
