"""Editing a memory: the form, what it changes, and that no edited text is ever lost."""

from __future__ import annotations

import re
import stat
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from commandline import SCRIPT, CommandLine
from harness.surroundings import SHELL_TOOL

if TYPE_CHECKING:
    from commandline import Answer

YES = [("[y/n]", "y")]
NO = [("[y/n]", "n")]


class Bench:
    """A memory, and an editor that is a line of shell."""

    def __init__(self, folder: Path) -> None:
        self.lines = CommandLine(folder)
        self.item = self.lines.remember(
            "The gate opens at six", "--kind", "fact", "--tag", "gate", "--tag", "hours"
        )

    def edit(self, script: str, *words: str, **more: Any) -> Answer:
        """Run `onrecord edit` with an editor that does this to the file `$1`."""
        path = self.lines.home / "editor.sh"
        path.write_text(script, encoding="utf-8")
        env = {"VISUAL": f"sh {path}", "TMPDIR": str(self.lines.home)}
        return self.lines.run("edit", self.item, *words, env=env, **more)

    def shown(self) -> dict[str, Any]:
        """The memory as it is."""
        shape: dict[str, Any] = self.lines.run("show", self.item, "--json").json
        return shape

    def files(self) -> list[Path]:
        """Edited texts that were kept."""
        return list(self.lines.home.glob("onrecord-*"))


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    """A fresh one."""
    return Bench(tmp_path)


def test_the_form_shows_what_can_be_changed(bench: Bench) -> None:
    """A remark, title, kind, tags, a line of dashes, the body; left alone nothing changes."""
    bench.lines.run("edit", bench.item, "--text", "The gate opens at six\n\nIn winter.\n")
    copy = bench.lines.home / "form"

    answer = bench.edit(f'cp "$1" {copy}; stat -c %a "$1" >> {copy}')

    form = copy.read_text(encoding="utf-8").splitlines()
    assert form == [
        f"<!-- onrecord: m:{bench.item[-6:]}, version 2, in repo:github.com/acme/shop -->",
        "title: The gate opens at six",
        "kind: fact",
        "tags: gate, hours",
        "---",
        "In winter.",
        "600",
    ]
    assert answer.status == 1
    assert "(declined)" in answer.err
    assert bench.shown()["version"] == 2
    assert bench.files() == []


def test_every_field_of_the_form_counts(bench: Bench) -> None:
    """Title, kind, tags and body in one version, with the reason in its history."""
    script = """printf '%s\\n' 'Title: The gate opens at seven' 'kind: decision' \
        'tags: gate,  summer ' --- '' 'Until autumn.' '---' 'Then at six.' '' > "$1" """

    answer = bench.edit(script, "--reason", "summer time", "--json")

    assert answer.status == 0, answer
    shape = bench.shown()
    assert (shape["title"], shape["kind"]) == ("The gate opens at seven", "decision")
    assert shape["tags"] == ["gate", "summer"]
    assert shape["body"] == "Until autumn.\n---\nThen at six."
    assert (shape["version"], shape["status"]) == (2, "active")
    versions = bench.lines.run("history", bench.item, "--json").json["versions"]
    assert versions[1]["reason"] == "summer time"
    assert bench.files() == []


def test_what_the_form_does_not_show_stays(bench: Bench) -> None:
    """Summary, dates and address are not lost by an edit of the title."""
    keyed = bench.lines.remember(
        *("The pilot answers on channel nine", "--key", "pilot", "--summary", "nine"),
        *("--valid-from", "2026-01-01"),
    )
    bench.item = keyed

    assert bench.edit('sed -i s/nine/ten/ "$1"').status == 0

    shape = bench.shown()
    assert shape["title"] == "The pilot answers on channel ten"
    assert (shape["summary"], shape["key"]) == ("nine", "pilot")
    assert shape["valid_from"].startswith("2026-01-01")


def test_words_edit_without_an_editor(bench: Bench) -> None:
    """Text, kind and tags, each alone; for a script as well, which only proposes."""
    steps = [
        (("--kind", "note"), "kind", "note"),
        (("--tag", "summer"), "tags", ["summer"]),
        (("--tag", ""), "tags", []),
        (("--text", "The gate opens at eight"), "title", "The gate opens at eight"),
    ]
    for words, field, value in steps:
        assert bench.lines.run("edit", bench.item, *words).status == 0
        assert bench.shown()[field] == value
    script = bench.lines.run(
        "edit", bench.item, "--text", "The gate opens at nine", "--json", around=SCRIPT
    )

    assert script.json["outcome"] == "proposed"
    assert bench.shown()["title"] == "The gate opens at eight"
    assert bench.lines.run("edit", bench.item, "--kind", "gossip").status == 2
    assert bench.lines.run("edit", bench.item, "--kind", "note", "--from", "x").status == 2


