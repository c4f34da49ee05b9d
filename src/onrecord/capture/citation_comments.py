"""Comments on a pull request that a text speaks of, with who made them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from onrecord.capture.citation_patterns import compiled

if TYPE_CHECKING:
    from collections.abc import Iterator

_NUMBER = (
    r"((?i:PR|MR|pull request|merge request) ?[#!]?\d{1,7}"
    r"|[A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+[#!]\d{1,7})"
)
_NAME = r"@?([A-Za-z0-9][A-Za-z0-9-]{0,38})"
_COMMENT = r"(?i:(?:review )?comment)"
#: each with the request and the name in the order that it says
_PATTERNS = (
    (rf"\b{_NUMBER},? {_COMMENT}(?:ed)? (?:by|from) {_NAME}\b", 1, 2),
    (rf"\b{_COMMENT} (?:by|from) {_NAME} (?:on|in|at) (?:the )?{_NUMBER}\b", 2, 1),
    (rf"{_NAME}(?:'s|’s)? {_COMMENT}(?:ed)? (?:on|in|at) (?:the )?{_NUMBER}\b", 2, 1),
)
#: words that stand where a name does
_NO_NAMES = frozenset(
    "a an the this that my our your his her its their who we they i it he she you review first"
    " last latest one no another each every open inline same bot someone nobody somebody".split()
)


class Comment(NamedTuple):
    """A comment on a pull request, as a text names it."""

    #: where it begins in the text
    start: int
    #: the request, as it stands in the text: `PR #12`, `acme/shop#12`
    request: str
    author: str


def comments(text: str) -> list[Comment]:
    """Every comment whose author the text names, in order; each once."""
    if "comment" not in text.lower():
        return []  # nearly always: nothing is compiled
    found = {(one.request, one.author): one for one in sorted(_comments(text), reverse=True)}
    return sorted(found.values())


def _comments(text: str) -> Iterator[Comment]:
    for pattern, request, name in _PATTERNS:
        for match in compiled(pattern).finditer(text):
            author = match.group(name) or ""
            if author.casefold() not in _NO_NAMES:
                yield Comment(match.start(), match.group(request) or "", author)
