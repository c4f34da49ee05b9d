"""The hook's own way to a store: one reading, nothing made, nothing changed."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from onrecord.domain import errors
from onrecord.storage import shelf as shelves
from onrecord.storage import sqlite
from onrecord.storage.shelf import open_shelf
from onrecord.testing.builders import REPO, Maker, keep, query

if TYPE_CHECKING:
    from onrecord.storage.store import SqlStore


def test_it_gives_the_same_rows_as_a_transaction(store: SqlStore, path: str) -> None:
    """Standing and matching alike."""
    make = Maker()
    items = [make.item(f"kestrel {n}", tags=("a", 'b"c', "d\\e")) for n in range(5)]
    with store.write() as tx:
        keep(tx, *items)
    asked = query("kestrel", now=make.clock.now())
    shelf = open_shelf(path)
    with store.read() as tx:
        for ours, theirs in (
            (
                shelf.standing(["global"], now=asked.now, body_chars=9, limit=3),
                tx.shelf.standing(["global"], now=asked.now, body_chars=9, limit=3),
            ),
            (shelf.matching(asked, body_chars=9), tx.shelf.matching(asked, body_chars=9)),
        ):
            assert [c.id for c in ours] == [c.id for c in theirs]
            assert [c.tags for c in ours] == ['a b"c d\\e'] * len(theirs)
    shelf.close()


def test_it_sees_one_state(store: SqlStore, path: str) -> None:
    """What is written after it was opened is for the next one."""
    make = Maker()
    with store.write() as tx:
        keep(tx, make.item("proposed", status="proposed"))
    shelf = open_shelf(path)
    with store.write() as tx:
        keep(tx, make.item("another", status="proposed"))

    assert shelf.waiting(None, now=0) == 1
    shelf.close()
    shelf = open_shelf(path)
    assert shelf.waiting(None, now=0) == 2
    shelf.close()


def test_it_reads_while_others_write(store: SqlStore, path: str) -> None:
    """A writer holds nobody up."""
    with store.write() as tx:
        keep(tx, Maker().item("unfinished", status="proposed"))
        shelf = open_shelf(path, busy_ms=1)
        assert shelf.waiting(None, now=0) == 0
        shelf.close()


def test_a_missing_store_is_not_made(path: str) -> None:
    """Neither file nor folder."""
    with pytest.raises(errors.StoreMissing):
        open_shelf(path)
    assert not Path(path).parent.exists()


def test_an_empty_file_is_no_store_yet(path: str) -> None:
    """It is left to who may write."""
    Path(path).parent.mkdir(mode=0o700)
    Path(path).touch(mode=0o600)

    with pytest.raises(errors.StoreMissing):
        open_shelf(path)
    assert Path(path).stat().st_size == 0


@pytest.mark.parametrize(
    ("readable", "kind"), [("1", None), ("2", errors.StoreNewer), ("", errors.StoreNewer)]
)
def test_a_newer_schema_is_read_where_it_allows_that(
    store: SqlStore, path: str, readable: str, kind: type[errors.StoreError] | None
) -> None:
    """What is unknown is refused, never guessed."""
    store.close()
    connection = sqlite.connect(path)
    connection.pragma("user_version", sqlite.SCHEMA + 1)
    connection.execute("UPDATE meta SET value = ? WHERE name = 'min_reader'", (readable,))
    connection.close()

    if kind is None:
        open_shelf(path).close()
    else:
        with pytest.raises(kind):
            open_shelf(path)


def test_a_corrupt_file_is_told(store: SqlStore, path: str) -> None:
    """Never a wrong answer."""
    store.close()
    Path(path).write_bytes(b"SQLite format 3\x00" + bytes(range(256)) * 64)

    with pytest.raises(errors.StoreError):
        open_shelf(path)


def test_it_does_not_outlive_a_fork(store: SqlStore, path: str) -> None:
    """A child that uses its parent's shelf is told; the parent's goes on."""
    assert store
    shelf = open_shelf(path)
    pid = os.fork()
    if not pid:
        code = 1
        try:
            shelf.waiting(None, now=0)
        except errors.StoreError:
            code = 0
        finally:
            os._exit(code)

    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
    assert shelf.waiting(None, now=0) == 0
    shelf.close()


def test_what_is_withheld_takes_no_place_however_much_it_is(store: SqlStore) -> None:
    """A small share of a large index is found whole, and a large one that is mostly withheld."""
    make = Maker()
    with store.write() as tx:
        keep(tx, *(make.item("kestrel kestrel", scope=REPO) for _ in range(300)))
        keep(tx, *(make.item("kestrel kestrel", expires_at=1) for _ in range(300)))
        few = [make.item(f"a kestrel among other words {n}") for n in range(5)]
        keep(tx, *few)

    with store.read() as tx:
        for scopes in (["global"], ["global", "org:none"]):
            asked = query("kestrel", now=make.clock.now(), scopes=scopes, limit=3)
            found = tx.shelf.matching(asked, body_chars=9)
            assert {c.id for c in found} < {item.id for item in few}
            assert len(found) == 3
        asked = query("kestrel", now=make.clock.now(), scopes=["global", REPO], limit=303)
        assert len(tx.shelf.matching(asked, body_chars=9)) == 303


def test_a_match_may_leave_out_what_most_have(store: SqlStore) -> None:
    """Where much is in sight, the rarest terms decide; the same come first without a bound."""
    make = Maker()
    with store.write() as tx:
        keep(tx, *(make.item(f"heron heron {n % 9}") for n in range(900)))
        few = [make.item(f"a heron met a kestrel {n}") for n in range(5)]
        keep(tx, *few)

    with store.read() as tx:
        asked = query("heron", "kestrel", "none", now=make.clock.now(), scopes=["global"], limit=9)
        everything = tx.shelf.matching(asked, body_chars=9)
        asked.most = 50
        bounded = tx.shelf.matching(asked, body_chars=9)
        asked.terms = ["heron"]
        common = tx.shelf.matching(asked, body_chars=9)

    assert [c.id for c in everything[:5]] == [c.id for c in bounded]
    assert {c.id for c in bounded} == {item.id for item in few}
    assert len(common) == 9


def test_in_a_very_large_store_some_documents_stand_for_all(
    store: SqlStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a sample does not have is rare; of what everything has the newest are ranked."""
    monkeypatch.setattr(shelves, "_SAMPLE", 50)
    monkeypatch.setattr(shelves, "_SAMPLED", 4)
    monkeypatch.setattr(shelves, "_RANKED", 60)
    make = Maker()
    few = [make.item(f"a heron met a kestrel {n}") for n in range(5)]
    herons = [make.item(f"heron {n % 9}") for n in range(900)]
    with store.write() as tx:
        keep(tx, *few, *herons)

    with store.read() as tx:
        asked = query("heron", "kestrel", "none", now=make.clock.now(), scopes=["global"], limit=9)
        asked.most = 20
        rare = tx.shelf.matching(asked, body_chars=9)
        asked.terms = ["heron"]
        common = tx.shelf.matching(asked, body_chars=9)
        asked.most = 0
        everything = tx.shelf.matching(asked, body_chars=9)

    assert {c.id for c in rare} == {item.id for item in few}
    newest = {item.id for item in herons[-120:]}
    assert len(common) == 9
    assert {c.id for c in common} <= newest
    assert len(everything) == 9
    assert not {c.id for c in everything} <= newest


def test_an_open_shelf_answers_settings_as_a_transaction_does(store: SqlStore, path: str) -> None:
    """The first scope in the list that has one."""
    with store.write() as tx:
        tx.settings.put("saving", "off", at=1, by="ada")
        tx.settings.put("saving", "on", scope=REPO, at=1, by="ada")

    shelf = open_shelf(path)
    with store.read() as tx:
        for scopes in ([REPO, "global"], ["global", REPO], ["org:none", "global"], ["x"], []):
            assert shelf.setting("saving", scopes) == tx.shelf.setting("saving", scopes)
        assert shelf.setting("saving", [REPO, "global"]) == "on"
        assert shelf.setting("capture", [REPO, "global"]) is None
    shelf.close()
