"""The list of erasures beside a store, and the copies outside of it that erasing reaches."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from onrecord.domain.erasure import Erasure, Ledger


class Reached(Protocol):
    """Copies of memories outside of a store that are known."""

    def reach(self, items: Sequence[str]) -> int:
        """Erase these items there; says how many copies could not be reached."""
        ...


class ReachingLedger:
    """A list of erasures that is carried out in the known copies as well."""

    def __init__(self, ledger: Ledger, copies: Callable[[], Reached]) -> None:
        """`copies` is called where something was erased, and not before."""
        self._ledger = ledger
        self._copies = copies

    def add(self, erasures: Sequence[Erasure]) -> None:
        """Keep them; raises a `StoreError`."""
        self._ledger.add(erasures)

    def read(self) -> list[Erasure]:
        """All of them, oldest first."""
        return self._ledger.read()

    def reach(self, items: Sequence[str]) -> int:
        """Erase these items in the known copies; says how many could not be reached."""
        return self._copies().reach(items) if items else 0
