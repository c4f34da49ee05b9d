"""Scopes from the command line: renamed, merged, and a repository that gets an origin."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest

from commandline import REPO, SCRIPT, CommandLine
from harness.surroundings import SHELL_TOOL

if TYPE_CHECKING:
    from pathlib import Path

    from harness.surroundings import Surroundings


@pytest.fixture
def lines(tmp_path: Path) -> CommandLine:
    """A place without memories."""
    return CommandLine(tmp_path)


def git(folder: Path, *words: str) -> None:
    """Run git there."""
    subprocess.run(["git", *words], cwd=folder, check=True, timeout=30)


def test_a_repository_that_gets_an_origin_keeps_its_memories(lines: CommandLine) -> None:
    """They go along by themselves at the next command, on record, and that can be undone."""
    git(lines.repo, "remote", "remove", "origin")
    item = lines.remember("The gate opens at six in the morning", "--scope", "repo")
    by_path = lines.run("show", item, "--json").json["scope"]

    git(lines.repo, "remote", "add", "origin", "git@github.com:acme/shop.git")
    found = lines.run("recall", "when does the gate open")
    listed = lines.run("scopes")
    moved = lines.run("log", "--limit", "1", "--json").json["events"][0]

    assert by_path == f"repo:path:{lines.repo}"
    assert "The gate opens at six" in found.out
    assert lines.run("show", item, "--json").json["scope"] == REPO
    assert f"{by_path} is called {REPO} now" in listed.out
    assert (moved["action"], moved["by"]["channel"]) == ("scope_moved", "system")
    assert lines.run("check").status == 0
    assert lines.run("undo", str(moved["seq"])).status == 0


def test_what_two_places_learned_is_a_persons_to_merge(lines: CommandLine) -> None:
    """Where memories stand under both names it is offered, and nothing moves by itself."""
    lines.remember("The till closes at nine in the evening", "--scope", "repo")
    git(lines.repo, "remote", "remove", "origin")
    item = lines.remember("The gate opens at six in the morning", "--scope", "repo")
    old = f"repo:path:{lines.repo}"
    git(lines.repo, "remote", "add", "origin", "https://github.com/acme/shop")

    offered = lines.run("scopes")
    looked = lines.run("scopes", "merge", old, "repo", "--dry-run")
    before = lines.run("show", item, "--json").json["scope"]
    merged = lines.run("scopes", "merge", old, "repo")

    assert f"onrecord scopes merge {old} repo" in offered.out
    assert "nothing was changed" in looked.out
    assert f"{old}: 1 active" in looked.out
    assert before == old
    assert (merged.status, "1 memory moved" in merged.out) == (0, True)
    assert lines.run("show", item, "--json").json["scope"] == REPO


def test_names_that_differ_by_case_alone_are_told(lines: CommandLine) -> None:
    """A workspace called twice is mostly one."""
    first = lines.run("remember", "Zones are rings", "--scope", "workspace:Site")
    second = lines.run("remember", "Answers are short", "--scope", "workspace:site")

    listed = lines.run("scopes")
    merged = lines.run("scopes", "merge", "workspace:Site", "workspace:site")

    assert "differs by case" not in first.out
    assert "workspace:Site differs by case alone" in second.out
    assert "workspace:Site and workspace:site differ by case alone" in listed.out
    assert merged.status == 0
    assert "differ by case" not in lines.run("scopes").out
    assert lines.run("scopes", "--json").json["renamed"] == {"workspace:Site": "workspace:site"}


def test_an_agent_moves_nothing_by_an_origin_that_it_sets(lines: CommandLine) -> None:
    """Whoever can edit the checkout can give it any origin; a person's command takes it along."""
    git(lines.repo, "remote", "remove", "origin")
    lines.remember("The gate opens at six", "--scope", "repo")
    git(lines.repo, "remote", "add", "origin", "https://github.com/mallory/x.git")

    as_agent = lines.run("recall", "gate", around=SHELL_TOOL["claude-plain"])
    as_person = lines.person("recall", "gate")

    assert "The gate opens at six" not in as_agent.out
    assert "The gate opens at six" in as_person.text


def test_a_clone_with_the_old_origin_stands_in_the_same_place(
    lines: CommandLine, tmp_path: Path
) -> None:
    """After the repository was renamed, both clones see and keep the same."""
    old = CommandLine(tmp_path, name="store")
    item = old.remember("The gate opens at six in the morning", "--scope", "repo")
    given = old.run("scopes", "rename", "repo", REPO)

    late = old.remember("The till closes at nine in the evening", "--scope", "repo")
    from_old = old.run("recall", "gate opens")
    from_new = lines.run("recall", "gate opens")

    assert given.status == 0
    assert item[-6:] in from_old.out
    assert item[-6:] in from_new.out
    assert old.run("show", late, "--json").json["scope"] == REPO
    assert REPO in old.run("scopes").out.splitlines()[0]


@pytest.mark.parametrize("around", [SCRIPT, SHELL_TOOL["claude-plain"]])
def test_only_a_person_renames(lines: CommandLine, around: Surroundings) -> None:
    """For anyone else it is refused, on record."""
    lines.remember("The gate opens at six", "--scope", "repo")

    answer = lines.run("scopes", "rename", REPO, "repo:github.com/evil/shop", around=around)

    assert answer.status == 4
    assert "authority.scope_needs_person" in answer.err
    assert lines.run("scopes", "--json").json["renamed"] == {}


@pytest.mark.parametrize(
    "words",
    [("rename",), ("rename", "repo"), ("list", "repo"), ("--dry-run",)],
)
def test_names_that_are_missing_are_told(lines: CommandLine, words: tuple[str, ...]) -> None:
    """With how it is written."""
    answer = lines.run("scopes", *words)

    assert (answer.status, "usage" in answer.err) == (2, True)


@pytest.mark.parametrize("around", [SCRIPT, SHELL_TOOL["claude-plain"]])
def test_what_would_move_is_for_a_person(lines: CommandLine, around: Surroundings) -> None:
    """Who may not move a scope is not shown what stands under it, in words or as JSON."""
    lines.remember("The gate opens at six in the morning", "--scope", "project:fare")
    words = ("scopes", "rename", "project:fare", "project:fares", "--dry-run")
    person = lines.run(*words)
    for more in ((), ("--json",)):
        other = lines.run(*words, *more, around=around)
        assert other.status == 4, other
        assert "1 active" not in other.out + other.err

    assert person.status == 0
    assert "project:fare: 1 active" in person.out
