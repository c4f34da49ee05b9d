"""The keys that fingerprints are made with, in a file beside the store."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field

from onrecord.domain.errors import (
    NO_ROOM,
    KeyUnreadable,
    StoreError,
    StoreFull,
    StoreReadOnly,
)
from onrecord.storage import creation, location

_BYTES = 32
_NAME_CHARACTERS = 16
_MAX_BYTES = 64 * 1024


@dataclass(frozen=True, kw_only=True, slots=True)
class Keyring:
    """The key in use and those that were used before."""

    #: name of the key in use, made from the key itself
    key_id: str
    #: 32 random bytes
    key: bytes = field(repr=False)
    #: name -> key of every earlier one
    older: Mapping[str, bytes] = field(repr=False)


def path_of(store: str) -> str:
    """Where the keys of a store are."""
    return store + ".keys"


def load(path: str) -> Keyring:
    """The keys in a file; raises `KeyUnreadable` where it is missing, damaged or not ours.

    The file has a line `name key` per key, in hexadecimal, the one in use first.
    """
    return parse(text_of(path), path)


def names_of(store: str) -> frozenset[str]:
    """The names of a store's keys; none where they cannot be read."""
    try:
        ring = load(path_of(store))
    except KeyUnreadable:
        return frozenset()
    return frozenset((ring.key_id, *ring.older))


def text_of(path: str) -> str:
    """What a file of keys holds; raises `KeyUnreadable` where it is missing or not ours."""
    try:
        location.check_files(path)
        with open(path, encoding="ascii") as source:  # noqa: PTH123
            return source.read(_MAX_BYTES)
    except (OSError, ValueError, StoreError):
        raise KeyUnreadable(details={"path": path}) from None


def parse(text: str, path: str) -> Keyring:
    """The keys in the text of a file; raises `KeyUnreadable` where it is damaged."""
    keys: dict[str, bytes] = {}
    for line in text.split("\n"):
        if line:
            name, _, digits = line.partition(" ")
            keys[name] = _key(name, digits, path)
    if not keys:
        raise KeyUnreadable(details={"path": path})
    name = next(iter(keys))
    key = keys.pop(name)
    return Keyring(key_id=name, key=key, older=keys)


def make(path: str) -> None:
    """Make a file with one new key, unless there is one; an unreadable one is an error.

    The caller holds the lock of a store that is still empty, so that one process makes it.
    """
    if os.path.lexists(path):
        load(path)
        return
    key = os.urandom(_BYTES)
    _write(path, {name_of(key): key})


def fresh(path: str) -> tuple[str, str, Callable[[], None]]:
    """A new key: the names of the one in use and of the new one, and what puts it in use.

    The others are kept. The caller holds the store's lock. Raises `KeyUnreadable` where the
    keys cannot be read; putting it in use raises `StoreError` with the file as it was where
    it cannot be written.
    """
    ring = load(path)
    key = os.urandom(_BYTES)
    keys = {name_of(key): key, ring.key_id: ring.key, **ring.older}

    def use() -> None:
        try:
            _write(path, keys)
        except OSError as error:
            full = error.errno in NO_ROOM
            raise (StoreFull if full else StoreReadOnly)(details={"path": path}) from None

    return ring.key_id, name_of(key), use


def merge(path: str, other: Keyring) -> None:
    """Add keys that a file lacks, behind those that it has; nothing happens where it has all."""
    ring = load(path)
    have = {ring.key_id: ring.key, **ring.older}
    more = {other.key_id: other.key, **other.older}
    if more.keys() - have.keys():
        _write(path, have | more)


def lay(path: str, ring: Keyring) -> None:
    """Write keys to a file, in the place of any that is there."""
    _write(path, {ring.key_id: ring.key, **ring.older})


def _write(path: str, keys: Mapping[str, bytes]) -> None:
    """Replace the file in one step; the first key is the one in use."""
    partial = path + ".part"
    with suppress(FileNotFoundError):
        # of a process that was killed while it held the lock
        os.unlink(partial)  # noqa: PTH108
    flags = os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_NOFOLLOW", 0)
    number = os.open(partial, flags, 0o600)
    try:
        text = "".join(f"{name} {key.hex()}\n" for name, key in keys.items())
        os.write(number, text.encode())
        os.fsync(number)
    finally:
        os.close(number)
    os.chmod(partial, 0o600)  # noqa: PTH101
    os.rename(partial, path)  # noqa: PTH104
    creation.synced(os.path.dirname(path))  # noqa: PTH120


def name_of(key: bytes) -> str:
    """The name of a key; it tells nothing about the key, and a changed key has another."""
    return hashlib.sha256(b"onrecord key name\x00" + key).hexdigest()[:_NAME_CHARACTERS]


def _key(name: str, digits: str, path: str) -> bytes:
    try:
        key = bytes.fromhex(digits)
    except ValueError:
        key = b""
    if len(key) != _BYTES or name_of(key) != name:
        raise KeyUnreadable(details={"path": path})
    return key
