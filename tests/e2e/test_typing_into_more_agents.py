"""`handoff --to` back into a running pane of tmux, with Gemini CLI, Copilot CLI and OpenCode."""

from __future__ import annotations

import select
import shlex
import shutil
from typing import TYPE_CHECKING

import pytest

from harness.console import TerminalTimeoutError
from harness.terminal import Person
from machine import Machine
from mcp_client import CLAUDE, AgentProcess

if TYPE_CHECKING:
    from pathlib import Path

    from harness.agent import Agent
    from harness.model import ScriptedModel
    from harness.terminal import Terminal

PATIENCE_S = 120
RULE = "Release on Thursdays, after the harbour check"


def ask(view: Terminal, line: str, answer: str) -> None:
    """Enter a line until it is answered: a client that is still busy drops the key."""
    view.enter(line)
    for _ in range(PATIENCE_S // 15):
        try:
            view.see(answer, timeout_s=15)
        except TerminalTimeoutError:
            view.type("\r")
        else:
            return
    view.see(answer)


def wait_for_turn(machine: Machine, client: str) -> None:
    """Wait until the agent told that its turn is over."""
    for _ in range(PATIENCE_S * 4):
        if not any(row.busy for row in machine.sessions() if row.agent == client):
            return
        select.select([], [], [], 0.25)
    message = f"{client} is busy still"
    raise AssertionError(message)


@pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed")
@pytest.mark.parametrize(
    ("fixture", "client"),
    [("gemini_cli", "gemini-cli"), ("copilot_cli", "copilot-cli"), ("opencode", "opencode")],
)
def test_the_running_agent_is_typed_to(
    fixture: str,
    client: str,
    request: pytest.FixtureRequest,
    scripted_model: ScriptedModel,
    agent_home: Path,
    agent_repo: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """It waits in one window; from another it is told what came since its last turn, once."""
    agent: Agent = request.getfixturevalue(fixture)
    machine = Machine(agent_home, agent_repo)
    machine.connect(client)
    machine.remember(RULE)
    programs = agent_home / "programs"
    programs.mkdir()
    script = programs / agent.program
    more = " ".join(map(shlex.quote, agent._interactive()))  # noqa: SLF001 - how it is started
    script.write_text(
        f'#!/bin/sh\nexec {shlex.quote(str(agent.binary))} {more} "$@"\n', encoding="utf-8"
    )
    script.chmod(0o755)
    person = Person(agent_home, cwd=agent_repo, env=dict(agent.person.env))
    person.env["PATH"] = f"{programs}:{agent.person.env['PATH']}:{machine.person.env['PATH']}"
    tmux = ["tmux", "-S", str(tmp_path_factory.mktemp("t") / "s"), "-f", "/dev/null"]
    view = person.open([*tmux, "new-session", "env", "PS1=one>", "sh"])
    try:
        view.see("one>")
        scripted_model.script({"say": "Three ships."})
        view.enter(agent.program)
        view.see(agent.ready, timeout_s=PATIENCE_S)
        ask(view, "Count the ships", "Three ships.")
        wait_for_turn(machine, client)
        person.run([*tmux, "new-window", "env", "PS1=two>", "sh"])
        view.see("two>")
        env = {**machine.person.env, "ONRECORD_HOOK_DEADLINE_MS": "20000"}
        with AgentProcess(CLAUDE, cwd=agent_repo, env=env) as other:
            other.start("c-1")
            other.prompt("c-1", "Paint the gate")

        before = len(scripted_model.requests)
        scripted_model.script({"say": "Five in all."})
        view.enter(f"onrecord handoff --to {client} --no-ask")
        view.see("Five in all.", timeout_s=PATIENCE_S)
        asked = scripted_model.requests[before]
        assert asked.holds("Three ships.")
        assert asked.holds("Since your last turn here")
        assert asked.holds("claude-code worked here (1 prompt)")
        assert asked.holds("Paint the gate")
        (own,) = (row for row in machine.sessions() if row.agent == client)
        assert (own.prompts, own.ended_at) == (2, None)
        assert "onrecord-memory" not in own.last_prompt
        assert machine.faults == ""
    finally:
        person.run([*tmux, "kill-server"])
        view.close()
