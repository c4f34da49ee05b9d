"""Any text is plain text: terms are bounded, ordered, and never syntax."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from onrecord.retrieval.stopwords import STOP
from onrecord.retrieval.terms import MAX_TERM, index_terms, read_units, terms_of
from onrecord.retrieval.words import fold, walk

WORDS = st.text(st.sampled_from("abcdefghijklmnopqrstuvwxyzABCDEFG0123456789"), min_size=1)
NAMES = st.lists(WORDS, min_size=1, max_size=5)
ANY = st.text(st.characters(), max_size=300)


def query_terms(text: str, limit: int = 12) -> list[str]:
    """The terms that a query of a text looks for."""
    return terms_of(read_units(text), limit)


@given(ANY, st.integers(-3, 40))
def test_a_query_of_any_text_has_at_most_the_limit(text: str, limit: int) -> None:
    """No error, no term twice, none too long."""
    terms = query_terms(text, limit)

    assert len(terms) <= max(limit, 0)
    assert len(set(terms)) == len(terms)
    assert all(0 < len(term) <= MAX_TERM for term in terms)


@given(ANY)
def test_terms_hold_letters_and_no_syntax(text: str) -> None:
    """Quotes, brackets, carets and the like never get into a term; a star only ends one."""
    for term in query_terms(text, 100):
        assert any(char.isalnum() for char in term)
        assert not set('"()^{}[]|&~!?;<>\0\n\t ') & set(term)
        assert "*" not in term[:-1]


@given(ANY)
def test_terms_are_the_same_every_time(text: str) -> None:
    """One text, one query."""
    assert query_terms(text) == query_terms(text)


@given(ANY, st.integers(1, 10))
def test_a_smaller_limit_drops_the_last_terms(text: str, limit: int) -> None:
    """The most telling stay."""
    assert query_terms(text, limit) == query_terms(text, 100)[:limit]


@given(ANY, ANY)
def test_index_terms_of_any_text_are_text(title: str, body: str) -> None:
    """Indexing never fails, and adds no line breaks or quotes."""
    terms = index_terms(title, body, "ada", "2026-11-30")

    assert not set('"\n\t\0') & set(terms)


@given(NAMES)
def test_an_identifier_meets_itself_in_every_spelling(parts: list[str]) -> None:
    """Written in snake_case, asked for in kebab-case, found by a term that both sides have."""
    written = "_".join(parts)
    asked = "-".join(parts)
    held = _sounds(f"{written} {index_terms(written, '')}")
    if all(fold(part) in STOP for piece in walk(asked) for part in piece.words):
        return
    terms = [_sounds(term.rstrip("*")) for term in query_terms(asked + " ", 100)]

    if read_units(asked + " "):
        assert any(f" {term} " in f" {held} " or term in held for term in terms)


@given(st.text(st.characters(), max_size=60))
def test_fold_is_a_resting_place(text: str) -> None:
    """Folded text folds to itself."""
    assert fold(fold(text)) == fold(text)


def _sounds(text: str) -> str:
    """Words of a text as an engine would see them."""
    return " ".join("".join(c if c.isalnum() else " " for c in text.lower()).split())
