"""Putting a copy in a store's place: checked first, the present store kept, others undisturbed.

Other processes may have the store open. Its file is therefore never replaced: the copy is
written into it as one transaction, under the lock that keeps every other writer out.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Callable, Generator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from functools import partial
from typing import LiteralString, cast

import apsw

from onrecord.domain.copies import Copied, Prepared
from onrecord.domain.errors import (
    NO_ROOM,
    KeyUnreadable,
    NotFound,
    StoreCorrupt,
    StoreFull,
    StoreMissing,
    StoreNewer,
    StoreReadOnly,
    StoreUnsafe,
)
from onrecord.domain.event import GENESIS
from onrecord.storage import (
    backups,
    copies,
    creation,
    keyring,
    location,
    migrate,
    schema,
    sqlite,
    wrapping,
)
from onrecord.storage.keyring import Keyring

#: The line of the log that was seen, as it is now, and how many lines after it matter.
_SINCE: LiteralString = """
SELECT (SELECT hash FROM events WHERE seq = :seq),
  (SELECT count(*) FROM events
   WHERE seq > :seq AND action IN (SELECT value FROM json_each(:actions)))
"""

#: How long the log is waited for to be cut, in milliseconds.
_TIDYING_MS = 1_000

#: A line of the log: its number and its hash.
Head = tuple[int, bytes]


class FileRoom:
    """The `CopyRoom` port over one store's path."""

    def __init__(self, store: str, relatives: Sequence[str] = ()) -> None:
        """`relatives` are other stores, whose keys open a copy that has none beside it."""
        self._store = store
        self._relatives = relatives

    def copy(self, target: str, stamp: str, passphrase: str = "") -> Copied:
        """Copy the store and its keys to a new file; without a target to the own folder."""
        return copies.make_copy(self._store, target, stamp, passphrase)

    def kept(self, since: int = 0) -> list[str]:
        """Paths of the copies in the store's own folder, oldest name first."""
        return copies.kept(self._store, since)

    def prepared(self, file: str, passphrase: str = "") -> AbstractContextManager[Prepared]:
        """A private copy of a copy, checked as what a stranger gave, gone at the block's end."""
        return prepared(self._store, file, passphrase, relatives=self._relatives)

    def put_in_place(
        self, copy: Prepared, stamp: str, *, head: Head | None, heeding: Sequence[str] = ()
    ) -> str | None:
        """Let a prepared copy be the store; the path at which the store before it is kept."""
        return put_in_place(copy, self._store, stamp, head=head, heeding=heeding)


@contextmanager
def prepared(
    store: str, file: str, passphrase: str = "", *, relatives: Sequence[str] = ()
) -> Generator[Prepared]:
    """A private copy of a copy with the keys that belong to it, gone at the block's end.

    What the file holds is not trusted: it must be a database of ours that is whole, with
    exactly the tables, indices and triggers that this installation makes. Raises `NotFound`,
    `StoreCorrupt`, `StoreUnsafe`, `StoreNewer` or `KeyUnreadable`.
    """
    store, file = location.settled(store), location.settled(file)
    _check(file)
    ring = _ring_of(store, file, passphrase, relatives)
    parent = os.path.dirname(copies.free_path(store, "restoring", "now"))  # noqa: PTH120
    folder = tempfile.mkdtemp(prefix="restoring-", dir=parent)
    try:
        made = os.path.join(folder, "copy.db")  # noqa: PTH118
        backups.copy(file, made)
        _check(made)
        keyring.lay(keyring.path_of(made), ring)
        older = tuple(ring.older.items())
        yield Prepared(path=made, key_id=ring.key_id, key=ring.key, older=older)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def put_in_place(
    copy: Prepared, store: str, stamp: str, *, head: Head | None, heeding: Sequence[str] = ()
) -> str | None:
    """Let the prepared copy be the store, in one step; where the store before it is kept.

    The empty text where there was none. None, with nothing changed, where `head`, the last
    line of the log that the caller saw, is not in it any more, or one of the actions in
    `heeding` follows it. `head` None says that the store could not be read, and then its
    files are moved aside as they are.
    """
    store = location.settled(store)
    there = os.path.lexists(store)
    if there and head is not None:
        kept = copies.free_path(store, "before-restore", stamp)
        seen = partial(_is_seen, store, head, heeding)
        if not _write(copy, store, stamp, kept=kept, seen=seen):
            return None
    else:
        kept = _put_away(store, stamp) if there else ""
        _make_empty(copy, store, stamp)
        _write(copy, store, stamp)
    return kept


def _write(
    copy: Prepared,
    store: str,
    stamp: str,
    *,
    kept: str = "",
    seen: Callable[[], bool] = lambda: True,
) -> bool:
    """Write the copy into the store's file, which is copied aside under the same lock.

    Its keys are there before it is: whatever happens between, nothing is without its key.
    """
    with (
        closing(sqlite.connect(store, busy_ms=30_000)) as target,
        closing(sqlite.connect(copy.path, readonly=True)) as source,
    ):
        try:
            # only with a log others can read while the lock is held
            sqlite.set_pragma(target, "journal_mode", "wal")
            with target.backup("main", source, "main") as writing:
                # takes the lock; leaving without a further step gives it back
                writing.step(0)
                if not seen():
                    return False
                if kept:
                    backups.copy(store, kept)
                    copies.lay_keys(store, kept)
                _settle_keys(copy, store, stamp)
                while not writing.done:
                    writing.step(-1)
            # one who still reads what was before holds it back; a later check finishes it
            target.set_busy_timeout(_TIDYING_MS)
            with suppress(apsw.BusyError):
                target.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
        except apsw.Error as error:
            raise sqlite.told(error, target) from None
    return True


