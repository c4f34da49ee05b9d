"""A model of meanings for tests that count and time: real vectors from a text's own letters.

It is an `Embedder` like any other, of 64 dimensions and without a file. What the packaged model
understands is held by tests that run that one.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Final

from onrecord.domain.embedding import Spec, vector_of
from onrecord.domain.errors import ModelUnreachable
from onrecord.retrieval.pieces import FORM

if TYPE_CHECKING:
    from collections.abc import Sequence

DIMENSION: Final = 64


class Letters:
    """Near means: of the same letter groups. It keeps what it was asked."""

    def __init__(self, name: str = "letters", *, salt: str = "") -> None:
        self.name = name
        self.salt = salt
        self.asked: list[str] = []
        #: texts that it takes before it fails
        self.patience = 10**9

    @property
    def spec(self) -> Spec:
        """Another salt is another model."""
        digest = hashlib.sha256(f"letters {self.salt}".encode()).hexdigest()
        return Spec(model=self.name, digest=digest, dimension=DIMENSION, pooling="sum", form=FORM)

    @property
    def where(self) -> str:
        """Where texts go."""
        return "nowhere"

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        """One vector a text."""
        found: list[bytes] = []
        for text in texts:
            if self.patience <= 0:
                raise ModelUnreachable
            self.patience -= 1
            self.asked.append(text)
            found.append(vector_of(self._values(text)))
        return found

    def _values(self, text: str) -> list[float]:
        values = [0.0] * DIMENSION
        padded = f" {text.lower()} "
        for at in range(len(padded) - 2):
            group = f"{self.salt}{padded[at : at + 3]}"
            number = int.from_bytes(hashlib.sha256(group.encode()).digest()[:4], "big")
            values[number % DIMENSION] += 1.0 if number & 64 else -1.0
        return values if any(values) else [1.0, *values[1:]]
