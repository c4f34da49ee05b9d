"""Keys that are closed with a passphrase open with it and with nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from onrecord.domain.errors import KeyUnreadable
from onrecord.storage import wrapping

WORD = "seven herons over the harbour"
TEXT = "442abfcc1ae765fb 6d9d93f157a297552e96d2cf80f5174d8f16c764829431246e18edc57fa9e129\n"


@settings(max_examples=5, deadline=None)
@given(
    st.text(st.characters(codec="ascii"), min_size=1, max_size=300),
    st.text(min_size=1, max_size=40),
)
def test_what_was_closed_opens_with_its_passphrase(text: str, word: str) -> None:
    """Whatever both are; in any composition of the letters."""
    assert wrapping.unwrap(wrapping.wrap(text, word), word, "f") == text


def test_a_closed_text_shows_nothing_and_is_never_the_same_twice() -> None:
    """Neither the keys nor the passphrase."""
    one, other = wrapping.wrap(TEXT, WORD), wrapping.wrap(TEXT, WORD)

    assert one != other
    assert wrapping.is_wrapped(one)
    assert not wrapping.is_wrapped(TEXT)
    for part in (*TEXT.split(), WORD, WORD.encode().hex(), TEXT.encode().hex()[:32]):
        assert part not in one


def test_letters_that_look_the_same_are_the_same_passphrase() -> None:
    """An accent typed on another keyboard."""
    closed = wrapping.wrap(TEXT, "caf\u00e9 by the harbour")

    assert wrapping.unwrap(closed, "cafe\u0301 by the harbour", "f") == TEXT


@pytest.mark.parametrize(
    "spoil",
    [
        lambda text: text.replace("wrapped ", "wrapped x", 1),
        lambda text: text.replace("scrypt-1", "scrypt-2"),
        lambda text: text[:-3] + "0\n",
        lambda text: text[: len(text) // 2],
        lambda text: text.replace(text.split()[3], text.split()[3][:-2]),
        lambda text: text + "more",
    ],
    ids=["mark", "form", "seal", "cut", "shorter", "longer"],
)
def test_a_damaged_file_does_not_open(spoil: object) -> None:
    """It is told, with the path and nothing of what it holds."""
    closed = wrapping.wrap(TEXT, WORD)
    with pytest.raises(KeyUnreadable) as told:
        wrapping.unwrap(spoil(closed), WORD, "copy.keys")  # type: ignore[operator]

    assert told.value.details == {"path": "copy.keys"}


def test_another_passphrase_does_not_open_it() -> None:
    """Not even by one letter."""
    closed = wrapping.wrap(TEXT, WORD)
    for word in (WORD + " ", WORD.upper(), "", "x"):
        with pytest.raises(KeyUnreadable):
            wrapping.unwrap(closed, word, "f")
