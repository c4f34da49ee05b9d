"""Reworded text is dated from two days: each word from when it was kept, new ones from now."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from onrecord.policy.dates import Annotated, Earlier, annotate, bounds
from onrecord.policy.dates.guards import Span
from onrecord.policy.dates.kept_words import KeptWords

NOW = datetime(2031, 3, 12, 14, 5, tzinfo=UTC)
THEN = NOW - timedelta(days=40)
WORDS = st.sampled_from(
    "the gate broke yesterday and was mended today, two weeks ago Rune said: it opens".split()
)
TEXTS = st.lists(WORDS, max_size=14).map(" ".join)


@given(TEXTS)
def test_a_text_that_stayed_is_dated_from_when_it_was_kept(text: str) -> None:
    """As if it had been annotated at once."""
    kept = annotate(text, NOW, UTC, Earlier(text=text, recorded=THEN))

    assert kept == annotate(text, THEN, UTC)


@given(TEXTS)
def test_a_text_with_nothing_before_it_is_dated_from_now(text: str) -> None:
    """An empty field had no words."""
    assert annotate(text, NOW, UTC, Earlier(text="", recorded=THEN)) == annotate(text, NOW, UTC)


@given(TEXTS, TEXTS)
def test_the_words_stay_whatever_was_there_before(old: str, new: str) -> None:
    """Only brackets are added, and doing it again adds nothing."""
    earlier = Earlier(text=old, recorded=THEN)
    found = annotate(new, NOW, UTC, earlier)
    if isinstance(found, Annotated):
        left = found.text
        for words, value in found.added:
            left = left.replace(f"{words} ({value})", words, 1)
        assert left == new
        assert not isinstance(annotate(found.text, NOW, UTC, earlier), Annotated)


@given(TEXTS, TEXTS)
def test_every_word_of_a_part_that_stayed_is_kept(old: str, more: str) -> None:
    """What is added behind a text of two words or more changes none of them."""
    if len(old.split()) > 1:
        kept = KeptWords(old, f"{old} {more}")
        assert all(
            kept.holds(Span(old.index(word), old.index(word) + len(word)))
            for word in dict.fromkeys(old.split())
        )


DATES = st.one_of(
    st.dates().map(str),
    st.dates().map(lambda day: f"{day.day} {day:%B} {day.year:04}"),
    st.sampled_from(["2031-13-01", "May 2031", "the end of 2031", "Friday (2031-03-14)", "soon"]),
)
JOINTS = st.sampled_from(
    ["until", "since", "from", "to", "as of", "on", ",", "is", "closed", ".", "`"]
)


@given(st.lists(st.one_of(WORDS, DATES, JOINTS), max_size=12).map(" ".join), st.text(max_size=20))
def test_whatever_a_title_says_its_time_is_read_or_left_alone(title: str, body: str) -> None:
    """No text breaks it; a year stands for every day that is told."""
    first, last = bounds(title, body)

    assert first is None or f"{first.year:04}" in title
    assert last is None or f"{last.year:04}" in title
