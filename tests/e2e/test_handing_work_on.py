"""Work goes from Claude Code to Codex and back, by `handoff --to`, with the real clients."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from machine import ONRECORD
from office import RULE, Office

if TYPE_CHECKING:
    from pathlib import Path

    from harness.agents import ClaudeCode, Codex
    from harness.model import ScriptedModel

PATIENCE_S = 90


@pytest.fixture
def office(claude_code: ClaudeCode, codex: Codex, agent_home: Path, agent_repo: Path) -> Office:
    """Everything in place."""
    return Office(claude_code, codex, agent_home, agent_repo)


def test_from_claude_code_to_codex_and_back(office: Office, scripted_model: ScriptedModel) -> None:
    """Codex starts with the work, once; Claude Code's own session goes on with what came since."""
    scripted_model.script({"say": "Three ships."})
    with office.person.open(["claude"]) as terminal:
        terminal.see(office.claude.ready, timeout_s=PATIENCE_S)
        terminal.enter("Count the ships")
        terminal.see("Three ships.", timeout_s=PATIENCE_S)
        terminal.enter("/exit")
        terminal.wait(timeout_s=PATIENCE_S)
    (first,) = office.machine.sessions()

    before = len(scripted_model.requests)
    scripted_model.script({"say": "And two boats."})
    with office.person.open([ONRECORD, "handoff", "--to", "codex", "--no-ask"]) as terminal:
        terminal.see(office.codex.ready, timeout_s=PATIENCE_S)
        terminal.enter("Go on with the boats")
        terminal.see("And two boats.", timeout_s=PATIENCE_S)
    asked = scripted_model.requests[before]
    assert asked.holds("Continuing from claude-code")
    assert asked.holds("Count the ships")
    assert asked.text.count(RULE) == 1
    codex = next(row for row in office.machine.sessions() if row.agent == "codex")
    (handed,) = (row for row in office.machine.handoffs() if row.session == first.id)
    assert (handed.claimed_by, codex.prompts) == (codex.id, 1)
    assert codex.first_prompt == "Go on with the boats"

    before = len(scripted_model.requests)
    scripted_model.script({"say": "Five in all."})
    with office.person.open([ONRECORD, "handoff", "--to", "claude-code", "--no-ask"]) as terminal:
        terminal.see("Five in all.", timeout_s=PATIENCE_S)
    asked = scripted_model.requests[before]
    assert asked.holds("Three ships.")
    assert asked.holds("Since your last turn here")
    assert asked.holds("codex worked here (1 prompt)")
    assert asked.holds("Go on with the boats")
    assert asked.text.count(RULE) == 1
    again = [row for row in office.machine.sessions() if row.agent == "claude-code"]
    assert [row.id for row in again] == [first.id]
    assert "onrecord-memory" not in again[0].last_prompt
    assert office.machine.faults == ""


@pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed")
def test_in_tmux_beside_and_back_into_the_running_pane(
    office: Office, scripted_model: ScriptedModel, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Codex gets a pane of its own; Claude Code, which waits in another window, is typed to."""
    tmux = ["tmux", "-S", str(tmp_path_factory.mktemp("t") / "s"), "-f", "/dev/null"]
    view = office.person.open([*tmux, "new-session", "env", "PS1=one>", "sh"])
    try:
        view.see("one>")
        scripted_model.script({"say": "Three ships."})
        view.enter("claude")
        view.see(office.claude.ready, timeout_s=PATIENCE_S)
        view.enter("Count the ships")
        view.see("Three ships.", timeout_s=PATIENCE_S)
        office.person.run([*tmux, "new-window", "env", "PS1=two>", "sh"])
        view.see("two>")

        before = len(scripted_model.requests)
        scripted_model.script({"say": "And two boats."})
        view.enter("onrecord handoff --to codex --no-ask")
        view.see(office.codex.ready, timeout_s=PATIENCE_S)
        view.see("two>")
        view.enter("The boats")
        view.see("And two boats.", timeout_s=PATIENCE_S)
        asked = scripted_model.requests[before]
        assert asked.holds("Continuing from claude-code")
        assert asked.holds("Count the ships")
        assert asked.text.count(RULE) == 1

        before = len(scripted_model.requests)
        scripted_model.script({"say": "Five in all."})
        office.person.run([*tmux, "select-pane", "-L"])
        view.enter("onrecord handoff --to claude-code --no-ask")
        view.see("Five in all.", timeout_s=PATIENCE_S)
        asked = scripted_model.requests[before]
        assert asked.holds("Three ships.")
        assert asked.holds("codex worked here (1 prompt)")
        rows = office.machine.sessions()
        assert [(row.agent, row.prompts) for row in rows] == [("claude-code", 2), ("codex", 1)]
        assert rows[0].ended_at is None
        assert office.machine.faults == ""
    finally:
        office.person.run([*tmux, "kill-server"])
        view.close()
