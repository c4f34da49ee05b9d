"""Pieces hold all of a text, with its title on each, none longer than a small model reads."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from onrecord.retrieval.pieces import MAX_PIECES, PIECE, pieces

WORDS = st.lists(st.text("abcé東 .\n", min_size=1, max_size=40), max_size=120).map(" ".join)


def test_a_title_alone_is_one_piece() -> None:
    """And an empty body adds none."""
    assert pieces("Use pnpm", "") == ["Use pnpm"]
    assert pieces("Use pnpm", " \n ") == ["Use pnpm"]


def test_a_short_body_stands_with_its_title() -> None:
    """In one piece."""
    assert pieces("Use pnpm", "npm breaks the lock file.") == [
        "Use pnpm\nnpm breaks the lock file."
    ]


def test_a_long_body_is_cut_where_a_thought_ends() -> None:
    """At a paragraph before a line, a sentence or a word."""
    first, second = "one two. " * 60, "three four. " * 60
    found = pieces("Title", f"{first}\n\n{second}")

    assert found == [f"Title\n{first.strip()}", f"Title\n{second.strip()}"]


@given(title=st.text("abc ", min_size=1, max_size=200), body=WORDS)
def test_nothing_of_a_body_is_lost_up_to_the_limit(title: str, body: str) -> None:
    """Pieces are short, few, and together say what the body says."""
    found = pieces(title, body)
    said = "".join(part.removeprefix(title) for part in found)

    assert 1 <= len(found) <= MAX_PIECES
    assert all(len(part) <= PIECE + len(title) + 1 for part in found)
    if len(found) < MAX_PIECES:
        assert "".join(said.split()) == "".join(body.split())


def test_tags_stand_beside_the_title_in_a_piece_of_their_own() -> None:
    """They are often what a thing is also called."""
    assert pieces("CI runs on push", "", ("GHA", "pipeline")) == [
        "CI runs on push",
        "CI runs on push (GHA, pipeline)",
    ]
    found = pieces("CI", "word " * 400, ("GHA",))
    assert len(found) > 2
    assert all(part.startswith("CI\n") for part in found[:-1])
    assert found[-1] == "CI (GHA)" + found[0].removeprefix("CI")
