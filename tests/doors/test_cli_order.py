"""Keeping order from the command line: lint, groom, dedupe, purge, conflicts and figures."""

from __future__ import annotations

import json
import subprocess
from shutil import which
from typing import TYPE_CHECKING

import pytest

from commandline import SCRIPT, CommandLine
from harness.surroundings import PERSON, SHELL_TOOL

if TYPE_CHECKING:
    from pathlib import Path

    from harness.surroundings import Surroundings


@pytest.fixture
def lines(tmp_path: Path) -> CommandLine:
    """A place without memories."""
    return CommandLine(tmp_path)


def test_groom_does_what_it_showed_and_goes_back_whole(lines: CommandLine) -> None:
    """The preview's ids are the run's; one undo brings them all back."""
    ids = [lines.remember(f"Gate {n} opens at six", "--propose") for n in range(2)]
    assert (
        lines.run("approve", *ids, keys=[("Approve it?", "y"), ("Approve it?", "y")]).status == 0
    )
    for item in ids:
        assert lines.run("dispute", item).status == 0
    words = ("groom", "--doubtful", "0s")
    shown = lines.run(*words, "--dry-run", "--json").json["would_archive"]
    no = lines.person(*words, keys=[("Put these away?", "n")])
    kept = [lines.status_of(item) for item in ids]

    done = lines.run(*words, "--yes")
    away = [lines.status_of(item) for item in ids]
    back = lines.run("undo")

    assert {row["item"]["id"] for row in shown} == set(ids)
    assert {row["why"] for row in shown} == {"doubtful"}
    assert (no.exit_code, kept) == (1, ["active", "active"])
    assert (done.status, away) == (0, ["archived", "archived"])
    assert (back.status, [lines.status_of(item) for item in ids]) == (0, ["active", "active"])
    assert lines.run("check").status == 0


def test_dedupe_asks_which_stays(lines: CommandLine) -> None:
    """One key a pair; the other is put away, and the pair is gone."""
    first = lines.remember("Run bin/setup_db before you run specs", "--scope", "repo")
    second = lines.remember(
        *("Before you run specs, run bin/setup_db", "--scope", "repo", "--distinct")
    )
    shown = lines.run("dedupe", "--json").json["pairs"]
    said = lines.person("dedupe", keys=[("put away the", "y")])

    assert [(p["keep"]["id"], p["other"]["id"]) for p in shown] == [(first, second)]
    assert "1/1 put away" in said.text
    assert [lines.status_of(item) for item in (first, second)] == ["active", "archived"]
    assert "No two memories" in lines.run("dedupe").out


def test_purge_shows_asks_and_erases(lines: CommandLine) -> None:
    """The words are in no file of the store afterwards; what counts stays."""
    gone = lines.remember("The heron nests beside the harbour gate", "--scope", "repo")
    kept = lines.remember("The till closes at nine", "--scope", "repo")
    assert lines.run("archive", gone).status == 0
    words = ("purge", "--older-than", "0s")
    looked = lines.run(*words, "--dry-run")
    no = lines.person(*words, keys=[("Erase this memory", "n")])
    before = lines.status_of(gone)

    done = lines.person(*words, keys=[("Erase this memory", "y")])

    assert gone[-6:] in looked.out
    assert kept[-6:] not in looked.out
    assert (no.exit_code, before) == (1, "archived")
    assert (done.exit_code, "is erased" in done.text) == (0, True)
    assert lines.run("show", gone).status == 1
    assert lines.status_of(kept) == "active"
    for path in lines.store.parent.rglob("*"):
        assert not path.is_file() or b"heron nests" not in path.read_bytes(), path
    assert lines.run("check").status == 0


@pytest.mark.parametrize("around", [SCRIPT, SHELL_TOOL["claude-plain"]])
@pytest.mark.parametrize("command", ["groom", "purge", "dedupe"])
def test_only_a_person_keeps_order(lines: CommandLine, around: Surroundings, command: str) -> None:
    """For anyone else it is refused, and nothing changes."""
    item = lines.remember("The gate opens at six", "--scope", "repo")
    answer = lines.run(command, around=around)

    assert answer.status == 4
    assert lines.status_of(item) == "active"


def test_lint_names_the_way_out(lines: CommandLine) -> None:
    """And ends with 1 while there is something to mend."""
    vague = lines.remember("note", "--scope", "repo")
    found = lines.run("lint")
    shape = lines.run("lint", "--json").json["findings"]
    mended = lines.run("edit", vague, "--text", "Run bin/setup_db before specs")

    assert found.status == 1
    assert f"onrecord edit {vague[-6:]}" in found.out
    assert [(row["code"], row["item"]) for row in shape] == [("title.vague", vague)]
    assert mended.status == 0
    assert (lines.run("lint").status, lines.run("lint").out) == (0, "Nothing to mend.\n")


