"""Words in quotation marks are looked for in that row, and nothing is shut out by them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from onrecord.retrieval.phrases import quoted

if TYPE_CHECKING:
    from library import Library


@pytest.mark.parametrize(
    ("text", "phrases"),
    [
        ('find "connection reset by peer" please', ["connection reset by peer"]),
        ('"one two" and "three four"', ["one two", "three four"]),
        ("\u201eStörung melden\u201c und «deux mots»", ["storung melden", "deux mots"]),
        ('"single"', []),
        ('"no partner', []),
        ('a "b" c "d e', []),
        ('""', []),
        ("'not these marks'", []),
        (" ".join(f'"a b{n}"' for n in range(9)), ["a b0", "a b1", "a b2", "a b3"]),
        (f'"{"word " * 30}"', []),
    ],
)
def test_what_stands_in_marks_is_a_phrase(text: str, phrases: list[str]) -> None:
    """Two words or more between two marks of a kind; what is left of a pair is text."""
    assert quoted(text) == phrases


def test_what_has_the_words_in_that_row_comes_first(library: Library) -> None:
    """What has them elsewhere comes behind, with marks or without."""
    library.put("A reset of the peer closes the connection", body="connection, reset, peer, by")
    library.put("What socket errors mean", body="Then it says connection reset by peer.")

    titles = library.titles('"connection reset by peer"')
    assert titles == [
        "What socket errors mean",
        "A reset of the peer closes the connection",
    ]
    assert set(library.titles("connection reset by peer")) == set(titles)
    found = library.recall('"connection reset by peer"')
    assert "has the words in that row" in found.hits[0].reasons
    assert found.hits[0].parts["phrase"] > 0
    assert "phrase" not in found.hits[1].parts


def test_idle_words_count_in_a_row(library: Library) -> None:
    """A phrase of words that are no topic by themselves is found all the same."""
    library.put("On the motto of the house", body="It reads: to be or not to be.")
    library.put("On the roof of the house", body="Nobody is to be there.")

    assert library.titles('"to be or not to be"') == ["On the motto of the house"]
