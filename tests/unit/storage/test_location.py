"""Files and folders that somebody else could have laid there are refused."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from onrecord.domain.errors import StoreMissing, StoreUnsafe
from onrecord.storage.location import SIDE_FILES, check_files, settled
from onrecord.storage.sqlite_engine import open_sqlite

_NOBODY = 65534
root_only = pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A store's file in a private folder."""
    folder = tmp_path / "home"
    folder.mkdir(mode=0o700)
    place = folder / "onrecord.db"
    place.write_bytes(b"")
    place.chmod(0o600)
    return place


def test_a_private_file_is_fine(place: Path) -> None:
    """With or without files beside it."""
    check_files(str(place))
    Path(f"{place}-wal").touch(mode=0o600)
    check_files(str(place))


def test_a_missing_file_is_told_apart(place: Path) -> None:
    """So is a missing folder."""
    with pytest.raises(StoreMissing):
        check_files(str(place) + "x")
    with pytest.raises(StoreMissing):
        check_files(str(place.parent / "none" / "onrecord.db"))


@pytest.mark.parametrize("ending", SIDE_FILES)
@pytest.mark.parametrize("how", ["link", "second name", "folder"])
def test_links_are_refused_and_their_targets_untouched(
    place: Path, tmp_path: Path, ending: str, how: str
) -> None:
    """For the file and for everything that the engine would open beside it."""
    target = tmp_path / "target"
    target.write_bytes(b"precious")
    target.chmod(0o600)
    planted = Path(str(place) + ending)
    planted.unlink(missing_ok=True)
    if how == "link":
        planted.symlink_to(target)
    elif how == "second name":
        planted.hardlink_to(target)
    else:
        planted.mkdir()

    with pytest.raises(StoreUnsafe):
        open_sqlite(str(place), create=True)
    assert target.read_bytes() == b"precious"
    assert not Path(f"{target}-wal").exists()


def test_a_dangling_link_makes_no_file(place: Path, tmp_path: Path) -> None:
    """Nothing is made where a planted link points to."""
    place.unlink()
    place.symlink_to(tmp_path / "elsewhere")

    with pytest.raises(StoreUnsafe):
        open_sqlite(str(place), create=True)
    assert not (tmp_path / "elsewhere").exists()


@pytest.mark.parametrize("mode", [0o770, 0o707, 0o1777])
def test_a_folder_that_others_may_write_to_is_refused(place: Path, mode: int) -> None:
    """The message says how to mend it; a folder that all share, such as /tmp, stays as it is."""
    place.parent.chmod(mode)
    shared = "Choose a folder of your own."

    with pytest.raises(StoreUnsafe) as caught:
        open_sqlite(str(place), create=True)
    assert caught.value.hint == (shared if mode & 0o1000 else f"chmod go-w {place.parent}")


def test_a_file_that_others_may_write_to_is_refused(place: Path) -> None:
    """Reading by others is taken away instead, when it is opened for writing."""
    place.chmod(0o620)
    with pytest.raises(StoreUnsafe):
        open_sqlite(str(place), create=True)

    place.chmod(0o644)
    open_sqlite(str(place), create=True).close()
    assert place.stat().st_mode & 0o777 == 0o600


@root_only
@pytest.mark.parametrize("what", ["folder", "file", "log"])
def test_what_belongs_to_another_account_is_refused(place: Path, what: str) -> None:
    """The folder, the file and the log alike."""
    log = Path(f"{place}-wal")
    log.touch(mode=0o600)
    os.chown({"folder": place.parent, "file": place, "log": log}[what], _NOBODY, _NOBODY)

    with pytest.raises(StoreUnsafe):
        check_files(str(place))


def test_a_link_among_the_folders_above_is_followed_once(place: Path, tmp_path: Path) -> None:
    """A home that is a link works, and both ways lead to one store."""
    (tmp_path / "way").symlink_to(place.parent)
    through = str(tmp_path / "way" / place.name)
    open_sqlite(through, create=True).close()

    assert settled(through) == str(place)
    assert place.stat().st_size > 0
