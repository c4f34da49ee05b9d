# ruff: noqa: SLF001 - both are private: the quick look, and what it saves
"""What is cheap to tell first never decides otherwise than what it stands before."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from onrecord.policy import choice, contradiction
from onrecord.policy import contrast_words as known
from onrecord.policy.said import Said

_PLAIN = (
    "depot queue RabbitMQ deploy retries 3 5 10 000 2 hours all hour day not never no only but , ."
    " to over more than rather have v7.4.6 a_b stop-board Berth n`o le d'app Σ②"
)
_WORDS = st.sampled_from(
    [*_PLAIN.split(), *known.INSTEAD, *known.PREFERRING, *known.ONE_WAY, *sorted(known.COPULAS)]
)
_TEXTS = st.lists(_WORDS, max_size=14).map(" ".join)


@given(_TEXTS)
def test_what_may_not_choose_has_no_choices(text: str) -> None:
    """The quick look turns no statement down that can be read as a choice."""
    said = Said(text)
    if not choice._may_choose(said):
        assert choice._choices.__wrapped__(said.folded) == ()


@given(_TEXTS)
def test_a_template_begins_with_what_is_told_of_it(text: str) -> None:
    """The first word decides like the whole template where it differs."""
    said = Said(text)
    words, _ = contradiction._template(said)
    assert contradiction._begins(said) == (words[0] if words else "")


@given(_TEXTS)
def test_a_statement_is_taken_apart_alike_each_time(text: str) -> None:
    """What is kept of its words from one time to the next is not changed by anyone."""
    first = Said(text)
    assert (first.tokens, first.content) == (Said(text).tokens, Said(text).content)
