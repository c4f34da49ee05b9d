"""What newcomers type, and what they see first: near commands, ids, places, proposers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pytest

from commandline import SCRIPT, CommandLine, repository

if TYPE_CHECKING:
    from pathlib import Path

_GIVEN: Final = "ghp_9f8e7d6c5b4a39281706f5e4d3c2b1a09f8e"


@pytest.fixture(scope="module")
def lines(tmp_path_factory: pytest.TempPathFactory) -> CommandLine:
    """A place with one memory on record."""
    made = CommandLine(tmp_path_factory.mktemp("words"))
    made.remember("Run bin/setup_db before specs")
    return made


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("get", "show"),
        ("cat", "show"),
        ("ls", "list"),
        ("find", "recall"),
        ("delete", "forget"),
        ("rm", "forget"),
        ("GET", "show"),
        ("remeber", "remember"),
    ],
)
def test_the_command_that_is_meant_is_named_first(
    lines: CommandLine, given: str, meant: str
) -> None:
    """By what the word means elsewhere; by its letters only where it means nothing."""
    answer = lines.run(given, "7QK2ZD")

    assert (answer.status, answer.out) == (2, "")
    assert f"Did you mean {meant}" in answer.err


@pytest.mark.parametrize("word", ["-v", "-V", "--version", "version"])
def test_the_version_is_told(lines: CommandLine, word: str) -> None:
    """However it is asked for."""
    answer = lines.run(word)

    assert answer.status == 0
    assert answer.out.startswith("onrecord 0.")


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (("list", f"--token={_GIVEN}"), "--token"),
        (("list", "--token", _GIVEN), "--token and 1 more word"),
        (("show", "ABCDEF", _GIVEN), "1 word too many"),
        (("list", "--kind", _GIVEN), "--kind"),
        (("list", f"--all={_GIVEN}"), "--all"),
        (("list", "--limit", _GIVEN), "--limit"),
        (("approve", _GIVEN, "ZZZZZZ"), "ZZZZZZ"),
    ],
)
def test_what_was_given_is_not_repeated(
    lines: CommandLine, words: tuple[str, ...], named: str
) -> None:
    """A value behind a wrong option may be a token; the option's name is told."""
    for form in ((), ("--json",)):
        answer = lines.run(*words, *form)
        assert answer.status in (1, 2)
        assert named in answer.err
        assert _GIVEN not in answer.err + answer.out


def test_every_unknown_id_is_named(lines: CommandLine) -> None:
    """And nothing is done to the others."""
    item = lines.remember("The gate opens at six in the morning")

    answer = lines.run("archive", "ZZZZZZ", item, "YYYYYY")

    assert answer.status == 1
    assert "ZZZZZZ, YYYYYY" in answer.err
    assert lines.status_of(item) == "active"


def test_a_list_is_of_here(tmp_path: Path) -> None:
    """What stands in other repositories is counted, and shown on request."""
    lines = CommandLine(tmp_path)
    lines.remember("Shop prices are kept in cents", "--scope", "repo")
    lines.remember("Answers are short", "--scope", "global")
    lines.remember("The depot ships from gate nine", "--scope", "repo:github.com/acme/depot")

    here, everywhere = lines.run("list"), lines.run("list", "--all")
    depot = repository(tmp_path / "depot", "https://github.com/acme/depot.git")
    there = lines.run("list", cwd=depot)

    assert "cents" in here.out
    assert "short" in here.out
    assert "gate nine" not in here.out
    assert "1 more in other scopes: onrecord list --all" in here.out
    assert "gate nine" in everywhere.out
    assert "more in other scopes" not in everywhere.out
    assert "gate nine" in there.out
    assert "cents" not in there.out


def test_who_proposed_it_is_shown_before_and_after_it_is_approved(tmp_path: Path) -> None:
    """With what it rests on, where the decision is taken."""
    lines = CommandLine(tmp_path)
    item = lines.remember(
        *("Specs need the fake clock", "--evidence", "file=spec/clock.rb:12"), around=SCRIPT
    )

    said = lines.person("approve", item, keys=[("Approve it?", "y")])
    shown = lines.run("show", item)
    shape = lines.run("show", item, "--json").json

    assert "by script (terminal)" in said.text
    assert "evidence: file spec/clock.rb:12" in said.text
    assert "proposed by script (terminal)" in shown.out
    assert "approve by" in shown.out
    assert shape["first"]["author"]["agent"] == "script"
    assert [row["decision"] for row in shape["reviews"]] == ["approve"]
