"""The nearest meanings among a scope's vectors: exactly, and above a size by their signs first.

Needs `numpy` (the extra `semantic`). No hook loads this.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final, cast

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from onrecord.domain.candidate import Candidate

#: Vectors of a scope that are compared one by one; of more, those whose signs agree best.
EXACT: Final = 100_000
#: Vectors that are taken first for each item that is asked for; an item may have many.
_PIECES: Final = 4
#: How many of those whose signs agree, for each item that is asked for (more than an item has
#: vectors), and at least.
_SHORTLIST: Final = 20
_LEAST: Final = 4_000
#: Scopes that are kept ready, the latest asked.
_KEPT: Final = 48


class Meant:
    """What is near a query's meaning, and how near everything in sight is to it."""

    __slots__ = ("alone", "count", "mean", "near")

    def __init__(
        self,
        near: list[tuple[Candidate, float]],
        *,
        mean: float = 0.0,
        count: int = 0,
        alone: bool = False,
    ) -> None:
        #: (candidate, cosine), the nearest first
        self.near = near
        #: the mean cosine of everything in sight, and how many vectors that is
        self.mean = mean
        self.count = count
        #: whether words are to be left out of it
        self.alone = alone


class Nearest:
    """The nearest of some scopes, and how near all that was compared is."""

    __slots__ = ("count", "found", "more", "total")

    def __init__(self) -> None:
        self.found: dict[str, float] = {}
        #: whether there is more in sight than was found
        self.more = False
        self.count = 0
        self.total = 0.0

    def best(self, limit: int) -> list[tuple[str, float]]:
        """The nearest first; equal ones by id."""
        return sorted(self.found.items(), key=lambda one: (-one[1], one[0]))[:limit]

    @property
    def mean(self) -> float:
        """The mean cosine of everything in sight."""
        return self.total / self.count if self.count else 0.0


class Matrix:
    """The vectors of one scope."""

    __slots__ = ("_items", "_rows", "_signs")

    def __init__(self, rows: Sequence[tuple[str, bytes]], dimension: int) -> None:
        self._items = [item for item, _ in rows]
        whole = np.frombuffer(b"".join(vector for _, vector in rows), dtype=np.int8)
        table: NDArray[Any] = whole.reshape(len(rows), dimension)
        self._signs: NDArray[Any] | None = None
        if len(rows) > EXACT:
            # bytes stay bytes: a quarter of the memory, and few are compared
            self._signs = np.packbits(table > 0, axis=1)
            self._rows: NDArray[Any] = table
        else:
            self._rows = _unit(table)

    def add_to(self, nearest: Nearest, vector: bytes, limit: int) -> None:
        """Put the nearest of this scope with those of others; an item counts by its best piece.

        They are `limit` items or more, or all that there are; `nearest.more` says where not all.
        """
        if not self._items:
            return
        asked = _unit(np.frombuffer(vector, dtype=np.int8).reshape(1, -1))[0]
        if self._signs is None:
            among = np.arange(len(self._items))
            cosines = self._rows @ asked
            _count(nearest, cosines)
        else:
            among = self._agreeing(vector, max(limit * _SHORTLIST, _LEAST))
            cosines = _unit(self._rows[among]) @ asked
            # those that were compared are no sample of the rest: the mean of all is near nothing
            nearest.count += len(self._items)
        best = self._enough(cosines, among, limit)
        nearest.found |= self._named(among[best], cosines[best], nearest)
        nearest.more |= len(best) < len(self._items)

    def _enough(self, cosines: NDArray[Any], among: NDArray[Any], limit: int) -> NDArray[Any]:
        """Where the largest cosines are, so many that they are of `limit` items; or all."""
        count = limit * _PIECES
        while True:
            best = _largest(cosines, count)
            places = cast("list[int]", among[best].tolist())
            if len(best) == len(cosines) or len({self._items[at] for at in places}) >= limit:
                return best
            count *= _PIECES

    def _named(
        self, places: NDArray[Any], cosines: NDArray[Any], nearest: Nearest
    ) -> dict[str, float]:
        named: dict[str, float] = {}
        at, near = cast("list[int]", places.tolist()), cast("list[float]", cosines.tolist())
        for place, cosine in zip(at, near, strict=True):
            item = self._items[place]
            named[item] = max(named.get(item, -1.0), cosine, nearest.found.get(item, -1.0))
        return named

    def _agreeing(self, vector: bytes, count: int) -> NDArray[Any]:
        """Places of the vectors whose signs agree with the query's most."""
        signs = self._signs
        assert signs is not None  # noqa: S101 - only asked where there are some
        asked = np.packbits(np.frombuffer(vector, dtype=np.int8) > 0)
        differing = np.bitwise_count(signs ^ asked).sum(axis=1, dtype=np.int32)
        return _largest(-differing, count)


class Matrices:
    """Matrices of scopes, kept as long as what they hold is what the store holds."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, str], tuple[object, Matrix]] = {}

    def get(self, space: str, scope: str, stamp: object) -> Matrix | None:
        """The scope's matrix if it was made at that stamp."""
        kept = self._kept.get((space, scope))
        return kept[1] if kept and kept[0] == stamp else None

    def keep(self, space: str, scope: str, stamp: object, matrix: Matrix) -> None:
        """Keep a scope's matrix; those of other spaces go, and the longest kept of too many."""
        for key in [key for key in self._kept if key[0] != space]:
            del self._kept[key]
        self._kept.pop((space, scope), None)
        while len(self._kept) >= _KEPT:
            del self._kept[next(iter(self._kept))]
        self._kept[space, scope] = (stamp, matrix)


def _unit(table: NDArray[Any]) -> NDArray[Any]:
    """Rows of length one."""
    rows = table.astype(np.float32)
    lengths = np.sqrt(np.einsum("ij,ij->i", rows, rows))
    rows /= np.maximum(lengths, 1e-9)[:, None]
    return rows


def _largest(values: NDArray[Any], count: int) -> NDArray[Any]:
    """Places of the largest values, in no order."""
    if len(values) <= count:
        return np.arange(len(values))
    return np.argpartition(values, len(values) - count)[-count:]


def _count(nearest: Nearest, cosines: NDArray[Any]) -> None:
    nearest.count += len(cosines)
    nearest.total += float(cosines.sum())
