"""Arguments are read by the tool's own schema; what does not fit is named and never shown."""

from __future__ import annotations

from typing import Any

import pytest

from onrecord.domain.errors import BadField
from onrecord.doors.mcp.arguments import MAX_ENTRIES, Arguments
from onrecord.doors.mcp.tools import SCHEMAS

SECRET = "correct horse battery staple"  # noqa: S105 - stands for what must not be shown


def read(tool: str, **given: Any) -> Arguments:
    """The arguments of one call."""
    return Arguments(given, SCHEMAS[tool])


def test_every_kind_of_argument_is_read() -> None:
    """Texts, lists, objects, numbers and switches come as what they are."""
    evidence = [{"kind": "file", "pointer": "gate.py:3", "quote": None}]
    given = read("remember", title="t", tags=["a"], evidence=evidence, distinct=True, ttl_days=1.5)

    assert given.text("title") == "t"
    assert given.texts("tags") == ("a",)
    assert given.rows("evidence")[0].text("pointer") == "gate.py:3"
    assert given.rows("evidence")[0].text("quote") == ""
    assert given.flag("distinct") is True
    assert given.number("ttl_days") == 1.5
    assert read("recall", query="q", limit=5.0).whole("limit") == 5


def test_what_is_left_out_is_empty() -> None:
    """Left out and null are the same; one string is a list of one."""
    for given in (read("remember", title="t"), read("remember", title="t", body=None, tags=None)):
        assert given.text("body") == ""
        assert given.texts("tags") == ()
        assert given.rows("evidence") == []
        assert given.flag("distinct") is False
        assert given.whole("if_version") is None
        assert given.number("ttl_days") is None
    assert read("remember", title="t", tags="one").texts("tags") == ("one",)


@pytest.mark.parametrize(
    ("tool", "given", "says"),
    [
        ("remember", {}, "`title` is needed."),
        ("remember", {"title": "  "}, "`title` is needed."),
        ("remember", {"title": 7}, "`title` must be a text."),
        ("remember", {"title": [SECRET]}, "`title` must be a text."),
        ("remember", {"title": SECRET + "\ud800"}, "`title` must be text that UTF-8 can hold."),
        ("remember", {"title": "t", "tags": [SECRET, 1]}, "`tags` must be a list of texts."),
        ("remember", {"title": "t", "tags": {}}, "`tags` must be a list."),
        ("remember", {"title": "t", "tags": ["a"] * 101}, "at most 100 entries"),
        ("remember", {"title": "t", "distinct": 1}, "`distinct` must be true or false."),
        ("remember", {"title": "t", "if_version": True}, "must be a whole number."),
        ("remember", {"title": "t", "if_version": 1.5}, "must be a whole number."),
        ("remember", {"title": "t", "ttl_days": "7"}, "`ttl_days` must be a number."),
        ("remember", {"title": "t", "ttl_days": float("nan")}, "`ttl_days` must be from 0"),
        ("remember", {"title": "t", "ttl_days": float("inf")}, "`ttl_days` must be from 0"),
        ("remember", {"title": "t", "kind": SECRET}, "`kind` must be one of fact, decision"),
        ("remember", {"title": "t", "kind": "rule"}, "`kind` must be one of fact, decision"),
        ("remember", {"title": "t", "evidence": [SECRET]}, "must be a list of objects."),
        ("remember", {"title": "t", "evidence": SECRET}, "must be a list of objects."),
        ("remember", {"title": "t", "evidence": [{"kind": "file"}]}, "`pointer` is needed."),
        ("recall", {"query": "q", "limit": 0}, "`limit` must be from 1 to 50."),
        ("recall", {"query": "q", "limit": 51}, "`limit` must be from 1 to 50."),
        ("recall", {"query": "q", "limit": -1e30}, "`limit` must be from 1 to 50."),
        ("context", {"budget": 10**30}, "`budget` must be from 100 to 20000."),
        ("get", {"id": None}, "`id` is needed."),
    ],
)
def test_what_does_not_fit_is_named(tool: str, given: dict[str, Any], says: str) -> None:
    """The message says which argument and what it must be, not what it was."""
    with pytest.raises(BadField) as caught:
        Arguments(given, SCHEMAS[tool])

    assert says in caught.value.message
    assert SECRET not in caught.value.message + caught.value.hint + str(caught.value.details)
    assert caught.value.code == "field.invalid"


def test_an_unknown_argument_is_told_which_there_are() -> None:
    """Foreign names, which may be anything, are not repeated; the tool's own are listed."""
    for given in ({"id": "x", SECRET: 1}, {"id": "x", "user_id": "someone else"}):
        with pytest.raises(BadField) as caught:
            Arguments(given, SCHEMAS["get"])
        assert caught.value.hint == "It takes id, offset, as_of, valid_at."
        assert SECRET not in caught.value.message
    with pytest.raises(BadField, match="an entry of `evidence`"):
        read("remember", title="t", evidence=[{"kind": "file", "pointer": "x", "by": "ada"}])


def test_the_limit_on_lists_is_the_documented_one() -> None:
    """A hundred entries fit."""
    assert len(read("remember", title="t", tags=["a"] * MAX_ENTRIES).texts("tags")) == 100
