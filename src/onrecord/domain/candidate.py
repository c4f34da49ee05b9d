"""What recall and packs work on: a plain row of an item, cheap to make by the thousand."""

from __future__ import annotations


class Candidate:
    """One item as recall sees it, before and after ranking."""

    __slots__ = (
        "agent",
        "belief",
        "body",
        "body_chars",
        "created_at",
        "delivered",
        "helpful",
        "id",
        "key",
        "kind",
        "lexical",
        "parts",
        "pinned",
        "reasons",
        "recorded_at",
        "repo",
        "scope",
        "score",
        "session",
        "summary",
        "tags",
        "tainted",
        "title",
        "user",
        "valid_from",
        "valid_to",
        "version",
    )

    def __init__(
        self,
        *,
        id: str,  # noqa: A002 - the column's name
        version: int,
        scope: str,
        kind: str,
        title: str,
        body: str,
        key: str = "",
        summary: str = "",
        tags: str = "",
        body_chars: int | None = None,
        belief: str = "unverified",
        pinned: bool = False,
        tainted: bool = False,
        user: str = "",
        agent: str = "",
        session: str = "",
        repo: str = "",
        recorded_at: int = 0,
        created_at: int = 0,
        valid_from: int | None = None,
        valid_to: int | None = None,
        delivered: int = 0,
        helpful: int = 0,
        lexical: float = 0.0,
    ) -> None:
        self.id = id
        self.version = version
        self.scope = scope
        self.kind = kind
        self.title = title
        #: may be cut by the reader; `body_chars` is the whole length
        self.body = body
        self.body_chars = len(body) if body_chars is None else body_chars
        self.key = key
        self.summary = summary
        #: space-separated
        self.tags = tags
        self.belief = belief
        self.pinned = pinned
        self.tainted = tainted
        self.user = user
        self.agent = agent
        self.session = session
        self.repo = repo
        self.recorded_at = recorded_at
        self.created_at = created_at
        self.valid_from = valid_from
        self.valid_to = valid_to
        self.delivered = delivered
        self.helpful = helpful
        #: lexical match, larger is better; 0 where there was no query
        self.lexical = lexical
        self.score = 0.0
        #: parts of the score by name
        self.parts: dict[str, float] = {}
        #: why it was found, for people
        self.reasons: list[str] = []
