"""The keyed fingerprint that keeps a rejected or forgotten value from coming back."""

from __future__ import annotations

import hashlib
from collections.abc import Collection
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
class Lift:
    """A person's override for one scope; elsewhere the tombstone stays in force."""

    scope: str
    at: int
    by: str


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
    #: set when a person's override lifted it as a whole, everywhere that it reaches
    lifted_at: int | None = None
    lifted_by: str = ""
    #: overrides for single scopes, oldest first, one a scope
    lifts: tuple[Lift, ...] = ()

    def lifted_for(self, scopes: Collection[str]) -> bool:
        """Whether it was lifted as a whole or for any of the scopes.

        The scopes are those that bind a write: its own and the broader ones.
        """
        return self.lifted_at is not None or any(lift.scope in scopes for lift in self.lifts)

    @property
    def digest(self) -> str:
        """What the log says of it: a digest of all that never changes; lifting is told apart."""
        marks = sorted(f"{mark.part}:{mark.value.hex()}" for mark in self.prints)
        by = (
            *(self.by.writer, self.by.channel, self.by.user, self.by.agent, self.by.session),
            *(self.by.model, self.by.org, self.by.role, self.by.headless, self.by.confirmed),
        )
        told = (self.id, self.item, self.scope, self.reason, self.at, self.key_id, self.normaliser)
        return hashlib.sha256(repr((told, by, marks, self.sketch.hex())).encode()).hexdigest()[:32]
