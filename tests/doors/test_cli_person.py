"""What a person does at a terminal: one key each, and only for what stood there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pytest

from commandline import REPO, SCRIPT, CommandLine
from harness.surroundings import PERSON_IN_AGENTS_TMUX, SHELL_TOOL

if TYPE_CHECKING:
    from pathlib import Path

CODEX: Final = SHELL_TOOL["codex-plain"]
QUESTION: Final = "(q)uit"
REASON: Final = "(n)ot useful"


@pytest.fixture
def lines(tmp_path: Path) -> CommandLine:
    """A place without a store."""
    return CommandLine(tmp_path)


def proposals(lines: CommandLine, count: int) -> list[str]:
    """What an agent saved, waiting."""
    titles = ("Specs need the fake clock", "Use pnpm in web", "The queue is in Redis", "No CSS")
    return [lines.remember(title, around=CODEX) for title in titles[:count]]


def test_review_walks_the_queue_with_one_key_each(lines: CommandLine) -> None:
    """Approve, reject with a reason, skip; the sum stands at the end, and what is left waits."""
    first, second, third = proposals(lines, 3)
    said = lines.person(
        "review", keys=[(QUESTION, "a"), (QUESTION, "r"), (REASON, "w"), (QUESTION, "s")]
    )
    again = lines.person("review", keys=[(QUESTION, "q")])

    assert said.exit_code == 0
    assert "1/3  note for repo:github.com/acme/shop, by codex (terminal)" in said.text
    assert "1 approved, 1 rejected, 1 skipped; 1 left" in said.text
    assert [lines.status_of(item) for item in (first, second, third)] == [
        *("active", "rejected", "proposed")
    ]
    assert "1/1" in again.text
    assert "The queue is in Redis" in again.text


def test_review_edits_before_approving(lines: CommandLine) -> None:
    """What the editor left is what counts; an editor that fails decides nothing."""
    first, second = proposals(lines, 2)
    said = lines.person(
        "review",
        keys=[(QUESTION, "e"), (QUESTION, "q")],
        env={"EDITOR": "sed -i s/fake/frozen/"},
    )
    failed = lines.person(
        "review",
        keys=[(QUESTION, "e"), (QUESTION, "q")],
        env={"EDITOR": "false", "VISUAL": ""},
    )
    item = lines.run("show", first, "--json").json

    assert said.exit_code == 0
    assert (item["title"], item["status"]) == ("Specs need the frozen clock", "active")
    assert item["version"] == 2
    assert "nothing was changed" in failed.text
    assert lines.status_of(second) == "proposed"


def test_what_changed_under_a_decision_is_shown_again(lines: CommandLine, tmp_path: Path) -> None:
    """The memory that an approval takes the place of is reworded: both are shown again."""
    kept = lines.remember("The queue is Redis", "--key", "queue", "--scope", "repo")
    new = lines.remember("The queue is NATS", "--key", "queue", around=CODEX)
    editor = tmp_path / "editor"
    editor.write_text(
        "#!/bin/sh\nonrecord remember 'The queue is Valkey' --key queue --scope repo >/dev/null\n"
        'sed -i s/NATS/Kafka/ "$1"\n',
        encoding="utf-8",
    )
    editor.chmod(0o755)
    said = lines.person(
        "review", keys=[(QUESTION, "e"), (QUESTION, "a")], env={"EDITOR": str(editor)}
    )
    old, now = said.text.index("replaces"), said.text.rindex("replaces")

    assert said.exit_code == 0
    assert "(approve.place_changed)" in said.text[old:now]
    assert "Your edit, which was not saved:" in said.text[old:now]
    assert "The queue is Redis" in said.text[old:now]
    assert "The queue is Valkey" in said.text[now:]
    assert "1 approved; 0 left" in said.text
    assert (lines.status_of(kept), lines.status_of(new)) == ("superseded", "active")
    assert lines.run("show", new, "--json").json["title"] == "The queue is NATS"


def test_a_decision_shows_what_the_proposal_may_contradict(lines: CommandLine) -> None:
    """Before the key is typed, and in the answer after it."""
    kept = lines.remember("Use pnpm instead of npm in web", "--scope", "repo")
    words = ("remember", "Use npm instead of pnpm in web", "--scope", "repo", "--json")
    new = lines.run(*words, around=CODEX).json["item"]["id"]
    said = lines.person("approve", new, keys=[("[y/n]", "y")])
    shown, _, answer = said.text.partition("Approve it?")

    assert said.exit_code == 0
    assert f"may contradict {kept[-6:]}  Use pnpm instead of npm in web" in shown
    assert f"It may contradict m:{kept[-6:]}: onrecord conflicts" in answer


def test_each_decision_of_a_review_shows_what_the_one_before_left(lines: CommandLine) -> None:
    """Of two proposals for one place, the second is shown with the first, which it replaces."""
    lines.remember("The queue is Redis", "--key", "queue", "--scope", "repo")
    first = lines.remember("The queue is NATS", "--key", "queue", around=CODEX)
    second = lines.remember(
        "The queue is Kafka", "--key", "queue", around=SHELL_TOOL["claude-plain"]
    )
    said = lines.person("review", keys=[(QUESTION, "a"), (QUESTION, "a")])
    shown = [text for text in said.text.splitlines() if "  replaces " in text]

    assert said.exit_code == 0
    assert [first[-6:] in text for text in shown] == [False, True]
    assert (lines.status_of(first), lines.status_of(second)) == ("superseded", "active")


def test_what_an_agent_asked_to_forget_is_decided_too(lines: CommandLine) -> None:
    """A person's memory goes only when the person says so."""
    kept, gone = (lines.remember(title) for title in ("The gate opens at six", "Old gate code"))
    for item in (kept, gone):
        asked = lines.run("forget", item, "--json", around=CODEX)
        assert (asked.json["outcome"], asked.json["code"]) == ("proposed", "asked")
    said = lines.person("review", keys=[("Forget it?", "y"), ("Forget it?", "n")])
    statuses = {lines.run("log", item).status for item in (kept, gone)}

    assert "codex asks to have it forgotten. Forget it?" in said.text
    assert "1 forgotten, 1 declined; 0 left" in said.text
    assert statuses == {0}
    assert len(lines.run("list", "--json").json["items"]) == 1


