"""Nothing in a text acts on a terminal."""

from __future__ import annotations

import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onrecord.doors.cli.text import json_text, one_line, printable

ACTING = ("Cc", "Cf", "Cs", "Zl", "Zp")


@given(st.text())
def test_nothing_that_acts_is_left(text: str) -> None:
    """Only line breaks and tabs of the characters that act come through."""
    left = [char for char in printable(text) if unicodedata.category(char) in ACTING]

    assert set(left) <= {"\n", "\t"}


@given(st.text())
def test_one_line_is_one_line_and_does_not_act(text: str) -> None:
    """No break of any kind is left of what is shown as one line, and nothing that acts."""
    shown = one_line(text)

    assert len(shown.splitlines()) <= 1
    assert not [char for char in shown if unicodedata.category(char) in ACTING]
    assert one_line(shown) == shown


def test_a_break_in_one_line_is_a_visible_mark() -> None:
    """It is not taken out unseen; what holds none is left alone."""
    assert one_line("first\r\nsecond\nthird\tend") == "first⏎second⏎third end"
    assert one_line("only a line, ünd ⏎ too") == "only a line, ünd ⏎ too"


@given(st.text(alphabet=st.characters(categories=("L", "N", "P", "S", "Mn", "Zs"))))
def test_text_that_only_shows_stays(text: str) -> None:
    """Letters, digits, signs and spaces of any script are left alone."""
    shown = "".join(char for char in text if char.isprintable() or char.isspace())

    assert printable(shown) == shown


@pytest.mark.parametrize(
    ("given_", "shown"),
    [
        ("a\x1b[31mb", "a\\u001b[31mb"),
        ("a\rb", "a\\u000db"),
        ("\u202eevil", "\\u202eevil"),
        ("\x9b31m", "\\u009b31m"),
        ("tag\U000e0041", "tag\\U000e0041"),
        ("a\u3000b", "a\u3000b"),
        ("two\nlines\tand a tab", "two\nlines\tand a tab"),
    ],
)
def test_what_acts_is_named(given_: str, shown: str) -> None:
    """A character that acts is written as its number."""
    assert printable(given_) == shown


@given(st.recursive(st.text() | st.integers(), lambda inner: st.lists(inner, max_size=3)))
def test_json_says_the_same_and_does_not_act(shape: object) -> None:
    """Escaping is part of JSON: what is read back is what went in."""
    made = json_text(shape)
    left = {char for char in made if unicodedata.category(char) in ACTING}

    assert json.loads(made) == shape
    assert left <= {"\n"}