def test_a_diff_shows_what_changed(lines: CommandLine) -> None:
    """Line by line, in colour on a terminal alone; no text of a memory acts there."""
    item = lines.remember("The gate opens at six", "--scope", "repo")
    lines.run(
        "edit", item, "--text", "The gate opens at seven\nSince the \x1b[31mclock\x1b[0m change"
    )

    plain = lines.run("diff", item)
    on_screen = lines.person("diff", item, env={"NO_COLOR": ""})
    same = lines.run("diff", item, "2", "2")
    none = lines.run("diff", item, "1", "9")

    assert "-title: The gate opens at six\n+title: The gate opens at seven" in plain.out
    assert "\x1b" not in plain.out
    assert b"\x1b[31m-title: The gate opens at six\x1b[0m" in on_screen.raw
    assert b"\x1b[31mclock" not in on_screen.raw
    assert same.out == "They say the same.\n"
    assert (none.status, "1 to 2" in none.err) == (1, True)


def test_conflicts_are_decided_one_key_each(lines: CommandLine) -> None:
    """The new one takes the place of the old, or is turned down."""
    old = lines.remember("Fares are in cents", "--key", "fares", "--scope", "repo")
    new = lines.remember(
        *("Fares are in euros", "--key", "fares", "--scope", "repo"), around=SCRIPT
    )
    listed = lines.run("conflicts", "--json").json["conflicts"]
    seen = lines.run("conflicts", "list")
    said = lines.person("conflicts", keys=[("(n)ew one instead", "n")])

    assert [(row["new"]["id"], row["old"]["id"]) for row in listed] == [(new, old)]
    assert "Fares are in euros" in seen.out
    assert "1 decided; 0 left" in said.text
    assert [lines.status_of(item) for item in (old, new)] == ["superseded", "active"]
    assert "Nothing speaks against" in lines.run("conflicts").out


LANE = "Deploys go out through the blue lane"
NO_LANE = "Deploys do not go out through the blue lane"


def test_a_persons_own_contradiction_is_told_and_listed(lines: CommandLine) -> None:
    """Both are active; the write names the command, and the command has the pair."""
    old = lines.remember(LANE, "--scope", "repo")
    said = lines.run("remember", NO_LANE, "--scope", "repo")
    listed = lines.run("conflicts", "--json").json["conflicts"]
    lines.remember("Releases are cut on Tuesdays", "--scope", "repo")

    assert "`onrecord conflicts`" in said.out
    assert "replaces=" not in said.out
    assert [row["old"]["id"] for row in listed] == [old]
    assert len(lines.run("conflicts", "--json").json["conflicts"]) == 1


@pytest.mark.parametrize(
    ("key", "agents"),
    [("n", False), ("n", True), ("o", True), ("b", False), ("p", False), ("d", True)],
)
def test_every_answer_in_conflicts_goes_back_by_one_undo(
    lines: CommandLine, *, key: str, agents: bool
) -> None:
    """Both memories are as they were, and the pair is asked about again."""
    old = lines.remember(LANE, "--scope", "repo")
    around = SHELL_TOOL["claude-plain"] if agents else PERSON
    given = lines.run("remember", NO_LANE, "--scope", "repo", "--json", around=around)
    new = given.json["item"]["id"]
    before = [lines.run("show", item, "--json").json for item in (old, new)]
    said = lines.person("conflicts", keys=[("(n)ew one instead", key)])
    settled = lines.run("conflicts", "--json").json["conflicts"]
    became = [lines.run("show", item, "--json").json for item in (old, new)]
    undone = lines.person("undo", keys=[("[y/n]", "y")])
    after = [lines.run("show", item, "--json").json for item in (old, new)]

    assert "1 decided; 0 left" in said.text
    assert settled == []
    assert agents or key == "b" or became != before
    assert undone.exit_code == 0, undone.text
    assert [kept(row) for row in after] == [kept(row) for row in before]
    assert len(lines.run("conflicts", "--json").json["conflicts"]) == 1


def test_what_changed_while_it_was_shown_is_not_decided(lines: CommandLine) -> None:
    """The old one too: another terminal rewords it before the key is typed."""
    old = lines.remember(LANE, "--scope", "repo")
    new = lines.remember(NO_LANE, "--scope", "repo")
    with lines.people.open(["onrecord", "conflicts"]) as terminal:
        terminal.expect("(n)ew one instead")
        edited = lines.run("edit", old, "--text", f"{LANE}\nSo it was agreed.")
        terminal.type("n")
        said = terminal.wait()

    assert edited.status == 0, edited
    assert f"m:{old[-6:]} changed after it was shown" in said.text
    assert "0 decided; 1 left" in said.text
    assert [lines.status_of(item) for item in (old, new)] == ["active", "active"]


