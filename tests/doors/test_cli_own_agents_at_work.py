"""An agent of a person's own wherever an agent is named: sessions, work, switches."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from commandline import CommandLine
from mcp_client import CLAUDE, CODEX, AgentProcess, Cli, environment
from onrecord import wiring
from onrecord.capture import spool

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

BEAVER = """\
[agents.beaver]
title = "Beaver"
config = "~/.beaver/mcp.json"
program = "beaver"
executables = ["beaver"]
model = ["--with"]
prompt = ["--ask"]
hooks_config = "~/.beaver/hooks.json"
hooks = {SessionStart = "session_start", UserPromptSubmit = "prompt", SessionEnd = "session_end"}
"""
GOES_ON = 'resume = ["again"]\n'
SAYS = """#!/bin/sh
echo "program $(basename "$0")"
for word in "$@"; do echo "word $word"; done
"""
OWN = Cli(program="beaver", client="beaver", variables={})


class Bench:
    """A person with an agent of their own beside the known ones, all on the PATH."""

    def __init__(self, folder: Path) -> None:
        self.lines = CommandLine(folder)
        self.config = self.lines.home / ".config" / "onrecord" / "config.toml"
        self.config.parent.mkdir(parents=True)
        self.describe(BEAVER + GOES_ON)
        programs = folder / "programs"
        programs.mkdir()
        for name in ("beaver", "claude", "codex"):
            program = programs / name
            program.write_text(SAYS, encoding="utf-8")
            program.chmod(0o755)
        self.lines.store.parent.mkdir(parents=True)
        wiring.open_memory(str(self.lines.store)).close()
        self.env = {
            **environment(self.lines.home, self.lines.store),
            "ONRECORD_CONFIG": str(self.config),
        }
        self.path = {"PATH": f"{programs}:{self.lines.people.env['PATH']}"}

    def describe(self, table: str) -> None:
        """Write the person's configuration."""
        self.config.write_text(table, encoding="utf-8")

    def worked(self, cli: Cli, session: str, prompt: str) -> None:
        """A session of an agent that took a prompt and ended."""
        with AgentProcess(cli, cwd=self.lines.repo, env=self.env) as agent:
            agent.start(session)
            agent.prompt(session, prompt)

    def say(self, *words: str) -> str:
        """What a command of the person's shows on the terminal."""
        return self.lines.person(*words, env=self.path).text


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    """Everything in place."""
    made = Bench(tmp_path)
    yield made
    assert spool.set_aside_count(wiring.spool_folder(str(made.lines.store))) == 0


def test_its_sessions_are_on_record(bench: Bench) -> None:
    """What its hooks tell makes a session of that name, which `sessions --agent` finds."""
    bench.worked(OWN, "b-1", "Mend the till")
    bench.worked(CODEX, "x-1", "Paint the gate")
    rows = bench.lines.run("sessions", "--agent", "beaver", "--json").json["sessions"]

    assert [(row["agent"], row["last_prompt"]) for row in rows] == [("beaver", "Mend the till")]


def test_work_is_handed_to_it_and_its_own_session_goes_on(bench: Bench) -> None:
    """First a new session with the words of its table, then the one that it has."""
    bench.worked(CLAUDE, "c-1", "Mend the till")
    to_it = ("handoff", "--to", "beaver", "--model", "oak", "--prompt", "Begin", "--no-ask")
    started = bench.say(*to_it).partition("program beaver")[2]
    bench.worked(OWN, "b-1", "Gnaw the gate")
    bench.worked(CLAUDE, "c-2", "Paint the gate")
    goes_on = bench.say("handoff", "--to", "beaver", "--no-ask").partition("program beaver")[2]
    resumed = bench.say("resume", "beaver", "--no-ask").partition("program beaver")[2]

    assert "word --with\nword oak\nword --ask" in started.replace("\r", "")
    assert "Continuing from claude-code" in started
    assert "word again\nword b-1\nword --ask" in goes_on.replace("\r", "")
    assert "claude-code worked here" in goes_on
    assert "word again\nword b-1" in resumed.replace("\r", "")


def test_one_that_cannot_go_on_by_id_begins_anew(bench: Bench) -> None:
    """No id of a session is put where the program would read it as something else."""
    bench.describe(BEAVER)
    bench.worked(OWN, "b-1", "Gnaw the gate")
    bench.worked(CLAUDE, "c-1", "Mend the till")
    started = bench.say("handoff", "--to", "beaver", "--no-ask").partition("program beaver")[2]
    refused = bench.lines.run("resume", "beaver", "--no-ask", env=bench.path)

    assert "Mend the till" in started
    assert "word b-1" not in started
    assert refused.status == 2
    assert "onrecord handoff --to beaver" in refused.err


def test_delivery_to_it_is_switched_off(bench: Bench) -> None:
    """As for any other kind; its next session is given nothing."""
    bench.lines.remember("Release on Thursdays", "--scope", "repo")
    with AgentProcess(OWN, cwd=bench.lines.repo, env=bench.env) as agent:
        given = agent.hook("SessionStart", "b-1", source="startup")
    switched = bench.lines.run("off", "deliver", "--agent", "beaver")
    with AgentProcess(OWN, cwd=bench.lines.repo, env=bench.env) as agent:
        after = agent.hook("SessionStart", "b-2", source="startup")

    assert "Release on Thursdays" in given
    assert switched.status == 0, switched
    assert "Release on Thursdays" not in after


@pytest.mark.parametrize(
    "words",
    [
        ("handoff", "--to", "weasel", "--no-ask"),
        ("handoff", "--for", "weasel", "--next", "x"),
        ("off", "deliver", "--agent", "weasel"),
        ("sessions", "--agent", "weasel"),
        ("connect", "weasel"),
        ("doctor", "weasel"),
        ("pack", "--for", "weasel"),
    ],
)
def test_a_name_that_nobody_has_is_told_the_same_everywhere(
    bench: Bench, words: tuple[str, ...]
) -> None:
    """The names that there are stand in the answer, the person's own among them."""
    answer = bench.lines.run(*words, env=bench.path)

    assert answer.status == 2, answer
    assert "There is no agent CLI of that name" in answer.err
    assert "claude-code" in answer.err
    assert "beaver" in answer.err
    assert "weasel" not in answer.err


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("sessions", "--agent", "claude"), "claude-code"),
        (("off", "deliver", "--agent", "claude"), "claude-code"),
        (("handoff", "--for", "claude", "--next", "x"), "for claude-code"),
        (("handoff", "--to", "claude", "--no-ask"), "program claude"),
        (("resume", "claude", "--no-ask"), "program claude"),
    ],
)
def test_short_names_do_everywhere(bench: Bench, words: tuple[str, ...], says: str) -> None:
    """`claude` is Claude Code, `gemini` and `copilot` are their CLIs."""
    bench.worked(CLAUDE, "c-1", "Mend the till")

    assert says in bench.say(*words)


def test_what_a_table_no_longer_describes_stays_on_record(bench: Bench) -> None:
    """Its sessions are listed, and it is said why it cannot be started."""
    bench.worked(OWN, "b-1", "Gnaw the gate")
    bench.describe("")
    rows = bench.lines.run("sessions", "--agent", "beaver", "--json").json["sessions"]
    resumed = bench.lines.run("resume", "--no-ask", env=bench.path)

    assert [row["agent"] for row in rows] == ["beaver"]
    assert resumed.status == 2
    assert "There is no agent CLI of that name" in resumed.err
