"""A repository's own files from the command line, and in what agents are given."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from commandline import REPO, SCRIPT, CommandLine
from harness.surroundings import SHELL_TOOL

if TYPE_CHECKING:
    from pathlib import Path

    from harness.surroundings import Surroundings

PLAN = "# Plan\n\n## Fares\nFares go by zone from May on.\n"
YES = [("[y/n]", "y")]


@pytest.fixture
def lines(tmp_path: Path) -> CommandLine:
    """A repository with a plan, whose files were switched on."""
    made = CommandLine(tmp_path)
    (made.repo / "plan.md").write_text(PLAN, encoding="utf-8")
    done = made.run("files", "enable", keys=YES)
    assert (done.status, done.err) == (0, ""), done
    assert "plan.md: 1 created" in done.out
    return made


def test_what_the_files_say_is_found_and_given(lines: CommandLine) -> None:
    """By recall, and in the pack of a session, though nobody reviewed it."""
    (item,) = lines.run("list", "--json").json["items"]

    assert (item["status"], item["key"], item["scope"]) == ("active", "file:plan.md#fares", REPO)
    assert "Fares" in lines.run("recall", "zone").out
    assert "Fares go by zone" in lines.run("pack").out


def test_changes_are_told(lines: CommandLine) -> None:
    """A dry run says what would change, a reading what did, and the list what is followed."""
    (lines.repo / "plan.md").write_text(PLAN.replace("May", "June"), encoding="utf-8")

    looked = lines.run("files", "sync", "--dry-run", "--json").json
    shown = lines.run("files", "sync")
    again = lines.run("files", "sync")
    listed = lines.run("files", "--json").json

    assert (looked["dry_run"], looked["outcomes"]) == (True, {"updated": 1})
    assert looked["files"] == [
        {
            "path": "plan.md",
            "state": "read",
            "sections": 1,
            "outcomes": {"updated": 1},
            "refused": [],
            "left_out": 0,
        }
    ]
    assert shown.out == "plan.md: 1 updated\n"
    assert again.out == "Nothing changed in 1 file.\n"
    assert listed["enabled"] == [
        {
            "scope": REPO,
            "root": str(lines.repo),
            "files": [{"path": "plan.md", "sections": 1}],
        }
    ]


def test_switched_off_and_put_away(lines: CommandLine) -> None:
    """What they said stays, or is archived at once."""
    kept = lines.run("files", "disable", "--json", keys=YES)
    away = lines.run("files", "disable", "--archive", "--json", keys=YES)

    assert kept.json == {"scope": REPO, "enabled": False, "archived": 0, "kept": 1}
    assert away.json == {"scope": REPO, "enabled": False, "archived": 1, "kept": 0}
    assert lines.run("files", "sync").status == 2
    assert lines.run("list", "--json").json["items"] == []


def test_a_dry_run_says_what_a_reading_would(lines: CommandLine) -> None:
    """Before the files are switched off, and after: then both are refused in the same words."""
    before = [lines.run("files", "sync", *words) for words in (("--dry-run",), ())]
    lines.run("files", "disable", "--archive", keys=YES)
    looked, done = (lines.run("files", "sync", *words) for words in (("--dry-run",), ()))

    assert [answer.status for answer in before] == [0, 0]
    assert (looked.status, looked.out, looked.err) == (done.status, done.out, done.err)
    assert "not read" in looked.err


@pytest.mark.parametrize("action", ["enable", "disable", "sync"])
@pytest.mark.parametrize("around", [SCRIPT, SHELL_TOOL["claude-plain"]])
def test_only_a_person_has_files_read(
    lines: CommandLine, action: str, around: Surroundings
) -> None:
    """Neither a script nor an agent; and saying no changes nothing."""
    answer = lines.run("files", action, "--json", around=around)
    no = lines.run("files", "disable", keys=[("[y/n]", "n")])

    assert answer.status in (1, 4)
    assert no.status == 1
    assert len(lines.run("files", "--json").json["enabled"]) == 1


def test_the_users_own_globs_count(lines: CommandLine) -> None:
    """From the user's configuration alone; a file of the repository cannot name any."""
    (lines.repo / "notes").mkdir()
    (lines.repo / "notes" / "gate.md").write_text("# Gate\n\nOpens at six.\n", encoding="utf-8")
    (lines.repo / "onrecord.toml").write_text('[files]\nalso = ["**"]\n', encoding="utf-8")
    before = lines.run("files", "sync", "--json").json["outcomes"]
    config = lines.home / ".config" / "onrecord" / "config.toml"
    config.parent.mkdir(parents=True)
    config.write_text('[files]\nalso = ["notes/*.md", "/etc/*"]\n', encoding="utf-8")

    after = lines.run("files", "sync", "--json").json

    assert before == {}
    assert after["outcomes"] == {"created": 1}
    assert [file["path"] for file in after["files"]] == ["notes/gate.md", "plan.md"]


def test_the_background_takes_changes_in(lines: CommandLine) -> None:
    """What a session's start leaves running reads the files, too."""
    (lines.repo / "plan.md").write_text(PLAN.replace("May", "July"), encoding="utf-8")
    (lines.home / ".local/share/onrecord/memory.db.spool").mkdir(mode=0o700, exist_ok=True)

    subprocess.run(
        [sys.executable, "-P", "-m", "onrecord.doors.hook.drain", str(lines.store)],
        env={"HOME": str(lines.home), "PATH": "/usr/bin:/bin"},
        check=True,
        timeout=60,
    )

    assert "from July on" in lines.run("pack").out


def test_words_that_do_not_go_together(lines: CommandLine) -> None:
    """They are told before anything is done."""
    assert lines.run("files", "enable", "--dry-run").status == 2
    assert lines.run("files", "sync", "--archive").status == 2


def test_nowhere(tmp_path: Path) -> None:
    """Without a repository there is nothing to follow, and no store is made for it."""
    lines = CommandLine(tmp_path)
    outside = tmp_path / "outside"
    outside.mkdir()

    answer = lines.run("files", "sync", cwd=outside)

    assert answer.status in (2, 5)
    assert lines.run("files").out.startswith("No repository's files are read.")
    assert not lines.store.exists()
