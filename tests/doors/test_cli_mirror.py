"""A folder of Markdown that stays in step: written once, followed, erased, never over an edit."""

from __future__ import annotations

import hashlib
import json
import os
import stat
import subprocess
from pathlib import Path
from typing import Any

import pytest

from commandline import SCRIPT, CommandLine

YES = [("[y/n]", "y")]
GATE = "The production gate listens on port 5432"
ODD = 'Odd: "quotes" \\ and 🚢 and ünïcode: # no heading'


@pytest.fixture
def lines(tmp_path: Path) -> CommandLine:
    """A place with three memories."""
    made = CommandLine(tmp_path)
    made.remember(GATE, "--scope", "repo", "--key", "port", "--evidence", "file=gate.yml:3")
    made.remember("Use pnpm in the web folder", "--scope", "global", "--tag", "web, not api")
    made.remember(ODD, "--scope", "global")
    return made


def mirrored(lines: CommandLine, *words: str, status: int = 0) -> dict[str, Any]:
    """One run; what it says."""
    answer = lines.run("mirror", str(lines.home / "mirror"), "--json", *words)
    assert answer.status == status, answer
    found: dict[str, Any] = answer.json
    return found


def pages(lines: CommandLine) -> dict[str, Path]:
    """Files of the mirror by the title that they show."""
    found = sorted((lines.home / "mirror").rglob("*.md"))
    return {
        text.partition("\n# ")[2].partition("\n")[0]: path
        for path in found
        if (text := path.read_text(encoding="utf-8"))
    }


def counts(done: dict[str, Any]) -> tuple[int, int, int]:
    """Files written, left and erased."""
    return done["written"], done["unchanged"], done["erased"]


def test_only_what_changed_is_written(lines: CommandLine) -> None:
    """A second run writes nothing; a changed memory one file; an archived one is erased."""
    assert counts(mirrored(lines)) == (3, 0, 0)
    assert set(pages(lines)) == {GATE, "Use pnpm in the web folder", ODD}
    before = {path: path.stat().st_mtime_ns for path in pages(lines).values()}

    assert counts(mirrored(lines)) == (0, 3, 0)
    assert {path: path.stat().st_mtime_ns for path in pages(lines).values()} == before

    lines.remember("The gate moved to port 6432", "--scope", "repo", "--key", "port")
    gone = lines.run("recall", "pnpm", "--json").json["hits"][0]["item"]["id"]
    assert lines.run("archive", gone).status == 0
    done = mirrored(lines)

    assert (done["written"], done["unchanged"], done["items"]) == (1, 1, 2)
    assert set(pages(lines)) == {"The gate moved to port 6432", ODD}


def test_an_import_of_our_own_mirror_adds_nothing(lines: CommandLine, tmp_path: Path) -> None:
    """Here all of it is known; elsewhere it arrives as it was, as proposals."""
    mirrored(lines)
    folder = str(lines.home / "mirror")

    back = lines.run("import", folder, "--json").json

    assert (back["format"], back["outcomes"], back["skipped"]) == (
        "mirror",
        {"corroborated": 3},
        [],
    )
    (tmp_path / "other").mkdir()
    other = CommandLine(tmp_path / "other")
    assert other.run("import", folder, "--json").json["outcomes"] == {"proposed": 3}
    came = [one["item"] for one in other.run("review", "--json").json["waiting"]]
    had = lines.run("list", "--json").json["items"]
    told = ("title", "body", "kind", "scope", "key", "tags")
    assert sorted([item[name] for name in told] for item in came) == sorted(
        [item[name] for name in told] for item in had
    )


def test_an_edited_file_is_never_written_over(lines: CommandLine) -> None:
    """It is named, also when its memory changes; --overwrite drops the edit."""
    mirrored(lines)
    path = pages(lines)[GATE]
    path.write_text("mine now\n", encoding="utf-8")
    item = lines.run("recall", "gate", "--json").json["hits"][0]["item"]["id"]
    assert lines.run("pin", item).status == 0

    done = mirrored(lines, status=3)

    assert done["edited"] == [str(path.relative_to(lines.home / "mirror"))]
    assert path.read_text(encoding="utf-8") == "mine now\n"
    assert mirrored(lines, "--overwrite")["edited"] == []
    assert GATE in path.read_text(encoding="utf-8")


def test_what_was_forgotten_leaves_the_mirror_even_where_it_was_edited(lines: CommandLine) -> None:
    """At once; no file and no name of a file holds it."""
    mirrored(lines)
    path = pages(lines)[GATE]
    path.write_text(path.read_text(encoding="utf-8") + "\nand mine\n", encoding="utf-8")
    item = lines.run("recall", "gate", "--json").json["hits"][0]["item"]["id"]
    assert lines.run("forget", item, keys=YES).status == 0

    assert not path.exists()
    done = mirrored(lines)
    assert (done["erased"], done["edited"], done["edited_erased"]) == (0, [], [])
    left = [*(lines.home / "mirror").rglob("*")]
    assert all("gate" not in found.name for found in left)
    assert all(b"5432" not in found.read_bytes() for found in left if found.is_file())


def test_a_mirror_shows_the_scopes_of_the_last_time(lines: CommandLine) -> None:
    """Asked once for one scope it stays with it; nothing that waits is shown."""
    lines.run("remember", "An agent may think so", "--scope", "global", around=SCRIPT)

    assert mirrored(lines, "--scope", "global")["items"] == 2
    assert mirrored(lines)["items"] == 2