def test_approve_shows_what_it_is_about_where_it_asks(lines: CommandLine) -> None:
    """The text stands on the terminal even where the output goes elsewhere."""
    first, second = proposals(lines, 2)
    line = f"onrecord approve {first} --json >{lines.home}/answer"
    said = lines.people.run(["sh", "-c", line], keys=[("Approve it?", "y")])
    no = lines.person("approve", second[-6:], keys=[("Approve it?", "n")])

    assert "Specs need the fake clock" in said.text
    assert said.exit_code == 0
    assert lines.status_of(first) == "active"
    assert no.exit_code == 1
    assert "You said no" in no.text
    assert lines.status_of(second) == "proposed"


def test_approve_takes_several_and_nothing_happens_where_one_is_wrong(lines: CommandLine) -> None:
    """All ids are looked up before the first question."""
    first, second, third = proposals(lines, 3)
    wrong = lines.run("approve", first, "ZZZZZZ")
    keys = [("Approve it?", "y"), ("Approve it?", "n"), ("Approve it?", "y")]
    both = lines.run("approve", first, second, third, "--json", keys=keys)

    assert wrong.status == 1
    assert [o["outcome"] for o in both.json["outcomes"]] == ["updated", "updated"]
    assert lines.status_of(second) == "proposed"


def test_approve_of_what_does_not_wait_asks_nothing(lines: CommandLine) -> None:
    """The two states are named, before any key."""
    item = lines.remember("The gate opens at six")
    answer = lines.run("approve", item)

    assert answer.status == 3
    assert "(conflict.status)" in answer.err


