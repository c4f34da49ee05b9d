"""What an item rests on, and what is bound to it: evidence, sightings, links, reviews."""

from __future__ import annotations

from dataclasses import dataclass

from onrecord.domain.principal import Principal

EVIDENCE_KINDS = ("message", "file", "url", "pr_comment", "person", "command", "commit")
LINK_KINDS = (
    "supersedes",
    "contradicts",
    "supports",
    "about",
    "derived_from",
    "similar",
    "file",
    "url",
)

#: What comparing a citation with its file can say.
CHECKS = ("holds", "moved", "changed", "gone")
#: What is told of evidence that speaks for its item no more, since a person verified that item
#: as the file is now.
REPLACED = "replaced"

#: Evidence of these kinds came from outside the user's own words and taints the item that is
#: said to rest on it. One that merely stands in somebody's own text does not.
OUTSIDE_KINDS = ("url", "pr_comment")


@dataclass(frozen=True, kw_only=True, slots=True)
class Evidence:
    """One thing that an item rests on."""

    #: ULID
    id: str
    item: str
    version: int
    #: one of EVIDENCE_KINDS
    kind: str
    #: session + message, file@commit:lines, URL, a person's name
    pointer: str
    #: redacted words that carry the statement
    quote: str = ""
    #: digest of what the pointer held when it was recorded
    digest: bytes = b""
    author: str = ""
    session: str = ""
    at: int
    #: when it was compared last and that was kept; reading compares anew all the same
    checked_at: int | None = None
    #: one of CHECKS, empty when it was never compared
    check_result: str = ""
    #: whether its author said that the item rests on it; what the text merely names is not
    given: bool = False
    #: since when it speaks for its item no more; None while it does
    replaced_at: int | None = None

    @property
    def stands(self) -> bool:
        """Whether it speaks for its item, as far as nobody put another row in its place."""
        return self.replaced_at is None

    @property
    def told(self) -> tuple[str, int | None]:
        """What became of it last, one of CHECKS or REPLACED, and when; empty for nothing."""
        if self.replaced_at is not None:
            return REPLACED, self.replaced_at
        return self.check_result, self.checked_at


@dataclass(frozen=True, kw_only=True, slots=True)
class Sighting:
    """One session that stated an item by itself; at most one row per session."""

    item: str
    session: str
    agent: str
    at: int
    evidence: str = ""
    #: whether it counts towards corroboration (the session had not been shown the item)
    independent: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Link:
    """A directed, typed relation from an item to an item, a file or a URL."""

    source: str
    #: one of LINK_KINDS
    kind: str
    #: item id, repository path or URL
    target: str
    at: int


def link_kind(target: str) -> str:
    """What a caller's link is: `url`, `file` (a path or a glob), or `about` another item."""
    if "://" in target:
        return "url"
    return "file" if "/" in target or "." in target else "about"


@dataclass(frozen=True, kw_only=True, slots=True)
class Review:
    """A person's decision about a proposal, bound to what they saw."""

    #: ULID
    id: str
    item: str
    #: approve · reject
    decision: str
    #: digest of the content that was shown, and of what became active
    seen: bytes
    became: bytes = b""
    #: one of REJECT_REASONS for a rejection
    reason: str = ""
    note: str = ""
    by: Principal
    at: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Feedback:
    """What a session made of an item."""

    #: ULID
    id: str
    item: str
    session: str
    #: helpful · wrong · stale · not_relevant
    verdict: str
    note: str = ""
    by: Principal
    at: int
