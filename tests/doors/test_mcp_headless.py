"""What a save is answered with: who may undo it depends on whether somebody sits there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from harness.agents import repository
from mcp_client import CLAUDE, AgentProcess, environment, tool_use
from onrecord import wiring

if TYPE_CHECKING:
    from pathlib import Path

SAVED = {"title": "Boats are counted at dawn", "scope": "agent", "kind": "fact"}


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("-p",), "The user can undo it: onrecord undo 1"),
        ((), "Undo: onrecord undo 1"),
    ],
)
def test_who_can_undo_it_is_said(tmp_path: Path, arguments: tuple[str, ...], says: str) -> None:
    """Nobody reads along in a run without a person, so nobody is told to undo; one later may."""
    home = tmp_path / "home"
    home.mkdir()
    repo, store = repository(tmp_path / "repo"), tmp_path / "data" / "memory.db"
    env = environment(home, store)
    wiring.open_memory(str(store)).close()
    with AgentProcess(CLAUDE, cwd=repo, env=env, arguments=arguments) as agent:
        agent.start("a")
        server = agent.serve()
        server.shake_hands()
        agent.before_tool("a", "toolu_1", tool="remember")
        made = server.call("remember", tool_use("toolu_1"), **SAVED)["structuredContent"]
        agent.before_tool("a", "toolu_2", tool="handoff")
        handed = server.call("handoff", tool_use("toolu_2"), next="Paint the gate")

    assert made["undo"] == 1
    assert made["say"].endswith(says)
    assert ("The user can undo" in handed["structuredContent"]["say"]) is bool(arguments)
