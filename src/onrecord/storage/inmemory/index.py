"""The derived lexical index, in a dictionary of documents."""

from __future__ import annotations

from typing import Any

from onrecord.domain.query import Document
from onrecord.storage.inmemory.rows import Hold, check_text


class MemoryIndex:
    """The `Index` port."""

    def __init__(self, hold: Hold) -> None:
        self._hold = hold

    def put(self, document: Document) -> None:
        """Index a version's text, replacing the document of the same item and version."""
        rows = self._hold.writing()
        check_text(document.title + document.body + document.tags + document.terms)
        rows.documents[document.item, document.version] = _copied(
            document, scope=document.scope, live=document.live
        )

    def relabel(self, item: str, *, scope: str, live: bool) -> None:
        """Move the documents of an item to another scope, or in or out of what is live."""
        rows = self._hold.writing()
        head = rows.items[item].version if item in rows.items else 0
        for key, document in rows.documents.items():
            if key[0] == item:
                current = live and key[1] == head
                rows.documents[key] = _copied(document, scope=scope, live=current)

    def drop(self, item: str) -> None:
        """Take an item out."""
        documents = self._hold.writing().documents
        for key in [key for key in documents if key[0] == item]:
            del documents[key]

    def clear(self) -> None:
        """Take everything out."""
        self._hold.writing().documents.clear()

    def holds(self, document: Document) -> bool:
        """Whether exactly that document is there."""
        there = self._hold.reading().documents.get((document.item, document.version))
        # what kind an item is of stands with the item
        names = [name for name in Document.__slots__ if name != "kind"]
        return there is not None and all(
            getattr(there, name) == getattr(document, name) for name in names
        )

    def check(self) -> bool:
        """Whether the index agrees with its documents; here it is its documents."""
        documents = self._hold.reading().documents
        return all(key == (each.item, each.version) for key, each in documents.items())


def _copied(document: Document, *, scope: str, live: bool) -> Document:
    given: dict[str, Any] = {name: getattr(document, name) for name in Document.__slots__}
    given.update(scope=scope, live=live)
    return Document(**given)
