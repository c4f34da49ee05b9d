"""Statements made of the very words that the rules look for are compared without an error."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from onrecord.domain.item import MAX_BODY_BYTES
from onrecord.policy import contrast_words
from onrecord.policy.contrast import MAX_CHARS, compare, opposed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


def strings(table: object) -> Iterator[str]:
    """Every text in a table of words, whatever its shape."""
    if isinstance(table, str):
        yield table.strip()
    elif isinstance(table, dict):
        yield from strings([*table, *table.values()])
    elif isinstance(table, (tuple, list, set, frozenset)):
        for part in table:
            yield from strings(part)


KNOWN = sorted(
    {
        word
        for name, table in vars(contrast_words).items()
        if name.isupper()
        for word in strings(table)
    }
    - {""}
)
#: Marks and numbers by which the rules go.
MARKS = ["#", "#5", ":", "=", ",", ".", "-", "9", "12", "2031", "9:30", "l':30", "l'", "'s", "²"]
MARKS += ["٣", "九九", "9.5", "1" * 40, "九" * 40, "minutes", "column"]
WORDS = st.sampled_from(KNOWN) | st.sampled_from(MARKS)
STATEMENTS = st.lists(WORDS, max_size=7)


@st.composite
def pairs(draw: st.DrawFn) -> tuple[str, str]:
    """A statement, and the same with a few words changed, moved or left out."""
    one = draw(STATEMENTS)
    other = draw(st.permutations(one)) if draw(st.booleans()) else list(one)
    for word in draw(st.lists(WORDS, max_size=2)):
        at = draw(st.integers(0, len(other)))
        other[at : at + draw(st.integers(0, 1))] = [word]
    return " ".join(one), " ".join(other)


@given(pairs())
@example(("Keep meeting minutes", "# Minutes"))
@example(("Do not trust the seconds column", "Trust the # seconds column"))
@example(("since characters", "porque"))
@example(("porque weil because", "weil because porque"))
@example(("pero il da", "da il pero"))
@example(("Two at l':30 am", "Three at l':30 am"))
def test_words_that_the_rules_know_are_compared_in_any_order(pair: tuple[str, str]) -> None:
    """Nothing raises, and whatever is said, sameness goes both ways."""
    one, other = pair

    assert compare(one, other) in ("", "same", "conflict")
    assert (compare(one, other) == "same") == (compare(other, one) == "same")
    assert opposed(one, other) == opposed(other, one)


def again_and_again(word: str, times: int, between: str) -> str:
    """So many of a word."""
    return between.join([word] * times)


def of_any_length(words: Iterable[str]) -> st.SearchStrategy[str]:
    """One word again and again, with or without space between."""
    times = st.sampled_from((1, 50, MAX_CHARS + 1, 5_000))
    between = st.sampled_from(("", " "))
    return st.builds(again_and_again, st.sampled_from(list(words)), times, between)


@given(of_any_length(("9", "九", "l'", "'s", "-", "#", "not", "1,")), st.sampled_from(KNOWN))
@example("9" * 5_000, "am")
@example("9" * 5_000, "August 2031")
@example("九" * 5_000, "am")
@example("l'" * 5_000, "am")
@example("x's" * 5_000, "am")
def test_no_text_is_too_long_to_be_held_against_another(text: str, word: str) -> None:
    """A stored body of any make keeps no duplicate or conflict from being looked for."""
    assert opposed(f"{text} {word}", f"{text} {word}") in (False, True)


THINGS = st.sampled_from(
    ("pnpm", "npm", "integers", "floats", "Tuesday", "Friday", "main", "the old branch", "UTC")
)
#: One thing before another: `{x}` is chosen, `{y}` is not.
CHOICES = st.sampled_from(
    (
        "The crane takes {x}, never {y}.",
        "The crane takes {x}, not {y}, at night.",
        "Use {x} instead of {y} for the crane.",
        "Use {x} rather than {y} for the crane.",
        "Prefer {x} over {y} for the crane.",
        "Do not use {y} for the crane; use {x}.",
        "The crane takes not {y} but {x}.",
        "Für den Kran {x} statt {y} verwenden.",
        "Utiliser {x} au lieu de {y} pour la grue.",
    )
)


@given(CHOICES, THINGS, THINGS)
def test_a_choice_and_the_same_turned_round_are_never_one_statement(
    choice: str, x: str, y: str
) -> None:
    """They clash whichever stands; what would be chosen before itself is the same."""
    one, other = choice.format(x=x, y=y), choice.format(x=y, y=x)

    assert compare(one, other) == compare(other, one)
    assert compare(one, other) == ("same" if x == y else "conflict")
    assert opposed(one, other) == (x != y)


#: Pieces of which the largest body that is kept can be made.
PIECES = (
    "not ",
    "a, not b; ",
    "rather than ",
    "9 ",
    "9",
    "a9",
    "6 pm ",
    "4 august 2031 ",
    "没有",
    "l'",
)


@pytest.mark.parametrize("piece", PIECES)
@pytest.mark.parametrize("other", ["turned", "backwards", "begun", "alike"])
def test_the_largest_texts_are_held_against_each_other_in_time(piece: str, other: str) -> None:
    """Of 64 KiB each, whatever they are made of: under a fifth of a second."""
    one = (piece * MAX_BODY_BYTES)[: MAX_BODY_BYTES // len(piece.encode()) * len(piece)]
    two = {
        "turned": f"{one} not",
        "backwards": one[::-1],
        "begun": f"not {one}",
        "alike": one,
    }[other]
    begun = time.process_time()
    opposed(one, two)
    compare(one[:MAX_CHARS], two[-MAX_CHARS:])

    assert time.process_time() - begun < 0.2
