"""connect.is_reversible: the user's own files come back byte for byte."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from harness.terminal import Person

ONRECORD = str(Path(sys.executable).parent / "onrecord")

#: What people really have in these files, odd layout included.
THEIRS = {
    ".claude.json": '{"numStartups": 7,\n "mcpServers": {"notes": {"command": "notes-mcp"}} }\n',
    ".claude/settings.json": (
        '{\r\n\t// my own hooks\r\n\t"hooks": {\r\n\t\t"Stop": [\r\n\t\t\t'
        '{"hooks": [{"type": "command", "command": "beep"}]}\r\n\t\t]\r\n\t},\r\n'
        '\t"model": "opus",\r\n}'
    ),
    ".codex/config.toml": (
        '# mine\nmodel = "x"  # the good one\n\n[mcp_servers.notes]\ncommand = "n"'
    ),
    ".codex/hooks.json": "",
}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home with settings of its owner's own."""
    for name, text in THEIRS.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        if text:
            path.write_bytes(text.encode())
    return tmp_path


def onrecord(home: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """The installed program as a script would run it."""
    return subprocess.run(
        [ONRECORD, *words],
        env={"HOME": str(home), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"},
        cwd=home,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


def settings(home: Path) -> dict[str, bytes | None]:
    """The four files as they stand."""
    return {
        name: (home / name).read_bytes() if (home / name).exists() else None for name in THEIRS
    }


def test_connect_is_reversible_to_the_byte(home: Path) -> None:
    """Connecting changes the files, and removing gives them back exactly."""
    before = settings(home)
    assert onrecord(home, "connect", "claude-code", "codex").returncode == 0
    between = settings(home)
    assert onrecord(home, "connect", "claude-code", "codex", "--remove").returncode == 0

    assert all(between[name] != before[name] for name in THEIRS)
    assert settings(home) == before


def test_connect_is_reversible_twice_is_once(home: Path) -> None:
    """A second connect changes nothing."""
    onrecord(home, "connect", "claude-code", "codex")
    once = settings(home)
    again = onrecord(home, "connect", "claude-code", "codex")

    assert settings(home) == once
    assert again.stdout.count("nothing to change") == 2


def test_connect_is_reversible_with_edits_in_between(home: Path) -> None:
    """What the user writes after connecting stays when ours goes."""
    onrecord(home, "connect", "codex")
    config = home / ".codex/config.toml"
    config.write_text(config.read_text(encoding="utf-8") + "\n# later\n", encoding="utf-8")
    onrecord(home, "connect", "codex", "--remove")
    text = config.read_text(encoding="utf-8")

    assert "onrecord" not in text
    assert "# later" in text
    assert "# the good one" in text


def test_connect_is_reversible_dry_run_writes_nothing(home: Path) -> None:
    """The diff is shown and no file changes."""
    before = settings(home)
    shown = onrecord(home, "connect", "claude-code", "codex", "--dry-run")

    assert settings(home) == before
    assert "+[mcp_servers.onrecord]" in shown.stdout
    assert not (home / ".local").exists()


def test_connect_is_reversible_a_foreign_entry_is_left_alone(home: Path) -> None:
    """A server of another kind under our name is reported, never overwritten."""
    path = home / ".claude.json"
    foreign = '{"mcpServers": {"onrecord": {"command": "something-else"}}}'
    path.write_text(foreign, encoding="utf-8")
    told = onrecord(home, "connect", "claude-code")

    assert path.read_text(encoding="utf-8") == foreign
    assert "left alone" in told.stdout


def test_connect_is_reversible_broken_settings_are_left_as_they_are(home: Path) -> None:
    """A file that is not JSON is an error with its place; nothing of that client is written."""
    path = home / ".claude/settings.json"
    path.write_text('{"hooks": [', encoding="utf-8")
    before = settings(home)
    told = onrecord(home, "connect", "claude-code")

    assert told.returncode == 1
    assert "settings.json" in told.stderr
    assert "Traceback" not in told.stderr
    assert settings(home) == before


def test_connect_is_reversible_a_link_out_of_the_home_is_refused(
    home: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """A settings file that is a link to elsewhere is not written through."""
    target = tmp_path_factory.mktemp("elsewhere") / "config.toml"
    target.write_text("# not here\n", encoding="utf-8")
    (home / ".codex/config.toml").unlink()
    (home / ".codex/config.toml").symlink_to(target)
    told = onrecord(home, "connect", "codex")

    assert told.returncode == 1
    assert target.read_text(encoding="utf-8") == "# not here\n"


def test_connect_asks_a_person_for_the_review_policy_once(home: Path) -> None:
    """One plain question at a terminal; a script is not asked, and everything waits."""
    ada = Person(home)
    asked = ada.run([ONRECORD, "connect", "codex"], keys=[("[a/f/n]", "f")])
    again = ada.run([ONRECORD, "connect", "codex"])
    status = json.loads(onrecord(home, "status", "--json").stdout)

    assert asked.exit_code == 0
    assert "should wait for your approval" in asked.text
    assert "should wait for your approval" not in again.text
    assert {"name": "review", "scope": "global", "value": "flagged"} in status["settings"]


def test_doctor_proves_delivery_with_a_round_trip(home: Path) -> None:
    """Connected clients are tried for real; before connecting it says what is missing."""
    before = json.loads(onrecord(home, "doctor", "claude-code", "--json").stdout)
    onrecord(home, "connect", "claude-code")
    after = onrecord(home, "doctor", "claude-code", "--json")
    codes = {finding["code"]: finding["level"] for finding in json.loads(after.stdout)["findings"]}

    assert "client.not_connected" in {finding["code"] for finding in before["findings"]}
    assert after.returncode == 0
    assert codes["mcp.round_trip"] == "ok"
    assert codes["hook.round_trip"] == "ok"


def test_doctor_names_other_memories_mounted_beside(home: Path) -> None:
    """Two memories in one client are told apart."""
    onrecord(home, "connect", "claude-code")
    path = home / ".claude.json"
    shape = json.loads(path.read_text(encoding="utf-8"))
    shape["mcpServers"]["mem0"] = {"command": "mem0-mcp"}
    path.write_text(json.dumps(shape), encoding="utf-8")
    told = onrecord(home, "doctor", "claude-code")

    assert "also mounts the memory `mem0`" in told.stdout


def test_settings_that_the_client_would_not_read_are_told(home: Path) -> None:
    """Claude Code ignores a settings file with comments; connect and the doctor say so."""
    told = onrecord(home, "connect", "claude-code")
    looked = onrecord(home, "doctor", "claude-code")

    assert "does not read this file" in told.stdout
    assert "does not read this file" in looked.stdout