@pytest.mark.parametrize(
    ("words", "question", "status"),
    [
        (("verify", "{item}"), "Verify it?", "active"),
        (("forget", "{item}"), "Erase this memory", "active"),
        (("policy", "none"), "review policy", "active"),
        (("remember", "Always use tabs", "--kind", "rule"), "a rule", "active"),
    ],
)
def test_a_no_changes_nothing(
    lines: CommandLine, words: tuple[str, ...], question: str, status: str
) -> None:
    """Each question can be answered with no, and the audit log has no line of it."""
    item = lines.remember("The gate opens at six")
    before = lines.run("log", "--json").json
    said = lines.person(*(word.format(item=item) for word in words), keys=[(question, "n")])

    assert said.exit_code == 1
    assert lines.status_of(item) == status
    assert lines.run("log", "--json").json == before


def test_what_was_typed_before_the_question_does_not_answer_it(lines: CommandLine) -> None:
    """Keys in the terminal's buffer are thrown away; only one typed after it counts."""
    (item,) = proposals(lines, 1)
    line = f"read -r _; exec onrecord approve {item}"
    with lines.people.open(["sh", "-c", line]) as terminal:
        terminal.type("go\ryyyy")
        terminal.expect("Approve it?")
        terminal.type("x")
        terminal.type("n")
        ended = terminal.wait()

    assert ended.exit_code == 1
    assert lines.status_of(item) == "proposed"


def test_undoing_a_rejection_wants_a_key(lines: CommandLine) -> None:
    """Its value may come back with it; other changes are taken back at once."""
    (item,) = proposals(lines, 1)
    lines.run("reject", item, "--reason", "wrong")
    no = lines.person("undo", keys=[("[y/n]", "n")])
    yes = lines.person("undo", keys=[("[y/n]", "y")])
    lines.run("archive", item)
    quick = lines.run("undo")

    assert no.exit_code == 1
    assert "rejected wrong" in no.text
    assert yes.exit_code == 0
    assert quick.status == 0
    assert lines.status_of(item) == "proposed"


def test_a_rejected_value_comes_back_by_override_and_key(lines: CommandLine) -> None:
    """Said again it is refused, with who and when; with a reason and a key it is kept."""
    item = lines.remember("The harbour gate opens at six")
    lines.run("reject", item, "--reason", "wrong")
    again = lines.run("remember", "The harbour gate opens at six")
    override = lines.run(
        *("remember", "The harbour gate opens at six", "--override", "it does since May"),
        "--json",
        keys=[("bring it back?", "y")],
    )

    assert again.status == 1
    assert "(tombstone.equal)" in again.err
    assert "--override" in again.err
    assert override.json["outcome"] == "created"


def test_a_dry_run_changes_nothing(lines: CommandLine) -> None:
    """Every command that takes something away can show it first."""
    item = lines.remember("The gate opens at six")
    before = lines.run("log", "--json").json
    for words in (
        ("forget", item, "--dry-run"),
        ("forget", "--scope", "repo", "--dry-run"),
        ("forget", "--since", "2020-01-01", "--dry-run"),
        ("reject", item, "--reason", "wrong", "--dry-run"),
        ("archive", item, "--dry-run"),
        ("undo", "--dry-run"),
    ):
        shown = lines.run(*words)
        assert shown.status == 0
        assert "nothing was changed" in shown.out
        assert item[-6:] in shown.out

    assert lines.run("log", "--json").json == before


def test_forgetting_by_scope_asks_once_for_all(lines: CommandLine) -> None:
    """What is in the scope goes, what is elsewhere stays; `--yes` is for one's own only."""
    lines.remember("The gate opens at six", "--scope", REPO)
    lines.remember("Said by an agent", "--scope", REPO, around=CODEX)
    elsewhere = lines.remember("Everywhere the same", "--scope", "global")
    yes = lines.run("forget", "--scope", REPO, "--yes")
    said = lines.person("forget", "--scope", REPO, keys=[("[y/n]", "y")])

    assert yes.status == 4
    assert "Run it without --yes" in yes.err
    assert said.exit_code == 0
    assert [item["id"] for item in lines.run("list", "--json").json["items"]] == [elsewhere]


