"""Folders that `connect` made go with `--remove`, and an empty one is no sign of an agent."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from commandline import CommandLine

if TYPE_CHECKING:
    from pathlib import Path

CLIENTS = ("copilot-cli", "cursor", "opencode", "gemini-cli")
FOLDERS = (".copilot", ".copilot/hooks", ".cursor", ".config/opencode", ".gemini")


@pytest.fixture
def desk(tmp_path: Path) -> CommandLine:
    """A home in which no agent CLI was ever used; none is on the PATH either."""
    made = CommandLine(tmp_path)
    (made.home / ".config").mkdir()
    return made


def connect(desk: CommandLine, *words: str) -> None:
    """Connect, or take it back."""
    answer = desk.run("connect", *words, keys=() if "--remove" in words else [("[a/f/n]", "a")])
    assert answer.status == 0, answer


def found(desk: CommandLine) -> list[str]:
    """What `connect --all` finds here."""
    answer = desk.run("connect", "--all", "--dry-run", "--json")
    return [row["client"] for row in answer.json["clients"]] if answer.status == 0 else []


def test_what_was_made_goes_and_leaves_no_sign(desk: CommandLine) -> None:
    """As if it had never been connected; folders that were there stay."""
    connect(desk, *CLIENTS)
    assert set(CLIENTS) <= set(found(desk))
    connect(desk, *CLIENTS, "--remove")

    assert not [name for name in FOLDERS if (desk.home / name).exists()]
    assert (desk.home / ".config").is_dir()
    assert found(desk) == []


def test_what_others_made_or_used_stays(desk: CommandLine) -> None:
    """An empty folder of theirs, and one of ours that holds something of theirs by now."""
    (desk.home / ".cursor").mkdir()
    connect(desk, *CLIENTS)
    (desk.home / ".copilot" / "config.json").write_text("{}", encoding="utf-8")
    connect(desk, *CLIENTS, "--remove")

    assert (desk.home / ".cursor").is_dir()
    assert (desk.home / ".copilot" / "config.json").is_file()
    assert not (desk.home / ".copilot" / "hooks").exists()
    assert found(desk) == ["copilot-cli"]


def test_what_was_made_twice_is_still_ours(desk: CommandLine) -> None:
    """Connecting again, or by the doctor, does not make a folder theirs."""
    connect(desk, "cursor")
    desk.run("connect", "cursor")
    connect(desk, "cursor", "--remove")
    assert not (desk.home / ".cursor").exists()
    (desk.home / ".cursor").mkdir()
    desk.run("connect", "cursor")
    connect(desk, "cursor", "--remove")
    assert (desk.home / ".cursor").is_dir()
