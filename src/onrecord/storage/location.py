"""Where a store is, and whether somebody else could have laid it there (light)."""

from __future__ import annotations

import os
import stat

from onrecord.domain.errors import StoreError, StoreMissing, StoreUnsafe

#: Endings of the files that belong to a store.
SIDE_FILES = ("", "-wal", "-shm", "-journal")

_OPEN_TO_OTHERS = stat.S_IWGRP | stat.S_IWOTH


def settled(path: str) -> str:
    """The path with its folder's links resolved; its last part is left as it is."""
    folder, name = os.path.split(os.path.abspath(path))  # noqa: PTH100 - light
    return os.path.join(os.path.realpath(folder), name)  # noqa: PTH118 - light


def check_files(path: str) -> None:
    """Refuse a store whose folder or files somebody else could have laid there.

    Raises `StoreMissing` where there is no file and `StoreUnsafe` otherwise.
    """
    check_folder(os.path.dirname(path))  # noqa: PTH120 - light
    for ending in SIDE_FILES:
        try:
            found = os.lstat(path + ending)
        except FileNotFoundError:
            if not ending:
                raise StoreMissing(details={"path": path}) from None
            continue
        except OSError as error:
            raise StoreError(details={"path": path, "errno": error.errno or 0}) from None
        _check_file(path + ending, found)


def check_folder(folder: str) -> None:
    """Refuse a folder in which another account may put files."""
    try:
        found = os.stat(folder)  # noqa: PTH116 - light
    except FileNotFoundError:
        raise StoreMissing(details={"path": folder}) from None
    except OSError as error:
        raise StoreError(details={"path": folder, "errno": error.errno or 0}) from None
    if not stat.S_ISDIR(found.st_mode):
        raise StoreUnsafe("The store's folder is not a folder.", details={"path": folder})
    _check_owner(folder, found)
    if found.st_mode & _OPEN_TO_OTHERS:
        raise StoreUnsafe(
            "Other accounts may write to the store's folder. Nothing was opened.",
            # one that everybody shares is not the owner's to close
            hint="Choose a folder of your own."
            if found.st_mode & stat.S_ISVTX
            else f"chmod go-w {folder}",
            details={"path": folder},
        )


def _check_file(path: str, found: os.stat_result) -> None:
    if not stat.S_ISREG(found.st_mode):
        raise StoreUnsafe("The store's path is a link or not a file.", details={"path": path})
    if found.st_nlink > 1:
        raise StoreUnsafe("The store's file has a second name.", details={"path": path})
    _check_owner(path, found)
    if found.st_mode & _OPEN_TO_OTHERS:
        raise StoreUnsafe(
            "Other accounts may write to the store's file. Nothing was opened.",
            hint=f"chmod 600 {path}",
            details={"path": path},
        )


def _check_owner(path: str, found: os.stat_result) -> None:
    # Windows has no owner numbers; its profile folders are private by their own rules
    mine = getattr(os, "geteuid", None)
    if mine is not None and found.st_uid != mine():
        raise StoreUnsafe("The store belongs to another account.", details={"path": path})


def is_frozen(path: str) -> bool:
    """Whether a file lies where nothing can be made beside it, and has no log to be read.

    Such a file cannot change while it is read, so that it needs no log and no locks.
    """
    if os.access(os.path.dirname(path), os.W_OK):  # noqa: PTH120 - light
        return False
    try:
        return os.lstat(path + "-wal").st_size == 0
    except OSError:
        return True


def frozen_uri(path: str) -> str:
    """The address that opens a frozen file."""
    for letter in "%?#":
        path = path.replace(letter, f"%{ord(letter):02x}")
    return f"file:{path}?immutable=1"
