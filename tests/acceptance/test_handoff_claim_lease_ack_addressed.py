"""handoff.claim_lease_ack: one that is for an agent by name is that agent's, or a person's.

Agents are running programs with the installed server and hook below them.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from commandline import CommandLine
from harness.surroundings import SHELL_TOOL
from mcp_client import CLAUDE, CODEX, AgentProcess, environment, tool_use, turn

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def shop(tmp_path: Path) -> CommandLine:
    """A repository with two handoffs: one for Claude Code, and an older one for whoever comes."""
    made = CommandLine(tmp_path)
    for words in (("--next", "Count the till"), ("--next", "Oil the gate", "--for", "claude")):
        assert made.run("handoff", *words).status == 0
    return made


def rows(shop: CommandLine) -> dict[str, dict[str, Any]]:
    """The handoffs by the agent that they are for."""
    told = shop.run("handoffs", "--all", "--json").json["handoffs"]
    return {row["to_agent"] or "": row for row in told}


def agent(shop: CommandLine, cli: Any) -> AgentProcess:
    """That agent CLI, running in the repository."""
    return AgentProcess(cli, cwd=shop.repo, env=environment(shop.home, shop.store))


def test_handoff_claim_lease_ack_another_agent_takes_none_that_is_addressed(
    shop: CommandLine,
) -> None:
    """Codex may not take Claude Code's over MCP or its shell; it takes the one for everybody."""
    theirs, anyones = rows(shop)["claude-code"]["id"], rows(shop)[""]["id"]
    with agent(shop, CODEX) as codex:
        codex.start("x-1")
        codex.prompt("x-1")
        server = codex.serve()
        taken = server.call("handoff", turn("x-1"), action="claim", id=theirs)
        ended = server.call("handoff", turn("x-1"), action="acknowledge", id=theirs)
        free = server.call("handoff", turn("x-1"), action="claim", id=anyones)
    by_shell = shop.run("handoffs", "claim", theirs, "--json", around=SHELL_TOOL["codex-plain"])

    assert taken["isError"]
    assert "for another agent" in json.dumps(taken)
    assert ended["isError"]
    assert not free.get("isError")
    assert by_shell.error["details"]["rule"] == "authority.claim_not_for_you"
    assert rows(shop)["claude-code"]["status"] == "open"


def test_handoff_claim_lease_ack_the_one_that_is_named_takes_it(shop: CommandLine) -> None:
    """Claude Code claims and acknowledges its own."""
    theirs = rows(shop)["claude-code"]["id"]
    with agent(shop, CLAUDE) as claude:
        claude.start("c-1")
        claude.prompt("c-1")
        server = claude.serve()
        for number, action in enumerate(("claim", "acknowledge")):
            claude.before_tool("c-1", f"toolu_{number}", tool="handoff")
            meta = tool_use(f"toolu_{number}")
            assert not server.call("handoff", meta, action=action, id=theirs).get("isError")

    assert rows(shop)["claude-code"]["status"] == "acknowledged"


def test_handoff_claim_lease_ack_a_person_takes_any(shop: CommandLine) -> None:
    """A person at a terminal is the way out."""
    assert shop.run("handoffs", "claim", rows(shop)["claude-code"]["id"]).status == 0
    assert rows(shop)["claude-code"]["status"] == "claimed"
