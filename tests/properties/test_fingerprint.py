"""Properties of fingerprints, over any text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hypothesis import assume, given
from hypothesis import strategies as st

from onrecord.policy.fingerprint import (
    Prints,
    content_digest,
    match,
    prints,
    similarity,
    sketch,
)

if TYPE_CHECKING:
    from onrecord.domain.tombstone import Print

KEY = b"a key of the store for tests only"
WORDS = st.sampled_from(
    "harbour master approves refunds receipt pier crane vessel night gate crew ticket tide fuel"
    " signature kiosk firmware upload manifest roster winter berth deploy review branch".split()
)
CLAIMS = st.lists(WORDS, min_size=6, max_size=14).map(" ".join)
TEXTS = st.text(max_size=300) | CLAIMS
DISGUISES = st.lists(
    st.sampled_from(
        [
            str.upper,
            str.title,
            lambda text: text.replace(" ", "  "),
            lambda text: text.replace(" ", ", ") + "!",
            lambda text: text.replace("a", "а"),  # Cyrillic
            lambda text: text.replace("e", "e\u200b"),
            lambda text: f"**{text}**",
            lambda text: f"> {text}.",
            lambda text: "".join(
                chr(ord(c) + 0xFEE0) if c.isalpha() and c < "\x7f" else c for c in text
            ),
            lambda text: text.replace(" ", "\u00a0"),
            lambda text: text + "\U000e0041",
            lambda text: text.replace("o", "o\u0336"),
        ]
    ),
    min_size=1,
    max_size=4,
)


@dataclass(frozen=True)
class Stored:
    """What a tombstone keeps."""

    prints: tuple[Print, ...]
    sketch: bytes


def reject(title: str, body: str = "") -> Stored:
    """A tombstone of a text."""
    taken = prints(KEY, title, body)
    return Stored(taken.stored(), taken.sketch)


@given(TEXTS, TEXTS)
def test_a_text_is_refused_after_its_rejection(title: str, body: str) -> None:
    """Whatever has prints at all is refused when it comes again."""
    again = prints(KEY, title, body)
    assume(again.whole is not None)

    assert match([reject(title, body)], again) == "refused"


@given(CLAIMS, DISGUISES)
def test_disguises_in_any_combination_are_refused(claim: str, disguises: list[object]) -> None:
    """Case, spaces, punctuation, look-alikes, invisible characters and width stack up."""
    text = claim
    for disguise in disguises:
        assert callable(disguise)
        text = str(disguise(text))

    assert match([reject(claim)], prints(KEY, "Note", text)) == "refused"


@given(CLAIMS, st.lists(CLAIMS, max_size=4), st.lists(CLAIMS, max_size=4))
def test_the_claim_as_a_sentence_is_refused(
    claim: str, before: list[str], after: list[str]
) -> None:
    """Among other sentences, on a line of its own or as an item of a list."""
    texts = [*before, claim, *after]

    assert (
        match([reject(claim)], prints(KEY, "N", ". ".join(t.title() for t in texts))) == "refused"
    )
    assert (
        match([reject(claim)], prints(KEY, "N", "\n".join(f"- {t}" for t in texts))) == "refused"
    )


@given(CLAIMS, CLAIMS)
def test_only_the_claim_itself_is_refused(claim: str, other: str) -> None:
    """Other words are never refused, whatever the sketch says."""
    assume(claim.split() != other.split())

    assert match([reject(claim)], prints(KEY, other, "")) != "refused"


@given(st.lists(WORDS, max_size=3).map(" ".join))
def test_short_texts_have_no_prints(text: str) -> None:
    """Fewer than four words leave nothing, with or without markers."""
    assert prints(KEY, text, "[redacted:password] [redacted:jwt]") == Prints()


@given(TEXTS, TEXTS)
def test_prints_depend_on_the_key(title: str, body: str) -> None:
    """No value of one key is a value of another."""
    mine, theirs = prints(KEY, title, body), prints(b"another", title, body)

    assert mine.claims.isdisjoint(theirs.claims)
    assert mine.sentences.isdisjoint(theirs.sentences)


@given(CLAIMS, CLAIMS)
def test_similarity_is_symmetric_and_bounded(one: str, other: str) -> None:
    """It is 1 for a text and itself, between 0 and 1 otherwise, in either order."""
    a, b = sketch(KEY, one), sketch(KEY, other)

    assert similarity(a, a) == 1.0
    assert 0.0 <= similarity(a, b) == similarity(b, a) <= 1.0


@given(
    st.lists(st.text(max_size=9), min_size=3, max_size=5),
    st.lists(st.text(max_size=9), min_size=3, max_size=5),
)
def test_content_digests_differ_with_any_field(one: list[str], other: list[str]) -> None:
    """Two contents share a digest only where every field is equal."""
    first = content_digest(KEY, one[0], one[1], one[2], one[3:])
    second = content_digest(KEY, other[0], other[1], other[2], other[3:])

    assert (first == second) == (one == other)
