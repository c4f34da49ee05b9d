"""A real store on a shelf, for tests of recall and packs: items in, candidates out."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from onrecord.domain.candidate import Candidate
from onrecord.domain.query import Document
from onrecord.domain.time import DAY
from onrecord.retrieval.found import Recalled
from onrecord.retrieval.recall import recall
from onrecord.retrieval.terms import index_terms
from onrecord.testing.builders import Maker

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from onrecord.domain.item import Item
    from onrecord.domain.ports import Store
    from onrecord.domain.shelf import Shelf

REPO = "repo:github.com/acme/shop"
BRANCH = "branch:github.com/acme/shop@feature"
LADDER = [BRANCH, REPO, "global"]


class Library:
    """Items in one store, indexed as the service indexes them."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.maker = Maker()

    @property
    def now(self) -> int:
        """A day after the newest item."""
        return self.maker.clock.now() + DAY

    def put(self, title: str, **given: Any) -> Item:
        """Store and index an item; any field of it, its version or its content by name."""
        item = self.maker.item(title, **given)
        with self.store.write() as tx:
            self.add(tx, item)
        return item

    def add(self, tx: Any, item: Item) -> None:
        """Store and index an item in a transaction that is open already."""
        tx.scopes.note(item.scope, item.created_at)
        tx.items.add(item)
        content = item.content
        tx.index.put(
            Document(
                item=item.id,
                version=1,
                scope=item.scope,
                live=item.status == "active",
                kind=item.kind,
                title=content.title,
                body=content.body,
                tags=" ".join(content.tags),
                terms=index_terms(content.title, content.body, item.head.author.name),
            )
        )

    @contextmanager
    def shelf(self) -> Iterator[Shelf]:
        """The store's shelf in one unchanging view."""
        with self.store.read() as tx:
            yield tx.shelf

    def recall(
        self, text: str, *, scopes: Sequence[str] = LADDER, limit: int = 10, **more: Any
    ) -> Recalled:
        """A recall on the real shelf."""
        with self.shelf() as shelf:
            return recall(shelf, text, list(scopes), self.now, limit, **more)

    def titles(self, text: str, **more: Any) -> list[str]:
        """Titles of what a recall found, best first."""
        return [item.title for item in self.recall(text, **more).hits]


def candidate(title: str = "Use pnpm", **given: Any) -> Candidate:
    """A row as a shelf would give it."""
    fields: dict[str, Any] = {
        "id": given.pop("id", "01J9ZS0000000000000000AAAA"),
        "version": 1,
        "scope": "global",
        "kind": "note",
        "title": title,
        "body": "",
    }
    return Candidate(**{**fields, **given})
