"""Reminders reach the real agents once, at a path that a prompt names or at the next start."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from machine import Machine

if TYPE_CHECKING:
    from pathlib import Path

    from harness.agents import ClaudeCode, Codex
    from harness.model import ScriptedModel

NEXT = "Ask Ada before the fares are changed"
AT_PATH = "Refunds are moving to the new API"


@pytest.mark.parametrize("client", ["claude-code", "codex"])
def test_a_reminder_is_told_once(
    client: str,
    claude_code: ClaudeCode,
    codex: Codex,
    scripted_model: ScriptedModel,
    agent_home: Path,
    agent_repo: Path,
) -> None:
    """What a person looks at does not use it up; what the agent was given is done."""
    agent = {"claude-code": claude_code, "codex": codex}[client]
    machine = Machine(agent_home, agent_repo)
    machine.connect(client)
    machine.do("remember", NEXT, "--kind", "reminder")
    machine.do("remind", "add", AT_PATH, "--path", "src/pay/**")
    looked_at = machine.do("pack")
    scripted_model.script({"say": "one"}, {"say": "two"}, {"say": "three"})
    first = agent.run("Begin with the harbour")
    second = agent.run("Mend the rounding in src/pay/refund.py")
    third = agent.run("Mend the rounding in src/pay/refund.py")

    assert NEXT in looked_at.text
    assert [turn.exit_code for turn in (first, second, third)] == [0, 0, 0]
    told = [
        [turn.requests[0].text.count(text) for text in (NEXT, AT_PATH)]
        for turn in (first, second, third)
    ]
    assert told == [[1, 0], [0, 1], [0, 0]]
    assert machine.do("remind").text.count("was given") == 2
    assert machine.faults == ""
