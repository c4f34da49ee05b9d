"""Copies from the command line: made by a person or a script, restored by a person alone."""

from __future__ import annotations

import stat
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from commandline import SCRIPT, CommandLine
from harness.surroundings import SHELL_TOOL

if TYPE_CHECKING:
    from commandline import Answer
    from harness.surroundings import Surroundings

YES = [("[y/n]", "y")]
CLAUDE_TOOL = SHELL_TOOL["claude-plain"]


@pytest.fixture
def lines(tmp_path: Path) -> CommandLine:
    """A place with a store and one memory."""
    made = CommandLine(tmp_path)
    made.remember("The gate opens at six in the morning")
    return made


def titles(lines: CommandLine) -> list[str]:
    """What a person finds, newest first."""
    return [item["title"] for item in lines.run("list", "--json").json["items"]]


def backed_up(lines: CommandLine, *words: str) -> Answer:
    """A copy as JSON."""
    answer = lines.run("backup", *words, "--json")
    assert answer.status == 0, answer
    return answer


def test_a_copy_is_made_and_said_plainly(lines: CommandLine, tmp_path: Path) -> None:
    """Two private files at the path that was given, and what is in them."""
    target = tmp_path / "copies" / "one.db"
    typo = lines.run("backup", str(target))
    assert (typo.status, target.parent.exists()) == (1, False)
    assert "(not_found)" in typo.err
    target.parent.mkdir(mode=0o700)

    answer = lines.run("backup", str(target))

    assert answer.status == 0
    assert answer.out.splitlines()[0] == str(target)
    assert "1 item, 1 event" in answer.out
    assert "keep it where only you can read it" in answer.out
    for file in (target, Path(f"{target}.keys")):
        assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_a_copy_is_one_shape(lines: CommandLine) -> None:
    """Where it is, its key, and the head of its log as `check --head` takes it."""
    shape = backed_up(lines).json

    assert shape["path"].startswith(f"{lines.store}.backups/backup-")
    assert shape["keys"] == f"{shape['path']}.keys"
    assert (shape["items"], shape["events"]) == (1, 1)
    head = lines.run("check", "--head", f"{shape['events']}:{shape['head']}")
    assert head.status == 0


def test_nothing_is_overwritten(lines: CommandLine) -> None:
    """The second copy to one path is refused with a code, and the first is untouched."""
    target = lines.home / "one.db"
    backed_up(lines, str(target))
    before = target.read_bytes()

    answer = lines.run("backup", str(target))

    assert answer.status == 5
    assert "(store.unsafe)" in answer.err
    assert target.read_bytes() == before


def test_a_script_makes_copies_and_an_agent_does_not(lines: CommandLine) -> None:
    """Nightly copies need nobody; a copy holds what an agent may not read."""
    script = lines.run("backup", "--json", around=SCRIPT)
    agent = lines.run("backup", "--json", around=CLAUDE_TOOL)

    assert script.status == 0
    assert agent.status == 1
    assert agent.error["code"] == "denied"
    assert len(list(Path(f"{lines.store}.backups").glob("*.db"))) == 1


def test_there_must_be_a_store_to_copy(tmp_path: Path) -> None:
    """And none is made."""
    lines = CommandLine(tmp_path)

    answer = lines.run("backup")

    assert answer.status == 5
    assert "(store.missing)" in answer.err
    assert not lines.store.exists()


def test_a_copy_is_restored(lines: CommandLine) -> None:
    """What came since is gone from the store, kept beside it, and said."""
    copy = backed_up(lines).json["path"]
    lines.remember("The gate closes at eight in the evening")

    answer = lines.run("restore-backup", copy, keys=YES)

    assert answer.status == 0, answer
    assert "Restored: 1 item, 2 events." in answer.out
    assert titles(lines) == ["The gate opens at six in the morning"]
    kept = next(line for line in answer.out.splitlines() if "the store before it:" in line)
    path = kept.partition(": ")[2]
    assert lines.run("restore-backup", path, keys=YES).status == 0
    assert len(titles(lines)) == 2


def test_a_restore_is_tried_without_a_key_and_without_a_trace(lines: CommandLine) -> None:
    """It says what would come, erased again included; the store stays as it is."""
    heron = lines.remember("The staging gate opens for the blue heron")
    copy = backed_up(lines).json["path"]
    assert lines.run("forget", heron, keys=YES).status == 0
    before = lines.run("check", "--json").json
    files = sorted(path for path in lines.store.parent.rglob("*"))

    said = lines.run("restore-backup", copy, "--dry-run")
    shape = lines.run("restore-backup", copy, "--dry-run", "--json").json

    assert said.status == 0, said
    assert "nothing was changed" in said.out
    assert (shape["dry_run"], shape["erased_again"], shape["event"]) == (True, 1, None)
    assert (shape["items"], shape["kept"]) == (1, None)
    assert lines.run("check", "--json").json == before
    assert sorted(path for path in lines.store.parent.rglob("*")) == files
    assert lines.run("restore-backup", copy, "--dry-run", around=SCRIPT).status == 4


def test_a_restore_is_one_shape(lines: CommandLine) -> None:
    """With what was erased and rejected again."""
    heron = lines.remember("The staging gate opens for the blue heron")
    copy = backed_up(lines).json["path"]
    assert lines.run("forget", heron, keys=YES).status == 0

    answer = lines.run("restore-backup", copy, "--json", keys=YES)

    shape = answer.json
    assert answer.status == 0
    assert answer.err == ""
    assert (shape["erased_again"], shape["rejected_again"]) == (1, 0)
    assert (shape["items"], shape["unreadable"]) == (1, False)
    assert lines.run("log", "--limit", "1", "--json").json["events"][0]["seq"] == shape["event"]


