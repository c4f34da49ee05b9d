"""What is kept outside a store of what was erased in it, so that an older copy obeys it too."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from onrecord.domain.tombstone import Tombstone


@dataclass(frozen=True, kw_only=True, slots=True)
class Erasure:
    """An item whose values may not come back: its id and fingerprints; no text.

    The item was erased, unless all its tombstones say that it was only rejected.
    """

    item: str
    at: int
    #: what keeps its values from coming back
    stones: tuple[Tombstone, ...] = ()

    @property
    def erased(self) -> bool:
        """Whether the item itself has to be erased in a copy that still holds it."""
        return not self.stones or any(stone.reason == "forgotten" for stone in self.stones)


class Ledger(Protocol):
    """The list of erasures beside a store; it outlives the store's own file."""

    def add(self, erasures: Sequence[Erasure]) -> None:
        """Keep them, on the disk when this returns; raises a `StoreError`."""
        ...

    def read(self) -> list[Erasure]:
        """All of them, oldest first, an item once; raises a `StoreError`."""
        ...

    def reach(self, items: Sequence[str]) -> int:
        """Erase items in copies that are known; says how many could not be reached.

        Raises a `StoreError` where it cannot be told which are known, or kept what they are owed.
        """
        ...