@pytest.mark.parametrize("what", ["full", "link", "outside", "link-inside"])
def test_a_folder_of_something_else_is_left_alone(lines: CommandLine, what: str) -> None:
    """Nor does an index lead out of it, or a link inside of it."""
    folder = lines.home / "mirror"
    elsewhere = lines.home / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "mine.md").write_text("mine", encoding="utf-8")
    if what == "full":
        folder.mkdir()
        (folder / "mine.md").write_text("mine", encoding="utf-8")
    elif what == "link":
        folder.symlink_to(elsewhere)
    else:
        mirrored(lines)
        index = folder / ".onrecord-mirror.json"
        if what == "outside":
            text = index.read_text(encoding="utf-8")
            name = next(iter(pages(lines).values())).relative_to(folder)
            index.write_text(text.replace(str(name), "../elsewhere/mine.md"), encoding="utf-8")
        else:
            (folder / "repo").rename(lines.home / "moved")
            (folder / "repo").symlink_to(elsewhere)

    answer = lines.run("mirror", str(folder), "--json")

    assert answer.status == (3 if what == "link-inside" else 2), answer
    assert [path.name for path in elsewhere.iterdir()] == ["mine.md"]
    assert (elsewhere / "mine.md").read_text(encoding="utf-8") == "mine"


def test_files_of_a_mirror_are_for_their_owner_and_for_a_person(lines: CommandLine) -> None:
    """Modes are tight; a script gets none."""
    assert lines.run("mirror", str(lines.home / "m"), "--json", around=SCRIPT).status == 4
    mirrored(lines)

    for path in (lines.home / "mirror").rglob("*"):
        wanted = 0o700 if path.is_dir() else 0o600
        assert stat.S_IMODE(path.stat().st_mode) == wanted, path


def test_what_lies_beside_a_file_is_not_touched(lines: CommandLine) -> None:
    """Neither a file nor a link that is called as one that is being written might be."""
    mirrored(lines)
    page = pages(lines)[GATE]
    mine = lines.home / "mine"
    mine.write_text("mine", encoding="utf-8")
    page.with_name(page.name + ".part").write_text("also mine", encoding="utf-8")
    page.with_name(".onrecord-1-aaaaaaaa.part").symlink_to(mine)
    lines.remember("The gate moved to port 6432", "--scope", "repo", "--key", "port")

    assert mirrored(lines)["written"] == 1

    assert mine.read_text(encoding="utf-8") == "mine"
    assert page.with_name(page.name + ".part").read_text(encoding="utf-8") == "also mine"
    assert page.with_name(".onrecord-1-aaaaaaaa.part").is_symlink()


def test_what_a_killed_run_left_is_removed(lines: CommandLine) -> None:
    """Only plain files of a process that is no more; what another run writes is left to it."""
    mirrored(lines)
    folder = lines.home / "mirror"
    gone = subprocess.run(["sh", "-c", "echo $$"], capture_output=True, check=True, timeout=10)
    dead = folder / "global" / f".onrecord-{int(gone.stdout)}-aaaaaaaa.part"
    running = folder / f".onrecord-{os.getppid()}-aaaaaaaa.part"
    other = folder / f".onrecord-{int(gone.stdout)}-aaaa.part"
    for path in (dead, running, other):
        path.write_text(GATE, encoding="utf-8")

    mirrored(lines)

    assert [path.exists() for path in (dead, running, other)] == [False, True, True]


def test_an_index_that_somebody_else_wrote_is_not_believed(lines: CommandLine) -> None:
    """It could name a file of the person's as ours, to have it erased or written over."""
    mirrored(lines)
    folder = lines.home / "mirror"
    mine = folder / "global" / "mine.md"
    mine.write_text("mine", encoding="utf-8")
    index = folder / ".onrecord-mirror.json"
    before = index.read_text(encoding="utf-8")
    shape = json.loads(before)
    digest = hashlib.sha256(b"mine").hexdigest()
    shape["files"]["global/mine.md"] = {"item": "01JABCDEFGHJKMNPQRSTVWXYZ0", "digests": [digest]}
    for seal in (shape["seal"], "", None):
        index.write_text(json.dumps({**shape, "seal": seal}), encoding="utf-8")
        answer = lines.run("mirror", str(folder), "--overwrite", "--json")
        assert (answer.status, answer.error["code"]) == (2, "usage")
        assert mine.read_text(encoding="utf-8") == "mine"

    index.write_text(before, encoding="utf-8")
    assert counts(mirrored(lines)) == (0, 3, 0)
    # another store's mirror is none of ours either
    other = lines.run("--db", str(lines.home / "other.db"), "remember", "Elsewhere", "--json")
    assert other.status == 0
    answer = lines.run("--db", str(lines.home / "other.db"), "mirror", str(folder), "--json")
    assert answer.status == 2
    assert set(pages(lines)) >= {GATE, ODD}


def test_a_list_of_mirrors_that_is_damaged_is_said_and_kept(lines: CommandLine) -> None:
    """Forgetting is done all the same; a new mirror is not made where none would know of it."""
    mirrored(lines)
    (listed,) = lines.home.rglob("memory.db.mirrors")
    listed.write_bytes(b"{")
    item = lines.remember("The night bus leaves from the depot", "--scope", "global")

    done = lines.run("forget", item, keys=YES)

    assert done.status == 0
    assert "Forgotten: m:" in done.out
    assert "Mirrors may still hold it" in done.out
    assert "Move it away" in done.out
    assert lines.run("mirror", str(lines.home / "second"), "--json").status != 0
    assert listed.read_bytes() == b"{"
    assert list((lines.home / "second").rglob("*.md")) == []
