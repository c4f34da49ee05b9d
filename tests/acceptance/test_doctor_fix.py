"""The doctor puts right what it can: shown first, said afterwards, and nothing else touched."""

from __future__ import annotations

import json
import stat
from typing import TYPE_CHECKING

import pytest

from commandline import CommandLine

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def desk(tmp_path: Path) -> CommandLine:
    """A home where Claude Code is connected and Gemini CLI has settings of its own."""
    made = CommandLine(tmp_path)
    (made.home / ".gemini").mkdir()
    assert made.run("connect", "claude-code", keys=[("[a/f/n]", "a")]).status == 0
    return made


def broken(desk: CommandLine) -> tuple[Path, str]:
    """Claude Code's settings after another installation and a hand that deleted one hook."""
    path = desk.home / ".claude" / "settings.json"
    whole = path.read_text(encoding="utf-8")
    shape = json.loads(whole)
    del shape["hooks"]["SessionEnd"]
    text = json.dumps(shape, indent=2)
    program = shape["hooks"]["Stop"][0]["hooks"][0]["command"].split()[0]
    path.write_text(text.replace(program, "/old/bin/onrecord-hook"), encoding="utf-8")
    return path, program


def test_a_dry_run_shows_and_writes_nothing(desk: CommandLine) -> None:
    """The diff is printed, the file stays."""
    path, program = broken(desk)
    before = path.read_bytes()
    told = desk.run("doctor", "--fix", "--dry-run")

    assert path.read_bytes() == before
    assert "would fix: Claude Code" in told.out
    assert f'+            "command": "{program} claude-code Stop"' in told.out


def test_stale_paths_and_missing_hooks_are_put_right(desk: CommandLine) -> None:
    """Afterwards the client is connected again, and a client that never was is left so."""
    path, program = broken(desk)
    told = desk.run("doctor", "--fix")
    text = path.read_text(encoding="utf-8")

    assert "fixed: Claude Code" in told.out
    assert "/old/bin" not in text
    assert f"{program} claude-code SessionEnd" in text
    assert "Claude Code is connected." in told.out
    assert list((desk.home / ".gemini").iterdir()) == []


def test_a_store_that_others_may_write_to_is_closed(desk: CommandLine) -> None:
    """The mode that kept the store shut is put right, and said."""
    desk.store.chmod(0o666)
    refused = desk.run("status")
    told = desk.run("doctor", "--fix", "--json")

    assert refused.status == 5
    assert stat.S_IMODE(desk.store.stat().st_mode) & 0o022 == 0
    assert any("takes write access" in row["say"] and row["done"] for row in told.json["repairs"])
    assert desk.run("status").status == 0


def test_everything_beside_a_store_is_closed_with_it(desk: CommandLine) -> None:
    """Backups, and lists of what was erased, read and mirrored, are the user's alone as well."""
    desk.run("backup")
    desk.run("backup", str(desk.home / "stick.db"))
    lists = (".backups", ".copied", ".erasures", ".files", ".mirrors", ".summaries")
    endings = (*lists, ".ballast", ".keys")
    for ending in endings:
        path = desk.store.with_name(desk.store.name + ending)
        if not path.exists():
            path.touch()
        path.chmod(path.stat().st_mode | 0o022)
    desk.run("doctor", "--fix", "--json")

    modes = {path.name: path.stat().st_mode & 0o022 for path in desk.store.parent.iterdir()}
    assert {desk.store.name + ending for ending in endings} <= set(modes)
    assert not any(modes.values()), modes


def test_a_nearer_server_of_our_name_is_told(desk: CommandLine) -> None:
    """A repository that mounts another server under our name wins, and the doctor says so."""
    quiet = desk.run("doctor", "claude-code")
    (desk.repo / ".mcp.json").write_text(
        '{"mcpServers": {"onrecord": {"command": "evil"}, "mem0": {"command": "mem0-mcp"}}}',
        encoding="utf-8",
    )
    told = desk.run("doctor", "claude-code")

    assert "client.shadowed" not in quiet.out
    assert "it wins over ours" in told.out
    assert "also mounts the memory `mem0`" in told.out
    assert "Neither wins" in told.out


def test_connect_all_says_what_is_found_and_why(desk: CommandLine) -> None:
    """Each client that is connected is named with the sign of it; an empty folder is none."""
    for name in (".gemini", ".cursor"):
        (desk.home / name).mkdir(exist_ok=True)
    (desk.home / ".gemini" / "projects.json").write_text("{}", encoding="utf-8")
    told = desk.run("connect", "--all", "--dry-run")

    assert f"Gemini CLI: found, for {desk.home}/.gemini is there." in told.out
    assert "Zed" not in told.out
    assert "Cursor" not in told.out


def test_connect_says_who_will_not_ask(desk: CommandLine) -> None:
    """That tools run without a question is told when it comes about, not found out later."""
    told = desk.run("connect", "claude-code", "codex", "gemini-cli")

    for title in ("Claude Code", "Codex", "Gemini CLI"):
        assert f"{title} will not ask before it uses onrecord's tools" in told.out


@pytest.mark.parametrize(
    ("client", "path", "text", "reads"),
    [
        ("gemini-cli", ".gemini/settings.json", '{/* mine */ "a": 1}', True),
        ("gemini-cli", ".gemini/settings.json", '{"a": 1,}', False),
        ("claude-code", ".claude/settings.json", '{"a": 1 // mine\n}', False),
        ("copilot-cli", ".copilot/mcp-config.json", '{"a": 1, // mine\n}', True),
        ("opencode", ".config/opencode/opencode.json", '{"a": 1, // mine\n}', True),
    ],
)
def test_a_file_that_its_client_does_not_read_is_no_connection(
    desk: CommandLine, client: str, path: str, text: str, reads: bool
) -> None:
    """The doctor says one of the two, and what to do; Gemini CLI reads comments, no commas."""
    file = desk.home / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    connected = desk.run("connect", client)
    told = desk.run("doctor", client, "--json")
    codes = {row["code"] for row in told.json["findings"]}

    assert ("does not read this file" in connected.out) is not reads
    assert ("client.connected" in codes) is reads
    assert ("client.settings_unread" in codes) is not reads
    assert "client.conflict" not in codes
