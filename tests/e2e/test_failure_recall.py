"""The real agents, a tool that fails, and the lesson that reaches the model with the failure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from machine import Machine
from onrecord.domain.item import Content
from onrecord.service.commands import Remember

if TYPE_CHECKING:
    from pathlib import Path

    from harness.agents import ClaudeCode, Codex
    from harness.model import ScriptedModel

LESSON = "ECONNREFUSED on port 5433 means the test database is down"
COMMAND = "echo 'connect ECONNREFUSED 127.0.0.1:5433' >&2; exit 3"
#: More that is known, so that the start's pack has no room for all of it.
OTHERS = 90


def taught(machine: Machine) -> None:
    """The lesson, kept after so many others that it is in no pack of a start."""
    machine.remember(LESSON, "--kind", "lesson")
    with machine.memory() as memory:
        for number in range(OTHERS):
            content = Content(title=f"Pier {number} of the harbour has {number} bollards, painted")
            memory.do(Remember(content=content, scope="repo", distinct=True), machine.caller)


def given(machine: Machine) -> list[str]:
    """The occasions of the deliveries that showed something, oldest first."""
    return [delivery.occasion for delivery in machine.deliveries()]


def test_a_failing_tool_brings_claude_code_its_lesson(
    claude_code: ClaudeCode, scripted_model: ScriptedModel, agent_home: Path, agent_repo: Path
) -> None:
    """Once: the second failure in that session says nothing again."""
    machine = Machine(agent_home, agent_repo)
    machine.connect("claude-code")
    taught(machine)
    fail = {"tool": "Bash", "args": {"command": COMMAND, "description": "Run the tests"}}
    scripted_model.script(fail, fail, {"say": "done"})
    turn = claude_code.run("Run the tests.", extra=["--allowedTools", "Bash"])

    assert (turn.exit_code, turn.errors) == (0, "")
    start, first, second = turn.requests
    assert not start.holds(LESSON)
    assert first.text.count(LESSON) == 1
    assert second.text.count(LESSON) == 1
    assert sorted(given(machine)) == ["session_start", "tool_failure"]
    assert machine.faults == ""


def test_a_failing_command_brings_codex_its_lesson(
    codex: Codex, scripted_model: ScriptedModel, agent_home: Path, agent_repo: Path
) -> None:
    """It has no event for a failure: the output tells, before the model reads it."""
    machine = Machine(agent_home, agent_repo)
    machine.connect("codex")
    taught(machine)
    fail = {"tool": "exec_command", "args": {"cmd": COMMAND}}
    scripted_model.script(fail, fail, {"say": "done"})
    turn = codex.run("Run the tests.")

    assert turn.exit_code == 0
    start, first, second = turn.requests
    assert not start.holds(LESSON)
    assert first.text.count(LESSON) == 1
    assert second.text.count(LESSON) == 1
    assert sorted(given(machine)) == ["session_start", "tool_failure"]
    assert machine.faults == ""
