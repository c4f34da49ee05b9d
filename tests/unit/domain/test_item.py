"""An item's own small rules: its title, its expiry."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onrecord.domain.item import MAX_TITLE, split
from onrecord.testing.builders import Maker


@pytest.mark.parametrize(
    ("text", "title", "body"),
    [
        ("Use pnpm", "Use pnpm", ""),
        ("\n Use pnpm \n\nnot npm\n", "Use pnpm", "not npm"),
        ("# Use pnpm\nnot npm", "Use pnpm", "not npm"),
        ("Use pnpm\r\nnot npm", "Use pnpm", "not npm"),
        ("Use pnpm\n\n  indented", "Use pnpm", "  indented"),
        ("#", "#", ""),
        ("", "", ""),
        ("x" * MAX_TITLE, "x" * MAX_TITLE, ""),
    ],
)
def test_the_first_line_is_the_title(text: str, title: str, body: str) -> None:
    """Without the mark of a heading; the rest is the body, its indentation kept."""
    assert split(text) == (title, body)


def test_a_first_line_that_is_too_long_is_cut_at_a_word() -> None:
    """The body then holds all of it."""
    text = "word " * 50
    title, body = split(text)

    assert title == "word " * 38 + "word…"
    assert body == text.strip()


@given(st.text(max_size=3 * MAX_TITLE))
def test_a_title_fits_and_no_word_is_lost(text: str) -> None:
    """Whatever the text, every word of it is in the title or the body."""
    title, body = split(text)

    assert len(title) <= MAX_TITLE
    assert "\n" not in title
    assert set(text.replace("#", " ").split()) <= set(f"{title} {body}".replace("#", " ").split())


def test_an_item_is_past_from_its_expiry_on() -> None:
    """At that very instant too; without one it never is."""
    item = Maker().item(expires_at=100)

    assert [item.expired(at) for at in (99, 100, 101)] == [False, True, True]
    assert Maker().item().expired(10**18) is False