def test_an_edit_of_what_changed_meanwhile_is_a_conflict_that_loses_nothing(
    bench: Bench,
) -> None:
    """The other version stands; the edited text waits as a proposal, and is in a file."""
    script = (
        f'onrecord edit {bench.item} --text "The gate opens at five" >/dev/null\n'
        'sed -i s/six/seven/ "$1"'
    )

    answer = bench.edit(script)

    assert answer.status == 3
    assert "(conflict.version)" in answer.err
    (kept,) = bench.files()
    told = re.search(r"Your text is in (\S+); onrecord edit (\w+) --from (\S+)", answer.err)
    assert told is not None
    assert told.group(1) == told.group(3) == str(kept)
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert "title: The gate opens at seven" in kept.read_text(encoding="utf-8")
    assert bench.shown()["title"] == "The gate opens at five"
    waiting = bench.lines.run("review", "--json").json["waiting"]
    assert [entry["item"]["title"] for entry in waiting] == ["The gate opens at seven"]
    again = bench.lines.run("edit", bench.item, "--from", str(kept))
    assert again.status == 0, again
    assert bench.shown()["title"] == "The gate opens at seven"


def test_a_conflict_as_json_names_the_file(bench: Bench) -> None:
    """Beside the outcome."""
    script = (
        f'onrecord edit {bench.item} --text "The gate opens at five" >/dev/null\n'
        'sed -i s/six/seven/ "$1"'
    )

    shape = bench.edit(script, "--json").json

    assert (shape["outcome"], shape["code"]) == ("conflict", "conflict.version")
    assert [shape["kept"]] == [str(path) for path in bench.files()]


@pytest.mark.parametrize(
    ("script", "code", "status"),
    [
        ('echo "no form at all" > "$1"', "usage", 2),
        ('sed -i "s/^kind: .*/kind: gossip/" "$1"', "usage", 2),
        ('sed -i "s/^---$//" "$1"', "usage", 2),
        ('sed -i "s/^tags: /title: /" "$1"', "usage", 2),
        ('sed -i "s/^title: .*/title:/" "$1"', "shape.title_missing", 1),
        ('sed -i "s/at six/since last winter/" "$1"', "dates.ask", 1),
        ('printf "x%.0s" $(seq 70000) >> "$1"', "shape.body_too_long", 1),
    ],
)
def test_a_text_that_is_not_taken_is_kept(
    bench: Bench, script: str, code: str, status: int
) -> None:
    """Whatever was wrong with it, it is in a file that is named."""
    answer = bench.edit(script)

    assert answer.status == status, answer
    assert f"({code})" in answer.err
    (kept,) = bench.files()
    assert str(kept) in answer.err
    assert bench.shown()["version"] == 1


def test_what_was_forgotten_meanwhile_is_not_brought_back(bench: Bench) -> None:
    """The edit finds nothing; its text is the person's own, in a file."""
    other = bench.lines.remember("The harbour pilot answers on channel nine")
    bench.item = other
    script = f'onrecord forget {other} --yes >/dev/null; sed -i s/nine/ten/ "$1"'

    answer = bench.edit(script)

    assert answer.status == 1
    assert "(not_found)" in answer.err
    assert len(bench.files()) == 1
    assert "pilot" not in bench.lines.run("recall", "pilot").out


def test_an_editor_that_fails_changes_nothing(bench: Bench) -> None:
    """Nor one that cannot be started, nor one that empties the file; nothing is left."""
    assert bench.edit("exit 3").status == 1
    assert bench.edit('true > "$1"').status == 1
    missing = bench.lines.run("edit", bench.item, env={"VISUAL": "/nowhere/ed"})

    assert missing.status == 2
    assert bench.shown()["version"] == 1
    assert bench.files() == []


def test_a_rule_wants_a_key(bench: Bench) -> None:
    """Asked with the text before it; a no keeps the text in a file."""
    declined = bench.edit('sed -i "s/^kind: .*/kind: rule/" "$1"', keys=NO)
    taken = bench.edit('sed -i "s/^kind: .*/kind: rule/" "$1"', keys=YES)

    assert declined.status == 1
    assert "(declined)" in declined.err
    assert len(bench.files()) == 1
    assert taken.status == 0, taken
    assert bench.shown()["kind"] == "rule"
    agent = bench.lines.run(
        *("edit", bench.item, "--text", "Never", "--json"), around=SHELL_TOOL["claude-plain"]
    )
    assert agent.status == 4


def test_an_agent_is_not_given_an_editor(bench: Bench) -> None:
    """It would wait for somebody who is not there."""
    answer = bench.lines.run("edit", bench.item, "--json", around=SCRIPT)

    assert answer.status == 2
    assert answer.error["hint"] == "Give the new --text."
