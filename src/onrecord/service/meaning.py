"""What recall asks of a model of meanings, and how near what is kept is to it.

What cannot be had is said by a reason, and recall goes on by words.
"""

from __future__ import annotations

import threading
import time as stopwatch
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from onrecord.domain.embedding import Embedder, Space, Spec, check_same
from onrecord.domain.errors import EmbeddingError, OnrecordError, UsageError
from onrecord.domain.ports import Store, Transaction
from onrecord.service.owing import current
from onrecord.service.vectorizing import pay

if TYPE_CHECKING:
    from onrecord.retrieval.dense import Matrices, Matrix, Meant

#: Near items that a recall looks at, before those that may not be found are taken out.
NEAR = 200
#: So many of them are enough; of fewer, it looks so many times further down.
ENOUGH = 40
_FURTHER = 8
#: Characters of a body that a recall reads, and of a query that are embedded.
_BODY = 2_000
_QUERY = 4_000
#: Seconds that a recall spends at most on work that is owed before it answers.
CATCH_UP_S = 0.25


@dataclass(frozen=True, kw_only=True, slots=True)
class Asked:
    """A query's meaning in a space, or why there is none."""

    space: str = ""
    vector: bytes = b""
    #: an error's code, `off`, or `no_space`; empty where there is a meaning
    why: str = ""


class _Shared:
    """A model that threads share: it is asked by one at a time."""

    def __init__(self, embedder: Embedder, lock: threading.RLock) -> None:
        self._embedder = embedder
        self._lock = lock

    @property
    def spec(self) -> Spec:
        with self._lock:
            return self._embedder.spec

    @property
    def where(self) -> str:
        return self._embedder.where

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        with self._lock:
            return self._embedder.embed(texts)


class Meaning:
    """The models of one installation; threads may share it."""

    def __init__(self, opener: Callable[[str], Embedder], *, off: bool = False) -> None:
        """`opener` gives the model of a name, and raises `EmbeddingError` or `UsageError`."""
        self._opener = opener
        self._off = off
        self._embedders: dict[str, Embedder] = {}
        self._matrices: Matrices | None = None
        self._lock = threading.RLock()

    @property
    def off(self) -> bool:
        """Whether the person wants none."""
        return self._off

    def embedder(self, name: str) -> Embedder:
        """The model of a name; raises `EmbeddingError` or `UsageError` where there is none."""
        with self._lock:
            if name not in self._embedders:
                self._embedders[name] = _Shared(self._opener(name), self._lock)
            return self._embedders[name]

    def of(self, space: Space) -> Embedder:
        """The model that a space was made with; raises `ModelMismatch` for one that differs."""
        embedder = self.embedder(space.spec.model)
        check_same(space.spec, embedder.spec)
        return embedder

    # -- asking -------------------------------------------------------------------
    def asked(self, store: Store, query: str, *, must: bool = False) -> Asked:
        """What a query means; with `must` an error says why it cannot be told."""
        if self._off:
            space = None
        else:
            with store.read() as tx:
                space = current(tx)
        if space is None:
            if must:
                raise UsageError(
                    "There is no index of meanings in this store, so it finds by words alone.",
                    hint="onrecord reindex makes one; or leave out the mode.",
                )
            return Asked(why="off" if self._off else "no_space")
        from onrecord.policy.redact import within  # noqa: PLC0415 - recall by words needs none

        try:
            embedder = self.of(space)
            self._catch_up(store, space, embedder)
            # what is asked may hold a secret as well as what is kept, and may leave here
            (vector,) = embedder.embed([within(query, _QUERY)[0]])
        except (EmbeddingError, UsageError) as error:
            if must:
                raise
            return Asked(why=error.code)
        return Asked(space=space.id, vector=vector)

    def near(
        self,
        tx: Transaction,
        asked: Asked,
        scopes: Sequence[str],
        *,
        kinds: Sequence[str] | None,
        now: int,
        alone: bool = False,
    ) -> Meant | None:
        """The nearest of what may be found in the scopes; None where nothing can be compared."""
        space = current(tx) if asked.vector else None
        if space is None or space.id != asked.space:
            return None
        try:
            from onrecord.retrieval import dense  # noqa: PLC0415 - it needs what few install
        except ImportError:
            return None
        with self._lock:
            matrices = self._filled(tx, space, scopes)
        wanted = NEAR
        while True:
            nearest = dense.Nearest()
            for matrix in matrices:
                matrix.add_to(nearest, asked.vector, wanted)
            best = nearest.best(wanted)
            found = tx.vectors.fitting(
                [item for item, _ in best], scopes=scopes, kinds=kinds, now=now, body_chars=_BODY
            )
            if len(found) >= ENOUGH or not (nearest.more or len(nearest.found) > wanted):
                break
            # what may not be found took places away: look further down
            wanted *= _FURTHER
        cosines = dict(best)
        near = [(one, cosines[one.id]) for one in found]
        near.sort(key=lambda one: (-one[1], one[0].id))
        return dense.Meant(near, mean=nearest.mean, count=nearest.count, alone=alone)

    def _filled(self, tx: Transaction, space: Space, scopes: Sequence[str]) -> list[Matrix]:
        """The scopes' matrices as the store has them now."""
        from onrecord.retrieval import dense  # noqa: PLC0415 - the same

        if self._matrices is None:
            self._matrices = dense.Matrices()
        stamp = tx.vectors.stamp(space.id)
        found: list[Matrix] = []
        for scope in dict.fromkeys(scopes):
            matrix = self._matrices.get(space.id, scope, stamp)
            if matrix is None:
                rows = tx.vectors.of(space.id, scope)
                matrix = dense.Matrix(rows, space.spec.dimension)
                self._matrices.keep(space.id, scope, stamp, matrix)
            found.append(matrix)
        return found

    def _catch_up(self, store: Store, space: Space, embedder: Embedder) -> None:
        """Do some of what is owed; a store that cannot take it is read without it."""
        end = stopwatch.monotonic() + CATCH_UP_S
        try:
            while pay(store, space, embedder, limit=4) and stopwatch.monotonic() < end:
                pass
        except EmbeddingError:
            raise
        except OnrecordError:
            return
