"""Who takes agents out again: people and scripts, and no agent."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from commandline import SCRIPT, CommandLine
from harness.surroundings import SHELL_TOOL

if TYPE_CHECKING:
    from pathlib import Path

CLIENTS = ("claude-code", "codex")


@pytest.fixture
def desk(tmp_path: Path) -> CommandLine:
    """A home where two agents are connected."""
    made = CommandLine(tmp_path)
    assert made.run("connect", *CLIENTS, keys=[("[a/f/n]", "a")]).status == 0
    assert settings(made)
    return made


def settings(desk: CommandLine) -> dict[str, bytes]:
    """The agents' settings that name onrecord."""
    files = [desk.home / ".claude.json", *(desk.home / ".claude").glob("*.json")]
    files += (desk.home / ".codex").glob("*.*")
    there = {str(path): path.read_bytes() for path in files if path.is_file()}
    return {path: text for path, text in there.items() if b"onrecord" in text}


@pytest.mark.parametrize("way", ["codex-plain", "claude-env_i", "codex-script"])
@pytest.mark.parametrize("words", [("--all",), ("claude-code",), ("claude-code", "--mcp-only")])
def test_an_agent_takes_none_out(desk: CommandLine, way: str, words: tuple[str, ...]) -> None:
    """It is refused with the way out, and every file stands as it was; a dry run shows it."""
    before = settings(desk)
    around = SHELL_TOOL[way]
    refused = desk.run("connect", *words, "--remove", around=around)
    shown = desk.run("connect", *words, "--remove", "--dry-run", around=around)

    assert "person.required" in refused.err
    assert "own terminal" in refused.err
    assert shown.status == 0
    assert settings(desk) == before


def test_an_agent_may_connect(desk: CommandLine) -> None:
    """What an agent could do before it can do now: it puts in, and takes nothing away."""
    before = settings(desk)
    answer = desk.run("connect", "gemini-cli", around=SHELL_TOOL["codex-plain"])

    assert answer.status == 0
    assert settings(desk) == before


def test_a_person_and_a_script_take_them_out(desk: CommandLine) -> None:
    """The positive control: both do it without a key, one agent each."""
    assert desk.run("connect", "codex", "--remove").status == 0
    assert not [path for path in settings(desk) if ".codex" in path]
    assert desk.run("connect", "claude-code", "--remove", around=SCRIPT).status == 0
    assert settings(desk) == {}