@pytest.mark.parametrize("around", [SCRIPT, CLAUDE_TOOL])
def test_nobody_but_a_person_restores(lines: CommandLine, around: Surroundings) -> None:
    """The store stays as it is."""
    copy = backed_up(lines).json["path"]
    lines.remember("The gate closes at eight in the evening")

    answer = lines.run("restore-backup", copy, "--json", around=around)

    assert answer.status == 4
    assert answer.error["code"] == "person.required"
    assert len(titles(lines)) == 2


def test_a_no_changes_nothing(lines: CommandLine) -> None:
    """The key is asked for before anything is done."""
    copy = backed_up(lines).json["path"]

    answer = lines.run("restore-backup", copy, keys=[("[y/n]", "n")])

    assert answer.status == 1
    assert "(declined)" in answer.err
    assert not list(Path(f"{lines.store}.backups").glob("before-restore*"))


def test_what_is_no_copy_is_refused(lines: CommandLine) -> None:
    """Missing, not a database, and a link."""
    other = lines.home / "other.txt"
    other.write_text("nothing of ours\n" * 400, encoding="utf-8")
    link = lines.home / "link.db"
    link.symlink_to(backed_up(lines).json["path"])

    missing = lines.run("restore-backup", str(lines.home / "gone.db"))
    garbage = lines.run("restore-backup", str(other), keys=YES)
    linked = lines.run("restore-backup", str(link), keys=YES)
    folder = lines.run("restore-backup", str(lines.home))

    assert (folder.status, "(usage)" in folder.err) == (2, True), folder
    assert "chmod" not in folder.err
    assert (missing.status, garbage.status, linked.status) == (1, 5, 5)
    assert "(not_found)" in missing.err
    assert "(store.corrupt)" in garbage.err
    assert "(store.unsafe)" in linked.err
    assert titles(lines) == ["The gate opens at six in the morning"]


def test_a_copy_moves_to_another_machine(lines: CommandLine, tmp_path: Path) -> None:
    """The two files are all that is carried there."""
    target = tmp_path / "stick" / "memory.db"
    target.parent.mkdir(mode=0o700)
    backed_up(lines, str(target))
    folder = tmp_path / "there"
    folder.mkdir()
    there = CommandLine(folder)

    answer = there.run("restore-backup", str(target), keys=YES)

    assert answer.status == 0, answer
    assert titles(there) == ["The gate opens at six in the morning"]
    there.remember("It goes on from there")
    assert there.run("check").status == 0


def test_forgetting_says_which_copies_still_hold_it(lines: CommandLine) -> None:
    """Honestly, where there are any; those elsewhere are the person's own to think of."""
    first, second = (lines.remember(f"Only a trial, number {n} of two") for n in (1, 2))
    without = lines.run("forget", first, keys=YES).out
    backed_up(lines)

    told = lines.run("forget", second, keys=YES).out

    assert "Copies that were made before" not in without
    assert f"still hold it: 1 in {lines.store}.backups." in told


def test_a_copy_that_is_older_does_not_hold_it(lines: CommandLine) -> None:
    """Neither the preview nor the answer says that one from before the memory keeps it."""
    backed_up(lines)
    later = lines.remember("Only a trial, after the copy")
    known = lines.run("forget", later, "--dry-run")
    as_json = lines.run("forget", later, "--dry-run", "--json").json
    told = lines.run("forget", later, keys=YES)

    assert told.status == 0
    assert "stays in" not in known.out
    assert as_json["copies"] == []
    assert "still hold it" not in told.out


@pytest.mark.parametrize("carrier", ["query", "quote"])
def test_a_copy_that_holds_the_words_elsewhere_is_named(lines: CommandLine, carrier: str) -> None:
    """A question or a quote that is older than the memory has them in an older copy too."""
    words = "We store vehicle length in centimetres"
    if carrier == "query":
        lines.run("pack", "--query", words)
    else:
        lines.remember("Vehicle lengths are stored in centimetres")
        assert "kept with it" in lines.run("remember", words).out
    backed_up(lines)
    later = lines.remember(words, "--distinct")
    as_json = lines.run("forget", later, "--dry-run", "--json").json
    told = lines.run("forget", later, keys=YES).out

    assert len(as_json["copies"]) == 1
    assert "still hold it: 1 in" in told


def test_copies_that_were_written_elsewhere_are_named(lines: CommandLine) -> None:
    """A copy and an export in other folders, until they are deleted; never older ones."""
    stick = lines.home / "stick"
    stick.mkdir(mode=0o700)
    early = backed_up(lines, str(stick / "early.db")).json["path"]
    trial = lines.remember("Only a trial, before the others")
    copy = backed_up(lines, str(stick / "late.db")).json["path"]
    gone = backed_up(lines, str(stick / "gone.db")).json["path"]
    Path(gone).unlink()
    export = str(lines.home / "out.jsonl")
    assert lines.run("export", "-o", export).status == 0
    as_json = lines.run("forget", trial, "--dry-run", "--json").json
    known = lines.run("forget", trial, "--dry-run").out
    told = lines.run("forget", trial, keys=YES).out

    assert as_json["copies"] == [copy, export]
    for said in (known, told):
        assert f"{copy}" in said
        assert export in said
        assert early not in said
        assert gone not in said


def test_a_drive_that_is_away_may_hold_a_copy(lines: CommandLine) -> None:
    """Where the folder itself is not there, nobody can tell that the copy is gone."""
    stick = lines.home / "stick"
    stick.mkdir(mode=0o700)
    trial = lines.remember("Only a trial, on a stick")
    copy = backed_up(lines, str(stick / "late.db")).json["path"]
    stick.rename(lines.home / "in-the-drawer")

    assert copy in lines.run("forget", trial, keys=YES).out
