"""What the reference tells a person to type works when it is typed."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from commandline import CommandLine
from onrecord.doors.cli.commands import hook

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def lines(tmp_path: Path) -> CommandLine:
    """A person's command line."""
    return CommandLine(tmp_path)


def test_the_example_of_the_hook_prints_what_an_agent_is_given(lines: CommandLine) -> None:
    """As it stands in the help, in a repository where something is on record."""
    lines.remember("Install with pnpm", "--scope", "repo")
    (example,) = hook.EXAMPLES.splitlines()[1:]
    told = lines.people.run(["sh", "-c", f"{example.strip()} >told.json"])
    answer = json.loads((lines.repo / "told.json").read_text(encoding="utf-8"))

    assert told.exit_code == 0
    assert "Install with pnpm" in answer["hookSpecificOutput"]["additionalContext"]


def test_the_path_of_the_configuration_is_told(lines: CommandLine) -> None:
    """Where the file is to be, and where a variable says that it is; beside the store's."""
    config = lines.home / ".config" / "onrecord" / "config.toml"
    assert lines.run("path", "--config").out == f"{config}\n"
    config.parent.mkdir(parents=True)
    other = lines.home / "other.toml"
    config.write_text(f'store = "{lines.home}/elsewhere.db"\n', encoding="utf-8")
    other.write_text("", encoding="utf-8")
    moved = {"ONRECORD_CONFIG": str(other)}

    assert lines.run("path", "--config", "--json").json == {"path": str(config)}
    assert lines.run("path", "--config", env=moved).out == f"{other}\n"
    assert lines.run("path").out == f"{lines.home}/elsewhere.db\n"
    assert lines.run("path", "--all", "--config").status == 2
    config.write_text("this is no TOML", encoding="utf-8")
    assert lines.run("path", "--config").out == f"{config}\n"
