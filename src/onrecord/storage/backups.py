"""Copies of a store, each checked before it counts."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import LiteralString

import apsw

from onrecord.domain.errors import StoreCorrupt, StoreError, StoreUnsafe
from onrecord.storage import creation, location, sqlite

#: How much there is of everything that is not derived, and the last line of the log.
_CENSUS: LiteralString = """
SELECT (SELECT count(*) FROM items), (SELECT count(*) FROM versions),
       (SELECT count(*) FROM evidence), (SELECT count(*) FROM links),
       (SELECT count(*) FROM tombstones), (SELECT count(*) FROM sessions),
       (SELECT count(*) FROM deliveries), (SELECT count(*) FROM events),
       (SELECT hash FROM events ORDER BY seq DESC LIMIT 1)
"""


def folder_of(path: str) -> str:
    """The folder beside a store that holds its copies."""
    return path + ".backups"


def before_schema(path: str, number: int) -> str:
    """Copy the store as it is before schema `number`; returns the copy's path."""
    folder = folder_of(path)
    creation.make_folder(folder)
    tries = 1
    while True:
        ending = f"-{tries}" if tries > 1 else ""
        target = os.path.join(folder, f"before-schema-{number}{ending}.db")  # noqa: PTH118
        if not os.path.lexists(target):
            return copy(path, target)
        tries += 1


def copy(path: str, target: str) -> str:
    """Copy a store, also while it is written to, to a new file that only its owner can read.

    The copy is checked and on the disk when this returns; `target` exists whole or not at
    all. Checked means: the engine finds it whole, and it holds as much as the store did in
    the very state that was copied, up to the same last line of the log. Raises `StoreUnsafe`
    where the target is taken and `StoreCorrupt` for a bad copy.
    """
    folder = os.path.dirname(location.settled(target))  # noqa: PTH120
    creation.make_folder(folder)
    if os.path.lexists(target):
        raise StoreUnsafe("There is a file at the copy's path already.", details={"path": target})
    partial = f"{target}.{os.getpid()}.part"
    try:
        _drop(partial)
        creation.make_file(partial)
        _fill(path, partial)
        creation.synced(partial)
        os.rename(partial, target)  # noqa: PTH104
        creation.synced(folder)
    except OSError as error:
        raise StoreError(details={"path": target, "errno": error.errno or 0}) from None
    finally:
        _drop(partial)
    return target


def census(path: str) -> tuple[int, int, bytes]:
    """How many items and lines of the log a copy holds, and the hash of the last line."""
    source = sqlite.connect(path, readonly=True)
    try:
        counts = sqlite.rows_of(source, _CENSUS)[0]
    except apsw.Error as error:
        raise sqlite.told(error, source) from None
    finally:
        source.close()
    return counts[0], counts[-2], counts[-1] or b""


def _drop(path: str) -> None:
    with suppress(FileNotFoundError):
        os.unlink(path)  # noqa: PTH108


def _fill(path: str, partial: str) -> None:
    source = sqlite.connect(path, readonly=True)
    try:
        made = apsw.Connection(
            partial, flags=apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_NOFOLLOW
        )
        try:
            # one reading transaction holds the state that is counted and copied
            sqlite.rows_of(source, "BEGIN")
            wanted = sqlite.rows_of(source, _CENSUS)
            with made.backup("main", source, "main") as backup:
                while not backup.done:
                    backup.step(-1)
            # a copy is one file, without a log beside it
            sqlite.set_pragma(made, "journal_mode", "delete")
            whole = sqlite.rows_of(made, "PRAGMA integrity_check(1)") == [("ok",)]
            if not whole or sqlite.rows_of(made, _CENSUS) != wanted:
                raise StoreCorrupt("The copy of the store failed its check, so it was dropped.")
        finally:
            made.close()
    except apsw.Error as error:
        raise sqlite.told(error, source) from None
    finally:
        source.close()