def test_a_terminal_with_an_agents_variables_asks_for_a_code(lines: CommandLine) -> None:
    """The code makes a person of whoever types it; reading is not asked for it."""
    (item,) = proposals(lines, 1)
    read = lines.person("list", around=PERSON_IN_AGENTS_TMUX)
    wrong = lines.person("review", keys=[("Enter:", "0000\r")], around=PERSON_IN_AGENTS_TMUX)
    with lines.people.open(["onrecord", "approve", item], around=PERSON_IN_AGENTS_TMUX) as screen:
        screen.expect("and Enter:")
        code = screen.text.rpartition("type ")[2].split()[0]
        screen.type(f"{code}\r")
        screen.expect("Approve it?")
        screen.type("y")
        right = screen.wait()
    reviews = lines.run("history", item, "--json").json["reviews"]

    assert read.exit_code == 0
    assert "you see what an agent sees" in read.text
    assert wrong.exit_code == 4
    assert "That was not the code" in wrong.text
    assert right.exit_code == 0
    assert [review["agent_variables"] for review in reviews] == [True]


def test_an_agents_shell_tool_reads_fenced_text(lines: CommandLine) -> None:
    """A model reads it, so it comes as data; a script and `--json` get it plain."""
    item = lines.remember("The gate opens at six")
    for words in (("recall", "gate"), ("list",), ("show", item), ("history", item)):
        fenced = lines.run(*words, around=CODEX)
        plain = lines.run(*words, around=SCRIPT)
        shape = lines.run(*words, "--json", around=CODEX)

        assert fenced.out.startswith("<onrecord-memory nonce=")
        assert "The gate opens at six" in fenced.out
        assert not plain.out.startswith("<onrecord")
        assert "onrecord-memory" not in shape.out


def test_a_switch_and_a_policy_show_in_the_status(lines: CommandLine) -> None:
    """What was set stands there with its scope, and can be taken back."""
    lines.run("off")
    lines.run("off", "deliver", "--scope", "repo")
    lines.run("policy", "flagged", "--scope", "repo", keys=[("[y/n]", "y")])
    status = lines.run("status").out
    lines.run("on")
    taken = lines.person("undo", "3", keys=[("[y/n]", "y")])

    assert "saving OFF" in status
    assert f"deliver in {REPO}: OFF" in status
    assert f"review in {REPO}: flagged" in status
    assert taken.exit_code == 0
    assert lines.run("status").out.startswith("saving on")


def test_a_handoff_is_written_claimed_and_acknowledged(lines: CommandLine) -> None:
    """Each end is on record, and a claimed one is not claimed by another."""
    written = lines.run("handoff", "--next", "fix the gate test", "--for", "codex", "--json")
    item = written.json["item"]["id"]
    claimed = lines.run("handoffs", "claim", item)
    other = lines.run("handoffs", "claim", item, around=CODEX)
    done = lines.run("handoffs", "ack", item[-6:], "--json")

    assert claimed.out == f"Handoff {item[-6:]} is claimed. Undo: onrecord undo 2\n"
    assert other.status == 3
    assert done.json["status"] == "acknowledged"
    assert lines.run("handoffs").out == "No handoff is open.\n"
    assert item[-6:] in lines.run("handoffs", "--all").out


def test_lists_go_on_from_where_they_ended(lines: CommandLine) -> None:
    """The cursor brings the next page, also of what an agent may see."""
    titles = [f"Statement {word}" for word in ("one", "two", "three", "four", "five")]
    for title in titles:
        lines.remember(title)
    lines.remember("Only for codex to see", around=CODEX)
    for around in (SCRIPT, SHELL_TOOL["claude-plain"]):
        seen: list[str] = []
        cursor = ""
        while True:
            after = ("--after", cursor) if cursor else ()
            page = lines.run("list", "--limit", "2", *after, "--json", around=around).json
            seen += [item["title"] for item in page["items"]]
            cursor = page["next_cursor"]
            if not cursor:
                break
        assert seen == titles[::-1]

    assert "the same with --after" in lines.run("list", "--limit", "2").out
    log = lines.run("log", "--limit", "2", "--json").json
    rest = lines.run("log", "--limit", "9", "--before", str(log["next_cursor"]), "--json").json
    assert [event["seq"] for event in (*log["events"], *rest["events"])] == [6, 5, 4, 3, 2, 1]
