"""Lists of words that stay text."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onrecord.retrieval import stopwords
from onrecord.retrieval.everyday import EVERYDAY
from onrecord.retrieval.technical import TECHNICAL
from onrecord.retrieval.wordlist import Lexicon, WordList

WORDS = st.lists(st.text("abcz", min_size=1, max_size=4), min_size=1, max_size=30)


@given(WORDS, st.text("abcz \n", max_size=6))
def test_a_list_holds_its_words_and_nothing_else(words: list[str], asked: str) -> None:
    """As a set of them would, wherever the lines break."""
    listed = WordList("\n".join(" ".join(words[at : at + 3]) for at in range(0, len(words), 3)))

    assert set(listed) == set(words)
    assert all(word in listed for word in words)
    assert (asked in listed) == (asked in set(words))


@given(WORDS, st.text("abcz \n", max_size=6))
def test_a_lexicon_holds_its_words_and_nothing_else(words: list[str], asked: str) -> None:
    """The same where the words stand by their first letters."""
    letters = sorted({word[0] for word in words})
    blocks = ["\n".join(word for word in words if word[0] == letter) for letter in letters]
    lexicon = Lexicon("\n" + "\n\n".join(blocks) + "\n")

    assert set(lexicon) == set(words)
    assert all(word in lexicon for word in words)
    assert (asked in lexicon) == (asked in set(words))


@pytest.mark.parametrize("lexicon", [EVERYDAY, TECHNICAL], ids=["everyday", "technical"])
def test_each_block_of_a_lexicon_is_of_one_letter_and_in_order(lexicon: Lexicon) -> None:
    """A word in another's block would never be found."""
    words = list(lexicon)

    assert len(words) > 1_000
    assert all(left < right for left, right in pairwise(words))
    assert all(word in lexicon for word in words)


def test_the_lists_of_stop_words_do_not_overlap() -> None:
    """A word is idle or weak, not both."""
    assert not set(stopwords.STOP) & set(stopwords.WEAK)
    assert "the" in stopwords.STOP
    assert "war" in stopwords.WEAK
    assert "newest" in stopwords.LATEST
