"""Vectors that are owed: written with the change that owes them, where a store has meanings."""

from __future__ import annotations

from onrecord.domain.embedding import Space
from onrecord.domain.item import Item
from onrecord.domain.ports import Transaction

#: Kind of the outbox entries of versions whose vectors are owed.
VECTORS_OWED = "vector"


def current(tx: Transaction) -> Space | None:
    """The space that recall uses."""
    return next((space for space in tx.vectors.spaces() if space.current), None)


def owe(tx: Transaction, item: Item, at: int) -> None:
    """Put on record that an active item's meaning is owed, where there is a space for it.

    A meaning is that of a version's text: what moved to another scope, or came back, still has it.
    """
    if item.status != "active":
        return
    space = current(tx)
    if space is not None and not tx.vectors.has(space.id, item.id, item.version):
        tx.outbox.add(VECTORS_OWED, item.id, item.version, at)
