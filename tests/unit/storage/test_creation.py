"""New folders and files are the owner's alone, and never on a network file system."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from onrecord.domain.errors import StoreReadOnly, StoreUnsafe
from onrecord.storage.creation import file_system, make_file, make_folder, refuse_network

_MOUNTS = """\
/dev/vda / ext4 rw 0 0
proc /proc proc rw 0 0
server:/export /home/ada nfs4 rw,vers=4.2 0 0
//server/share /mnt/with\\040space cifs rw 0 0
ada@host:/ /mnt/ssh fuse.sshfs rw 0 0
gocryptfs /home/ada/local/secret fuse.gocryptfs rw 0 0
tmpfs /home/ada/local tmpfs rw 0 0
"""


@pytest.fixture
def mounts(tmp_path: Path) -> str:
    """A table of mounted file systems."""
    path = tmp_path / "mounts"
    path.write_text(_MOUNTS, encoding="utf-8")
    return str(path)


@pytest.mark.parametrize(
    ("folder", "kind"),
    [
        ("/srv/x", "ext4"),
        ("/home/ada", "nfs4"),
        ("/home/ada/x/y", "nfs4"),
        ("/home/adam", "ext4"),
        ("/mnt/with space/x", "cifs"),
        ("/home/ada/local/x", "tmpfs"),
        ("/home/ada/local/secret", "fuse.gocryptfs"),
    ],
)
def test_the_nearest_mount_counts(mounts: str, folder: str, kind: str) -> None:
    """Whole names of folders are compared."""
    assert file_system(folder, mounts) == kind


@pytest.mark.parametrize("folder", ["/home/ada/x", "/mnt/with space", "/mnt/ssh/x"])
def test_network_file_systems_are_refused(mounts: str, folder: str) -> None:
    """Their locks and shared memory do not reach across machines."""
    with pytest.raises(StoreUnsafe) as caught:
        refuse_network(folder, mounts)
    assert "network file system" in caught.value.message


@pytest.mark.parametrize("folder", ["/srv", "/home/ada/local/x", "/home/ada/local/secret"])
def test_local_file_systems_are_fine(mounts: str, folder: str) -> None:
    """Encrypted folders of this machine too."""
    refuse_network(folder, mounts)


def test_where_nothing_tells_nothing_is_refused(tmp_path: Path) -> None:
    """Other systems have no such table."""
    assert file_system("/srv", str(tmp_path / "none")) == ""


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o077, 0o277])
def test_what_is_made_is_private_under_any_umask(tmp_path: Path, umask: int) -> None:
    """From the first instant on, and the owner can always write."""
    before = os.umask(umask)
    try:
        make_folder(str(tmp_path / "a" / "b"))
        make_file(str(tmp_path / "a" / "b" / "file"))
    finally:
        os.umask(before)

    assert (tmp_path / "a" / "b").stat().st_mode & 0o777 == 0o700
    assert (tmp_path / "a" / "b" / "file").stat().st_mode & 0o777 == 0o600


def test_a_file_is_made_once(tmp_path: Path) -> None:
    """What is there is never opened or cut."""
    (tmp_path / "file").write_bytes(b"precious")

    with pytest.raises(FileExistsError):
        make_file(str(tmp_path / "file"))
    assert (tmp_path / "file").read_bytes() == b"precious"


def test_a_place_that_cannot_be_written_says_so() -> None:
    """Without a trace of the engine's words."""
    with pytest.raises(StoreReadOnly):
        make_folder("/proc/self/onrecord") if os.geteuid() else make_folder("/sys/onrecord")
