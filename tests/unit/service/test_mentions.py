"""Where else an erased text stands: found in one pass, as it was found text by text."""

from __future__ import annotations

import pytest

from onrecord.service.mentions import Verbatim

SAID = "The harbour horn drifts by an hour"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (SAID, True),
        (f"he said:{SAID}.", True),
        (f"\n\n{SAID}s", True),
        (SAID.lower(), False),
        (SAID.replace(" ", "  "), False),
        (SAID[1:], False),
        ("The harbour horn drifts", False),
        ("harbour", False),
        ("", False),
    ],
)
def test_a_text_is_found_letter_for_letter(text: str, found: bool) -> None:
    """Wherever it begins and ends, and nothing that is only like it."""
    looked_for = Verbatim(["Kiosk screens go dark after ninety seconds", SAID])

    assert looked_for.found_in(text) is found


def test_a_text_over_several_lines_is_found() -> None:
    """Its words are told apart by any space."""
    assert Verbatim(["one\ttwo\nthree"]).found_in("zero one\ttwo\nthree four")
    assert not Verbatim(["one\ttwo\nthree"]).found_in("zero one two three four")


def test_nothing_is_found_by_less_than_three_words() -> None:
    """They have no word in their middle."""
    assert not Verbatim(["", "one", "one two"]).found_in("one two")