def test_a_decision_leaves_the_next_pair_to_be_decided(lines: CommandLine) -> None:
    """Two speak against one: it is shown as the first answer left it."""
    for text in (LANE, NO_LANE, "Deploys never go out through the blue lane on Mondays"):
        lines.remember(text, "--scope", "repo")
    pairs = lines.run("conflicts", "--json").json["conflicts"]
    asked = "(n)ew one instead"
    said = lines.person("conflicts", "--on", "2031-03-01", keys=[(asked, "p"), (asked, "d")])

    assert len(pairs) == 2
    assert "2 decided; 0 left" in said.text


def kept(row: dict[str, object]) -> dict[str, object]:
    """An item without what every change and look moves on."""
    moves = ("version", "recorded_at", "use", "author", "links", "evidence", "reviews")
    return {name: value for name, value in row.items() if name not in moves}


def test_figures_and_sweep_of_a_store(lines: CommandLine) -> None:
    """Counts stand there; nothing lapses that is young; an empty store says so."""
    empty = lines.run("stats")
    lines.remember("The gate opens at six", "--scope", "repo", "--kind", "fact")
    told, shape = lines.run("stats"), lines.run("stats", "--json").json
    swept = lines.run("sweep", "--json").json

    assert empty.out == "Nothing is on record yet.\n"
    assert "1 active" in told.out
    assert shape["by_kind"] == {"fact": 1}
    assert sum(shape["weekly"]) == 1
    assert swept == {"lapsed": [], "proposals": 0, "tasks": 0}


def test_config_says_where_a_value_comes_from(lines: CommandLine, tmp_path: Path) -> None:
    """Option, variable, file or default; a switch from the store."""
    other = tmp_path / "other.db"
    default = {row["name"]: row for row in lines.run("config", "--json").json["settings"]}
    by_option = lines.run("config", "--db", str(other)).out
    by_variable = lines.run("config", env={"ONRECORD_DB": str(other)}).out
    assert lines.run("off").status == 0
    off = {row["name"]: row for row in lines.run("config", "--json").json["settings"]}

    assert default["store"] == {"name": "store", "value": str(lines.store), "from": "default"}
    assert default["saving in global"]["from"] == "default"
    assert f"store = {other}  (--db)" in by_option
    assert f"store = {other}  (ONRECORD_DB)" in by_variable
    assert off["saving in global"] == {
        "name": "saving in global",
        "value": "off",
        "from": "the store",
    }


def test_named_stores_are_listed(lines: CommandLine) -> None:
    """With where they are."""
    none = lines.run("path", "--all")
    lines.remember("The gate opens at six")
    lines.remember("The till closes at nine", "--store", "trial")

    stores = lines.run("path", "--all", "--json").json["stores"]

    assert none.out == "There is no store yet.\n"
    assert [row["name"] for row in stores] == [None, "trial"]
    assert "--store trial: " in lines.run("path", "--all").out


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("onrecord rememb", "remember"),
        ("onrecord list --stat", "--status"),
        ("onrecord list --status prop", "proposed"),
        ("onrecord scopes ren", "rename"),
        ("onrecord help exi", "exit"),
    ],
)
@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_real_shell_completes(lines: CommandLine, shell: str, typed: str, found: str) -> None:
    """Commands, options, values and topics, where that shell is installed."""
    if which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    script = lines.run("completion", shell)
    assert script.status == 0
    file = lines.home / "completion"
    file.write_text(script.out, encoding="utf-8")
    words = typed.split()
    if shell == "fish":
        asked = f"source {file}; complete -C {json.dumps(typed)}"
    else:
        start = "autoload -U +X compinit && compinit -u; " if shell == "zsh" else ""
        listed = " ".join(json.dumps(word) for word in words)
        asked = (
            f"{start}source {file}; COMP_WORDS=({listed}); COMP_CWORD={len(words) - 1};"
            ' _onrecord; printf "%s\\n" "${COMPREPLY[@]}"'
        )
    done = subprocess.run(
        [shell, "-c", asked], capture_output=True, timeout=30, check=True, cwd=lines.home
    )

    offered = [line.split("\t")[0] for line in done.stdout.decode().splitlines()]
    assert found in offered
    assert all(word.startswith(words[-1]) for word in offered)
