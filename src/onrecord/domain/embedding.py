"""What a model of meanings is, and the space that its vectors live in.

A vector is `dimension` signed bytes: a direction, of no particular length. Vectors of two spaces
are never compared, and a space is known by everything that decides what its vectors mean.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from onrecord.domain.candidate import Candidate
from onrecord.domain.errors import ModelMismatch

#: Dimensions that a space may have.
MAX_DIMENSION = 8_192
#: The largest of a vector's numbers.
_PEAK = 127


@dataclass(frozen=True, kw_only=True, slots=True)
class Spec:
    """Everything that decides what a vector means."""

    #: the name that the model goes by in the person's configuration
    model: str
    #: SHA-256 of what computes it, hexadecimal; of its address where it runs elsewhere
    digest: str
    dimension: int
    #: how the vectors of a text's pieces become one: mean, cls, or the server's own
    pooling: str
    #: which texts are made of an item (`pieces.FORM`)
    form: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Space:
    """One model's vectors in one store."""

    id: str
    spec: Spec
    #: UTC microseconds
    made_at: int
    #: whether recall uses it; one space of a store is current, or none
    current: bool = False


class Embedder(Protocol):
    """A model of meanings."""

    @property
    def spec(self) -> Spec:
        """What its vectors mean; may load the model. Raises `EmbeddingError`."""
        ...

    @property
    def where(self) -> str:
        """Where the texts go that it is given, in words for a person."""
        ...

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        """One vector of `spec.dimension` signed bytes a text. Raises `EmbeddingError`."""
        ...


class Vectors(Protocol):
    """Meanings of current versions as vectors, a space a model; derived like the index."""

    def spaces(self) -> list[Space]:
        """All of them, oldest first."""
        ...

    def open(self, space: Space) -> None:
        """Begin a space, not a current one.

        Raises `Clash` for an id that is there, and for a spec of one that is not current.
        """
        ...

    def switch(self, space: str) -> None:
        """Make a space the current one and drop all others with their vectors."""
        ...

    def close(self, space: str) -> None:
        """Drop a space with its vectors."""
        ...

    def put(self, space: str, item: str, version: int, vectors: Sequence[bytes]) -> None:
        """Keep the vectors of an item's version in place of those that the space has of it.

        Raises `ModelMismatch` for vectors of another dimension than the space's.
        """
        ...

    def clear(self, space: str) -> None:
        """Drop all vectors of a space; it stays."""
        ...

    def has(self, space: str, item: str, version: int) -> bool:
        """Whether the space has vectors of that very version of an item."""
        ...

    def lacking(self, space: str, *, after: str = "", limit: int = 100) -> list[tuple[str, int]]:
        """(item, version) of active items without vectors of that version there, by id."""
        ...

    def count(self, space: str) -> tuple[int, int]:
        """(active items with vectors of their current version, active items)."""
        ...

    def stamp(self, space: str) -> int:
        """Changes whenever what `of` tells may have changed, and with nothing else.

        -1 where there is no such space.
        """
        ...

    def of(self, space: str, scope: str) -> list[tuple[str, bytes]]:
        """(item, vector) of the current versions of a scope's active items, by id."""
        ...

    def fitting(
        self,
        items: Sequence[str],
        *,
        scopes: Sequence[str],
        kinds: Sequence[str] | None,
        now: int,
        body_chars: int,
    ) -> list[Candidate]:
        """Those of the items that are active, valid, unexpired and in the scopes, in no order."""
        ...


def vector_of(values: Sequence[float]) -> bytes:
    """A direction as signed bytes; raises `ModelMismatch` for numbers that are none."""
    peak = max((abs(value) for value in values), default=0.0)
    # a maximum passes by what is no number at all, so that is looked for one by one
    if not peak or not all(map(math.isfinite, values)):
        raise ModelMismatch("The model gave a vector without a direction. Nothing was kept of it.")
    return array("b", [round(value / peak * _PEAK) for value in values]).tobytes()


def check_vectors(spec: Spec, vectors: Sequence[bytes]) -> None:
    """Refuse vectors that are not of a space's dimension, with `ModelMismatch`."""
    for vector in vectors:
        if len(vector) != spec.dimension:
            raise ModelMismatch(
                f"A vector has {len(vector)} dimensions where the space of {spec.model} has"
                f" {spec.dimension}. Nothing was kept of it.",
                details={"model": spec.model, "is": len(vector), "wanted": spec.dimension},
            )


def check_same(kept: Spec, given: Spec) -> None:
    """Refuse a model that is not the one a space was made with, and name what differs."""
    differing = [
        name
        for name in ("model", "digest", "dimension", "pooling", "form")
        if getattr(kept, name) != getattr(given, name)
    ]
    if differing:
        raise ModelMismatch(
            f"The model {given.model} is not what this store's vectors were made with:"
            f" {', '.join(differing)} differs. They were not compared.",
            hint="onrecord reindex",
            details={"model": given.model, "differs": differing},
        )