def _is_seen(store: str, head: Head, heeding: Sequence[str]) -> bool:
    """Whether nothing that matters came after the line that the caller saw."""
    asked = {"seq": head[0], "actions": json.dumps(list(heeding))}
    with closing(sqlite.connect(store, readonly=True)) as reader:
        digest, later = sqlite.rows_of(reader, _SINCE, asked)[0]
    return (digest or GENESIS) == head[1] and not later


def _put_away(store: str, stamp: str) -> str:
    """Move a store that cannot be read aside, file by file, as it is."""
    kept = copies.free_path(store, "damaged", stamp)
    for ending in location.SIDE_FILES:
        with suppress(FileNotFoundError):
            os.rename(store + ending, kept + ending)  # noqa: PTH104
    copies.lay_keys(store, kept)
    creation.synced(os.path.dirname(store))  # noqa: PTH120
    return kept


def _make_empty(copy: Prepared, store: str, stamp: str) -> None:
    """An empty store for a copy to be written into."""
    creation.make_folder(os.path.dirname(store))  # noqa: PTH120
    _settle_keys(copy, store, stamp)
    creation.make_store_file(store)
    migrate.migrate(store)


def _settle_keys(copy: Prepared, store: str, stamp: str) -> None:
    """Add the copy's keys to the store's; lay them where it has none that can be read."""
    path = keyring.path_of(store)
    try:
        keyring.merge(path, keyring.load(keyring.path_of(copy.path)))
    except KeyUnreadable:
        if os.path.lexists(path):
            os.rename(path, copies.free_path(store, "damaged", stamp, ".keys"))  # noqa: PTH104
        copies.lay_keys(copy.path, store)
    except OSError as error:
        full = (error.errno or 0) in NO_ROOM
        raise (StoreFull if full else StoreReadOnly)(details={"path": path}) from None


# -- trusting nothing ---------------------------------------------------------


def _check(file: str) -> None:
    """Refuse a file that is not a whole database with the schema of ours."""
    try:
        location.check_files(file)
    except StoreMissing:
        raise NotFound("There is no file at that path.", details={"path": file}) from None
    with closing(sqlite.connect(file, readonly=True)) as reader:
        number = sqlite.schema_of(reader)
        if not number:
            raise StoreCorrupt("That file is not a copy of a store.", details={"path": file})
        if number > sqlite.SCHEMA:
            raise StoreNewer(
                "A newer onrecord made that copy. Nothing was changed; upgrade first.",
                details={"schema": number, "known": sqlite.SCHEMA},
            )
        try:
            # first, as the check of a table runs what its schema says
            if schema.parts(reader) != schema.declared(number):
                raise StoreUnsafe(
                    "That copy has other tables or triggers than onrecord makes, so it is not"
                    " used.",
                    details={"path": file},
                )
            if sqlite.rows_of(reader, "PRAGMA integrity_check(1)") != [("ok",)]:
                raise StoreCorrupt(
                    "That copy is damaged, so it is not used.", details={"path": file}
                )
        except apsw.Error as error:
            raise sqlite.told(error, reader) from None


def _ring_of(store: str, file: str, passphrase: str, relatives: Sequence[str]) -> Keyring:
    """The keys that belong to a copy: those beside it, or the store's where it knows them.

    Where neither has any that can be read, those of the first relative that has; the check of
    the texts tells whether they fit.
    """
    beside = keyring.path_of(file)
    own = _own_ring(beside, passphrase) if os.path.lexists(beside) else None
    present = _ring_beside([store])
    if own is None and present is None:
        own = _ring_beside(relatives)
    if own is None and present is None:
        raise KeyUnreadable(
            "There is no key for that copy that can be read, neither beside it nor beside the"
            " store. Nothing was changed.",
            hint=f"Put its keys at {beside} first; closed ones want --passphrase-file.",
        )
    if own is None:
        return cast("Keyring", present)
    if present is None:
        return own
    if own.key_id in (present.key_id, *present.older):
        return present
    if present.key_id not in own.older:
        raise StoreUnsafe(
            "That copy belongs to another store: its key is another one. Nothing was changed.",
            hint="Restore it to a place of its own: add --db PATH.",
        )
    return own


def _ring_beside(stores: Sequence[str]) -> Keyring | None:
    for store in stores:
        with suppress(KeyUnreadable):
            return keyring.load(keyring.path_of(store))
    return None


def _own_ring(path: str, passphrase: str) -> Keyring | None:
    """The keys beside a copy; None for closed ones without a passphrase."""
    text = keyring.text_of(path)
    if not wrapping.is_wrapped(text):
        return keyring.parse(text, path)
    return keyring.parse(wrapping.unwrap(text, passphrase, path), path) if passphrase else None
