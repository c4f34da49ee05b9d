"""Summaries from the command line, by a command of the user's own configuration alone."""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING, Any

import pytest

from commandline import REPO, SCRIPT, CommandLine
from harness.surroundings import SHELL_TOOL
from onrecord import wiring
from onrecord.domain.session import Session

if TYPE_CHECKING:
    from pathlib import Path

SESSION = "01JABCDEFGHJKMNPQRSTVWXYZ0"
ANSWER = {
    "summary": None,
    "items": [
        {"kind": "lesson", "title": "The horn counts total seconds", "body": "", "messages": [1]}
    ],
}


class Summarising(CommandLine):
    """A home with a summariser, and a session that was talked in."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.transcript = self.home / ".claude" / "projects" / "-shop" / "5eed.jsonl"
        self.transcript.parent.mkdir(parents=True)
        row = {"type": "user", "uuid": "u1", "message": {"content": "Why does the horn drift?"}}
        self.transcript.write_text(f"{json.dumps(row)}\n", encoding="utf-8")
        self.remember("The gate opens at six")
        memory = wiring.open_memory(str(self.store), create=False)
        with memory._store.write() as tx:  # noqa: SLF001 - what hooks would have told
            tx.sessions.put(
                Session(
                    id=SESSION,
                    agent="claude-code",
                    agent_session="5eed",
                    started_at=1,
                    last_event_at=2,
                    ended_at=2,
                    repo=REPO,
                    cwd=str(self.repo),
                    transcript=str(self.transcript),
                )
            )
        memory.close()
        self.program = self.home / "summariser.py"
        self.answers(ANSWER)
        self.config(repositories=["github.com/acme/*"])

    def answers(self, shape: object) -> None:
        """What the command says from now on; that it ran is left in a file."""
        self.program.write_text(
            f"import sys, pathlib\nsys.stdin.read()\npathlib.Path({str(self.ran)!r}).touch()\n"
            f"print({json.dumps(shape)!r})\n",
            encoding="utf-8",
        )

    @property
    def ran(self) -> Path:
        """There once the command ran."""
        return self.home / "ran"

    def config(self, **table: Any) -> None:
        """The user's own file."""
        path = self.home / ".config" / "onrecord" / "config.toml"
        path.parent.mkdir(parents=True, exist_ok=True)
        words = {"command": [sys.executable, str(self.program)], **table}
        lines = [f"{name} = {json.dumps(value)}" for name, value in words.items()]
        path.write_text("\n".join(["[summaries]", *lines]) + "\n", encoding="utf-8")


@pytest.fixture
def lines(tmp_path: Path) -> Summarising:
    """A session to summarise."""
    return Summarising(tmp_path)


def test_a_session_is_summarised_and_waits(lines: Summarising) -> None:
    """What comes back is in the queue, and goes back as a whole."""
    looked = lines.run("summarize", "--dry-run", "--show")
    assert "[1] user:\nWhy does the horn drift?" in looked.out
    assert not lines.ran.exists()

    done = lines.run("summarize", "--json").json
    again = lines.run("summarize")

    assert (done["session"], done["stopped"], done["more"]) == (SESSION, None, False)
    (part,) = done["parts"]
    assert (part["state"], part["outcomes"]) == ("kept", {"proposed": 1})
    assert (part["messages"], part["bad"], part["prompts"]) == (1, [], None)
    assert again.out == "Nothing new was said in that session.\n"
    waiting = lines.run("list", "--status", "proposed", "--json").json["items"]
    assert [one["title"] for one in waiting] == ["The horn counts total seconds"]
    assert waiting[0]["author"]["channel"] == "summariser"
    assert lines.run("undo", "--import", done["batch"], keys=[("[y/n]", "y")]).status == 0
    assert lines.run("list", "--status", "proposed", "--json").json["items"] == []


def test_a_bad_answer_is_listed(lines: Summarising) -> None:
    """The run says so and ends with 1; the person can look at it and remove it."""
    lines.answers("no, thanks")

    done = lines.run("summarize")
    aside = lines.run("summarize", "--set-aside", "--json").json["set_aside"]

    assert done.status == 1
    assert (
        "no usable answer (the answer has other fields, the answer has other fields)" in done.out
    )
    assert [one["why"] for one in aside] == ["the answer has other fields"] * 2
    assert lines.run("summarize", "--set-aside", "--clear").out == "2 answers were removed.\n"
    assert lines.run("summarize", "--set-aside").out == "No answer was set aside.\n"


def test_a_repository_cannot_name_a_command(lines: Summarising) -> None:
    """Files in it are not read for that; without a user's own there is none."""
    evil = lines.home / "evil"
    table = f'[summaries]\ncommand = ["touch", "{evil}"]\nrepositories = ["*"]\n'
    for name in ("onrecord.toml", ".onrecord.toml", "config.toml", ".onrecord/config.toml"):
        path = lines.repo / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(table, encoding="utf-8")
    (lines.home / ".config" / "onrecord" / "config.toml").unlink()

    answer = lines.run("summarize", "--json")

    assert answer.status == 2
    assert not evil.exists()
    lines.config(repositories=[])
    refused = lines.run("summarize", "--json")
    assert (refused.status, refused.error["code"]) == (1, "denied")
    assert not lines.ran.exists()


def test_an_agent_starts_no_summariser(lines: Summarising) -> None:
    """A script that the person set up does."""
    agent = lines.run("summarize", "--json", around=SHELL_TOOL["claude-plain"])
    assert (agent.status, agent.error["code"]) == (4, "person.required")
    assert not lines.ran.exists()

    assert lines.run("summarize", around=SCRIPT).status == 0
    assert lines.ran.exists()


