"""A pack given by hand, `AGENT "$(onrecord pack --for AGENT)"`, with the real programs."""

from __future__ import annotations

import json
import shlex
from typing import TYPE_CHECKING

import pytest

from harness.terminal import Person
from machine import ONRECORD, Machine

if TYPE_CHECKING:
    from pathlib import Path

    from harness.agent import Agent
    from harness.model import ScriptedModel

PATIENCE_S = 120
RULE = "Release on Thursdays, after the harbour check"
REMINDER = "Oil the till"


@pytest.mark.parametrize(
    ("fixture", "client", "option"),
    [
        ("claude_code", "claude-code", ()),
        ("codex", "codex", ()),
        ("gemini_cli", "gemini-cli", ("--prompt-interactive",)),
        ("copilot_cli", "copilot-cli", ("--interactive",)),
        ("opencode", "opencode", ("--prompt",)),
    ],
)
def test_it_is_not_given_again(
    fixture: str,
    client: str,
    option: tuple[str, ...],
    request: pytest.FixtureRequest,
    scripted_model: ScriptedModel,
    agent_home: Path,
    agent_repo: Path,
) -> None:
    """What the model is sent holds it once; on record it was given, its reminder too."""
    agent: Agent = request.getfixturevalue(fixture)
    machine = Machine(agent_home, agent_repo)
    machine.connect(client)
    machine.remember(RULE)
    machine.do("remind", "add", REMINDER, "--scope", "repo")
    person = Person(agent_home, cwd=agent_repo, env=dict(agent.person.env))
    start = [str(agent.binary), *agent._interactive(), *option]  # noqa: SLF001 - how it starts
    pack = f'"$({shlex.quote(ONRECORD)} pack --for {client}) Count the ships"'

    scripted_model.script({"say": "Three ships."})
    line = f"exec {shlex.join(start)} {pack}"
    with person.open(["sh", "-c", line]) as terminal:
        terminal.see("Three ships.", timeout_s=PATIENCE_S)
    sent = json.dumps(scripted_model.requests[0].body)
    (own,) = machine.sessions()
    given = [one for one in machine.deliveries() if one.session == own.id]

    assert (sent.count(RULE), sent.count(REMINDER)) == (1, 1)
    assert [one.occasion for one in given] == ["session_start"]
    assert own.first_prompt == "Count the ships"
    assert machine.faults == ""
