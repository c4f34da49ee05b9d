"""Rules at the command line: a person's own, with a key for each, and out of agents' reach."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import pytest

from commandline import SCRIPT, CommandLine
from harness.surroundings import SHELL_TOOL
from mcp_client import environment, start_server

if TYPE_CHECKING:
    from pathlib import Path

RULE = "Never push to main without a review"
YES = [("[y/n]", "y")]
NO = [("[y/n]", "n")]
AGENT = SHELL_TOOL["claude-plain"]


@pytest.fixture
def lines(tmp_path: Path) -> CommandLine:
    """A person's command line."""
    return CommandLine(tmp_path)


def shown(lines: CommandLine, *words: str) -> list[dict[str, Any]]:
    """The rules."""
    found: list[dict[str, Any]] = lines.run("rules", *words, "--json").json["rules"]
    return found


def made(lines: CommandLine, text: str = RULE, *words: str) -> str:
    """A rule of the person's; its id."""
    answer = lines.run("rules", "add", text, *words, "--json", keys=YES)
    assert answer.status == 0, answer
    item: str = answer.json["item"]["id"]
    return item


def test_a_person_sets_rules_with_a_key(lines: CommandLine) -> None:
    """Everywhere unless a scope is named; a no sets none; here those that hold here are shown."""
    declined = lines.run("rules", "add", RULE, keys=NO)
    item = made(lines)
    local = made(lines, "Commit in the imperative\n\nOne idea each.", "--scope", "repo")
    elsewhere = made(lines, "Ask before a release", "--scope", "repo:github.com/acme/other")

    assert (declined.status, "(declined)" in declined.err) == (1, True)
    assert [rule["id"] for rule in shown(lines)] == [local, item]
    assert {rule["id"] for rule in shown(lines, "--all")} == {item, local, elsewhere}
    rule = shown(lines)[1]
    assert (rule["scope"], rule["kind"], rule["status"]) == ("global", "rule", "active")
    assert rule["verification"] == "verified"
    text = lines.run("rules").out
    assert RULE in text
    assert "  | One idea each." in text


def test_a_rule_is_edited_and_removed(lines: CommandLine) -> None:
    """By an editor or with --text, each with a key; what was removed can come back."""
    item = made(lines)
    editor = lines.home / "editor.sh"
    editor.write_text('sed -i "s/a review/two reviews/" "$1"', encoding="utf-8")
    env = {"VISUAL": f"sh {editor}", "TMPDIR": str(lines.home)}
    edited = lines.run("rules", "edit", item[-6:], env=env, keys=YES)
    titles = [shown(lines)[0]["title"]]
    again = lines.run("rules", "edit", item[-6:], "--text", "Never push to main", keys=YES)
    titles.append(shown(lines)[0]["title"])
    kept = lines.run("rules", "remove", item[-6:], keys=NO)
    removed = lines.run("rules", "remove", item[-6:], "--json", keys=YES)

    assert (edited.status, again.status, kept.status, removed.status) == (0, 0, 1, 0)
    assert titles == ["Never push to main without two reviews", "Never push to main"]
    assert shown(lines) == []
    assert "No rule holds here" in lines.run("rules").out
    assert lines.run("undo", str(removed.json["undo"]), keys=YES).status == 0
    assert shown(lines)[0]["version"] == 3


def test_a_rule_outranks_every_memory(lines: CommandLine) -> None:
    """It stands first in a pack, before what is pinned."""
    pinned = lines.remember("Run bin/setup_db before the specs", "--scope", "repo", "--pin")
    item = made(lines)
    pack = lines.run("pack", "--json").json

    assert pack["shown"] == [item, pinned]


@pytest.mark.parametrize("around", [AGENT, SHELL_TOOL["codex-plain"], SCRIPT])
def test_no_agent_or_script_touches_a_rule(lines: CommandLine, around: Any) -> None:
    """Every way of the command line is refused, and the rule stands as it was."""
    item = made(lines)
    before = shown(lines)
    tries = [
        ("rules", "add", "Push at will"),
        ("rules", "edit", item, "--text", "Push at will"),
        ("rules", "remove", item),
        ("remember", "Push at will", "--kind", "rule"),
        ("remember", "Push at will", "--replaces", item, "--scope", "global"),
        ("edit", item, "--text", "Push at will"),
        ("archive", item),
        ("dispute", item),
        ("forget", item, "--yes"),
    ]
    answers = [lines.run(*words, "--json", around=around) for words in tries]

    assert [answer.status for answer in answers] == [4] * len(tries), [
        a.out + a.err for a in answers
    ]
    assert shown(lines) == before
    assert lines.run("review", "--json").json["waiting"] == []
    refused = [e for e in lines.run("log", "--json").json["events"] if e["action"] == "refused"]
    assert refused


def test_no_mcp_call_touches_a_rule(lines: CommandLine) -> None:
    """Its kind, its key, its id: all are refused; recall reads it all the same."""
    item = made(lines)
    before = shown(lines)
    env = environment(lines.home, lines.store)
    with start_server(lines.repo, env, "--client", "codex") as server:
        server.shake_hands()
        new = server.call("remember", title="Push at will", kind="rule")
        instead = server.call("remember", title="Push at will", replaces=item, scope="global")
        gone = server.call("forget", id=item)
        read = server.call("recall", query="push to main review")

    assert new["isError"] or new["structuredContent"]["outcome"] == "refused"
    assert instead["structuredContent"]["code"] == "authority.rule_needs_person"
    assert gone["structuredContent"]["code"] == "authority.rule_needs_person"
    assert RULE in read["content"][0]["text"]
    assert shown(lines) == before


def test_no_python_caller_under_an_agent_touches_a_rule(lines: CommandLine) -> None:
    """Whoever the library's caller says it is."""
    made(lines)
    before = shown(lines)
    program = lines.home / "try.py"
    program.write_text(
        "import sys\n"
        "from onrecord import Memory, Principal\n"
        "memory = Memory.open(sys.argv[1], principal=Principal.agent('codex', session='s'))\n"
        "print(type(memory.remember('Push at will', scope='global', kind='rule')).__name__)\n",
        encoding="utf-8",
    )
    answer = lines.people.run([sys.executable, str(program), str(lines.store)], around=AGENT)

    assert "Refused" in answer.text
    assert shown(lines) == before


def test_no_import_makes_a_rule_hold(lines: CommandLine) -> None:
    """An exported rule that comes in again waits, or is refused; it never holds by itself."""
    made(lines)
    out = lines.home / "all.jsonl"
    assert lines.run("export", "-o", str(out)).status == 0
    other = CommandLine(lines.home, name="other")
    assert RULE in out.read_text(encoding="utf-8")
    told = other.run("import", "jsonl", str(out))

    assert told.out, told
    assert shown(other, "--all") == []


@pytest.mark.parametrize(
    "words",
    [
        ("add",),
        ("edit",),
        ("remove",),
        ("show", "7QK2ZD"),
        ("add", "x", "--all"),
        ("show", "--scope", "repo"),
        ("burn", "x"),
    ],
)
def test_words_that_make_no_sense_are_told(lines: CommandLine, words: tuple[str, ...]) -> None:
    """A usage error, and nothing is asked."""
    answer = lines.run("rules", *words)

    assert answer.status == 2
    assert answer.err
