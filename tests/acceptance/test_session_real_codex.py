"""session.real_codex: the real client, from start to end, compaction and resume included."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.model import compaction
from machine import Machine

if TYPE_CHECKING:
    from pathlib import Path

    from harness.agents import Codex
    from harness.model import ScriptedModel

RULE = "Release on Thursdays, after the harbour check"
LOOK_UP = {"tool": "mcp__onrecord__recall", "args": {"query": "when do we release"}}
SAVE = {
    "tool": "mcp__onrecord__remember",
    "args": {"title": "Install with pnpm, never npm", "kind": "lesson", "scope": "repo"},
}


def test_session_real_codex(
    codex: Codex, scripted_model: ScriptedModel, agent_home: Path, agent_repo: Path
) -> None:
    """One row for the whole life; the pack reaches the model when it should, and only then."""
    machine = Machine(agent_home, agent_repo)
    machine.connect("codex")
    machine.remember(RULE)
    scripted_model.script(
        SAVE,
        {"say": "one"},
        [LOOK_UP, {"usage": {"input_tokens": 250_000}}],  # makes the client compact
        {"say": "two"},
        rules=[compaction("the summary")],
    )
    first = codex.run("When do we release?")
    session = first.events[0]["thread_id"]
    second = codex.run("And who checks the harbour?", resume=session)

    assert [turn.exit_code for turn in (first, second)] == [0, 0]
    assert '"text":"one"' in first.printed
    assert '"text":"two"' in second.printed
    assert first.requests[0].text.count(RULE) == 1
    assert first.requests[1].holds("waits for the user")
    # on resume the conversation has it; after the compaction inside the turn it comes again
    assert second.requests[0].text.count(RULE) == 1
    last = second.requests[-1]
    assert last.holds("the summary")
    assert last.text.count(RULE) == 1
    assert not any(turn.reached("hookSpecificOutput") for turn in (first, second))
    assert not any("systemMessage" in turn.printed for turn in (first, second))

    (row,) = machine.sessions()
    assert (row.agent, row.agent_session, row.start_reason) == ("codex", session, "startup")
    assert (row.prompts, row.first_prompt, row.last_prompt) == (
        2,
        "When do we release?",
        "And who checks the harbour?",
    )
    assert (row.cwd, row.headless, row.synthetic, row.end_reason, row.model) == (
        str(agent_repo),
        True,
        False,
        "other",
        "scripted-model",
    )
    assert row.ended_at is not None
    assert [delivery.occasion for delivery in machine.deliveries()] == [
        "session_start",
        "session_start",
    ]
    saved = machine.titled("Install with pnpm, never npm")
    assert (saved.status, saved.head.author.session) == ("proposed", row.id)
    (handoff,) = machine.handoffs("open")
    assert (handoff.session, handoff.automatic) == (row.id, True)
    assert machine.faults == ""


def test_session_real_codex_untrusted_hooks_still_leave_a_session(
    codex: Codex, scripted_model: ScriptedModel, agent_home: Path, agent_repo: Path
) -> None:
    """A person who did not trust the hooks has the tools; the session says how it is known."""
    machine = Machine(agent_home, agent_repo)
    machine.connect("codex")
    machine.remember(RULE)
    codex.trust_hooks = False
    scripted_model.script(LOOK_UP, {"say": "On Thursdays."})
    turn = codex.run("When do we release?")

    assert not turn.requests[0].holds(RULE)
    assert turn.requests[1].holds(RULE)
    (row,) = machine.sessions()
    assert (row.agent_session, row.synthetic) == (turn.events[0]["thread_id"], True)


def test_session_real_codex_tells_the_person(
    codex: Codex, scripted_model: ScriptedModel, agent_home: Path, agent_repo: Path
) -> None:
    """On their terminal: what an agent saved, with the way to take it back."""
    machine = Machine(agent_home, agent_repo)
    machine.connect("codex")
    machine.remember(RULE)
    scripted_model.script(SAVE, {"say": "Noted."})
    with codex.tui() as terminal:
        terminal.enter("We install with pnpm, never npm.")
        terminal.see("Noted.", timeout_s=60)
        screen = terminal.screen

    flat = " ".join(screen.split())
    assert 'onrecord: "Install with pnpm, never npm" waits for your approval' in flat
    assert "hookSpecificOutput" not in screen
    row = machine.sessions()[0]
    assert (row.headless, row.prompts) == (False, 1)
    assert machine.titled("Install with pnpm, never npm").head.author.session == row.id
