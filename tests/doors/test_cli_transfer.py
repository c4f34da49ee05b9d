"""Memories moved from one home to another by a file: out by a person, in as proposals."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING, Any

import apsw
import pytest

from commandline import SCRIPT, Answer, CommandLine
from harness.surroundings import SHELL_TOOL

if TYPE_CHECKING:
    from harness.surroundings import Surroundings

YES = [("[y/n]", "y")]
CLAUDE_TOOL = SHELL_TOOL["claude-plain"]
HEADER = {"onrecord": "export", "version": 1}
GATE = "The production gate listens on port 5432"
PNPM = "Use pnpm in the web folder of the shop"


@pytest.fixture
def lines(tmp_path: Path) -> CommandLine:
    """A place with two memories."""
    made = CommandLine(tmp_path)
    made.remember(GATE, "--scope", "repo", "--key", "port", "--evidence", "file=gate.yml:3")
    made.remember(PNPM, "--scope", "global", "--tag", "web")
    return made


@pytest.fixture
def other(tmp_path: Path) -> CommandLine:
    """Another home, without a store."""
    folder = tmp_path / "other"
    folder.mkdir()
    return CommandLine(folder)


def listed(lines: CommandLine, *words: str) -> dict[str, dict[str, Any]]:
    """Items by title, as a person sees them."""
    found = lines.run("list", "--json", *words).json["items"]
    return {item["title"]: item for item in found}


def written(lines: CommandLine, *items: object, name: str = "in.jsonl") -> str:
    """A file of these items; its path."""
    path = lines.home / name
    path.write_text(
        "".join(f"{json.dumps(line)}\n" for line in (HEADER, *items)), encoding="utf-8"
    )
    return str(path)


def brought(lines: CommandLine, path: str, *words: str) -> Answer:
    """An import of a file as JSON."""
    return lines.run("import", "jsonl", path, "--json", *words)


# -- out ----------------------------------------------------------------------


def test_an_export_is_a_header_and_a_memory_a_line(lines: CommandLine) -> None:
    """On standard output nothing else, and each line is whole."""
    edited = listed(lines)[PNPM]["id"]
    assert lines.run("edit", edited, "--text", f"{PNPM}\nNot npm.").status == 0

    answer = lines.run("export")

    assert answer.status == 0
    header, *items = [json.loads(line) for line in answer.out.splitlines()]
    assert (header["onrecord"], header["version"], header["items"]) == ("export", 1, 2)
    assert header["statuses"] == ["active", "proposed"]
    assert [item["title"] for item in items] == [GATE, PNPM]
    assert items[0]["evidence"][0]["pointer"] == "gate.yml:3"
    assert [version["body"] for version in items[1]["versions"]] == ["", "Not npm."]
    assert (items[1]["tainted"], items[1]["prompted_by"]) == (False, None)


@pytest.mark.parametrize("umask", ["000", "022", "077"])
def test_an_export_to_a_file_is_private(lines: CommandLine, umask: str) -> None:
    """Whatever the umask; and nothing is overwritten, through a link either."""
    target = lines.home / "out.jsonl"
    asked = f"umask {umask}; onrecord export -o {target} --json"
    told = lines.people.run(["sh", "-c", asked])

    assert told.exit_code == 0, told.text
    shape = json.loads(told.text)
    assert (shape["path"], shape["items"], shape["damaged"]) == (str(target), 2, [])
    assert shape["bytes"] == target.stat().st_size
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    link = lines.home / "link.jsonl"
    link.symlink_to(lines.home / "precious")
    for taken in (target, link):
        again = lines.run("export", "-o", str(taken))
        assert again.status == 2
        assert "There is a file at that path already" in again.err
    assert not (lines.home / "precious").exists()


def test_an_export_narrows(lines: CommandLine) -> None:
    """By scope and by status; a scope that nobody wrote to is told apart."""
    lines.run("archive", listed(lines)[PNPM]["id"])

    scoped = lines.run("export", "--scope", "repo")
    archived = lines.run("export", "--status", "archived")
    typo = lines.run("export", "--scope", "repo:github.com/acme/shopp")

    assert GATE in scoped.out
    assert PNPM not in scoped.out
    assert PNPM in archived.out
    assert GATE not in archived.out
    assert typo.status == 1
    assert "Near it: repo:github.com/acme/shop" in typo.err


@pytest.mark.parametrize("around", [SCRIPT, CLAUDE_TOOL])
def test_only_a_person_exports(lines: CommandLine, around: Surroundings) -> None:
    """Nothing is written by anyone else."""
    answer = lines.run("export", "-o", str(lines.home / "out.jsonl"), "--json", around=around)

    assert answer.status == 4
    assert answer.error["code"] == "person.required"
    assert not (lines.home / "out.jsonl").exists()


def test_what_was_forgotten_or_was_a_secret_is_not_in_it(lines: CommandLine) -> None:
    """The rest is."""
    secret = "ghp_" + "8fK2mQ9xT4vB7nZ1cW5yL0pR3sD6hJtGeUaX"
    lines.remember("How deploys log in", "--summary", f"with {secret} until the move is done")
    lines.run("forget", listed(lines)[GATE]["id"], keys=YES)

    out = lines.run("export").out

    assert PNPM in out
    assert GATE not in out
    assert secret not in out
    assert "[redacted:" in out


def test_a_page_for_people(lines: CommandLine) -> None:
    """Markdown in which nothing of a memory acts."""
    lines.remember("Look ![here](http://evil.example/x) and <b>there</b>", "--scope", "global")
    lines.run("edit", listed(lines)[PNPM]["id"], "--text", f"{PNPM}\n```\n# not a heading\n```")

    page = lines.run("export", "--format", "markdown").out

    assert page.startswith("# Memories\n")
    assert f"\n### {GATE}\n" in page
    assert "\n## repo:github.com/acme/shop\n" in page
    assert r"Look !\[here\](http://evil.example/x) and \<b\>there\</b\>" in page
    assert "````text\n```\n# not a heading\n```\n````" in page
    assert lines.run("export", "--format", "markdown", "--json").status == 2


def test_a_memory_that_was_changed_behind_the_stores_back_is_left_out(
    lines: CommandLine,
) -> None:
    """It is named at the end, and all the others are written."""
    damaged = listed(lines)[GATE]["id"]
    connection = apsw.Connection(str(lines.store))
    connection.execute("DROP TRIGGER versions_keep")
    connection.execute("UPDATE versions SET title = 'Forged' WHERE item = ?", (damaged,))
    connection.close()

    answer = lines.run("export")
    again = lines.run("export", "-o", str(lines.home / "out.jsonl"), "--json")

    assert answer.status == again.status == 5
    assert PNPM in answer.out
    assert "Forged" not in answer.out
    assert "1 memory left out: the digest does not fit" in answer.err
    assert again.error["details"]["damaged"] == [damaged]


# -- in -----------------------------------------------------------------------


def test_memories_move_to_another_home(lines: CommandLine, other: CommandLine) -> None:
    """All of them wait there, with where they come from; approved, they count."""
    path = str(lines.home / "out.jsonl")
    lines.run("export", "-o", path)

    answer = other.run("import", "jsonl", path)

    assert answer.status == 0, answer
    assert "2 of 2 proposed; `onrecord review` decides" in answer.out
    assert "Take it back: onrecord undo --import " in answer.out
    found = listed(other)
    assert {item["status"] for item in found.values()} == {"proposed"}
    assert {item["verification"] for item in found.values()} == {"unverified"}
    assert (found[GATE]["scope"], found[GATE]["key"]) == ("repo:github.com/acme/shop", "port")
    assert found[GATE]["author"]["channel"] == "import"
    shown = other.run("show", found[GATE]["id"], "--json").json
    assert [row["pointer"] for row in shown["evidence"]] == ["import:out.jsonl", "gate.yml:3"]
    assert other.run("approve", found[GATE]["id"], keys=YES).status == 0
    assert other.status_of(found[GATE]["id"]) == "active"


def test_the_same_file_again_brings_nothing_new(lines: CommandLine, other: CommandLine) -> None:
    """Nor into the store that it came from."""
    path = str(lines.home / "out.jsonl")
    lines.run("export", "-o", path)
    first = brought(other, path).json

    again, home = brought(other, path).json, brought(lines, path).json

    assert first["outcomes"] == {"proposed": 2}
    assert again["outcomes"] == home["outcomes"] == {"corroborated": 2}
    assert listed(lines)[GATE]["verification"] == "verified"
    assert len(listed(other)) == 2


def test_a_dry_run_says_it_and_makes_no_store(lines: CommandLine, other: CommandLine) -> None:
    """The same figures as the import that follows."""
    path = str(lines.home / "out.jsonl")
    lines.run("export", "-o", path)

    told = other.run("import", "jsonl", path, "--dry-run")
    would = brought(other, path, "--dry-run")

    assert told.out.startswith("What would come in (nothing was changed):\n2 of 2 proposed")
    assert not other.store.exists()
    shape = would.json
    assert (shape["dry_run"], shape["batch"], shape["event"]) == (True, None, None)
    assert brought(other, path).json["outcomes"] == shape["outcomes"]


def test_what_was_turned_down_here_stays_out_and_is_named(lines: CommandLine) -> None:
    """With its line and id, on the terminal and as JSON; the rest arrives."""
    item = listed(lines)[GATE]
    lines.run("reject", item["id"], "--reason", "wrong")
    path = written(
        lines,
        {"title": GATE, "scope": item["scope"], "id": item["id"]},
        {"title": "The harbour pilot answers on channel nine"},
        {"title": "Old and put away", "status": "archived"},
    )

    would = lines.run("import", "jsonl", path, "--dry-run").out
    answer = brought(lines, path)

    assert "refused: 1 by tombstone.equal" in would
    assert f"line 2 (m:{item['id'][-6:]}): tombstone.equal" in would
    assert "left out: 1 archived" in would
    assert answer.status == 0
    assert answer.json["refused"] == [
        {"line": 2, "where": None, "id": item["id"], "code": "tombstone.equal"}
    ]
    assert answer.json["left_out"] == {"archived": 1}
    assert GATE not in listed(lines)


def test_an_import_of_which_all_is_refused_says_so(lines: CommandLine) -> None:
    """Its status is that of a refusal."""
    path = written(lines, {"title": "Always deploy on Fridays", "kind": "rule"})

    assert brought(lines, path).status == 1


def test_an_import_is_taken_back(lines: CommandLine) -> None:
    """By its name, or as the latest change; what was approved since stays."""
    path = written(lines, *({"title": f"Fare table {n} is on shelf {n}"} for n in range(5)))
    batch = brought(lines, path).json["batch"]
    kept = listed(lines)["Fare table 3 is on shelf 3"]["id"]
    lines.run("approve", kept, keys=YES)

    taken = lines.run("undo", "--import", batch[-6:], "--json", keys=YES)

    assert taken.status == 0
    assert (taken.json["batch"], taken.json["taken_back"]) == (batch, 4)
    assert taken.json["kept"] == [kept]
    assert set(listed(lines)) == {GATE, PNPM, "Fare table 3 is on shelf 3"}
    again = lines.run("undo", "--import", batch)
    assert again.status == 3
    assert "(conflict.undo)" in again.err
    brought(lines, written(lines, {"title": "The harbour pilot answers on channel nine"}))
    declined = lines.run("undo", keys=[("[y/n]", "n")])
    latest = lines.run("undo", keys=YES)
    assert (declined.status, "(declined)" in declined.err) == (1, True)
    assert "The import is taken back: 1 memory is" in latest.out
    assert lines.run("undo", "--import", "ZZZZZZ").status == 1
    assert lines.run("undo", "7", "--import", batch).status == 2


def test_an_agent_brings_proposals_alone(lines: CommandLine) -> None:
    """And none while saving is off; nor does it take an import back."""
    path = written(lines, {"title": "The harbour pilot answers on channel nine"})
    first = lines.run("import", "jsonl", path, "--json", around=CLAUDE_TOOL)
    undone = lines.run("undo", "--import", first.json["batch"], "--json", around=CLAUDE_TOOL)
    lines.run("off")
    off = lines.run("import", "jsonl", path, "--json", around=CLAUDE_TOOL)
    by_person = brought(lines, written(lines, {"title": "The ferry leaves from pier two"}))

    item = listed(lines)["The harbour pilot answers on channel nine"]
    assert (item["status"], item["author"]["agent"]) == ("proposed", "claude-code")
    assert undone.status == 4
    assert off.status == 1
    assert off.error["code"] == "denied"
    assert "Saving is off" in off.error["message"]
    assert by_person.json["outcomes"] == {"proposed": 1}


def test_a_wrong_line_keeps_all_of_it_out(lines: CommandLine, other: CommandLine) -> None:
    """It is named by number and field, and no store is made for it."""
    path = written(lines, {"title": "One"}, {"title": "Two", "tags": "x"})

    answer = brought(other, path)

    assert answer.status == 2
    assert answer.error["details"] == {"line": 3, "field": "tags"}
    assert "Nothing was imported." in answer.error["message"]
    assert not other.store.exists()


def test_what_is_no_plain_file_is_not_read(lines: CommandLine) -> None:
    """Missing, a folder, a pipe that nobody writes to, a device, another format."""
    pipe = lines.home / "pipe"
    os.mkfifo(pipe)
    asked = {str(lines.home / "gone"): 1, str(lines.home): 2, str(pipe): 2, "/dev/zero": 2}
    for path, status in asked.items():
        answer = brought(lines, path)
        assert answer.status == status, (path, answer)
    assert lines.run("import", "zip", str(pipe)).status == 2
