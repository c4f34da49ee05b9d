"""The lexical index, index work that is owed, and idempotency answers, in SQL."""

from __future__ import annotations

from collections.abc import Sequence

from onrecord.domain.query import Document
from onrecord.storage.queries import json_list
from onrecord.storage.runner import Runner


class SqlIndex:
    """The `Index` port."""

    def __init__(self, runner: Runner) -> None:
        self._runner = runner

    def put(self, document: Document) -> None:
        """Index a version's text, replacing the document of the same item and version."""
        self._runner.run(
            "document_put",
            item=document.item,
            version=document.version,
            place=self._place(document.scope, live=document.live),
            title=document.title,
            body=document.body,
            tags=document.tags,
            terms=document.terms,
            context=document.context,
        )

    def relabel(self, item: str, *, scope: str, live: bool) -> None:
        """Move the documents of an item to another scope, or in or out of what is live."""
        hidden = self._place(scope, live=False)
        self._runner.run("documents_withhold", item=item, place=hidden, all=int(not live))
        if live:
            self._runner.run("documents_offer", item=item, place=self._place(scope, live=True))

    def drop(self, item: str) -> None:
        """Take an item out of the index."""
        self._runner.run("documents_drop", item=item)

    def clear(self) -> None:
        """Take everything out of the index; what was wrong in it does not stay."""
        # documents leave by their own words, which has to fit what the index holds
        self._runner.run("lexical_rebuild")
        self._runner.run("documents_clear")
        self._runner.run("lexical_rebuild")

    def holds(self, document: Document) -> bool:
        """Whether exactly that document is there."""
        place = self._runner.row("shelf_scope", name=document.scope)
        found = self._runner.row(
            "document_held",
            item=document.item,
            version=document.version,
            place=f"s{place[0]}{'a' if document.live else 'h'}" if place else "",
            title=document.title,
            body=document.body,
            tags=document.tags,
            terms=document.terms,
            context=document.context,
        )
        return found is not None

    def check(self) -> bool:
        """Whether the index agrees with its documents."""
        return self._runner.index_sound()

    def _place(self, scope: str, *, live: bool) -> str:
        """Scope and state as one word, so that both can stand inside a match."""
        row = self._runner.row("shelf_scope", name=scope)
        if row is None:
            self._runner.run("scope_number", name=scope)
            row = self._runner.row("shelf_scope", name=scope)
        return f"s{row[0] if row else 0}{'a' if live else 'h'}"


class SqlOutbox:
    """The `Outbox` port."""

    def __init__(self, runner: Runner) -> None:
        self._runner = runner

    def add(self, kind: str, item: str, version: int, at: int) -> None:
        """Owe work on a version."""
        self._runner.run("outbox_add", kind=kind, item=item, version=version, at=at)

    def due(self, kind: str, limit: int = 100) -> list[tuple[int, str, int]]:
        """(id, item, version), oldest first."""
        found = self._runner.rows("outbox_due", kind=kind, limit=limit)
        return [(row[0], row[1], row[2]) for row in found]

    def done(self, ids: Sequence[int]) -> None:
        """Take work off that was done."""
        self._runner.run("outbox_done", ids=json_list(str(number) for number in ids))


class SqlAnswers:
    """The `Answers` port."""

    def __init__(self, runner: Runner) -> None:
        self._runner = runner

    def get(self, party: str, key: str) -> tuple[bytes, str] | None:
        """(digest of the request, answer) or None."""
        row = self._runner.row("answer_get", party=party, key=key)
        return (row[0], row[1]) if row else None

    def put(self, party: str, key: str, request: bytes, answer: str, item: str, at: int) -> None:
        """Keep the answer; `Clash` where the party's key has one."""
        self._runner.run(
            "answer_put",
            party=party,
            key=key,
            request=request,
            answer=answer,
            item=item,
            at=at,
        )
