"""session.real_claude_code: the real client, from start to end, compaction and resume included."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.model import compaction
from machine import Machine

if TYPE_CHECKING:
    from pathlib import Path

    from harness.agents import ClaudeCode
    from harness.model import ScriptedModel

RULE = "Release on Thursdays, after the harbour check"
LOOK_UP = {"tool": "mcp__onrecord__recall", "args": {"query": "when do we release"}}
SAVE = {
    "tool": "mcp__onrecord__remember",
    "args": {"title": "Install with pnpm, never npm", "kind": "lesson", "scope": "repo"},
}


def test_session_real_claude_code(
    claude_code: ClaudeCode, scripted_model: ScriptedModel, agent_home: Path, agent_repo: Path
) -> None:
    """One row for the whole life; the pack reaches the model when it should, and only then."""
    machine = Machine(agent_home, agent_repo)
    machine.connect("claude-code")
    machine.remember(RULE)
    scripted_model.script(
        LOOK_UP,
        SAVE,
        {"say": "one"},
        {"say": "two"},
        {"say": "three"},
        rules=[compaction("the summary")],
    )
    first = claude_code.run("When do we release?")
    session = first.events[-1]["session_id"]
    second = claude_code.run("And who checks the harbour?", resume=session)
    compacted = claude_code.run("/compact", resume=session)
    third = claude_code.run("Thank you", resume=session)

    turns = (first, second, compacted, third)
    assert [turn.exit_code for turn in turns] == [0, 0, 0, 0]
    assert [turn.events[-1].get("result") for turn in (first, second, third)] == [
        "one",
        "two",
        "three",
    ]
    assert [turn.errors for turn in turns] == ["", "", "", ""]

    # the pack at the start, the tool's answer, and the pack again after the compaction
    assert first.requests[0].text.count(RULE) == 1
    assert "outcome" in first.requests[2].last
    assert second.requests[0].text.count("<onrecord-memory nonce=") == 2  # pack and recall
    assert third.requests[0].holds("the summary")
    assert third.requests[0].text.count(RULE) == 1
    assert not any(turn.reached("hookSpecificOutput") for turn in turns)
    assert not any("onrecord" in turn.printed.replace("mcp__onrecord", "") for turn in turns)

    (row,) = machine.sessions()
    assert (row.agent, row.agent_session, row.start_reason) == ("claude-code", session, "startup")
    assert (row.prompts, row.first_prompt, row.last_prompt) == (
        3,
        "When do we release?",
        "Thank you",
    )
    assert (row.cwd, row.headless, row.synthetic, row.end_reason) == (
        str(agent_repo),
        True,
        False,
        "other",
    )
    assert row.ended_at is not None
    assert [delivery.occasion for delivery in machine.deliveries()] == [
        "session_start",
        "session_start",
    ]
    assert {delivery.session for delivery in machine.deliveries()} == {row.id}

    # the call landed in this session, and what it saved waits for the person
    saved = machine.titled("Install with pnpm, never npm")
    assert (saved.status, saved.head.author.session) == ("proposed", row.id)
    assert saved.head.author.agent == "claude-code"
    (handoff,) = machine.handoffs("open")
    assert (handoff.session, handoff.automatic) == (row.id, True)
    assert machine.faults == ""


def test_session_real_claude_code_stray_ends_are_ignored(
    claude_code: ClaudeCode, agent_home: Path, agent_repo: Path
) -> None:
    """`claude mcp list` starts our server and may end a session that never was."""
    machine = Machine(agent_home, agent_repo)
    machine.connect("claude-code")
    machine.remember(RULE)
    listed = claude_code.command("mcp", "list")

    assert "onrecord" in listed.printed
    assert machine.sessions() == []
    assert machine.faults == ""


def test_session_real_claude_code_tells_the_person(
    claude_code: ClaudeCode, scripted_model: ScriptedModel, agent_home: Path, agent_repo: Path
) -> None:
    """On their terminal: what waits at the start, and each save with the way to take it back."""
    machine = Machine(agent_home, agent_repo)
    machine.connect("claude-code")
    machine.remember(RULE)
    scripted_model.script({"say": "Hello."}, SAVE, {"say": "Noted."})
    with claude_code.tui() as terminal:
        terminal.enter("Good morning.")  # meanwhile the client connects to our server
        terminal.see("Hello.", timeout_s=60)
        terminal.enter("We install with pnpm, never npm.")
        terminal.see("Noted.", timeout_s=60)
        terminal.see("onrecord: ")
        screen = " ".join(terminal.screen.split())
    with claude_code.tui() as terminal:
        terminal.see("1 memory waits for your approval", timeout_s=60)

    assert '"Install with pnpm, never npm" waits for your approval' in screen
    assert "onrecord undo" in screen
    assert "hookSpecificOutput" not in screen
    row = machine.sessions()[0]
    assert (row.headless, row.prompts) == (False, 2)
    assert machine.titled("Install with pnpm, never npm").head.author.session == row.id
