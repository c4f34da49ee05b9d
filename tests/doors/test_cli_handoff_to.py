"""`handoff --to` and `resume`: what is asked, what is refused, and how an agent is started.

The program that is started here only says how it was; the real ones are started end to end.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from commandline import CommandLine
from harness.surroundings import SHELL_TOOL
from mcp_client import CLAUDE, CODEX, AgentProcess, Cli, environment
from onrecord import wiring

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SAYS = """#!/bin/sh
echo "program $(basename "$0")"
for word in "$@"; do echo "word $word"; done
echo "given $ONRECORD_GIVEN"
"""


OPENCODE = Cli(program="opencode", client="opencode", variables={"ONRECORD_OPENCODE": "1"})


class Bench:
    """A person with agents on the PATH, and agents at work."""

    def __init__(self, folder: Path) -> None:
        self.lines = CommandLine(folder)
        self.programs = folder / "programs"
        self.programs.mkdir()
        for name in ("claude", "codex", "opencode"):
            program = self.programs / name
            program.write_text(SAYS, encoding="utf-8")
            program.chmod(0o755)
        self.store = self.lines.store
        self.store.parent.mkdir(parents=True)
        wiring.open_memory(str(self.store)).close()
        self.env = environment(self.lines.home, self.store)
        self.agents: list[AgentProcess] = []

    @property
    def path(self) -> dict[str, str]:
        """An environment in which the agents are installed."""
        return {"PATH": f"{self.programs}:{self.lines.people.env['PATH']}"}

    def worked(self, cli: object, session: str, *prompts: str) -> AgentProcess:
        """An agent whose session took these prompts, and which still runs."""
        agent = AgentProcess(cli, cwd=self.lines.repo, env=self.env)  # type: ignore[arg-type]
        self.agents.append(agent)
        agent.start(session)
        for prompt in prompts:
            agent.prompt(session, prompt)
        return agent

    def say(self, *words: str, keys: tuple[tuple[str, str], ...] = ()) -> str:
        """What a command of the person's shows on the terminal."""
        return self.lines.person(*words, keys=keys, env=self.path).text


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    """Everything in place."""
    made = Bench(tmp_path)
    yield made
    for agent in made.agents:
        agent.close()


def test_it_starts_with_the_work_and_says_so_first(bench: Bench) -> None:
    """A key starts it in this terminal, with pack, model and prompt; no key, no start."""
    bench.worked(CLAUDE, "c-11111111", "Mend the till").close()
    words = ("handoff", "--to", "codex", "--model", "small", "--prompt", "Begin")
    declined = bench.say(*words, keys=(("Start codex?", "n"),))
    assert "program codex" not in declined
    shown = bench.say(*words, keys=(("Start codex?", "y"),))

    asked, _, started = shown.partition("program codex")
    (source,) = bench.lines.run("sessions", "--json").json["sessions"]
    assert f"Continuing from claude-code, session {source['id'][-6:]}" in asked
    assert "word --model" in started
    assert "word small" in started
    assert "Continuing from claude-code" in started
    assert "Mend the till" in started
    assert "word Begin" in started
    (row,) = bench.lines.run("handoffs", "--json").json["handoffs"]
    assert f"given {row['id']} 1500" in started


def test_what_the_person_says_is_handed_on(bench: Bench) -> None:
    """Their words become the handoff, addressed to the agent that is started."""
    bench.worked(CLAUDE, "c-1", "Mend the till")
    shown = bench.say("handoff", "--to", "codex", "--next", "Paint the gate", "--no-ask")

    assert "Paint the gate" in shown.partition("program codex")[2]
    rows = bench.lines.run("handoffs", "--json").json["handoffs"]
    assert [(row["to_agent"], row["automatic"]) for row in rows] == [("codex", False)]


def test_a_session_that_still_runs_is_handed_on_by_what_was_seen(bench: Bench) -> None:
    """Nobody has to leave an agent for its work to be handed on."""
    bench.worked(CLAUDE, "c-1", "Mend the till")
    shown = bench.say("handoff", "--to", "codex", "--no-ask")

    assert "still open" in shown
    assert "Go on with what was asked last: Mend the till" in shown


def test_going_back_is_a_resume_that_tells_what_came_since(bench: Bench) -> None:
    """Its own session, by its own way of resuming; a new one only where that is asked for."""
    bench.worked(CLAUDE, "c-11111111", "Mend the till").close()
    bench.worked(CODEX, "x-1", "Paint the gate").close()
    for words in (("handoff", "--to", "claude-code", "--no-ask"), ("resume", "claude-code")):
        keys = (("Start claude-code?", "y"),) if words[0] == "resume" else ()
        shown = bench.say(*words, keys=keys).partition("program claude")[2]
        assert "word --resume" in shown
        assert "word c-11111111" in shown
        assert "Since your last turn here" in shown
        assert "codex worked here (1 prompt)" in shown
    fresh = bench.say("handoff", "--to", "claude-code", "--fresh", "--no-ask")
    assert "word --resume" not in fresh.partition("program claude")[2]


