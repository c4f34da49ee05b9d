"""The copies of one store: where they lie, and the keys beside them."""

from __future__ import annotations

import os
import sys
from contextlib import suppress

from onrecord.domain.copies import Copied
from onrecord.domain.errors import KeyUnreadable, NotFound, StoreUnsafe
from onrecord.storage import backups, creation, keyring, location, wrapping


def make_copy(store: str, target: str, stamp: str, passphrase: str = "") -> Copied:
    """Copy a store and its keys; without a target into the store's own folder of copies.

    With a passphrase the copy's keys are closed with it.
    Nothing is overwritten. Raises `StoreUnsafe` where either file is there already or the
    folder is open to others, `NotFound` where the target's folder is not there, `StoreMissing`,
    `StoreCorrupt` and others of the tree.
    """
    store = location.settled(store)
    location.check_files(store)
    made = location.settled(target) if target else free_path(store, "backup", stamp)
    folder = os.path.dirname(made)  # noqa: PTH120
    if not os.path.isdir(folder):  # noqa: PTH112
        # a name that was mistyped, or a disk that is not mounted: no folder is made for it
        raise NotFound(
            "There is no such folder for the copy, so none was made.",
            hint="Make the folder first, for yourself alone: mkdir -m 700",
            details={"path": folder},
        )
    if os.path.lexists(keyring.path_of(made)):
        raise StoreUnsafe(
            "There is a file at the path of the copy's keys already.",
            details={"path": keyring.path_of(made)},
        )
    backups.copy(store, made)
    items, events, head = backups.census(made)
    return Copied(
        path=made,
        keys=lay_keys(store, made, passphrase),
        size=os.stat(made).st_size,  # noqa: PTH116
        items=items,
        events=events,
        head=head,
    )


def kept(store: str, since: int = 0) -> list[str]:
    """Paths of the copies in a store's own folder, oldest name first.

    Without those that are older than `since`: they hold nothing that came then or later.
    """
    folder = backups.folder_of(location.settled(store))
    try:
        names = sorted(name for name in os.listdir(folder) if name.endswith(".db"))  # noqa: PTH208
    except OSError:
        return []
    found = [os.path.join(folder, name) for name in names]  # noqa: PTH118
    return [path for path in found if _written_at(path) >= since]


def _written_at(path: str) -> int:
    """When a copy was last written to, in UTC microseconds; late where that cannot be told."""
    try:
        return os.stat(path).st_mtime_ns // 1000  # noqa: PTH116
    except OSError:
        return sys.maxsize


def free_path(store: str, name: str, stamp: str, kind: str = ".db") -> str:
    """A path in a store's folder of copies that nothing is at."""
    folder = backups.folder_of(store)
    creation.make_folder(os.path.dirname(store))  # noqa: PTH120
    creation.make_folder(folder)
    tries = 1
    while True:
        ending = f"-{tries}{kind}" if tries > 1 else kind
        found = os.path.join(folder, f"{name}-{stamp}{ending}")  # noqa: PTH118
        taken = (*location.SIDE_FILES, ".keys")
        if not any(os.path.lexists(found + end) for end in taken):
            return found
        tries += 1


def lay_keys(store: str, copy: str, passphrase: str = "") -> str:
    """Put a store's keys beside a copy, for the owner alone; their path.

    With a passphrase they are closed with it. The empty text where the store's cannot be
    read; a copy without keys is still a copy.
    """
    try:
        text = keyring.text_of(keyring.path_of(store))
        keyring.parse(text, keyring.path_of(store))
    except KeyUnreadable:
        return ""
    raw = (wrapping.wrap(text, passphrase) if passphrase else text).encode()
    target = keyring.path_of(copy)
    creation.make_file(target)
    number = os.open(target, os.O_WRONLY | getattr(os, "O_NOFOLLOW", 0))
    try:
        os.write(number, raw)
        os.fsync(number)
    finally:
        os.close(number)
    with suppress(OSError):
        creation.synced(os.path.dirname(target))  # noqa: PTH120
    return target
