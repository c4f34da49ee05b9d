"""The fingerprint key beside a store: made once with it, never silently anew."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from onrecord.domain.errors import KeyUnreadable, StoreFull
from onrecord.storage import keyring
from onrecord.storage.sqlite_engine import open_sqlite

if TYPE_CHECKING:
    from onrecord.storage.store import SqlStore


@pytest.fixture
def file(path: str) -> Path:
    """Where the keys of the test's store are."""
    return Path(keyring.path_of(path))


def test_a_new_store_has_a_key(store: SqlStore, file: Path) -> None:
    """Of 32 bytes, for its owner alone, and the same at every reading."""
    assert store
    found = keyring.load(str(file))

    assert len(found.key) == 32
    assert found.key_id == keyring.name_of(found.key)
    assert found.older == {}
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert keyring.load(str(file)) == found


def test_the_key_is_never_printed(store: SqlStore, file: Path) -> None:
    """Neither it nor earlier ones are in what stands in logs."""
    assert store
    found = keyring.load(str(file))

    assert found.key.hex() not in repr(found)
    assert repr(found.key) not in repr(found)


def test_opening_again_keeps_the_key(store: SqlStore, path: str, file: Path) -> None:
    """With and without leave to make things."""
    store.close()
    before = file.read_bytes()
    for create in (True, False):
        open_sqlite(path, create=create).close()

    assert file.read_bytes() == before


def test_a_lost_key_is_not_made_anew(store: SqlStore, path: str, file: Path) -> None:
    """The store still opens for reading; the missing key is the caller's to tell."""
    store.close()
    file.unlink()
    open_sqlite(path, create=True).close()

    assert not file.exists()
    with pytest.raises(KeyUnreadable):
        keyring.load(str(file))


@pytest.mark.parametrize(
    "damage", ["empty", "cut", "flipped", "words", "binary", "link", "open to others"]
)
def test_a_damaged_key_is_unreadable(
    store: SqlStore, file: Path, damage: str, tmp_path: Path
) -> None:
    """A changed digit no longer fits the name, and no damaged key is ever used."""
    assert store
    good = file.read_bytes()
    bad = {
        "empty": b"",
        "cut": good[:40],
        "flipped": good[:30] + (b"0" if good[30:31] != b"0" else b"1") + good[31:],
        "words": b"not a key\n",
        "binary": bytes(range(256)),
    }
    if damage in bad:
        file.write_bytes(bad[damage])
    elif damage == "link":
        file.rename(tmp_path / "moved")
        file.symlink_to(tmp_path / "moved")
    else:
        file.chmod(0o666)

    with pytest.raises(KeyUnreadable) as caught:
        keyring.load(str(file))
    assert good.split()[1].decode() not in f"{caught.value.message}{caught.value.details}"


def test_earlier_keys_stay_known(store: SqlStore, file: Path) -> None:
    """The first line is the key in use."""
    assert store
    first = keyring.load(str(file))
    key = os.urandom(32)
    line = f"{keyring.name_of(key)} {key.hex()}\n"
    file.write_text(line + file.read_text(encoding="ascii"), encoding="ascii")
    found = keyring.load(str(file))

    assert (found.key, found.key_id) == (key, keyring.name_of(key))
    assert found.older == {first.key_id: first.key}


def test_a_process_killed_while_making_a_key_leaves_nothing_in_the_way(
    path: str, file: Path
) -> None:
    """The next one makes the key."""
    file.parent.mkdir(mode=0o700)
    Path(f"{file}.part").write_bytes(b"half")
    open_sqlite(path, create=True).close()

    assert len(keyring.load(str(file)).key) == 32
    assert not Path(f"{file}.part").exists()


def test_an_unreadable_key_stops_an_empty_store(path: str, file: Path) -> None:
    """Somebody's key may be needed elsewhere, so it is never overwritten."""
    file.parent.mkdir(mode=0o700)
    file.write_bytes(b"something else")
    file.chmod(0o600)

    with pytest.raises(KeyUnreadable):
        open_sqlite(path, create=True)
    assert file.read_bytes() == b"something else"


def rotated(file: Path) -> tuple[str, str]:
    """Put a new key in use; the names of the one before and of the new one."""
    before, now, use = keyring.fresh(str(file))
    assert keyring.load(str(file)).key_id == before
    use()
    return before, now


def test_a_new_key_is_put_in_use_and_the_others_are_kept(store: SqlStore, file: Path) -> None:
    """In one step, for the owner alone; the names of both are told."""
    assert store
    first = keyring.load(str(file))
    told = [rotated(file) for _ in range(2)]
    found = keyring.load(str(file))

    assert told[0][0] == first.key_id
    assert told[1] == (told[0][1], found.key_id)
    assert list(found.older) == [told[0][1], first.key_id]
    assert found.older[first.key_id] == first.key
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert not file.with_name(file.name + ".part").exists()


def test_a_rotation_that_cannot_be_written_leaves_the_keys(
    store: SqlStore, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are read as before."""
    assert store
    before = file.read_bytes()

    def full(_number: int) -> None:
        raise OSError(28, "no room")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(StoreFull):
        rotated(file)
    monkeypatch.undo()

    assert file.read_bytes() == before
    assert rotated(file)[0] in keyring.load(str(file)).older


def test_an_unreadable_key_is_not_rotated(store: SqlStore, file: Path) -> None:
    """What it made would be lost."""
    assert store
    file.write_text("damaged\n", encoding="ascii")
    with pytest.raises(KeyUnreadable):
        rotated(file)

    assert file.read_text(encoding="ascii") == "damaged\n"


def test_keys_of_another_file_are_added_behind(store: SqlStore, file: Path) -> None:
    """The one in use stays so; adding the same again changes nothing."""
    assert store
    own = keyring.load(str(file))
    other = keyring.Keyring(key_id=keyring.name_of(b"o" * 32), key=b"o" * 32, older={})
    keyring.merge(str(file), other)
    found, raw = keyring.load(str(file)), file.read_bytes()
    keyring.merge(str(file), other)

    assert (found.key_id, dict(found.older)) == (own.key_id, {other.key_id: other.key})
    assert file.read_bytes() == raw