def test_one_that_takes_no_first_message_is_told_by_its_hook(bench: Bench) -> None:
    """OpenCode drops a prompt beside a session: none is given, and asking for one is an error."""
    bench.worked(OPENCODE, "o-1", "Gnaw the gate").close()
    bench.worked(CLAUDE, "c-1", "Mend the till").close()
    words = ("handoff", "--to", "opencode", "--no-ask", "--next", "Paint the gate")
    refused = bench.lines.run(*words, "--prompt", "Begin", env=bench.path)
    written = bench.lines.run("handoffs", "--json").json["handoffs"]
    shown = bench.say(*words).partition("program opencode")
    again = bench.worked(OPENCODE, "o-1")
    given = again.hook("SessionStart", "o-1", source="resume")

    assert (refused.status, "--fresh" in refused.err) == (2, True)
    assert [row["automatic"] for row in written] == [True]
    assert "with the first prompt that you type" in shown[0]
    assert shown[2].replace("\r", "").splitlines()[1:] == [
        "word --session",
        "word o-1",
        "given ",
    ]
    assert "Paint the gate" in given
    fresh = bench.say(*words, "--prompt", "Begin", "--fresh")
    assert "word --prompt" in fresh


def test_what_was_told_once_is_not_told_again(bench: Bench) -> None:
    """Once its hook said that it has it; an agent that never ran was told nothing."""
    bench.worked(CLAUDE, "c-1", "Mend the till").close()
    bench.lines.remember("Release on Thursdays", "--scope", "repo")
    words = ("resume", "claude-code", "--no-ask", "--prompt", "And now?")
    bench.say(*words)
    first = bench.say(*words)
    given = first.rpartition("given ")[2].splitlines()[0]
    env = {**bench.env, "ONRECORD_GIVEN": given, "ONRECORD_GIVEN_TO": "c-1"}
    told = ("--resume", "c-1", "--", "<onrecord-memory nonce='x'>")
    with AgentProcess(CLAUDE, cwd=bench.lines.repo, env=env, arguments=told) as agent:
        agent.start("c-2", source="startup")
        agent.start("c-1", source="resume")
    again = bench.say("resume", "c-1", *words[2:])

    assert "Release on Thursdays" in first
    assert "Release on Thursdays" not in again
    assert "word And now?" in again


@pytest.mark.parametrize(
    ("agent", "cli", "form"),
    [("claude", CLAUDE, ()), ("codex", CODEX, ("--toml",)), ("opencode", OPENCODE, ())],
)
def test_a_pack_that_is_given_by_hand_is_not_given_again(
    bench: Bench, agent: str, cli: Cli, form: tuple[str, ...]
) -> None:
    """Neither at the start nor with a prompt; its handoff is taken over, its reminder is done."""
    bench.worked(CODEX, "x-1", "Mend the till").close()
    bench.lines.remember("The till speaks JSON", "--scope", "repo")
    assert bench.lines.run("remind", "add", "Oil the till", "--scope", "repo").status == 0
    # the handoff is there once what hooks left was taken in
    (handed,) = bench.lines.run("handoffs", "--json").json["handoffs"]
    pack = bench.lines.run("pack", "--for", agent, *form).out.strip()
    waits = bench.lines.run("remind").out
    with AgentProcess(cli, cwd=bench.lines.repo, env=bench.env, arguments=[pack]) as started:
        at_start = started.hook("SessionStart", "s-1", source="startup")
        asked = "What does the till speak in till.py?"
        with_prompt = started.hook("UserPromptSubmit", "s-1", prompt=asked)
        (claimed,) = bench.lines.run("handoffs", "--json").json["handoffs"]
        done = bench.lines.run("remind").out
    with AgentProcess(cli, cwd=bench.lines.repo, env=bench.env) as plain:
        control = plain.hook("SessionStart", "s-2", source="startup")

    assert "Oil the till" in pack
    assert "Mend the till" in pack
    assert ("JSON" in control, "Oil the till" in control) == (True, False)
    assert ("given" in waits, at_start, with_prompt) == (False, "", "")
    assert (handed["status"], claimed["status"]) == ("open", "claimed")
    assert "given" in done


def test_a_pack_of_no_known_mark_is_no_delivery(bench: Bench) -> None:
    """Whoever writes a block themselves puts nothing on record; what is due comes up."""
    assert bench.lines.run("remind", "add", "Oil the till", "--scope", "repo").status == 0
    for mark in ("01ARZ3NDEKTSV4RRFFQ69G5FAV", "abcdefgh", "'; --"):
        told = (f'<onrecord-memory nonce="{mark}">',)
        with AgentProcess(CLAUDE, cwd=bench.lines.repo, env=bench.env, arguments=told) as agent:
            agent.start(f"s-{len(mark)}")
            waits = bench.lines.run("remind").out
        assert "given" not in waits


