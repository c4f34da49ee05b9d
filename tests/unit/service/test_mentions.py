"""Where else an erased text stands: found in one pass, however it is spelt."""

from __future__ import annotations

import pytest

from onrecord.service.mentions import Wording

SAID = "The harbour horn drifts by an hour"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (SAID, True),
        (f"he said:{SAID}.", True),
        (f"\n\n{SAID}s", True),
        (SAID.lower(), True),
        (SAID.upper(), True),
        (SAID.replace(" ", "  "), True),
        (SAID.replace(" ", "\n> "), True),
        (f"“{SAID}”", True),
        ("The “harbour horn” drifts, by an hour…", True),
        (SAID.replace("harbour", "**harbour**"), True),
        (SAID.replace("a", "\u0430"), True),
        (SAID.replace("h", "\u200bh"), True),
        (SAID.replace(" by", " by about"), False),
        (SAID[1:], False),
        ("The harbour horn drifts", False),
        ("harbour", False),
        ("", False),
    ],
)
def test_a_text_is_found_in_whatever_spelling(text: str, found: bool) -> None:
    """Wherever it begins and ends, and nothing that is only like it."""
    looked_for = Wording(["Kiosk screens go dark after ninety seconds", SAID])

    assert looked_for.found_in(text) is found


@pytest.mark.parametrize(
    ("looked_for", "text"),
    [
        ("one\ttwo\nthree", "one two  three"),
        ("The gate’s code — it’s in the safe", "the gate's code - it's in the safe"),
        ("The gate's code is c0ffee1 for 1,500 rows", "The gate’s code is c0ffee1 for 1,500 rows"),
        ("The gate’s code is c0ffee1 for 1,500 rows", "the gate's code is c0ffee1 for 1,500 rows"),
        ("Ask Ada & Bo at the gate", "ask Ada &amp; Bo at the gate"),
        ("Über dem Tor hängt ein Schild", "über dem tor  hängt ein schild"),
    ],
)
def test_it_does_not_matter_which_of_the_two_was_typed_how(looked_for: str, text: str) -> None:
    """Either has the marks that a keyboard, an editor or a page put there."""
    assert Wording([looked_for]).found_in(text)
    assert Wording([text]).found_in(f"He said: {looked_for}.")


def test_nothing_is_found_by_less_than_three_words() -> None:
    """They have no word in their middle."""
    assert not Wording(["", "one", "one two"]).found_in("one two")
