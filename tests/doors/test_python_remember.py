"""The Python library takes all that the command takes, and asks in its own terms."""

from __future__ import annotations

import argparse
import inspect
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from commandline import CommandLine
from harness.agents import repository
from mcp_client import environment, start_server
from onrecord import Claim, Memory, Principal
from onrecord.domain.time import from_iso
from onrecord.doors.cli.commands import remember as command

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

VAGUE = "The gate is closed next Friday"
#: Options of the command -> what the library calls them.
CALLED = {
    "tag": "tags",
    "link": "links",
    "path": "paths",
}


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    """A store that an agent uses in a repository."""
    agent = Principal.agent("codex", session="s-1")
    repo = repository(tmp_path / "repo")
    with Memory.open(tmp_path / "memory.db", principal=agent, cwd=repo) as opened:
        yield opened


def test_everything_that_the_command_takes_is_an_argument() -> None:
    """An option that is added to the one is missed in the other."""
    parser = argparse.ArgumentParser(add_help=False)
    command.add(parser)
    options = {CALLED.get(one.dest, one.dest) for one in parser._actions}  # noqa: SLF001

    assert options <= set(inspect.signature(Memory.remember).parameters)


def test_what_is_given_is_kept(memory: Memory, tmp_path: Path) -> None:
    """Evidence, links, summary, what led to it, an end, and that it waits."""
    lines = CommandLine(tmp_path)
    made = memory.remember(
        "Run bin/setup_db before specs",
        scope="agent",
        summary="The schema comes first",
        prompted_by="relation fares does not exist",
        evidence=[Claim(kind="file", pointer="bin/setup_db"), Claim(kind="person", pointer="Ada")],
        links=["spec/support/database.rb"],
        expires="2055-01-01",
        propose=True,
    )
    assert made.item is not None
    item = memory.remember("Use tabs", scope="agent", expires=datetime(2056, 1, 1, tzinfo=UTC))

    shown = lines.run("--db", str(tmp_path / "memory.db"), "show", made.item.id, "--json").json
    pointers = {row["pointer"] for row in shown["evidence"]}

    assert {"bin/setup_db", "Ada"} <= pointers
    assert "spec/support/database.rb" in {row["target"] for row in shown["links"]}
    assert (made.item.status, made.item.expires_at) == ("proposed", from_iso("2055-01-01"))
    assert made.item.content.summary == "The schema comes first"
    assert made.item.content.prompted_by == "relation fares does not exist"
    assert item.item is not None
    assert item.item.expires_at == from_iso("2056-01-01")


def test_revising_keeps_what_it_is_not_given(memory: Memory) -> None:
    """Other words take nothing else away: summary, what prompted it, tags, times."""
    made = memory.remember(
        "Set up the database before specs",
        scope="agent",
        kind="lesson",
        summary="The schema comes first",
        prompted_by="relation fares does not exist",
        tags=["specs"],
        valid_from="2026-01-01",
    )
    assert made.item is not None
    told = memory.revise(made.item.id, "Set up the test database first")
    assert told.item is not None
    before, after = made.item.content, told.item.content

    assert (before.title, after.title) == (
        "Set up the database before specs",
        "Set up the test database first",
    )
    assert after == replace(before, title=after.title)


def test_a_question_about_a_date_names_the_way_out_of_its_door(
    memory: Memory, tmp_path: Path
) -> None:
    """An argument in the library, an option at the command line, neither over MCP."""
    asked = memory.remember(VAGUE, scope="agent")
    kept = memory.remember(VAGUE, scope="agent", dates_as_written=True)
    assert kept.item is not None
    reworded = memory.revise(kept.item.id, "The gate opens next Friday", dates_as_written=True)
    lines = CommandLine(tmp_path)
    typed = lines.run("remember", VAGUE)
    item = lines.remember("The gate is closed")
    edited = lines.run("edit", item, "--text", VAGUE, "--dates-as-written")
    env = environment(lines.home, lines.store)
    with start_server(lines.repo, env, "--client", "codex") as server:
        server.shake_hands()
        told = str(server.call("remember", title=VAGUE, scope="agent"))

    assert asked.code == "dates.ask"
    assert "dates_as_written=True" in asked.say
    assert kept.item.content.title == VAGUE
    assert reworded.code == "updated"
    assert "--dates-as-written" in typed.err
    assert edited.status == 0
    assert "Which date" in told
    assert "as-written" not in told
    assert "as_written" not in told