def test_a_session_that_cannot_be_typed_into_is_left_alone(bench: Bench) -> None:
    """It runs in a terminal that is no pane; the way out is said."""
    bench.worked(CLAUDE, "c-1", "Mend the till")
    answer = bench.lines.run("resume", "claude-code", "--no-ask", env=bench.path)

    assert answer.status == 3
    assert "another terminal" in answer.err
    assert "--fresh" in answer.err


def test_a_place_that_cannot_be_taken_is_said(bench: Bench) -> None:
    """An agent in no pane of tmux is not ended, and one that goes on takes nobody's place."""
    claude = bench.worked(CLAUDE, "c-1", "Mend the till")
    words = ("handoff", "--replace", "--no-ask", "--to")
    pane = bench.lines.run(*words, "codex", env=bench.path)
    again = bench.lines.run(*words, "claude-code", env=bench.path)

    assert (pane.status, "no pane of tmux" in pane.err) == (3, True)
    assert (again.status, "takes nobody's place" in again.err) == (3, True)
    claude.prompt("c-1", "Still here")


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (("handoff", "--to", "codecs"), 2, "no agent CLI of that name"),
        (("handoff", "--to", "zed"), 2, "one of: "),
        (("handoff", "--model", "small", "--next", "x"), 2, "--model goes with --to"),
        (("handoff", "--to", "codex", "--for", "claude-code"), 2, "two agents"),
        (("handoff", "--to", "", "--next", "x"), 2, "an agent's name, such as codex"),
        (("handoff", "--for", " ", "--next", "x"), 2, "an agent's name, such as codex"),
        (
            ("handoff", "--to", "codex", "--model", "", "--next", "x"),
            2,
            "a model's name, or leave",
        ),
        (("handoff", "--to", "codex", "--prompt", "", "--next", "x"), 2, "a text, or leave"),
        (("resume", "--model", ""), 2, "a model's name, or leave"),
        (("handoff", "--to", "codex", "--no-ask"), 1, "no work on record"),
        (("resume",), 1, "No agent's session is on record"),
        (("resume", "claude-code"), 1, "No session of Claude Code is on record"),
    ],
)
def test_what_cannot_be_done_is_said(
    bench: Bench, words: tuple[str, ...], status: int, said: str
) -> None:
    """Nothing is started and nothing is written."""
    answer = bench.lines.run(*words, env=bench.path)

    assert (answer.status, said in answer.err) == (status, True), answer
    assert bench.lines.run("handoffs", "--json").json["handoffs"] == []


def test_an_agent_that_is_not_installed_is_not_handed_to(bench: Bench) -> None:
    """Before anything is written."""
    found = [one for one in os.environ["PATH"].split(":") if os.access(f"{one}/codex", os.X_OK)]
    assert found == []
    answer = bench.lines.run("handoff", "--to", "codex", "--next", "x", "--no-ask")

    assert answer.status == 2
    assert "not on the PATH" in answer.err
    assert bench.lines.run("handoffs", "--json").json["handoffs"] == []


def test_outside_a_repository_there_is_nothing_to_hand_on(bench: Bench) -> None:
    """Neither to an agent that is started nor to whoever comes."""
    for words in (("--to", "codex", "--no-ask"), ("--next", "x")):
        answer = bench.lines.run("handoff", *words, env=bench.path, cwd=bench.lines.home)
        assert answer.status in (1, 2)
        assert "repository" in answer.err


@pytest.mark.parametrize("words", [("handoff", "--to", "codex", "--next", "x"), ("resume",)])
def test_an_agent_starts_no_agent(bench: Bench, words: tuple[str, ...]) -> None:
    """Its shell tool is refused, whatever it says; the person above is not."""
    bench.worked(CLAUDE, "c-1", "Mend the till").close()
    around = next(iter(SHELL_TOOL.values()))
    answer = bench.lines.run(*words, "--no-ask", env=bench.path, around=around)

    assert answer.status == 4
    assert bench.lines.run("handoffs", "--json").json["handoffs"][0]["automatic"] is True


def test_claiming_says_what_changed_since(bench: Bench) -> None:
    """A file that lay uncommitted is another one by now."""
    (bench.lines.repo / "till.py").write_text("TILL = {}\n", encoding="utf-8")
    bench.lines.run("handoff", "--next", "Paint the gate")
    (row,) = bench.lines.run("handoffs", "--json").json["handoffs"]
    assert bench.lines.run("handoffs", "claim", row["id"]).out.count("\n") == 1
    bench.lines.run("handoffs", "cancel", row["id"])
    bench.lines.run("handoff", "--next", "Paint the gate, then the fence")
    (row,) = bench.lines.run("handoffs", "--json").json["handoffs"]
    (bench.lines.repo / "till.py").write_text("TILL = {1: 2}\n", encoding="utf-8")

    said = bench.lines.run("handoffs", "claim", row["id"]).out
    assert "1 of 1 uncommitted files differ" in said
