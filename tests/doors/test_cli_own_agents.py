"""Agents that a person describes in their own configuration file."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from commandline import CommandLine

if TYPE_CHECKING:
    from pathlib import Path

AIDER = """\
[agents.aider]
title = "Aider"
config = "~/.aider/mcp.json"
servers = "tools.mcp"
server = {enabled = true}
command_list = true
program = "aider"
prompt = ["--message"]
pack = ["--read-text", "{pack}"]
hooks_config = "~/.aider/hooks.json"
hooks = {begin = "session_start", ask = "prompt", end = "session_end"}
"""
THEIRS = '{"tools": {"mcp": {"notes": {"command": ["n"]}}} /* mine */}'


@pytest.fixture
def desk(tmp_path: Path) -> CommandLine:
    """A home with settings of that agent's own."""
    made = CommandLine(tmp_path)
    (made.home / ".aider").mkdir()
    (made.home / ".aider" / "mcp.json").write_text(THEIRS, encoding="utf-8")
    configure(made, AIDER)
    return made


def configure(desk: CommandLine, text: str) -> None:
    """Write the person's configuration file."""
    path = desk.home / ".config" / "onrecord" / "config.toml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def test_an_agent_of_ones_own_is_connected_and_removed_to_the_byte(desk: CommandLine) -> None:
    """Its servers stand where the table says, its hooks carry its own event names."""
    path, hooks = desk.home / ".aider/mcp.json", desk.home / ".aider/hooks.json"
    assert desk.run("connect", "aider", keys=[("[a/f/n]", "a")]).status == 0
    text = path.read_text(encoding="utf-8")
    entry = json.loads(text.replace("/* mine */", ""))["tools"]["mcp"]["onrecord"]
    line = json.loads(hooks.read_text(encoding="utf-8"))["hooks"]["begin"][0]["hooks"][0]
    assert entry["command"][1:] == ["mcp", "--client", "aider"]
    assert entry["enabled"] is True
    assert line["command"].endswith("onrecord-hook aider begin")

    assert desk.run("connect", "aider", "--remove").status == 0
    assert path.read_text(encoding="utf-8") == THEIRS
    assert not hooks.exists()


def test_its_hook_gives_what_is_on_record(desk: CommandLine) -> None:
    """The doctor's round trip goes through its own event."""
    desk.run("connect", "aider", keys=[("[a/f/n]", "a")])
    told = desk.run("doctor", "aider", "--json")
    codes = {row["code"]: row["level"] for row in told.json["findings"]}

    assert codes["mcp.round_trip"] == "ok"
    assert codes["hook.round_trip"] == "ok"


def test_it_takes_a_pack_on_its_command_line(desk: CommandLine) -> None:
    """The words are the table's, with the pack where it says."""
    desk.remember("Install with pnpm", "--scope", "repo")
    words = desk.run("pack", "--for", "aider", "--json").json["argv"]

    assert words[:2] == ["aider", "--read-text"]
    assert "Install with pnpm" in words[2]


@pytest.mark.parametrize(
    ("table", "says"),
    [
        ("confg = '/x'", "`confg` is not known"),
        ("config = 'mcp.json'", "`config` must be a whole path"),
        ("config = '/x.json'\nformat = 'yaml'", "`format` is `json`"),
        ("config = '/x.json'\nhooks = {a = 'begin'}", "`hooks.a` is one of session_start"),
        ("program = 'x'\npack = ['--pack']", "`pack` must hold `{pack}`"),
        ("program = ['x']", "`program` must be a text"),
        ("title = 'x'", "nothing to connect or start"),
    ],
)
def test_a_table_that_is_not_right_is_said(desk: CommandLine, table: str, says: str) -> None:
    """The error names the agent and the key, and other commands go on."""
    configure(desk, f"[agents.mine]\n{table}\n")
    told = desk.run("connect", "mine")

    assert told.status == 2
    assert "[agents.mine]" in told.err
    assert says in told.err
    assert desk.run("list").status == 0


def test_a_project_cannot_bring_an_agent(desk: CommandLine) -> None:
    """A configuration in the repository is not read."""
    configure(desk, "")
    for name in ("config.toml", ".onrecord.toml", "onrecord.toml"):
        (desk.repo / name).write_text(AIDER, encoding="utf-8")
    told = desk.run("connect", "aider")

    assert told.status == 2
    assert "There is no agent CLI of that name" in told.err


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[agents.codex]\nprogram = 'x'\n", "[agents.codex]: that name is of an agent that"),
        (
            "[agents.claude]\nprogram = 'x'\n",
            "[agents.claude]: that name is short for",
        ),
        ("[agents.Odd_Name]\nprogram = 'x'\n", "[agents.Odd_Name]: that is no name"),
        ("[agents]\nnine = 9\n", "[agents.nine]: that is no table"),
        ("[agents.half]\ntitle = 'x'\n", "[agents.half]: `config` or `program` is needed"),
    ],
)
def test_a_table_that_is_not_read_is_told(desk: CommandLine, text: str, says: str) -> None:
    """By the doctor and by what takes an agent's name; the others of the file still count."""
    configure(desk, f"{AIDER}{text}")
    desk.remember("Install with pnpm", "--scope", "repo")
    doctor = desk.run("doctor", "aider", "--json")
    (found,) = (one for one in doctor.json["findings"] if one["code"] == "config.ignored")
    packed = desk.run("pack", "--for", "aider")
    every = desk.run("connect", "--all", "--dry-run")

    assert says in found["say"]
    assert found["level"] == "warn"
    assert found["fix"]
    assert says in packed.err
    assert "Install with pnpm" in packed.out
    assert every.status == 0
    assert says in every.err
    assert "aider" in every.out.lower()


def test_a_table_of_another_kind_is_told(desk: CommandLine) -> None:
    """`agents` that is no table is not read, and the doctor says so."""
    configure(desk, "agents = 3\n")
    desk.remember("Install with pnpm", "--scope", "repo")
    doctor = desk.run("doctor", "codex", "--json")

    (found,) = (one for one in doctor.json["findings"] if one["code"] == "config.ignored")
    assert "`agents` in your configuration file is no table" in found["say"]
