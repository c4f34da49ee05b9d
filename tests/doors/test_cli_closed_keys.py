"""A copy whose keys are closed with a passphrase: made by a script, opened by a person."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Final

import pytest

from commandline import SCRIPT, CommandLine

WORD: Final = "seven herons over the harbour"
YES: Final = [("[y/n]", "y")]


@pytest.fixture
def lines(tmp_path: Path) -> CommandLine:
    """A place with a memory."""
    made = CommandLine(tmp_path)
    made.remember("The gate opens at six", "--scope", "repo")
    return made


def word_file(lines: CommandLine, text: str = WORD, mode: int = 0o600) -> str:
    """A file with a passphrase."""
    path = lines.home / "passphrase"
    path.write_text(text + "\n", encoding="utf-8")
    path.chmod(mode)
    return str(path)


def closed_copy(lines: CommandLine) -> Path:
    """A copy that a script made with a passphrase."""
    made = lines.run("backup", "--passphrase-file", word_file(lines), "--json", around=SCRIPT)
    assert made.status == 0, made
    assert made.json["closed"] is True
    return Path(made.json["path"])


def test_a_closed_copy_is_restored_elsewhere_with_its_passphrase(
    lines: CommandLine, tmp_path: Path
) -> None:
    """And not without it, nor with another one; nothing is left behind by the tries."""
    copy = closed_copy(lines)
    secret = lines.store.with_name(lines.store.name + ".keys").read_text(encoding="ascii")
    closed = copy.with_name(copy.name + ".keys").read_text(encoding="ascii")
    (tmp_path / "elsewhere").mkdir()
    there = CommandLine(tmp_path / "elsewhere")
    stick = tmp_path / "stick" / "copy.db"
    stick.parent.mkdir(mode=0o700)
    for end in ("", ".keys"):
        copy.with_name(copy.name + end).rename(f"{stick}{end}")
    bare = there.run("restore-backup", str(stick), "--json", keys=YES)
    word = word_file(there, "seven herons over the bridge")
    closing = ("--passphrase-file", word)
    wrong = there.run("restore-backup", str(stick), *closing, "--json", keys=YES)
    assert not there.store.exists()
    word_file(there)
    right = there.run("restore-backup", str(stick), *closing, keys=YES)
    listed = there.run("list", "--all", "--json").json["items"]

    assert secret.split()[1] not in closed
    assert [one.error["code"] for one in (bare, wrong)] == ["store.key"] * 2
    assert "--passphrase-file" in bare.error["hint"]
    assert right.status == 0, right
    assert [item["title"] for item in listed] == ["The gate opens at six"]
    assert there.store.with_name("memory.db.keys").read_text(encoding="ascii") == secret
    assert there.run("check", "--audit").status == 0


def test_a_closed_copy_is_looked_into_without_a_passphrase_beside_its_store(
    lines: CommandLine,
) -> None:
    """Restored to a place of its own: the store that it was made of knows the key."""
    copy = closed_copy(lines)
    look = ("--db", str(lines.home / "look.db"))
    restored = lines.run("restore-backup", str(copy), *look, keys=YES)
    bare = lines.home / "bare.db"
    bare.write_bytes(copy.read_bytes())
    bare.chmod(0o600)
    again = ("--db", str(lines.home / "again.db"))
    without = lines.run("restore-backup", str(bare), *again, keys=YES)

    assert (restored.status, without.status) == (0, 0), (restored, without)
    assert lines.run("check", "--audit", *look).status == 0
    listed = lines.run("list", "--all", *again, "--json").json["items"]
    assert [item["title"] for item in listed] == ["The gate opens at six"]


def test_the_store_that_it_is_of_needs_no_passphrase(lines: CommandLine) -> None:
    """Its own keys know the copy's."""
    copy = closed_copy(lines)
    lines.remember("Fares are in cents", "--scope", "repo")
    restored = lines.run("restore-backup", str(copy), keys=YES)
    listed = lines.run("list", "--all", "--json").json["items"]

    assert restored.status == 0, restored
    assert [item["title"] for item in listed] == ["The gate opens at six"]


@pytest.mark.parametrize(
    ("text", "mode", "why"),
    [
        ("short", 0o600, "fewer than 12"),
        (WORD, 0o644, "read by others"),
    ],
)
def test_a_passphrase_that_is_none_is_told(
    lines: CommandLine, text: str, mode: int, why: str
) -> None:
    """Before anything is copied, and never repeated."""
    told = lines.run("backup", "--passphrase-file", word_file(lines, text, mode), "--json")

    assert (told.status, told.error["code"]) == (2, "usage")
    assert why in told.error["message"]
    assert text not in told.err


def test_a_passphrase_is_read_from_a_plain_file_alone(lines: CommandLine) -> None:
    """Never through a link, from a pipe or a folder."""
    link, pipe = lines.home / "link", lines.home / "pipe"
    link.symlink_to(word_file(lines))
    os.mkfifo(pipe, 0o600)
    for path in (link, pipe, lines.home, lines.home / "none"):
        assert lines.run("backup", "--passphrase-file", str(path)).status == 2


def test_a_file_of_the_passphrase_that_is_missing_is_named(lines: CommandLine) -> None:
    """With how one is made, which then does; for a restore nothing can be made."""
    path = lines.home / "my passphrase"
    answer = lines.run("backup", "--passphrase-file", str(path), around=SCRIPT)
    copy = str(closed_copy(lines))
    for_restore = lines.run("restore-backup", copy, "--passphrase-file", str(path))
    made = answer.err.partition("only you can read: ")[2].splitlines()[0]
    subprocess.run(["sh", "-c", made], check=True, timeout=30)

    assert answer.status == 2
    assert "is not there" in answer.err
    assert str(path) in answer.err
    assert "is not there" in for_restore.err
    assert "Make one" not in for_restore.err
    assert lines.run("backup", "--passphrase-file", str(path), around=SCRIPT).status == 0
