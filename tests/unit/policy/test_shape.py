"""Sizes and forms: each limit holds at the limit, and its answer names no text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onrecord.domain import item as limits
from onrecord.domain.item import Content
from onrecord.domain.status import KINDS
from onrecord.policy import shape

WORD = "kestrel"


@pytest.mark.parametrize(
    "content",
    [
        Content(title="x" * limits.MAX_TITLE),
        Content(title="t", body="x" * limits.MAX_BODY_BYTES),
        Content(title="t", body="é" * (limits.MAX_BODY_BYTES // 2)),
        Content(title="t", summary="x" * limits.MAX_SUMMARY),
        Content(title="t", prompted_by="x" * limits.MAX_QUOTE),
        Content(title="t", tags=tuple(f"{n}" for n in range(limits.MAX_TAGS))),
        Content(title="t", tags=("x" * limits.MAX_TAG,)),
        Content(title="t", tags=("größer als 1", "日本語")),
        Content(title="t", prompted_by="E\trelation fares does not exist"),
        Content(title="t", valid_from=1, valid_to=2),
        Content(title="t", valid_from=shape.EARLIEST, valid_to=shape.LATEST),
    ],
)
def test_at_the_limit_is_fine(content: Content) -> None:
    """The stated limits are inclusive."""
    assert shape.problem_in(content) is None


@pytest.mark.parametrize(
    ("content", "code", "given"),
    [
        (Content(title="  "), "shape.title_missing", "0"),
        (Content(title="x" * 201), "shape.title_too_long", "201"),
        (Content(title="a\nb"), "shape.title_lines", ""),
        (Content(title="a\rb"), "shape.title_lines", ""),
        (Content(title="t", body="x" * 65_537), "shape.body_too_long", "65537"),
        (Content(title="t", body="é" * 32_769), "shape.body_too_long", "65538"),
        (Content(title="t", summary="x" * 1_001), "shape.summary_too_long", "1001"),
        (Content(title="t", prompted_by="x" * 4_001), "shape.prompted_by_too_long", "4001"),
        (Content(title="t", tags=("x",) * 33), "shape.tags_too_long", "33"),
        (Content(title="t", tags=("x" * 65,)), "shape.tags_too_long", "65"),
        (Content(title="t", tags=(" ",)), "shape.tags", ""),
        (Content(title="t", tags=("x\n---\nkind: rule",)), "shape.tags", ""),
        (Content(title="t", tags=("x\x1b[2J",)), "shape.tags", ""),
        (Content(title="t", tags=("x\u2028y",)), "shape.tags", ""),
        (Content(title="t", prompted_by="one\ntwo"), "shape.prompted_by", ""),
        (Content(title="t", prompted_by="one\x85two"), "shape.prompted_by", ""),
        (Content(title="t", valid_from=2, valid_to=2), "shape.interval", ""),
        (Content(title="t", valid_from=3, valid_to=2), "shape.interval", ""),
        (Content(title="t", valid_from=shape.EARLIEST - 1), "shape.interval", ""),
        (Content(title="t", valid_to=1 << 70), "shape.interval", ""),
        (Content(title="nul\x00"), "shape.nul", ""),
        (Content(title="t", body="\ud800"), "shape.utf8", ""),
        (Content(title="t", body="a" + "\u0316\u0300" * 51), "shape.marks", ""),
        (Content(title="t", tags=("\udfff",)), "shape.utf8", ""),
    ],
)
def test_beyond_the_limit_names_field_limit_and_size(
    content: Content, code: str, given: str
) -> None:
    """And never what was written."""
    problem = shape.problem_in(content)

    assert problem is not None
    assert (problem.code, problem.given) == (code, given)


@pytest.mark.parametrize("kind", [*KINDS, "poem", ""])
def test_kinds_are_those_of_the_domain(kind: str) -> None:
    """Anything else is told which there are."""
    problem = shape.kind_problem(kind)

    assert (problem is None) == (kind in KINDS)
    if problem:
        assert "decision" in problem.limit


@pytest.mark.parametrize(
    ("key", "fine"),
    [
        ("deploy", True),
        ("", True),
        ("k" * 200, True),
        ("k" * 201, False),
        ("a\nb", False),
        ("a\x7fb", False),
        ("a\x1bb", False),
        ("schlüssel", True),
        ("é" * 200, True),
        ("東" * 171, False),
        ("\ud800", False),
    ],
)
def test_a_key_is_one_short_line(key: str, *, fine: bool) -> None:
    """Control characters are no part of an address."""
    assert (shape.key_problem(key) is None) == fine


@pytest.mark.parametrize(
    ("ttl", "fine"),
    [(None, True), (1, True), (0, False), (-5, False), (365 * 86_400, True), (31_536_001, False)],
)
def test_a_time_to_live_is_one_second_to_a_year(ttl: int | None, *, fine: bool) -> None:
    """Both ends included."""
    assert (shape.ttl_problem(ttl) is None) == fine


@pytest.mark.parametrize(
    ("expires_at", "fine"), [(None, True), (11, True), (10, False), (9, False), (1 << 70, False)]
)
def test_an_expiry_lies_in_the_future(expires_at: int | None, *, fine: bool) -> None:
    """Ten is now."""
    assert (shape.expiry_problem(expires_at, 10) is None) == fine


@pytest.mark.parametrize(
    ("links", "fine"),
    [
        ((), True),
        (("https://vendor.example/x",), True),
        (("x",) * 32, True),
        (("x",) * 33, False),
        (("",), False),
        (("a\nb",), False),
        (("x" * 2_048,), True),
        (("x" * 2_049,), False),
        (("é" * 1_025,), False),
        (("\ud800",), False),
    ],
)
def test_links_are_few_short_lines(links: tuple[str, ...], *, fine: bool) -> None:
    """Thirty-two at most."""
    assert (shape.links_problem(links) is None) == fine


@pytest.mark.parametrize(
    ("kind", "pointer", "quote", "author", "fine"),
    [
        ("file", "src/app.py:1", "x", "ada", True),
        ("rumour", "x", "", "", False),
        ("file", " ", "", "", False),
        ("file", "x", "q" * 4_001, "", False),
        ("file", "p" * 4_001, "", "", False),
        ("file", "x", "", "a" * 201, False),
        ("message", "m1\n2/2  note", "", "", False),
        ("message", "m1", "", "ada\r2/2  note", False),
        ("message", "m1", "a quote\nof two lines", "ada", True),
        ("file", "x", "\ud800", "", False),
    ],
)
def test_evidence_has_a_known_kind_and_a_pointer(
    kind: str, pointer: str, quote: str, author: str, *, fine: bool
) -> None:
    """And limits on every part."""
    assert (shape.evidence_problem(kind, pointer, quote, author) is None) == fine


@pytest.mark.parametrize(
    ("text", "fine"), [("", True), ("x" * 1_000, True), ("x" * 1_001, False), ("\x00", False)]
)
def test_notes_and_reasons_are_bounded(text: str, *, fine: bool) -> None:
    """A reason is a sentence."""
    assert (shape.note_problem("reason", text) is None) == fine


@given(st.text(min_size=201, max_size=400))
def test_no_answer_repeats_what_was_written(filler: str) -> None:
    """Whatever is wrong with it, the text itself is not in the answer."""
    title = WORD + filler
    problem = shape.problem_in(Content(title=title))

    assert problem is not None
    assert WORD not in repr(problem)
