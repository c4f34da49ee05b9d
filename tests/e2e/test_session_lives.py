"""How sessions of the real clients live and end: cleared, interrupted, killed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from machine import Machine

if TYPE_CHECKING:
    from pathlib import Path

    from harness.agents import ClaudeCode, Codex
    from harness.model import ScriptedModel

RULE = "Release on Thursdays, after the harbour check"


def machine_with(home: Path, repo: Path, *clients: str) -> Machine:
    """A machine on which one thing is known."""
    machine = Machine(home, repo)
    machine.connect(*clients)
    machine.remember(RULE)
    return machine


def test_claude_code_is_cleared_and_left(
    claude_code: ClaudeCode, scripted_model: ScriptedModel, agent_home: Path, agent_repo: Path
) -> None:
    """`/clear` begins a session that comes from the one before, with the pack anew."""
    machine = machine_with(agent_home, agent_repo, "claude-code")
    scripted_model.script({"say": "the first answer"}, {"say": "the second answer"})
    with claude_code.tui() as terminal:
        terminal.enter("The first question")
        terminal.see("the first answer", timeout_s=60)
        terminal.enter("/clear")
        terminal.see_gone("the first answer")
        terminal.enter("The second question")
        terminal.see("the second answer", timeout_s=60)
        terminal.enter("/exit")
        terminal.wait(timeout_s=60)
    first, second = machine.sessions()

    assert (first.start_reason, first.end_reason, first.first_prompt) == (
        "startup",
        "clear",
        "The first question",
    )
    assert (second.start_reason, second.parent, second.first_prompt) == (
        "clear",
        first.id,
        "The second question",
    )
    assert second.end_reason == "prompt_input_exit"
    assert [row.headless for row in (first, second)] == [False, False]
    assert scripted_model.requests[-1].text.count(RULE) == 1
    assert [row.session for row in machine.handoffs("open")] == [second.id]
    assert machine.faults == ""


def test_codex_is_cleared_and_left(
    codex: Codex, scripted_model: ScriptedModel, agent_home: Path, agent_repo: Path
) -> None:
    """It says nothing when a thread is left; the next one in its process tells."""
    machine = machine_with(agent_home, agent_repo, "codex")
    scripted_model.script({"say": "the first answer"}, {"say": "the second answer"})
    with codex.tui() as terminal:
        terminal.enter("The first question")
        terminal.see("the first answer", timeout_s=60)
        terminal.see("Worked for", timeout_s=60)
        terminal.enter("/clear")
        terminal.see_gone("the first answer")
        terminal.enter("The second question")
        terminal.see("the second answer", timeout_s=60)
    first, second = machine.sessions()

    assert (first.start_reason, first.first_prompt) == ("startup", "The first question")
    assert first.ended_at is not None
    assert (second.start_reason, second.parent, second.first_prompt) == (
        "clear",
        first.id,
        "The second question",
    )
    assert scripted_model.requests[-1].text.count(RULE) == 1
    assert [row.session for row in machine.handoffs("open")] == [second.id]
    assert machine.faults == ""


def test_a_killed_agent_hands_over_to_the_other(
    claude_code: ClaudeCode,
    codex: Codex,
    scripted_model: ScriptedModel,
    agent_home: Path,
    agent_repo: Path,
) -> None:
    """In the middle of its turn; what it was asked reaches the next one, whoever that is."""
    machine = machine_with(agent_home, agent_repo, "claude-code", "codex")
    scripted_model.script({"tool": "Bash", "args": {"command": "sleep 60"}}, {"say": "unheard"})
    running = claude_code.begin("Count the ships", extra=["--allowedTools", "Bash"])
    running.wait_for_requests(1)
    running.kill()
    running.end()
    scripted_model.script({"say": "Three."})
    turn = codex.run("Go on")

    assert turn.requests[0].holds("Handoff from claude-code on main: Count the ships")
    killed = machine.sessions()[0]
    assert (killed.agent, killed.end_reason, killed.prompts) == ("claude-code", "gone", 1)
    assert killed.ended_at is not None
    assert machine.faults == ""


def test_an_interrupted_turn_leaves_the_session_as_it_is(
    claude_code: ClaudeCode, scripted_model: ScriptedModel, agent_home: Path, agent_repo: Path
) -> None:
    """No Stop comes; the prompt is counted, and nobody's words but the person's are."""
    machine = machine_with(agent_home, agent_repo, "claude-code")
    scripted_model.script({"tool": "Bash", "args": {"command": "sleep 60"}}, {"say": "unheard"})
    running = claude_code.begin("Count the ships", extra=["--allowedTools", "Bash"])
    running.wait_for_requests(1)
    running.interrupt()
    running.end()
    (row,) = machine.sessions()

    assert (row.prompts, row.last_prompt) == (1, "Count the ships")
    assert row.ended_at is not None
    assert [row.next for row in machine.handoffs("open")] == ["Last asked: Count the ships"]
