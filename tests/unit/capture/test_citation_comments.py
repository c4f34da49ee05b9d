"""Comments on a pull request are known with their author, and nothing else is taken for one."""

from __future__ import annotations

import pytest

from onrecord.capture.citation_comments import comments


@pytest.mark.parametrize(
    ("text", "request_", "author"),
    [
        ("Decided in PR #12, comment by ada: keep the cache", "PR #12", "ada"),
        ("See PR #12 comment by @rune-k.", "PR #12", "rune-k"),
        ("See the review comment from ilse on PR 7 about retries", "PR 7", "ilse"),
        ("@ada commented on acme/shop#12 that fares are in cents", "acme/shop#12", "ada"),
        ("Rune's comment on pull request #4 says so", "pull request #4", "Rune"),
        ("ilse's review comment in MR !31", "MR !31", "ilse"),
    ],
)
def test_a_comment_is_known_with_its_author(text: str, request_: str, author: str) -> None:
    """In whichever order the two are named."""
    (found,) = comments(text)

    assert (found.request, found.author) == (request_, author)


@pytest.mark.parametrize(
    "text",
    [
        "PR #12 was merged on Monday",
        "The comment on PR #12 is out of date",
        "Add a comment by the port on PR day",
        "They commented on PR #12",
        "Leave a comment by Friday",
        "Our comment in acme/shop is short",
    ],
)
def test_nothing_else_is_one(text: str) -> None:
    """Without an author, a request or a comment it is none."""
    assert comments(text) == []


def test_each_is_told_once() -> None:
    """In the order of the text."""
    text = "PR #2 comment by ada. comment by ada on PR #2. PR #1 comment by rune."

    assert [one[1:] for one in comments(text)] == [("PR #2", "ada"), ("PR #1", "rune")]
