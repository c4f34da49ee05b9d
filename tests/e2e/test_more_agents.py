"""Gemini CLI, Copilot CLI and OpenCode, each whole: connected, given the pack, saving, removed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from machine import Machine

if TYPE_CHECKING:
    from pathlib import Path

    from harness.agent import Agent
    from harness.model import ScriptedModel

KNOWN = "Install with pnpm, never npm"
SAVE = {
    "tool": "*remember",
    "args": {"title": "The e2e suite needs port 4173 free", "kind": "fact", "scope": "repo"},
}


def files_of(home: Path) -> dict[str, bytes]:
    """What stands in the folders where agents keep their settings."""
    folders = (".gemini", ".copilot", ".config/opencode")
    names = ("settings.json", "mcp-config.json", "onrecord.json", "opencode.json", "onrecord.js")
    return {
        str(path.relative_to(home)): path.read_bytes()
        for folder in folders
        for path in sorted((home / folder).rglob("*.js*"))
        if path.name in names and "node_modules" not in path.parts
    }


@pytest.mark.parametrize(
    ("fixture", "client"),
    [
        ("gemini_cli", "gemini-cli"),
        ("copilot_cli", "copilot-cli"),
        ("opencode", "opencode"),
    ],
)
def test_one_more_agent(
    fixture: str,
    client: str,
    request: pytest.FixtureRequest,
    scripted_model: ScriptedModel,
    agent_home: Path,
    agent_repo: Path,
) -> None:
    """The pack reaches its model once, its note waits under its session, and it goes again."""
    agent: Agent = request.getfixturevalue(fixture)
    machine = Machine(agent_home, agent_repo)
    before = files_of(agent_home)
    machine.connect(client)
    machine.remember(KNOWN)

    scripted_model.script(SAVE, {"say": "Noted."})
    turn = agent.run("How do we install packages here?")
    first = turn.requests[0]
    assert first.holds(KNOWN), turn.errors
    assert first.text.count(KNOWN) + first.system.count(KNOWN) in (1, 2)  # texts hold the system
    assert f"{first.body}".count(KNOWN) == 1

    note = machine.titled("The e2e suite needs port 4173 free")
    (session,) = machine.sessions()
    assert (note.status, note.head.author.agent) == ("proposed", client)
    assert note.head.author.session == session.id
    assert session.agent == client
    assert session.ended_at is not None
    assert [delivery.occasion for delivery in machine.deliveries()][:1] == ["session_start"]
    assert machine.faults == ""

    machine.do("connect", client, "--remove")
    assert files_of(agent_home) == before
