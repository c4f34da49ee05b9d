"""The main job, whole: one agent learns, a person approves with one key, the other agent knows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from machine import ONRECORD, Machine

if TYPE_CHECKING:
    from pathlib import Path

    from harness.agents import ClaudeCode, Codex
    from harness.model import ScriptedModel

LESSON = "Install with pnpm, never npm"
SAVE = {
    "tool": "mcp__onrecord__remember",
    "args": {
        "title": LESSON,
        "body": "npm rewrites the lock file and CI fails.",
        "kind": "lesson",
        "scope": "repo",
    },
}
NOTE = {
    "tool": "mcp__onrecord__remember",
    "args": {"title": "The e2e suite needs port 4173 free", "kind": "fact", "scope": "repo"},
}
HANDOFF = {
    "tool": "mcp__onrecord__handoff",
    "args": {
        "done": "Moved the build to pnpm.",
        "next": "Move the e2e suite, which still calls npm.",
    },
}


def test_what_one_agent_learned_the_other_knows(
    claude_code: ClaudeCode,
    codex: Codex,
    scripted_model: ScriptedModel,
    agent_home: Path,
    agent_repo: Path,
) -> None:
    """Claude saves, the person approves, Codex knows and hands over, Claude goes on."""
    machine = Machine(agent_home, agent_repo)
    machine.connect("claude-code", "codex")

    # Claude, at its terminal, is told something and saves it; the person is told of it
    scripted_model.script({"say": "Hello."}, SAVE, {"say": "Noted."})
    with claude_code.tui() as terminal:
        terminal.enter("Good morning.")
        terminal.see("Hello.", timeout_s=60)
        terminal.enter("Remember that we install with pnpm, never npm.")
        terminal.see("Noted.", timeout_s=60)
        terminal.see("onrecord: ")
        terminal.enter("/exit")
        terminal.wait(timeout_s=30)
    assert machine.titled(LESSON).status == "proposed"

    # before the approval Codex does not know it; the handoff tells what the person asked
    scripted_model.script({"say": "I do not know."})
    early = codex.run("How do we install packages?")
    assert not early.requests[0].holds(LESSON)
    assert early.requests[0].holds("Handoff from claude-code on main: Remember that we install")

    # one key
    reviewed = machine.person.run([ONRECORD, "review"], keys=[("[a/e/r/s/q]", "a")])
    assert reviewed.exit_code == 0, reviewed.text
    lesson = machine.titled(LESSON)
    assert (lesson.status, lesson.verification) == ("active", "verified")

    # Codex has it in its context, notes something itself, hands over and ends
    scripted_model.script(NOTE, HANDOFF, {"say": "Use pnpm."})
    turn = codex.run("How do we install packages?")
    assert turn.requests[0].holds(f"{LESSON}\n> npm rewrites the lock file")
    assert turn.requests[0].text.count(LESSON) == 1
    assert not turn.requests[0].holds("unverified) Install")
    assert '"text":"Use pnpm."' in turn.printed
    note = machine.titled("The e2e suite needs port 4173 free")
    codex_session = machine.sessions()[-1]
    assert (note.head.author.agent, note.head.author.session) == ("codex", codex_session.id)

    # a headless agent's words wait; the person lets the note and the handoff through
    machine.person.run([ONRECORD, "review"], keys=[("[a/e/r/s/q]", "a")] * 2)
    assert machine.handoffs("open")[0].next == "Move the e2e suite, which still calls npm."

    # the next Claude session begins with it, and its first prompt takes it over
    scripted_model.script({"say": "On it."})
    with claude_code.tui() as terminal:
        terminal.enter("Go on, please.")
        terminal.see("On it.", timeout_s=60)
        (claimed,) = machine.handoffs("claimed")
    request = scripted_model.requests[-1]
    assert request.holds("Handoff from codex on main: Move the e2e suite, which still calls npm.")
    assert request.holds("The e2e suite needs port 4173 free")
    assert request.holds(LESSON)
    assert claimed.claimed_by == machine.sessions()[-1].id
    # it asked one question and changed nothing, so what it was given is there for the next
    assert machine.handoffs("open")[0].item == claimed.item
    assert machine.faults == ""
