"""`handoff --to` and `resume` with the real Gemini CLI, Copilot CLI and OpenCode in a terminal."""

from __future__ import annotations

import json
import select
from typing import TYPE_CHECKING

import pytest

from harness.terminal import Person
from machine import ONRECORD, Machine
from mcp_client import CLAUDE, AgentProcess

if TYPE_CHECKING:
    from pathlib import Path

    from harness.agent import Agent
    from harness.model import ScriptedModel
    from harness.terminal import Terminal

PATIENCE_S = 90
RULE = "Release on Thursdays, after the harbour check"
MODELS = {
    "gemini-cli": "gemini-2.5-flash",
    "copilot-cli": "scripted-model",
    "opencode": "scripted/scripted-model",
}
EACH = pytest.mark.parametrize(
    ("fixture", "client"),
    [("gemini_cli", "gemini-cli"), ("copilot_cli", "copilot-cli"), ("opencode", "opencode")],
)


class Bench:
    """A person with one of the agents on the PATH, and Claude Code's work on record."""

    def __init__(self, agent: Agent, client: str, home: Path, repo: Path) -> None:
        self.machine = Machine(home, repo)
        self.machine.connect(client)
        self.machine.remember(RULE)
        self.person = Person(home, cwd=repo, env=agent.person.env)
        self.person.env["PATH"] += f":{self.machine.person.env['PATH']}"
        self.client = client

    def worked(self, session: str, prompt: str) -> None:
        """Claude Code took a prompt here, and ended."""
        env = {**self.machine.person.env, "ONRECORD_HOOK_DEADLINE_MS": "20000"}
        with AgentProcess(CLAUDE, cwd=self.machine.repo, env=env) as agent:
            agent.start(session)
            agent.prompt(session, prompt)

    def wait_for(self, said: str) -> None:
        """Wait until Copilot CLI has written what it shows: ended sooner, it knows of nothing."""
        folder = self.machine.home / ".copilot" / "session-state"
        if self.client != "copilot-cli":
            return
        for _ in range(PATIENCE_S * 10):
            if any(said in path.read_text("utf-8") for path in folder.glob("*/events.jsonl")):
                return
            select.select([], [], [], 0.1)
        message = f"it did not write {said!r}"
        raise AssertionError(message)

    def hand_over(self, *more: str) -> Terminal:
        """Give the work to the agent."""
        model = ("--model", MODELS[self.client])
        words = ("handoff", "--to", self.client, *model, "--no-ask", *more)
        return self.person.open([ONRECORD, *words])


@EACH
def test_it_starts_with_the_work_and_its_own_session_goes_on(
    fixture: str,
    client: str,
    request: pytest.FixtureRequest,
    scripted_model: ScriptedModel,
    agent_home: Path,
    agent_repo: Path,
) -> None:
    """First message, model and pack arrive; the second time it is its own session, told more."""
    agent: Agent = request.getfixturevalue(fixture)
    bench = Bench(agent, client, agent_home, agent_repo)
    bench.worked("c-1", "Count the ships")

    scripted_model.script({"say": "Three ships."})
    with bench.hand_over("--prompt", "Begin with the boats") as terminal:
        terminal.see("Three ships.", timeout_s=PATIENCE_S)
        bench.wait_for("Three ships.")
    asked = scripted_model.requests[0]
    assert asked.holds("Continuing from claude-code")
    assert asked.holds("Count the ships")
    assert asked.holds("Begin with the boats")
    assert json.dumps(asked.body).count(RULE) == 1
    own = next(row for row in bench.machine.sessions() if row.agent == client)
    first = next(row for row in bench.machine.sessions() if row.agent == "claude-code")
    (handed,) = (row for row in bench.machine.handoffs() if row.session == first.id)
    assert (handed.claimed_by, own.prompts) == (own.id, 1)
    assert own.first_prompt.endswith("Begin with the boats")
    assert "onrecord-memory" not in own.first_prompt

    bench.worked("c-2", "Paint the gate")
    before = len(scripted_model.requests)
    scripted_model.script({"say": "Five in all."})
    with bench.hand_over() as terminal:
        if client == "opencode":
            terminal.see("Three ships.", timeout_s=PATIENCE_S)
            terminal.enter("Go on")
        terminal.see("Five in all.", timeout_s=PATIENCE_S)
    asked = scripted_model.requests[before]
    assert asked.holds("Three ships.")
    assert asked.holds("Since your last turn here") is (client != "opencode")
    assert asked.holds("Paint the gate")
    assert [row.id for row in bench.machine.sessions() if row.agent == client] == [own.id]
    assert bench.machine.faults == ""
