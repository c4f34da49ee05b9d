"""Mirrors that are gone, behind or given up: told, and ended by their owner alone."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from commandline import SCRIPT, CommandLine

YES = [("[y/n]", "y")]
GATE = "The production gate listens on port 5432"


@pytest.fixture
def lines(tmp_path: Path) -> CommandLine:
    """A place with two memories and a mirror of them."""
    made = CommandLine(tmp_path)
    made.remember(GATE, "--scope", "global")
    made.remember("Use pnpm in the web folder", "--scope", "global")
    assert made.run("mirror", str(made.home / "mirror")).status == 0
    return made


def folder(lines: CommandLine) -> Path:
    """The mirror."""
    return lines.home / "mirror"


def listed(lines: CommandLine) -> list[dict[str, Any]]:
    """The mirrors that the store knows."""
    found: list[dict[str, Any]] = lines.run("mirror", "--json").json["mirrors"]
    return found


def found_by_doctor(lines: CommandLine) -> dict[str, dict[str, Any]]:
    """What the doctor says of mirrors, by code."""
    rows = lines.run("doctor", "codex", "--json").json["findings"]
    return {row["code"]: row for row in rows if row["code"].startswith("mirror.")}


def forgotten(lines: CommandLine, title: str = GATE) -> str:
    """Forget a memory; what was said."""
    (item,) = (i["id"] for i in lines.run("list", "--json").json["items"] if i["title"] == title)
    done = lines.run("forget", item, keys=YES)
    assert done.status == 0
    return done.out


def test_a_mirror_that_was_deleted_for_good_can_be_dropped(lines: CommandLine) -> None:
    """Then forgetting says nothing of it; and running it again makes it one again."""
    shutil.rmtree(folder(lines))
    assert "--drop ends one that will not come back" in forgotten(lines)
    assert listed(lines) == [{"path": str(folder(lines)), "stands": False, "owed": 1}]

    shown = lines.run("mirror", "--drop", str(folder(lines)), "--dry-run", "--json").json
    assert shown == {"dropped": listed(lines)[0], "dry_run": True}
    done = lines.run("mirror", "--drop", str(folder(lines)))

    assert done.status == 0, done
    assert f"Again: onrecord mirror {folder(lines)}" in done.out
    assert listed(lines) == []
    assert "mirror" not in forgotten(lines, "Use pnpm in the web folder")
    lines.remember("The depot charges at night", "--scope", "global")
    assert lines.run("mirror", str(folder(lines))).status == 0
    assert listed(lines) == [{"path": str(folder(lines)), "stands": True, "owed": 0}]


def test_a_mirror_that_is_dropped_where_it_stands_keeps_its_files(lines: CommandLine) -> None:
    """It is said that they keep what is forgotten later; and so they do."""
    done = lines.run("mirror", "--drop", str(folder(lines)))

    assert "keep what you forget from now on" in done.out
    forgotten(lines)
    assert any(GATE in path.read_text("utf-8") for path in folder(lines).rglob("*.md"))


def test_what_a_mirror_is_owed_goes_before_it_is_dropped(lines: CommandLine) -> None:
    """It was away while something was forgotten, and came back."""
    away = lines.home / "away"
    folder(lines).rename(away)
    forgotten(lines)
    away.rename(folder(lines))

    done = lines.run("mirror", "--drop", str(folder(lines)), "--json")

    assert done.json["dropped"]["owed"] == 0
    assert not any(GATE in path.read_text("utf-8") for path in folder(lines).rglob("*.md"))


def test_only_a_person_drops_a_mirror_and_only_one_that_is_known(lines: CommandLine) -> None:
    """A script would keep what its person erases later; a slip lists the mirrors."""
    assert lines.run("mirror", "--drop", str(folder(lines)), around=SCRIPT).status == 4
    slip = lines.run("mirror", "--drop", str(lines.home / "miror"))

    assert slip.status == 1
    assert str(folder(lines)) in slip.err
    assert len(listed(lines)) == 1
    assert lines.run("mirror", "--drop").status == 2
    assert lines.run("mirror", "--drop", str(folder(lines)), "--overwrite").status == 2


def test_a_dry_run_says_what_would_be_and_writes_nothing(lines: CommandLine) -> None:
    """Neither in a mirror nor in a folder that is not there yet."""
    gone = next(i for i in lines.run("list", "--json").json["items"] if i["title"] == GATE)
    assert lines.run("archive", gone["id"]).status == 0
    lines.remember("The depot charges at night", "--scope", "global")
    before = {p: p.read_bytes() for p in folder(lines).rglob("*") if p.is_file()}

    would = lines.run("mirror", str(folder(lines)), "--dry-run", "--json").json
    new = lines.run("mirror", str(lines.home / "new"), "--dry-run", "--json").json

    assert (would["dry_run"], would["written"], would["erased"]) == (True, 1, 1)
    assert {p: p.read_bytes() for p in folder(lines).rglob("*") if p.is_file()} == before
    assert new["written"] == 2
    assert not (lines.home / "new").exists()
    assert len(listed(lines)) == 1
    done = lines.run("mirror", str(folder(lines)), "--json").json
    assert (done["dry_run"], done["written"], done["erased"]) == (False, 1, 1)


def test_the_doctor_tells_how_each_mirror_stands(lines: CommandLine) -> None:
    """In step, behind, gone with what it is owed; each with the way out."""
    assert set(found_by_doctor(lines)) == {"mirror.known"}
    lines.remember("The depot charges at night", "--scope", "global")
    behind = found_by_doctor(lines)["mirror.behind"]
    assert "1 file behind" in behind["say"]
    assert behind["fix"] == f"onrecord mirror {folder(lines)}"

    shutil.rmtree(folder(lines))
    forgotten(lines)
    gone = found_by_doctor(lines)["mirror.gone"]

    (found,) = lines.run("lint", "--code", "mirror.gone", "--json").json["findings"]
    assert found["about"] == str(folder(lines))
    assert lines.run("lint", "--scope", "global").status == 0
    assert "1 erased memory" in gone["say"]
    assert "--drop" in gone["fix"]


def test_a_mirror_shows_the_statuses_of_the_last_time(lines: CommandLine) -> None:
    """So that a run without words never erases what was asked for."""
    item = next(i for i in lines.run("list", "--json").json["items"] if i["title"] == GATE)
    assert lines.run("archive", item["id"]).status == 0
    words = ("mirror", str(folder(lines)), "--json")
    lines.run(*words, "--status", "active", "--status", "archived")

    assert lines.run(*words).json["items"] == 2
    assert set(found_by_doctor(lines)) == {"mirror.known"}
    assert lines.run(*words, "--status", "active").json["items"] == 1
