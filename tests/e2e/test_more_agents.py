"""Gemini CLI, Copilot CLI and OpenCode, each whole: connected, given the pack, saving, removed."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from machine import Machine

if TYPE_CHECKING:
    from pathlib import Path

    from harness.agent import Agent
    from harness.agents import ClaudeCode, Codex
    from harness.model import ScriptedModel
    from harness.more_agents import GeminiCli

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


def test_a_pack_on_the_command_line_is_not_given_twice(
    claude_code: ClaudeCode,
    codex: Codex,
    gemini_cli: GeminiCli,
    scripted_model: ScriptedModel,
    agent_home: Path,
    agent_repo: Path,
) -> None:
    """Each way of handing it over reaches the model, and the hook of that start adds nothing."""
    machine = Machine(agent_home, agent_repo)
    machine.connect("claude-code", "codex", "gemini-cli")
    machine.remember(KNOWN)

    def words(client: str) -> list[str]:
        told = machine.do("pack", "--for", client, "--json").text
        found: list[str] = json.loads(told)["argv"]
        return found

    scripted_model.script(*[{"say": "Yes."}] * 6)
    turns = [
        claude_code.run("How?", extra=words("claude")[1:]),
        codex.run("How?", extra=words("codex")[1:]),
        gemini_cli.run(f"{words('gemini')[-1]}\n\nHow?"),
        claude_code.run("How?"),
    ]

    counts = [f"{turn.requests[0].body}".count(KNOWN) for turn in turns]
    assert counts == [1, 1, 1, 1], [turn.errors for turn in turns]


@pytest.mark.parametrize(
    ("fixture", "client"),
    [("gemini_cli", "gemini-cli"), ("copilot_cli", "copilot-cli"), ("opencode", "opencode")],
)
def test_a_session_that_goes_on_is_the_same_one(
    fixture: str,
    client: str,
    request: pytest.FixtureRequest,
    scripted_model: ScriptedModel,
    agent_home: Path,
    agent_repo: Path,
) -> None:
    """By its id it goes on; its pack, which these keep in no history, is given again once."""
    agent: Agent = request.getfixturevalue(fixture)
    machine = Machine(agent_home, agent_repo)
    machine.connect(client)
    machine.remember(KNOWN)

    scripted_model.script({"say": "Zebra."}, {"say": "Again."})
    agent.run("First question?")
    (session,) = machine.sessions()
    again = agent.run("Second question?", resume=session.agent_session)

    assert again.requests[0].holds("Zebra.")
    assert f"{again.requests[0].body}".count(KNOWN) == 1
    assert [row.id for row in machine.sessions()] == [session.id]
