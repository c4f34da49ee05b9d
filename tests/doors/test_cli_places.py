"""Odd names of branches, the line for prompts, tags, and what a refused undo is called."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from commandline import SCRIPT, CommandLine

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def lines(tmp_path: Path) -> CommandLine:
    """A place without memories."""
    return CommandLine(tmp_path)


@pytest.mark.parametrize("branch", ["feature/-dash", "fix%41", "été", "a@b"])
def test_an_odd_branch_is_a_scope(lines: CommandLine, branch: str) -> None:
    """What git allows in a name and what is plain to read."""
    head = lines.repo / ".git" / "HEAD"
    head.write_text(f"ref: refs/heads/{branch}\n", encoding="utf-8")

    item = lines.remember("The till is renamed here", "--scope", "branch")

    shown = lines.run("show", item, "--json").json
    assert shown["scope"] == f"branch:github.com/acme/shop@{branch}"
    assert lines.run("recall", "till renamed", "--scope", "branch").status == 0


def test_a_branch_with_a_hidden_character_says_why(lines: CommandLine) -> None:
    """Memories of the repository work there all the same."""
    head = lines.repo / ".git" / "HEAD"
    head.write_text("ref: refs/heads/fix\u200bed\n", encoding="utf-8")

    answer = lines.run("remember", "The till is renamed here", "--scope", "branch")

    assert (answer.status, "its name holds characters" in answer.err) == (2, True)
    assert lines.remember("The gate opens at six", "--scope", "repo")


def test_the_short_status_is_one_quick_line(lines: CommandLine) -> None:
    """The same count as the review's, and whether saving is off."""
    none = lines.run("status", "--short")
    lines.remember("The gate opens at six", "--scope", "repo", around=SCRIPT)
    waiting = lines.run("status", "--short")
    assert lines.run("off").status == 0
    off = lines.run("status", "--short", f"--db={lines.store}")
    whole = lines.run("status", "--json").json
    bad = lines.run("status", "--short", "--store", "../x")

    assert (none.status, none.out) == (0, "0 waiting\n")
    assert waiting.out == "1 waiting\n"
    assert off.out == "1 waiting, saving off\n"
    assert whole["waiting"] == len(lines.run("review", "--json").json["waiting"]) == 1
    assert (bad.status, bad.out) == (2, "")


def test_what_expired_waits_for_nobody(lines: CommandLine) -> None:
    """Status and review count the same."""
    lines.remember("The fair is on now", "--scope", "repo", "--ttl", "1s", around=SCRIPT)
    lines.remember("The gate opens at six", "--scope", "repo", around=SCRIPT)
    deadline = time.monotonic() + 30
    while len(lines.run("review", "--json").json["waiting"]) > 1:
        assert time.monotonic() < deadline

    assert lines.run("status", "--json").json["waiting"] == 1


def test_tags_are_added_and_dropped(lines: CommandLine) -> None:
    """One by one; the text stays, and so do the other tags."""
    item = lines.remember("The gate opens at six", "--tag", "hours", "--tag", "gate")
    done = lines.run("edit", item, "--add-tag", "ferry", "--drop-tag", "gate", "--in-place")
    both = lines.run("edit", item, "--tag", "a", "--add-tag", "b")
    agent = lines.run("edit", item, "--add-tag", "x", "--in-place", around=SCRIPT)

    shown = lines.run("show", item, "--json").json
    assert done.status == 0
    assert (shown["tags"], shown["title"]) == (["hours", "ferry"], "The gate opens at six")
    assert both.status == 2
    assert agent.status == 4


def test_who_may_not_undo_is_told_who_may(lines: CommandLine) -> None:
    """A script's change is the person's to take back; a person is told the plain command."""
    script = lines.run("remember", "The gate opens at six", "--scope", "repo", around=SCRIPT)
    person = lines.run("remember", "The till closes at nine", "--scope", "repo")

    assert "The user can undo it: onrecord undo" in script.out
    assert "Undo: onrecord undo" in person.out
    number = script.out.rpartition("onrecord undo ")[2].split()[0]
    assert lines.run("undo", number, around=SCRIPT).status != 0
    assert lines.run("undo", number).status == 0


def test_every_topic_is_told_without_a_store(lines: CommandLine) -> None:
    """Help makes nothing."""
    for topic in ("dates", "undo", "review", "stores", "upkeep", "scopes", "exit"):
        answer = lines.run("help", topic)
        assert (answer.status, answer.err) == (0, "")
        assert len(answer.out.splitlines()) >= 3
    assert not lines.store.exists()
