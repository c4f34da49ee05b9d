"""Two stores given the same transactions: they answer, fail and tell the same."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from onrecord.domain.errors import OnrecordError
from onrecord.domain.event import broken_at
from onrecord.domain.ports import Store, Transaction
from onrecord.testing.observables import Looks, observed

#: Something to do in a transaction. It is done once on each store, so it draws nothing.
Op = Callable[[Transaction], object]


class Undone(Exception):
    """What a caller raises to undo its own transaction."""


class SideBySide:
    """A store beside an oracle. Every difference is an AssertionError."""

    def __init__(self, store: Store, oracle: Store) -> None:
        self.store = store
        self.oracle = oracle
        #: operations of the transaction that is being put together; None: one each
        self.pending: list[Op] | None = None
        self._stirred = True

    def begin(self) -> None:
        """Let the next operations belong together."""
        self.pending = []

    def end(self, *, undo: bool = False) -> None:
        """Commit what belongs together, or raise at its end and so undo it."""
        ops, self.pending = self.pending or [], None
        self.run(ops, undo=undo)

    def do(self, op: Op) -> None:
        """Run the operation on both: now, or with the others of its transaction."""
        if self.pending is None:
            self.run([op])
        else:
            self.pending.append(op)

    def run(self, ops: Sequence[Op], *, undo: bool = False) -> None:
        """One transaction on each; what it returns, or the error that ends it, is the same."""
        self._stirred = True
        assert _outcome(self.store, ops, undo=undo) == _outcome(self.oracle, ops, undo=undo)

    def replace(self, store: Store) -> None:
        """Go on with another handle on the store's place."""
        self.store = store
        self._stirred = True

    def compare(self, *, now: int, terms: Iterable[str] = ()) -> None:
        """All that can be seen is equal, if anything was done since; the log is whole."""
        if not self._stirred:
            return
        self._stirred, words = False, list(terms)
        real, wanted = _seen(self.store, now, words), _seen(self.oracle, now, words)
        assert real.keys() == wanted.keys()
        for look in wanted:
            assert (look, real[look]) == (look, wanted[look])


def _outcome(store: Store, ops: Sequence[Op], *, undo: bool) -> list[object]:
    """What the operations return; the code of the error that ended them, if one did."""
    results: list[object] = []
    try:
        with store.write() as tx:
            results.extend(op(tx) for op in ops)
            if undo:
                _undo()
    except OnrecordError as error:
        results.append(error.code)
    except Undone:
        results.append("undone")
    return results


def _undo() -> None:
    raise Undone


def _seen(store: Store, now: int, terms: list[str]) -> Looks:
    with store.read() as tx:
        assert broken_at(tx.events.walk(), tx.events.head()) is None
        return observed(tx, now=now, terms=terms)
