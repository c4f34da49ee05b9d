"""The keyed fingerprint that keeps a rejected or forgotten value from coming back."""

from __future__ import annotations

from dataclasses import dataclass

from onrecord.domain.principal import Principal

#: What a print was taken of. `key` is the item's (scope, key) pair.
PARTS = ("whole", "title", "sentence", "key")


@dataclass(frozen=True, kw_only=True, slots=True)
class Print:
    """One keyed fingerprint of a tombstone."""

    #: one of PARTS
    part: str
    value: bytes


@dataclass(frozen=True, kw_only=True, slots=True)
class Tombstone:
    """What remains of a value that a person rejected or forgot: no text, only prints."""

    #: ULID
    id: str
    #: the item that held the value
    item: str
    #: it binds this scope and narrower ones
    scope: str
    #: wrong · unwanted · forgotten
    reason: str
    by: Principal
    at: int
    #: id of the key the prints were made with, and the normaliser's version
    key_id: str
    normaliser: int
    prints: tuple[Print, ...]
    #: keyed min-hash of the whole text, for "similar"
    sketch: bytes = b""
    #: set when a person's override lifted it for its scope
    lifted_at: int | None = None
    lifted_by: str = ""
