"""What commands tell a person: what is missing, what was decided, what can be taken back."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from commandline import SCRIPT, CommandLine

if TYPE_CHECKING:
    from pathlib import Path

OUTSIDE = "text from outside your own words"


@pytest.fixture
def lines(tmp_path: Path) -> CommandLine:
    """A person's command line."""
    return CommandLine(tmp_path)


def test_a_handoff_without_a_word_names_the_flags(lines: CommandLine) -> None:
    """All four, and that --to does without; nothing is kept."""
    answer = lines.run("handoff")

    assert answer.status == 2
    for flag in ("--done", "--state", "--next", "--questions", "--to"):
        assert flag in answer.err
    assert lines.run("handoff", "--next", " ").status == 2
    assert lines.run("handoffs", "--json").json["handoffs"] == []
    assert lines.run("handoff", "--next", "fix the gate").status == 0


def test_what_was_decided_is_not_warned_of_again(lines: CommandLine) -> None:
    """The warning stands where it is kept and where it is decided, and not after that."""
    web = ("--evidence", "url=https://a.example/fares", "--scope", "repo")
    one = lines.remember("The fares rise in June", *web, around=SCRIPT)
    two = lines.remember("The piers close in May", *web, around=SCRIPT)
    before = lines.run("show", one)
    approved = lines.person("approve", one, keys=[("Approve", "y")])
    rejected = lines.run("reject", two, "--reason", "not_useful")

    assert OUTSIDE in before.out
    assert approved.exit_code == 0
    told = approved.text.partition("Approved")
    assert OUTSIDE in told[0]
    assert OUTSIDE not in told[2]
    assert rejected.status == 0, rejected
    assert OUTSIDE not in rejected.out
    for item in (one, two):
        assert OUTSIDE not in lines.run("show", item).out
    assert lines.run("archive", one).status == 0
    assert OUTSIDE not in lines.run("pin", one).out


def test_an_import_that_adds_nothing_is_not_the_latest_change(lines: CommandLine) -> None:
    """A bare undo takes back what came before it; one that added something goes back whole."""
    first = lines.remember("The gate opens at six")
    out = lines.home / "all.jsonl"
    assert lines.run("export", "-o", str(out)).status == 0
    again = lines.run("import", "jsonl", str(out))
    undone = lines.run("undo", "--json").json

    assert "0 of 1 proposed" in again.out
    assert "Take it back" not in again.out
    assert undone["item"]["id"] == first

    fresh = CommandLine(lines.home, name="other")
    came = fresh.run("import", "jsonl", str(out))
    assert "1 of 1 proposed" in came.out
    assert "Take it back" in came.out
    assert fresh.run("undo", "--json", keys=[("[y/n]", "y")]).json["taken_back"] == 1


def test_one_is_one_in_what_is_told(lines: CommandLine) -> None:
    """Counts of a single thing read as one says them."""
    lines.remember("The gate opens at six")
    said = [
        lines.run("export", "-o", str(lines.home / "a.jsonl")).out,
        lines.run("rebuild").out,
        lines.run("backup", str(lines.home / "copy.db")).out,
        lines.run("export", "--format", "markdown").out,
    ]

    for text, one in zip(
        said, ("1 memory", "1 memory in 1 version", "1 item", "1 memory"), strict=True
    ):
        assert one in text
    assert json.loads(lines.run("status", "--json").out)["items"] == {"active": 1}
