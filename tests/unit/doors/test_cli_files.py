"""Files that a person names: new and private, or plain and read; nothing in between."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

import pytest

from onrecord.domain import errors
from onrecord.doors.cli.files import new_private_file, plain_file


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o077, 0o277])
def test_a_new_file_is_for_its_owner_alone(tmp_path: Path, umask: int) -> None:
    """Whatever the umask."""
    path = tmp_path / "out"
    before = os.umask(umask)
    try:
        with new_private_file(str(path)) as file:
            file.write(b"kept")
    finally:
        os.umask(before)

    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert path.read_bytes() == b"kept"


def test_a_file_that_could_not_be_finished_is_gone(tmp_path: Path) -> None:
    """Half an export would pass for one; a full disk is told as such."""
    path = str(tmp_path / "out")
    for error, told in (
        (OSError(errno.ENOSPC, "full"), errors.StoreFull),
        (OSError(errno.EIO, "broken"), OSError),
        (KeyboardInterrupt(), KeyboardInterrupt),
    ):
        with pytest.raises(told):
            _fail_halfway(path, error)
        assert not Path(path).exists()


def _fail_halfway(path: str, error: BaseException) -> None:
    with new_private_file(path) as file:
        file.write(b"half")
        raise error


@pytest.mark.parametrize("kind", ["file", "folder", "link", "dangling"])
def test_what_is_there_is_not_overwritten(tmp_path: Path, kind: str) -> None:
    """Nor what a link leads to, which need not exist."""
    path, target = tmp_path / "out", tmp_path / "target"
    if kind == "file":
        path.write_bytes(b"precious")
    elif kind == "folder":
        path.mkdir()
    else:
        path.symlink_to(target)
    if kind == "link":
        target.write_bytes(b"precious")

    with pytest.raises(errors.UsageError), new_private_file(str(path)):
        pass
    assert target.exists() == (kind == "link")


def test_a_folder_that_is_missing_is_told(tmp_path: Path) -> None:
    """With the system's own reason."""
    with pytest.raises(errors.UsageError) as caught, new_private_file(str(tmp_path / "no" / "f")):
        pass
    assert "No such file or directory" in caught.value.hint


def test_a_plain_file_is_read_through_a_link(tmp_path: Path) -> None:
    """The person named it; it is only read."""
    path, link = tmp_path / "in", tmp_path / "link"
    path.write_bytes(b"line\n")
    link.symlink_to(path)

    with plain_file(str(link)) as file:
        assert file.readline() == b"line\n"


@pytest.mark.parametrize("what", ["pipe", "folder", "/dev/zero", "nul\x00"])
def test_what_is_no_plain_file_is_refused(tmp_path: Path, what: str) -> None:
    """Without waiting for it, and without reading from it."""
    path = str(tmp_path / "x")
    if what == "pipe":
        os.mkfifo(path)
    elif what == "folder":
        Path(path).mkdir()
    else:
        path = what

    with pytest.raises(errors.UsageError), plain_file(path):
        pass
    with pytest.raises(errors.NotFound), plain_file(str(tmp_path / "gone")):
        pass
