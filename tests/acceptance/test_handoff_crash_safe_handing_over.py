"""handoff.crash_safe: `handoff --to` is killed at any moment, or the agent that it started is.

The agent is a running program that takes its pack on its command line and runs our hooks, as
an agent of the person's own configuration.
"""

from __future__ import annotations

import json
import os
import signal
from typing import TYPE_CHECKING

import pytest

from harness.agents import repository
from harness.console import TerminalTimeoutError
from harness.surroundings import agent_program
from harness.terminal import Person
from hooked import Answer
from machine import HOOK, ONRECORD, Machine
from mcp_client import CLAUDE, AgentProcess, Cli, environment
from onrecord import wiring

if TYPE_CHECKING:
    from pathlib import Path

    from harness.terminal import Terminal

#: It is started as a shell that does what is typed, whatever words follow.
BEAVER = """\
[agents.beaver]
program = "beaver"
executables = ["beaver"]
pack = ["-c", "while IFS= read -r line; do eval \\"$line\\"; done", "{pack}"]
prompt = ["--ask"]
resume = ["-c", "while IFS= read -r line; do eval \\"$line\\"; done"]
hooks_config = "~/.beaver/hooks.json"
hooks = {SessionStart = "session_start", UserPromptSubmit = "prompt", SessionEnd = "session_end"}
"""
OWN = Cli(program="beaver", client="beaver", variables={})


class Desk:
    """A person, a repository, and agents that worked there."""

    def __init__(self, folder: Path) -> None:
        home = folder / "home"
        home.mkdir()
        self.machine = Machine(home, repository(folder / "repo"))
        config = home / ".config" / "onrecord" / "config.toml"
        config.parent.mkdir(parents=True)
        config.write_text(BEAVER, encoding="utf-8")
        programs = agent_program(folder / "programs", "beaver").parent
        self.machine.store.parent.mkdir(parents=True)
        wiring.open_memory(str(self.machine.store)).close()
        more = {"ONRECORD_HOOK_DEADLINE_MS": "20000"}
        self.env = {
            **environment(home, self.machine.store),
            "ONRECORD_CONFIG": str(config),
        }
        path = f"{programs}:{self.machine.person.env['PATH']}"
        self.person = Person(home, cwd=self.machine.repo, env={**more, "PATH": path})
        self._count = 0

    def worked(self, cli: Cli, session: str, prompt: str) -> None:
        """A session of an agent that took a prompt and ended."""
        with AgentProcess(cli, cwd=self.machine.repo, env=self.env) as agent:
            agent.start(session)
            agent.prompt(session, prompt)
            agent.end(session, "exit")

    def hand_over(self, *words: str) -> Terminal:
        """The person gives the work to the beaver."""
        return self.person.open([ONRECORD, "handoff", "--to", "beaver", "--no-ask", *words])

    def fires(self, terminal: Terminal, event: str, session: str, **more: str) -> str:
        """The agent in a terminal runs our hook; gives what that printed."""
        self._count += 1
        told = {"session_id": session, "cwd": str(self.machine.repo), "hook_event_name": event}
        given = self.machine.home / f"payload-{self._count}"
        given.write_text(json.dumps({**told, **more}), encoding="utf-8")
        answer = given.with_suffix(".answer")
        self.tell(terminal, f"{HOOK} beaver {event} <{given} >{answer}")
        return answer.read_text(encoding="utf-8")

    def tell(self, terminal: Terminal, line: str) -> str:
        """The agent in a terminal does something; gives what it shows of that."""
        self._count += 1
        script = self.machine.home / f"script-{self._count}"
        script.write_text(f"{line}\necho done-{self._count}\n", encoding="utf-8")
        terminal.type(f". {script}\r")
        terminal.expect(f"done-{self._count}")
        return terminal.text

    def offered(self, session: str) -> list[str]:
        """What the handoffs are about that a new session of the beaver is given."""
        with AgentProcess(OWN, cwd=self.machine.repo, env=self.env) as agent:
            raw = agent.hook("SessionStart", session, source="startup")
        answer = Answer(raw=raw.encode(), errors=b"", exit_code=0)
        titles = [entry.title for entry in answer.entries if entry.kind == "handoff"]
        return [title.rpartition(": ")[2] for title in titles]


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    """One of each."""
    return Desk(tmp_path)


def kill(terminal: Terminal) -> None:
    """No chance to tidy up, for the command or for what it became."""
    os.kill(terminal.pid, signal.SIGKILL)
    terminal.wait()


@pytest.mark.parametrize("step", range(8))
def test_handoff_crash_safe_when_the_command_is_killed(desk: Desk, step: int) -> None:
    """Before, while or after it is written: what was said, or what was seen; one of the two."""
    desk.worked(CLAUDE, "c-1", "Count the ships")
    with desk.hand_over("--next", "Paint the gate") as terminal:
        try:
            terminal.see("never shown", timeout_s=0.05 + step * 0.07)
        except TerminalTimeoutError:
            kill(terminal)
    first = desk.offered("next")

    assert first in (["Count the ships"], ["Paint the gate", "Count the ships"])
    with desk.hand_over("--fresh") as terminal:
        desk.fires(terminal, "SessionStart", "b-1", source="startup")
        desk.fires(terminal, "UserPromptSubmit", "b-1", prompt="Go on")
        (held,) = desk.machine.handoffs("claimed")
        (session,) = (row for row in desk.machine.sessions() if row.agent_session == "b-1")
    assert held.claimed_by == session.id


@pytest.mark.parametrize("moment", ["started", "told", "asked"])
def test_handoff_crash_safe_when_the_started_agent_is_killed(desk: Desk, moment: str) -> None:
    """Before its first hook, after it was told, after its first prompt claimed the work."""
    desk.worked(CLAUDE, "c-1", "Count the ships")
    with desk.hand_over("--next", "Paint the gate") as terminal:
        desk.tell(terminal, ":")
        if moment != "started":
            desk.fires(terminal, "SessionStart", "b-1", source="startup")
        if moment == "asked":
            desk.fires(terminal, "UserPromptSubmit", "b-1", prompt="Go on")
            assert len(desk.machine.handoffs("claimed")) == 1
        kill(terminal)

    assert desk.offered("b-2")[0] == "Paint the gate"
    assert desk.machine.handoffs("claimed") == []


@pytest.mark.parametrize("moment", ["started", "told"])
def test_handoff_crash_safe_when_a_session_that_goes_on_is_killed(desk: Desk, moment: str) -> None:
    """What it did not get is handed to it again; what it got is not."""
    desk.worked(OWN, "b-1", "Gnaw the gate")
    desk.worked(CLAUDE, "c-1", "Count the ships")
    with desk.hand_over() as terminal:
        desk.tell(terminal, ":")
        if moment == "told":
            desk.fires(terminal, "SessionStart", "b-1", source="resume")
        kill(terminal)

    with desk.hand_over("--prompt", "Go on") as terminal:
        shown = desk.tell(terminal, "tr '\\0' ' ' </proc/$$/cmdline; echo")
        kill(terminal)
    assert ("Handoff from claude-code" in shown) is (moment == "started")
    assert "Go on" in shown
