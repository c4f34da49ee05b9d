"""`list` and `recall` of the past and as JSON: the same memories, with what is behind them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from commandline import CommandLine

if TYPE_CHECKING:
    from pathlib import Path

YES = [("[y/n]", "y")]


@pytest.fixture
def lines(tmp_path: Path) -> CommandLine:
    """A repository and a store of a person."""
    return CommandLine(tmp_path)


def test_what_was_replaced_is_listed_where_it_was_true(lines: CommandLine) -> None:
    """`list --valid-at` finds what `recall --valid-at` does, and neither finds the later one."""
    old = lines.remember("The port is 1", "--valid-from", "2026-01-01")
    lines.remember("The port is 2", "--replaces", old, "--valid-from", "2026-06-01")
    then = ("--valid-at", "2026-03-01", "--json")
    listed = lines.run("list", *then).json["items"]
    found = lines.run("recall", "port", *then).json["hits"]

    assert [item["title"] for item in listed] == ["The port is 1"]
    assert [hit["item"]["title"] for hit in found] == ["The port is 1"]
    assert [item["title"] for item in lines.run("list", "--json").json["items"]] == [
        "The port is 2"
    ]


def test_what_was_erased_since_is_counted_by_every_answer(lines: CommandLine) -> None:
    """List and recall, as text and as JSON; an answer about now counts none."""
    item = lines.remember("Only a trial of the wombat gate")
    kept = lines.remember("The wombat gate stays shut")
    at = lines.run("show", kept, "--json").json["recorded_at"]
    lines.run("forget", item, keys=YES)
    for words in (("list",), ("recall", "wombat")):
        as_json = lines.run(*words, "--as-of", at, "--json").json
        told = lines.run(*words, "--as-of", at).out
        assert as_json["erased"] == 1
        assert "1 that stood there then were erased since." in told
        assert lines.run(*words, "--json").json["erased"] == 0


def test_lists_have_the_evidence_and_links_of_each_memory(lines: CommandLine) -> None:
    """As `show` has them, and none of another one's."""
    old = lines.remember("The port is 1")
    new = lines.remember(
        "The port is 2",
        "--replaces",
        old,
        "--evidence",
        "url=https://wiki.example.org/port",
        "--link",
        "a.py",
    )
    bare = lines.remember("The gate opens at six")
    shown = lines.run("show", new, "--json").json
    listed = {item["id"]: item for item in lines.run("list", "--json").json["items"]}
    found = lines.run("recall", "port 2", "--json").json["hits"][0]["item"]

    assert shown["evidence"]
    assert {link["target"] for link in shown["links"]} >= {old, "a.py"}
    for item in (next(one for name, one in listed.items() if new in name), found):
        assert item["evidence"] == shown["evidence"]
        assert item["links"] == shown["links"]
    assert next(one for name, one in listed.items() if bare in name)["evidence"] == []
