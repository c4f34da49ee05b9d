"""Sizes and forms: each limit to the letter, and answers that never repeat a text."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from onrecord.domain import item as limits
from onrecord.domain.item import Content
from onrecord.domain.provenance import EVIDENCE_KINDS
from onrecord.domain.status import KINDS
from onrecord.policy import shape
from onrecord.policy.shape import EARLIEST, LATEST, MAX_TTL_S, MIN_TTL_S, Problem, problem_in

GOOD = Content(title="Use pnpm")
SECRET = "xyzzyplugh"  # noqa: S105 - a word to look for


def told(problem: Problem | None) -> tuple[str, str]:
    """Field and code; empty where there is no problem."""
    if problem is None:
        return "", ""
    assert SECRET not in repr(problem)
    assert problem.say.endswith(".")
    return problem.field, problem.code


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"title": "x" * limits.MAX_TITLE},
        {"title": "東" * limits.MAX_TITLE},
        {"body": "é" * (limits.MAX_BODY_BYTES // 2)},
        {"summary": "x" * limits.MAX_SUMMARY},
        {"prompted_by": "x" * limits.MAX_QUOTE},
        {"tags": ("x" * limits.MAX_TAG,) * limits.MAX_TAGS},
        {"valid_from": EARLIEST, "valid_to": LATEST},
        {"valid_from": 5, "valid_to": 6},
        {"body": "tabs\tand\r\nlines"},
    ],
)
def test_what_reaches_its_limit_is_fine(given: dict[str, Any]) -> None:
    """Titles count characters, bodies bytes."""
    assert problem_in(replace(GOOD, **given)) is None


@pytest.mark.parametrize(
    ("given", "field", "code"),
    [
        ({"title": ""}, "title", "title_missing"),
        ({"title": " \t"}, "title", "title_missing"),
        ({"title": SECRET * 21}, "title", "title_too_long"),
        ({"title": f"{SECRET}\nb"}, "title", "title_lines"),
        ({"title": f"{SECRET}\rb"}, "title", "title_lines"),
        ({"title": f"{SECRET}\x00"}, "title", "nul"),
        ({"body": f"{SECRET}\ud800"}, "body", "utf8"),
        ({"body": "é" * (limits.MAX_BODY_BYTES // 2) + "x"}, "body", "body_too_long"),
        ({"summary": SECRET * 101}, "summary", "summary_too_long"),
        ({"prompted_by": SECRET * 401}, "prompted_by", "prompted_by_too_long"),
        ({"prompted_by": "\x00"}, "prompted_by", "nul"),
        ({"tags": ("x",) * (limits.MAX_TAGS + 1)}, "tags", "tags_too_long"),
        ({"tags": (SECRET * 7,)}, "tags", "tags_too_long"),
        ({"tags": (SECRET, " ")}, "tags", "tags"),
        ({"tags": (SECRET, "\ud800")}, "tags", "utf8"),
        ({"valid_from": 5, "valid_to": 5}, "valid_to", "interval"),
        ({"valid_from": 6, "valid_to": 5}, "valid_to", "interval"),
        ({"valid_from": EARLIEST - 1}, "valid_from", "interval"),
        ({"valid_to": LATEST + 1}, "valid_to", "interval"),
    ],
)
def test_what_is_beyond_is_named(given: dict[str, Any], field: str, code: str) -> None:
    """By its field and a stable code."""
    assert told(problem_in(replace(GOOD, **given))) == (field, f"shape.{code}")


def test_a_size_comes_with_its_limit_and_its_unit() -> None:
    """So that the caller knows how much to leave out."""
    problem = problem_in(replace(GOOD, body="é" * limits.MAX_BODY_BYTES))

    assert problem is not None
    assert problem.limit == f"{limits.MAX_BODY_BYTES} bytes"
    assert problem.given == str(2 * limits.MAX_BODY_BYTES)
    assert problem.say == "The body is over its limit: 131072 of at most 65536 bytes."


@pytest.mark.parametrize("kind", [*KINDS, "thought", ""])
def test_kinds_are_the_domains(kind: str) -> None:
    """Another one is answered with the list."""
    problem = shape.kind_problem(kind)

    assert (problem is None) == (kind in KINDS)
    assert problem is None or problem.limit == ", ".join(KINDS)


@pytest.mark.parametrize(
    ("key", "code"),
    [
        ("", ""),
        ("tooling/manager", ""),
        ("x" * limits.MAX_KEY, ""),
        (SECRET * 21, "shape.key_too_long"),
        (f"{SECRET}\n", "shape.key"),
        (f"{SECRET}\x7f", "shape.key"),
        (f"{SECRET}\ud800", "shape.utf8"),
    ],
)
def test_a_key_is_one_short_line(key: str, code: str) -> None:
    """None at all is fine."""
    assert told(shape.key_problem(key))[1] == code


@pytest.mark.parametrize(
    ("ttl", "fits"),
    [
        (None, True),
        (MIN_TTL_S, True),
        (MAX_TTL_S, True),
        (0, False),
        (-1, False),
        (MAX_TTL_S + 1, False),
    ],
)
def test_a_time_to_live_has_two_ends(ttl: int | None, *, fits: bool) -> None:
    """One second to a year."""
    assert told(shape.ttl_problem(ttl)) == (("", "") if fits else ("ttl", "shape.ttl"))


@pytest.mark.parametrize(
    ("at", "fits"), [(None, True), (11, True), (LATEST, True), (10, False), (LATEST + 1, False)]
)
def test_an_expiry_lies_ahead(at: int | None, *, fits: bool) -> None:
    """Not now, and where a calendar can show it."""
    assert (shape.expiry_problem(at, 10) is None) is fits


@pytest.mark.parametrize(
    ("links", "code"),
    [
        ((), ""),
        (("src/a.py",) * limits.MAX_LINKS, ""),
        (("src/a.py",) * (limits.MAX_LINKS + 1), "shape.links_too_long"),
        ((" ",), "shape.links"),
        ((f"{SECRET}\n",), "shape.links"),
        ((SECRET * 401,), "shape.links_too_long"),
        ((f"{SECRET}\ud800",), "shape.utf8"),
    ],
)
def test_links_are_some_short_lines(links: tuple[str, ...], code: str) -> None:
    """A path, an address or an item's id each."""
    assert told(shape.links_problem(links))[1] == code


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", ""),
        ("x" * limits.MAX_REASON, ""),
        (SECRET * 101, "shape.reason_too_long"),
        (f"{SECRET}\x00", "shape.nul"),
    ],
)
def test_a_reason_is_short(text: str, code: str) -> None:
    """The problem is told of the field that the caller gave it as."""
    assert told(shape.note_problem("reason", text)) == (("reason", code) if code else ("", ""))


@pytest.mark.parametrize(
    ("given", "code"),
    [
        *(((kind, "src/a.py:3", ""), "") for kind in EVIDENCE_KINDS),
        (("file", "p" * limits.MAX_QUOTE, "q" * limits.MAX_QUOTE, "a" * limits.MAX_KEY), ""),
        (("rumour", SECRET, ""), "shape.evidence"),
        (("file", " ", SECRET), "shape.evidence"),
        (("file", SECRET * 401, ""), "shape.evidence_too_long"),
        (("file", "p", SECRET * 401), "shape.evidence_too_long"),
        (("file", "p", "", SECRET * 21), "shape.evidence_too_long"),
        (("file", "p", f"{SECRET}\ud800"), "shape.utf8"),
        (("file", "p", "", f"{SECRET}\x00"), "shape.nul"),
    ],
)
def test_evidence_points_somewhere(given: tuple[str, ...], code: str) -> None:
    """Of a known kind, with a pointer, each part within its limit."""
    assert told(shape.evidence_problem(*given))[1] == code
