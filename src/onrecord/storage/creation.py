"""Making the folder and files of a store so that nobody else can read or replace them."""

from __future__ import annotations

import os

from onrecord.domain.errors import StoreError, StoreReadOnly, StoreUnsafe
from onrecord.storage import location

#: File systems on which locks and shared memory do not work between machines.
NETWORK = ("nfs", "cifs", "smb", "afs", "ceph", "lustre", "ncpfs", "vboxsf", "gfs", "ocfs")
NETWORK_FUSE = ("sshfs", "s3fs", "glusterfs", "rclone", "gcsfuse", "cephfs", "davfs", "curlftpfs")

_MOUNTS = "/proc/mounts"


def make_folder(folder: str) -> None:
    """Make a folder for the owner alone, or check the one that is there."""
    try:
        os.makedirs(folder, mode=0o700, exist_ok=False)  # noqa: PTH103
        os.chmod(folder, 0o700)  # noqa: PTH101
    except FileExistsError:
        pass
    except OSError as error:
        raise _refused(folder, error) from None
    location.check_folder(folder)


def make_file(path: str) -> None:
    """Make an empty file for the owner alone, whatever the umask; raises if one is there."""
    flags = os.O_CREAT | os.O_EXCL | os.O_RDWR | getattr(os, "O_NOFOLLOW", 0)
    try:
        number = os.open(path, flags, 0o600)
        try:
            if hasattr(os, "fchmod"):
                os.fchmod(number, 0o600)
            os.fsync(number)
        finally:
            os.close(number)
    except FileExistsError:
        raise
    except OSError as error:
        raise _refused(path, error) from None


def make_store_file(path: str) -> None:
    """Make the folder and the empty file of a store where they are missing.

    An existing file is never opened here: closing it would drop the locks that a connection
    of this process holds on it.
    """
    folder = os.path.dirname(path)  # noqa: PTH120
    make_folder(folder)
    refuse_network(folder)
    try:
        make_file(path)
    except FileExistsError:
        location.check_files(path)
    else:
        synced(folder)


def make_private(path: str) -> None:
    """Take reading away from other accounts; the files beside it follow this one's mode.

    Only for a file that is known to be a store of ours: another program's is not touched.
    """
    for ending in (*location.SIDE_FILES, ".keys"):
        try:
            if os.lstat(path + ending).st_mode & 0o077:
                os.chmod(path + ending, 0o600)  # noqa: PTH101
        except FileNotFoundError:
            continue
        except OSError as error:
            raise _refused(path + ending, error) from None


def synced(path: str) -> None:
    """Wait until a finished file or a folder's entries are on the disk."""
    number = os.open(path, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


def refuse_network(folder: str, mounts: str = _MOUNTS) -> None:
    """Refuse a folder on a network file system, where the log would be corrupted."""
    kind = file_system(folder, mounts)
    name = kind.removeprefix("fuse.")
    if name.startswith(NETWORK) or (name != kind and name.startswith(NETWORK_FUSE)):
        raise StoreUnsafe(
            f"The store's folder is on a network file system ({kind}), which cannot keep it safe.",
            hint="Choose a folder on a disk of this machine.",
            details={"path": folder, "file_system": kind},
        )


def file_system(folder: str, mounts: str = _MOUNTS) -> str:
    """The kind of file system that holds the folder; empty where nothing tells."""
    try:
        with open(mounts, encoding="utf-8", errors="surrogateescape") as lines:  # noqa: PTH123
            mounted = [line.split(" ") for line in lines]
    except OSError:
        return ""
    best, kind = "", ""
    for _, point, found, *_ in (parts for parts in mounted if len(parts) > 3):  # noqa: PLR2004
        place = point.replace("\\040", " ").rstrip("/")
        # of two at one point the later one is on top
        if (folder == place or folder.startswith(place + "/")) and len(place) >= len(best):
            best, kind = place, found
    return kind


def _refused(path: str, error: OSError) -> StoreError:
    details: dict[str, object] = {"path": path, "errno": error.errno or 0}
    if isinstance(error, PermissionError) or error.errno == 30:  # noqa: PLR2004 - EROFS
        return StoreReadOnly(details=details)
    return StoreError("The store's folder or file cannot be made.", details=details)
