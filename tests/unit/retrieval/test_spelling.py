"""Words that are nearly the ones meant."""

from __future__ import annotations

import pytest

from onrecord.retrieval.spelling import beginning, near, nearest, other_firsts, slipped, slips


@pytest.mark.parametrize(
    ("typed", "word"),
    [
        ("turnstyle", "turnstile"),
        ("hartbeat", "heartbeat"),
        ("sceen", "screen"),
        ("artchitecture", "architecture"),
        ("catastrofic", "catastrophic"),
        ("prtition", "partition"),
        ("recieve", "receive"),
    ],
)
def test_slips_are_near(typed: str, word: str) -> None:
    """One slip, or two in a long word."""
    assert near(typed, word)


@pytest.mark.parametrize(
    ("typed", "word"),
    [
        ("pager", "page"),
        ("cat", "car"),
        ("cluster", "clusters"),
        ("lantern", "pattern"),
        ("gantry", "country"),
    ],
)
def test_other_words_are_not_near(typed: str, word: str) -> None:
    """Short words, other forms and other words are no slips."""
    assert not near(typed, word)


def test_slips_are_counted_up_to_a_limit() -> None:
    """A swap of neighbours is one slip; far words stop the count."""
    assert slips("abcd", "abdc", 3) == 1
    assert slips("abcd", "abcd", 3) == 0
    assert slips("abcdefgh", "zzzzzzzz", 2) == 3


def test_nearest_is_the_first_near_word_or_none() -> None:
    """Nothing is made up."""
    assert nearest("turnstyle", ["firmware", "turnstile"]) == "turnstile"
    assert nearest("turnstyle", ["firmware"]) == ""


def test_beginning_is_half_of_the_word() -> None:
    """Slips come late in a word more often than in its first letters."""
    assert beginning("turnstyle") == "turn*"
    assert beginning("sceen") == "sce*"


def test_a_first_letter_is_replaced_and_put_in_front() -> None:
    """Of a long word that is no everyday one; a short one has too many neighbours."""
    assert "certificate" in other_firsts("xertificate")
    assert "certificate" in other_firsts("ertificate")
    assert len(other_firsts("xertificate")) == 25 + 26
    assert other_firsts("mouse") == other_firsts("flight") == other_firsts("stra\u00dfen") == []


def test_what_slipped_in_at_the_beginning_is_undone() -> None:
    """A letter too many, or two that changed places; short words are left alone."""
    assert "migration" in slipped("imgration")
    assert "migration" in slipped("miggration")
    assert "migration" in slipped("xmigration")
    assert "zeppelins" in slipped("zepelins")
    assert slipped("port") == []
    assert len(slipped("configuration")) <= 2 * len("configuration")
