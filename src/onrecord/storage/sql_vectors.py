"""Spaces of meanings and their vectors, in SQL: little blobs in an ordinary table."""

from __future__ import annotations

from collections.abc import Sequence

from onrecord.domain.candidate import Candidate
from onrecord.domain.embedding import Space, Spec, check_vectors
from onrecord.domain.errors import NotFound
from onrecord.storage import rows
from onrecord.storage.queries import json_list
from onrecord.storage.runner import Runner
from onrecord.storage.shelf import candidates

_NO_SPACE = "There is no such space of meanings. Nothing was changed."


class SqlVectors:
    """The `Vectors` port."""

    def __init__(self, runner: Runner) -> None:
        self._runner = runner

    def spaces(self) -> list[Space]:
        """All of them, oldest first."""
        return rows.read(_space, self._runner.rows("spaces"))

    def open(self, space: Space) -> None:
        """Begin a space, which is not current."""
        spec = space.spec
        self._runner.run(
            "space_open",
            id=space.id,
            model=spec.model,
            digest=spec.digest,
            dimension=spec.dimension,
            pooling=spec.pooling,
            form=spec.form,
            made_at=space.made_at,
        )

    def switch(self, space: str) -> None:
        """Make a space the current one and drop all others with their vectors."""
        self._known(space)
        self._runner.run("vectors_drop_others", space=space)
        self._runner.run("spaces_drop_others", space=space)
        self._runner.run("space_current", space=space)

    def close(self, space: str) -> None:
        """Drop a space with its vectors."""
        self._runner.run("vectors_clear", space=space)
        self._runner.run("space_drop", space=space)

    def put(self, space: str, item: str, version: int, vectors: Sequence[bytes]) -> None:
        """Keep the vectors of an item's version in place of those that the space has of it."""
        dimension, model = self._known(space)
        check_vectors(
            Spec(model=model, digest="", dimension=dimension, pooling="", form=""), vectors
        )
        self._runner.run("vectors_drop", space=space, item=item)
        for piece, vector in enumerate(vectors):
            self._runner.run(
                "vector_put", space=space, item=item, piece=piece, version=version, vector=vector
            )
        self._runner.run("space_changed", space=space)

    def clear(self, space: str) -> None:
        """Drop all vectors of a space; it stays."""
        self._runner.run("vectors_clear", space=space)
        self._runner.run("space_changed", space=space)

    def has(self, space: str, item: str, version: int) -> bool:
        """Whether the space has vectors of that very version of an item."""
        row = self._runner.row("vectors_have", space=space, item=item, version=version)
        return row is not None

    def lacking(self, space: str, *, after: str = "", limit: int = 100) -> list[tuple[str, int]]:
        """(item, version) of active items without vectors of that version there, by id."""
        found = self._runner.rows("vectors_lacking", space=space, after=after, limit=limit)
        return [(row[0], row[1]) for row in found]

    def count(self, space: str) -> tuple[int, int]:
        """(active items with vectors of their current version, active items)."""
        ((with_vectors, active),) = self._runner.rows("vectors_count", space=space)
        return with_vectors, active

    def stamp(self, space: str) -> int:
        """Changes whenever what `of` tells may have changed."""
        row = self._runner.row("vectors_stamp", space=space)
        return row[0] if row else -1

    def of(self, space: str, scope: str) -> list[tuple[str, bytes]]:
        """(item, vector) of the current versions of a scope's active items, by id."""
        found = self._runner.rows("vectors_of", space=space, scope=scope)
        return [(row[0], row[1]) for row in found]

    def fitting(
        self,
        items: Sequence[str],
        *,
        scopes: Sequence[str],
        kinds: Sequence[str] | None,
        now: int,
        body_chars: int,
    ) -> list[Candidate]:
        """Those of the items that are active, valid, unexpired and in the scopes."""
        found = self._runner.rows(
            "vectors_fit",
            ids=json_list(items),
            scopes=json_list(scopes),
            kinds=None if kinds is None else json_list(kinds),
            now=now,
        )
        return candidates(self._runner, [row[0] for row in found], body_chars)

    def _known(self, space: str) -> tuple[int, str]:
        row = self._runner.row("space_dimension", space=space)
        if row is None:
            raise NotFound(_NO_SPACE)
        return row[0], row[1]


def _space(row: rows.Row) -> Space:
    spec = Spec(model=row[1], digest=row[2], dimension=row[3], pooling=row[4], form=row[5])
    return Space(id=row[0], spec=spec, made_at=row[6], current=row[7] == 1)
