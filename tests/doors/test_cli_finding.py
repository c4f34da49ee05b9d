"""Recall and list narrowed in every way, and forgetting by session or altogether."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from commandline import SCRIPT, CommandLine
from harness.surroundings import SHELL_TOOL

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def lines(tmp_path: Path) -> CommandLine:
    """A place without memories."""
    return CommandLine(tmp_path)


def found(lines: CommandLine, *words: str) -> list[str]:
    """The ids of a recall, best first."""
    shape = lines.run("recall", *words, "--json").json
    return [hit["item"]["id"] for hit in shape["hits"]]


def test_a_recall_is_narrowed_by_tag_time_and_status(lines: CommandLine) -> None:
    """Each flag leaves out what does not fit, and nothing else."""
    tagged = lines.remember("The ferry gate opens at six", "--tag", "ferry", "--tag", "hours")
    plain = lines.remember("The harbour gate opens at seven")
    away = lines.remember("The north gate opens at eight")
    assert lines.run("archive", away).status == 0

    assert set(found(lines, "gate opens")) == {tagged, plain}
    assert found(lines, "gate opens", "--tag", "ferry", "--tag", "hours") == [tagged]
    assert found(lines, "gate opens", "--tag", "ferry", "--tag", "none") == []
    assert found(lines, "gate opens", "--status", "archived") == [away]
    both = found(lines, "gate opens", "--status", "archived", "--status", "active")
    assert set(both) == {tagged, plain, away}
    assert set(found(lines, "gate opens", "--since", "2020-01-01")) == {tagged, plain}
    assert found(lines, "gate opens", "--until", "2020-01-01") == []
    assert found(lines, "gate opens", "--status", "archived", "--until", "2020-01-01") == []


def test_a_recall_asks_about_an_earlier_time(lines: CommandLine) -> None:
    """What was believed then, and what was true then."""
    item = lines.remember(
        *("The ferry costs four euros", "--valid-from", "2024-01-01", "--valid-to", "2025-01-01")
    )

    assert found(lines, "ferry costs") == []
    assert found(lines, "ferry costs", "--valid-at", "2024-06-01") == [item]
    assert found(lines, "ferry costs", "--valid-at", "2023-06-01") == []
    assert found(lines, "ferry costs", "--as-of", "2020-01-01") == []
    then = lines.run("list", "--valid-at", "2024-06-01", "--json").json["items"]
    assert [row["id"] for row in then] == [item]
    assert lines.run("list", "--as-of", "2020-01-01", "--json").json["items"] == []


def test_a_search_by_meaning_says_that_there_is_none(lines: CommandLine) -> None:
    """It does not pass words off as meaning."""
    lines.remember("The ferry costs four euros")

    assert lines.run("recall", "ferry", "--mode", "lexical").status == 0
    answer = lines.run("recall", "ferry", "--mode", "semantic")
    assert (answer.status, "index of meanings" in answer.err) == (2, True)


def test_everything_goes_only_by_a_typed_word(lines: CommandLine) -> None:
    """Another word changes nothing; afterwards no file of the store holds the text."""
    first = lines.remember("The heron nests beside the harbour gate", "--scope", "repo")
    lines.remember("The till closes at nine", "--scope", "global")
    looked = lines.run("forget", "--everything", "--dry-run")
    no = lines.person("forget", "--everything", keys=[("Type everything", "yes\r")])
    kept = lines.status_of(first)
    piped = lines.run("forget", "--everything", "--yes")

    done = lines.person("forget", "--everything", keys=[("Type everything", "everything\r")])

    assert "everything: 2 memories and every prompt" in looked.out
    assert (no.exit_code, kept) == (1, "active")
    assert piped.status == 2
    assert (done.exit_code, "Forgotten: everything" in done.text) == (0, True)
    assert lines.run("list", "--all", "--json").json["items"] == []
    for path in lines.store.parent.rglob("*"):
        assert not path.is_file() or b"heron nests" not in path.read_bytes(), path
    back = lines.run("remember", "The heron nests beside the harbour gate", "--scope", "repo")
    assert (back.status, "tombstone.equal" in back.err) == (1, True)
    assert lines.run("check").status == 0


@pytest.mark.parametrize("around", [SCRIPT, SHELL_TOOL["claude-plain"]])
def test_nobody_else_forgets_everything(lines: CommandLine, around: object) -> None:
    """A script and an agent are refused."""
    item = lines.remember("The gate opens at six", "--scope", "repo")
    answer = lines.run("forget", "--everything", around=around)  # type: ignore[arg-type]

    assert answer.status == 4
    assert lines.status_of(item) == "active"


def test_what_one_run_takes_along_is_not_asked_for_twice(lines: CommandLine) -> None:
    """Copies of the same words in two scopes go together."""
    first = lines.remember("The gate opens at six", "--scope", "repo")
    second = lines.remember("The gate opens at six", "--scope", "global", "--distinct")
    done = lines.person("forget", "--since", "2020-01-01", keys=[("Erase these 2 memories", "y")])

    assert done.exit_code == 0
    assert [lines.run("show", item).status for item in (first, second)] == [1, 1]