def test_a_command_that_is_not_there_is_told(lines: Summarising) -> None:
    """On standard error, with status 1."""
    lines.config(repositories=["github.com/acme/shop"], command=["/no/such/program"])

    answer = lines.run("summarize")

    assert answer.status == 1
    assert "the command cannot be started" in answer.err


def test_what_was_sent_and_what_is_owed_are_told(lines: Summarising) -> None:
    """To the person alone; the text is that of the transcript."""
    lines.config(repositories=["github.com/acme/*"], automatic=True)
    assert lines.run("summarize", "--sent").out == "Nothing was sent.\n"
    # it ended before the file said so, thus it is not owed
    assert lines.run("summarize", "--owed", "--json").json == {"owed": []}
    lines.run("summarize")

    (row,) = lines.run("summarize", "--sent", "--show", "--json").json["sent"]

    assert (row["session"], row["messages"], row["unchanged"]) == (SESSION, 1, True)
    assert "[1] user:\nWhy does the horn drift?" in row["prompt"]
    assert "Why does the horn drift?" in lines.run("summarize", "--sent", "--show").out
    agent = lines.run("summarize", "--sent", "--json", around=SHELL_TOOL["claude-plain"])
    assert (agent.status, agent.error["code"]) == (4, "person.required")
    assert lines.run("summarize", "--sent", "--owed").status == 2


def test_what_is_shown_of_a_session_is_taken_everywhere(lines: Summarising) -> None:
    """What `sessions` shows, and the agent's own id; another name leads to none."""
    lines.config(repositories=["github.com/acme/*"], automatic=True)
    lines.run("summarize")
    (known,) = lines.run("sessions", "--json").json["sessions"]
    short = known["id"][-6:]
    sent = [
        [row["session"] for row in lines.run("summarize", "--sent", name, "--json").json["sent"]]
        for name in (short, known["id"], known["agent_session"], "zzzz")
    ]

    assert short in lines.run("sessions").out
    assert short in lines.run("summarize", "--sent").out
    assert sent == [[SESSION], [SESSION], [SESSION], []]
    assert lines.run("summarize", known["agent_session"], "--dry-run").status == 0
    assert "That session does not wait" in lines.run("summarize", "--owed", short).out


def test_the_doctor_tells_of_summaries_that_do_not_come(lines: Summarising) -> None:
    """Those that were given up, and settings that hooks do not follow; else nothing."""

    def told() -> list[str]:
        found = lines.run("doctor", "codex", "--json").json["findings"]
        return [f"{one['level']} {one['code']}" for one in found if "summaries" in one["code"]]

    lines.config(repositories=["github.com/acme/*"], automatic=True)
    config = lines.home / ".config" / "onrecord" / "config.toml"
    os.utime(config, (0, 0))
    note = {"size": 0, "compactions": 0, "tries": 3, "at": 1, "why": "failed"}
    state = lines.store.with_name(f"{lines.store.name}.summaries") / "owed"
    assert told() == []
    state.parent.mkdir(mode=0o700, exist_ok=True)
    state.write_text(json.dumps({"since": 0, "sessions": {SESSION: note}}), encoding="utf-8")
    state.chmod(0o600)

    assert told() == ["warn summaries.given_up"]

    assert lines.run("summarize").status == 0
    assert told() == []
    config.chmod(0o620)
    assert told() == ["warn summaries.not_followed"]
    lines.config(repositories=["github.com/acme/*"])
    assert told() == []


def test_another_file_is_no_transcript(lines: Summarising) -> None:
    """It is not opened, so that nobody learns how many lines it has."""
    away = lines.home / "t.jsonl"
    lines.transcript.rename(away)
    lines.transcript.symlink_to(away)

    refused = lines.run("summarize", "--dry-run", "--json")

    assert (refused.status, refused.error["code"]) == (1, "denied.transcript")
    assert "line" not in refused.err.lower().replace("online", "")


def test_a_file_that_hooks_do_not_follow_is_told(lines: Summarising) -> None:
    """One that anybody may write, or that a variable names, is for a person's own runs alone."""
    lines.config(repositories=["github.com/acme/*"], automatic=True)
    config = lines.home / ".config" / "onrecord" / "config.toml"
    os.utime(config, (0, 0))
    (row,) = lines.run("summarize", "--owed", "--json").json["owed"]
    assert (row["session"], row["state"], row["why"]) == (SESSION, "owed", None)
    assert "Hooks follow no such" not in lines.run("summarize", "--owed").out

    config.chmod(0o666)

    assert "Hooks follow no such" in lines.run("summarize", "--owed").out
    config.chmod(0o600)
    named = {"ONRECORD_CONFIG": str(config)}
    assert "Hooks follow no such" in lines.run("summarize", "--owed", env=named).out


def test_where_all_of_it_is_refused_nothing_is_said_to_wait(lines: Summarising) -> None:
    """There is nothing to review and nothing to take back."""
    item = {"kind": "fact", "title": "\u200b", "body": "", "messages": [1]}
    lines.answers({"summary": None, "items": [item]})

    done = lines.run("summarize")

    assert done.status == 0
    assert "1 refused" in done.out
    assert "Nothing of it was kept, so nothing waits for you." in done.out
    assert "review" not in done.out
    assert "undo" not in done.out
    assert lines.run("summarize", "--again", "--json").json["batch"] is None
