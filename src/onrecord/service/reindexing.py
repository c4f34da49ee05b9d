"""Making a store's meanings: beside those that answer, in steps that a stop loses little of.

A run that was stopped goes on where it was: what has vectors in the space is not embedded again.
Only when nothing is left does recall change over, in one transaction. To do it all anew is no
other: a second space of the same model is made beside the first.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import tzinfo

from onrecord.domain.embedding import Embedder, Space, Spec
from onrecord.domain.errors import NeedsPerson, UsageError
from onrecord.domain.ports import Clock, Ids, Store, Transaction
from onrecord.service import vectorizing
from onrecord.service.caller import Caller
from onrecord.service.meaning import Meaning
from onrecord.service.owing import VECTORS_OWED, current
from onrecord.service.work import Secrets, begin

Step = Callable[[int, int], None]

#: Entries of the outbox that are counted at most.
MAX_OWED = 1_000_000


@dataclass(frozen=True, kw_only=True, slots=True)
class Coverage:
    """Which model recall uses, and how much of the store that one has read."""

    #: name of the model that recall uses; empty without one
    model: str
    spec: Spec | None
    #: active items, and those of them whose current version has vectors
    active: int
    having: int
    #: outbox entries that wait
    owed: int
    #: models whose vectors are being made beside it
    building: tuple[str, ...]
    #: of how many active items each of these has vectors by now
    built: tuple[int, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Reindexed:
    """What a run did, or would do."""

    model: str
    #: where the texts went
    where: str
    #: active items, and those that were embedded now
    active: int
    embedded: int
    #: whether recall changed over to another space
    switched: bool
    #: seq of its event; 0 where nothing was changed over
    event: int


def _silent(_done: int, _total: int) -> None:
    """Nobody is told how far it is."""


class Reindexing:
    """What makes, completes and drops the meanings of one open store."""

    def __init__(
        self,
        store: Store,
        *,
        clock: Clock,
        ids: Ids,
        secrets: Callable[[], Secrets],
        zone: tzinfo | None,
        meaning: Meaning,
    ) -> None:
        self._store = store
        self._clock = clock
        self._ids = ids
        self._secrets = secrets
        self._zone = zone
        self._meaning = meaning

    def coverage(self) -> Coverage:
        """How things stand; no model is loaded."""
        with self._store.read() as tx:
            space = current(tx)
            having, active = tx.vectors.count(space.id if space else "")
            beside = [one for one in tx.vectors.spaces() if not one.current]
            return Coverage(
                model=space.spec.model if space else "",
                spec=space.spec if space else None,
                active=active,
                having=having,
                owed=len(tx.outbox.due(VECTORS_OWED, MAX_OWED)),
                building=tuple(one.spec.model for one in beside),
                built=tuple(tx.vectors.count(one.id)[0] for one in beside),
            )

    def plan(self, caller: Caller, name: str, *, redo: bool = False) -> Reindexed:
        """What a run would do. It loads the model, and changes nothing."""
        _require_person(caller)
        embedder = self._meaning.embedder(name)
        spec = embedder.spec
        with self._store.read() as tx:
            space = _begun(tx, spec, redo=redo)
            having, active = tx.vectors.count(space.id if space else "")
        return Reindexed(
            model=name,
            where=embedder.where,
            active=active,
            embedded=active - having,
            switched=space is None or not space.current,
            event=0,
        )

    def run(
        self, caller: Caller, name: str, step: Step = _silent, *, redo: bool = False
    ) -> Reindexed:
        """Embed what lacks vectors of a model, then have recall use them.

        With `redo` everything is embedded anew, beside what recall uses until then. For a person
        alone. Raises `NeedsPerson`; `EmbeddingError` where the model cannot be used, and what was
        embedded so far stays; `Clash` where somebody dropped it meanwhile.
        """
        _require_person(caller)
        embedder = self._meaning.embedder(name)
        space = self._opened(embedder, redo=redo)
        embedded = self._complete(space, embedder, step)
        while not (event := self._change_over(caller, space)):
            # something was written meanwhile
            embedded += self._complete(space, embedder, step)
        with self._store.read() as tx:
            _, active = tx.vectors.count(space.id)
        return Reindexed(
            model=name,
            where=embedder.where,
            active=active,
            embedded=embedded,
            switched=event > 0,
            event=max(event, 0),
        )

    def drop(self, caller: Caller) -> int:
        """Drop all meanings: recall goes by words again. Returns the event's seq, 0 for none."""
        _require_person(caller)
        with self._store.write() as tx:
            spaces = tx.vectors.spaces()
            if not spaces:
                return 0
            models = ", ".join(space.spec.model for space in spaces)
            for space in spaces:
                tx.vectors.close(space.id)
            tx.outbox.done([number for number, _, _ in tx.outbox.due(VECTORS_OWED, MAX_OWED)])
            return self._record(tx, caller, (models, None), (None, 0))

    def would_drop(self, caller: Caller) -> tuple[str, ...]:
        """The models whose meanings `drop` would drop, half-made ones too; nothing is done."""
        _require_person(caller)
        with self._store.read() as tx:
            return tuple(space.spec.model for space in tx.vectors.spaces())

    def close(self) -> None:
        """Release the store."""
        self._store.close()

    def _opened(self, embedder: Embedder, *, redo: bool) -> Space:
        spec = embedder.spec
        with self._store.write() as tx:
            space = _begun(tx, spec, redo=redo)
            if space is None:
                now = self._clock.now()
                space = Space(id=self._ids.new(now), spec=spec, made_at=now)
                # a half-made space of the same model is of no use any more
                for other in tx.vectors.spaces():
                    if not other.current and other.spec.model == spec.model:
                        tx.vectors.close(other.id)
                tx.vectors.open(space)
        return space

    def _complete(self, space: Space, embedder: Embedder, step: Step) -> int:
        done, after = 0, ""
        with self._store.read() as tx:
            having, total = tx.vectors.count(space.id)
        while True:
            count, after = vectorizing.build(self._store, space, embedder, after=after)
            if not count:
                return done
            done += count
            step(min(having + done, total), total)

    def _change_over(self, caller: Caller, space: Space) -> int:
        """Have recall use the space if nothing lacks in it.

        Returns the event's seq, -1 where recall used it already, and 0 where something lacks.
        Raises `Clash` where it is gone.
        """
        with self._store.write() as tx:
            # another process may have dropped it, or changed over to it
            space = vectorizing.require_space(tx, space)
            if tx.vectors.lacking(space.id, limit=1):
                return 0
            # whatever was owed is there
            tx.outbox.done([number for number, _, _ in tx.outbox.due(VECTORS_OWED, MAX_OWED)])
            if space.current:
                return -1
            former = current(tx)
            having, _ = tx.vectors.count(space.id)
            tx.vectors.switch(space.id)
            models = (former.spec.model if former else None, space.spec.model)
            return self._record(tx, caller, models, (None, having))

    def _record(
        self,
        tx: Transaction,
        caller: Caller,
        models: tuple[object, object],
        vectors: tuple[object, object],
    ) -> int:
        work = begin(
            tx,
            caller,
            clock=self._clock,
            ids=self._ids,
            secrets=self._secrets(),
            zone=self._zone,
        )
        change = {"model": models, "vectors": vectors}
        return work.record("rebuilt", fields=("vectors",), change=change).seq


def _begun(tx: Transaction, spec: Spec, *, redo: bool) -> Space | None:
    """The space that a run goes on with: one that is half made before the one in use.

    With `redo` there is none: what was begun long ago may be what is to be done anew.
    """
    fitting = [space for space in tx.vectors.spaces() if space.spec == spec and not redo]
    return min(fitting, key=lambda space: space.current, default=None)


def _require_person(caller: Caller) -> None:
    if not caller.principal.is_person:
        raise NeedsPerson


def require_model(name: str) -> str:
    """The name, or `UsageError` for `none`, by which a person wants no model."""
    if name == "none":
        raise UsageError(
            "`model` in [semantic] is `none`, so there is nothing to make.",
            hint="onrecord reindex --drop takes away what was made; --model names another.",
        )
    return name
