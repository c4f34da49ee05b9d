"""What lacks vectors gets them: what is owed after a change, and what a new space lacks.

A model never runs inside a transaction: what is to be read is fetched in one, embedded outside,
and kept in the next if it is still what was read and the space still stands.
"""

from __future__ import annotations

from collections.abc import Sequence

from onrecord.domain.embedding import Embedder, Space
from onrecord.domain.errors import Clash
from onrecord.domain.item import Item
from onrecord.domain.ports import Store, Transaction
from onrecord.retrieval.pieces import pieces
from onrecord.service.owing import VECTORS_OWED

#: Items that are embedded between two transactions.
BATCH = 16


def pay(store: Store, space: Space, embedder: Embedder, *, limit: int = BATCH) -> int:
    """Embed the oldest of what is owed; how many entries were done with, 0 where none is left.

    What was embedded is kept where it still is the item's current version; an entry whose item
    is no longer active is done with as it is. Raises `Clash` where the space went meanwhile, and
    what was owed still is.
    """
    with store.read() as tx:
        due = tx.outbox.due(VECTORS_OWED, limit)
        texts = _texts(tx, [(item, version) for _, item, version in due])
    if not due:
        return 0
    vectors = embedded(embedder, texts)
    with store.write() as tx:
        put(tx, space, vectors)
        tx.outbox.done([number for number, _, _ in due])
    return len(due)


def build(
    store: Store, space: Space, embedder: Embedder, *, after: str = "", limit: int = BATCH
) -> tuple[int, str]:
    """Embed the next items that lack vectors in a space; how many, and the last one's id.

    Raises `Clash` where the space went meanwhile.
    """
    with store.read() as tx:
        lacking = tx.vectors.lacking(space.id, after=after, limit=limit)
        texts = _texts(tx, lacking)
    if not lacking:
        return 0, after
    vectors = embedded(embedder, texts)
    with store.write() as tx:
        put(tx, space, vectors)
    return len(lacking), lacking[-1][0]


def embedded(
    embedder: Embedder, texts: Sequence[tuple[str, int, list[str]]]
) -> list[tuple[str, int, list[bytes]]]:
    """(item, version, vectors) of (item, version, texts)."""
    every = [text for _, _, parts in texts for text in parts]
    if not every:
        return []
    vectors = embedder.embed(every)
    found: list[tuple[str, int, list[bytes]]] = []
    start = 0
    for item, version, parts in texts:
        found.append((item, version, vectors[start : start + len(parts)]))
        start += len(parts)
    return found


def put(tx: Transaction, space: Space, vectors: Sequence[tuple[str, int, list[bytes]]]) -> None:
    """Keep vectors of what is still current; raises `Clash` where the space went meanwhile."""
    require_space(tx, space)
    heads = {one.id: one for one in tx.items.many([item for item, _, _ in vectors])}
    for item, version, of in vectors:
        head = heads.get(item)
        if head is not None and head.status == "active" and head.version == version:
            tx.vectors.put(space.id, item, version, of)


def require_space(tx: Transaction, space: Space) -> Space:
    """The space as it is now; raises `Clash` where somebody dropped it."""
    found = next((one for one in tx.vectors.spaces() if one.id == space.id), None)
    if found is None:
        raise Clash(
            "Somebody else dropped these meanings, or began or finished others. Nothing more"
            " was kept of them.",
            hint="onrecord doctor says how it stands, and onrecord reindex makes them.",
        )
    return found


def _pieces(item: Item) -> list[str]:
    """The texts that its meaning is taken of; a person's turn begins with who spoke."""
    content, author = item.content, item.head.author
    speaker = author.user if author.session and not author.agent else ""
    title = f"{speaker}: {content.title}" if speaker else content.title
    return pieces(title, content.body, content.tags)


def _texts(tx: Transaction, wanted: Sequence[tuple[str, int]]) -> list[tuple[str, int, list[str]]]:
    """Texts of those that are active in that very version."""
    heads = {one.id: one for one in tx.items.many([item for item, _ in wanted])}
    found: list[tuple[str, int, list[str]]] = []
    for item, version in dict.fromkeys(wanted):
        head = heads.get(item)
        if head is not None and head.status == "active" and head.version == version:
            found.append((item, version, _pieces(head)))
    return found
