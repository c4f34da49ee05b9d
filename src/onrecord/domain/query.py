"""What a recall asks for, and the derived document that an item is found by."""

from __future__ import annotations


class Document:
    """The indexed form of one version; derived from it and rebuildable."""

    __slots__ = (
        "body",
        "context",
        "item",
        "kind",
        "live",
        "scope",
        "tags",
        "terms",
        "title",
        "version",
    )

    def __init__(
        self,
        *,
        item: str,
        version: int,
        scope: str,
        live: bool,
        kind: str,
        title: str,
        body: str,
        tags: str,
        terms: str,
        context: str = "",
    ) -> None:
        self.item = item
        self.version = version
        self.scope = scope
        #: whether a recall of what is believed now may find it (status active)
        self.live = live
        self.kind = kind
        self.title = title
        self.body = body
        self.tags = tags
        #: identifiers split into parts, CJK n-grams, author and date
        self.terms = terms
        #: lighter text of the neighbours
        self.context = context


#: To rank a document takes two microseconds, so that many take what the rest of a recall does.
MOST = 20_000


class LexicalQuery:
    """Terms to match, inside scopes, statuses and time."""

    __slots__ = ("kinds", "limit", "most", "now", "scopes", "terms")

    def __init__(
        self,
        *,
        terms: list[str],
        scopes: list[str],
        now: int,
        kinds: list[str] | None = None,
        limit: int = 200,
        most: int = MOST,
    ) -> None:
        #: plain words, never query syntax; a final `*` marks a prefix
        self.terms = terms
        self.scopes = scopes
        self.now = now
        self.kinds = kinds
        self.limit = limit
        #: documents that may be ranked, about; the terms that most of them have are left out
        #: first, and of a term that more than MOST have the newest are ranked. 0: all terms
        #: count, whatever it costs
        self.most = most
