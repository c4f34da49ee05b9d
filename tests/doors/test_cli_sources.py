"""Deleting a source from the command line: what goes is shown first, then asked about once."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

import pytest

from commandline import SCRIPT, CommandLine
from harness.surroundings import SHELL_TOOL

if TYPE_CHECKING:
    from pathlib import Path

YES: Final = [("[y/n]", "y")]
ROWS: Final = ("The berth solver runs at night", "Kiosks print on thermal paper")
SIBLING: Final = "Fares are kept in cents"


@pytest.fixture
def lines(tmp_path: Path) -> CommandLine:
    """A place with one memory of the person's and two that were imported."""
    made = CommandLine(tmp_path)
    made.remember(SIBLING, "--scope", "repo")
    file = made.repo / "notes.md"
    file.write_text("".join(f"- {row}\n" for row in ROWS), encoding="utf-8")
    assert made.run("import", "markdown", str(file)).status == 0
    return made


def titles(lines: CommandLine) -> set[str]:
    """What is on record and not erased."""
    return {
        item["title"]
        for status in ("active", "proposed")
        for item in lines.run("list", "--all", "--status", status, "--json").json["items"]
    }


def test_an_import_is_deleted_by_its_name(lines: CommandLine) -> None:
    """The preview names what goes and changes nothing; then it is gone, its sibling is not."""
    before = titles(lines)
    shown = lines.run("forget", "--source", "import:notes.md", "--dry-run")
    as_json = lines.run("forget", "--source", "import:notes.md", "--dry-run", "--json").json
    unchanged = titles(lines)
    assert lines.run("backup").status == 0
    assert lines.run("mirror", str(lines.home / "mirror")).status == 0
    known = lines.run("forget", "--source", "import:notes.md", "--dry-run").out
    done = lines.run("forget", "--source", "import:notes.md", keys=YES)

    assert before == unchanged == {SIBLING, *ROWS}
    assert shown.status == 0
    assert all(row in shown.out for row in ROWS)
    assert "not known and not reached" in shown.out
    assert {item["title"] for item in as_json["would_forget_source"]["goes"]} == set(ROWS)
    assert "stays in 1 copy" in known
    assert f"also erased in the mirror {lines.home / 'mirror'}" in known
    assert done.status == 0, done
    assert titles(lines) == {SIBLING}


def test_an_import_is_deleted_by_its_number(lines: CommandLine) -> None:
    """The id that an import's line in the log names."""
    log = lines.run("log", "--json").json["events"]
    batch = next(line["target"] for line in log if line["action"] == "imported")
    done = lines.run("forget", "--source", batch, keys=YES)

    assert done.status == 0, done
    assert titles(lines) == {SIBLING}
    last = lines.run("log", "--json").json["events"][0]
    assert (last["action"], last["target"]) == ("source_forgotten", batch)


def test_nobody_but_a_person_deletes_a_source(lines: CommandLine) -> None:
    """An agent and a script know of no source of what waits for a person; nothing changes."""
    answers = [
        lines.run("forget", "--source", "import:notes.md", "--json", around=around)
        for around in (SHELL_TOOL["codex-plain"], SCRIPT)
    ]

    assert {answer.error["code"] for answer in answers} == {"not_found"}
    assert titles(lines) == {SIBLING, *ROWS}
    actions = {event["action"] for event in lines.run("log", "--json").json["events"]}
    assert not {"asked", "forgotten", "source_forgotten"} & actions


def test_a_declined_deletion_changes_nothing(lines: CommandLine) -> None:
    """The question shows what would go."""
    asked = lines.person("forget", "--source", "import:notes.md", keys=[("[y/n]", "n")])

    assert ROWS[0] in asked.text
    assert titles(lines) == {SIBLING, *ROWS}


def test_an_unknown_source_is_said_to_be(lines: CommandLine) -> None:
    """With how to find its name; nothing of it is repeated."""
    answer = lines.run("forget", "--source", "import:other.md", "--json")

    assert answer.status != 0
    assert "other.md" not in json.dumps(answer.error)


def test_evidence_names_its_author(lines: CommandLine) -> None:
    """A comment on a pull request with who wrote it; it is told from the person's own words."""
    address = "https://forge.example.org/acme/shop/pull/7#discussion_r12"
    item = lines.remember(
        "Gate specs need a fake clock", "--evidence", f"pr_comment={address} by octocat"
    )
    shown = lines.run("show", item)
    as_json = lines.run("show", item, "--json").json
    sources = lines.run("history", item).out
    gone = lines.run("forget", "--source", address, keys=YES)
    after = lines.run("show", item)

    assert f"evidence: pr_comment {address} by octocat" in shown.out
    assert [row["author"] for row in as_json["evidence"]] == ["octocat"]
    assert f"rests on pr_comment {address} (octocat)" in sources
    assert gone.status == 0, gone
    assert "evidence: pr_comment [erased]" in after.out
    assert address not in after.out
