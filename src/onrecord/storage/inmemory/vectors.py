"""Spaces of meanings and their vectors, in dictionaries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from onrecord.domain.candidate import Candidate
from onrecord.domain.embedding import Space, check_vectors
from onrecord.domain.errors import Clash, NotFound
from onrecord.storage.inmemory.rows import Hold, Rows, check_item, check_text
from onrecord.storage.inmemory.shelf import fitting

_NO_SPACE = "There is no such space of meanings. Nothing was changed."


class MemoryVectors:
    """The `Vectors` port."""

    def __init__(self, hold: Hold) -> None:
        self._hold = hold

    def spaces(self) -> list[Space]:
        """All of them, oldest first."""
        return sorted(self._hold.reading().spaces.values(), key=lambda one: (one.made_at, one.id))

    def open(self, space: Space) -> None:
        """Begin a space, which is not current."""
        rows = self._hold.writing()
        check_text(space)
        begun = [one.spec for one in rows.spaces.values() if not one.current]
        if space.id in rows.spaces or space.spec in begun:
            raise Clash
        rows.spaces[space.id] = replace(space, current=False)
        rows.revisions[space.id] = 0

    def switch(self, space: str) -> None:
        """Make a space the current one and drop all others with their vectors."""
        rows = self._hold.writing()
        kept = _known(rows, space)
        for other in [name for name in rows.spaces if name != space]:
            self.close(other)
        rows.spaces[space] = replace(kept, current=True)

    def close(self, space: str) -> None:
        """Drop a space with its vectors."""
        rows = self._hold.writing()
        _drop(rows, space)
        rows.spaces.pop(space, None)
        rows.revisions.pop(space, None)

    def put(self, space: str, item: str, version: int, vectors: Sequence[bytes]) -> None:
        """Keep the vectors of an item's version in place of those that the space has of it."""
        rows = self._hold.writing()
        check_vectors(_known(rows, space).spec, vectors)
        check_item(rows, item)
        rows.vectors.pop((space, item), None)
        if vectors:
            rows.vectors[space, item] = (version, tuple(vectors))
        rows.revisions[space] += 1

    def clear(self, space: str) -> None:
        """Drop all vectors of a space; it stays."""
        rows = self._hold.writing()
        _drop(rows, space)
        if space in rows.revisions:
            rows.revisions[space] += 1

    def has(self, space: str, item: str, version: int) -> bool:
        """Whether the space has vectors of that very version of an item."""
        kept = self._hold.reading().vectors.get((space, item))
        return kept is not None and kept[0] == version

    def lacking(self, space: str, *, after: str = "", limit: int = 100) -> list[tuple[str, int]]:
        """(item, version) of active items without vectors of that version there, by id."""
        rows = self._hold.reading()
        found = [
            (item.id, item.version)
            for item in rows.items.values()
            if item.status == "active" and item.id > after and not _has(rows, space, item.id)
        ]
        return sorted(found)[:limit]

    def count(self, space: str) -> tuple[int, int]:
        """(active items with vectors of their current version, active items)."""
        rows = self._hold.reading()
        active = [item.id for item in rows.items.values() if item.status == "active"]
        return sum(_has(rows, space, name) for name in active), len(active)

    def stamp(self, space: str) -> int:
        """Changes whenever what `of` tells may have changed."""
        return self._hold.reading().revisions.get(space, -1)

    def of(self, space: str, scope: str) -> list[tuple[str, bytes]]:
        """(item, vector) of the current versions of a scope's active items, by id."""
        rows = self._hold.reading()
        return [
            (item.id, vector)
            for item in sorted(rows.items.values(), key=lambda one: one.id)
            if item.scope == scope and item.status == "active" and _has(rows, space, item.id)
            for vector in rows.vectors[space, item.id][1]
        ]

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
        rows = self._hold.reading()
        some = [rows.items[name] for name in dict.fromkeys(items) if name in rows.items]
        return fitting(some, scopes=scopes, kinds=kinds, now=now, body_chars=body_chars)


def _known(rows: Rows, space: str) -> Space:
    if space not in rows.spaces:
        raise NotFound(_NO_SPACE)
    return rows.spaces[space]


def _drop(rows: Rows, space: str) -> None:
    for key in [key for key in rows.vectors if key[0] == space]:
        del rows.vectors[key]


def _has(rows: Rows, space: str, item: str) -> bool:
    kept = rows.vectors.get((space, item))
    return kept is not None and kept[0] == rows.items[item].version
