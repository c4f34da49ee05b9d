"""The saving switch works on running sessions, both ways: off stops learning and nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pytest

from commandline import CommandLine
from harness.surroundings import SHELL_TOOL
from mcp_client import CLAUDE, AgentProcess, environment, texts_of, tool_use

if TYPE_CHECKING:
    from pathlib import Path

    from mcp_client import McpPeer

SESSION: Final = "0b7c4d1e-0000-4000-8000-000000000001"
SENTENCE: Final = "Saving is off, so nothing was stored. Tell the user plainly"


@pytest.fixture
def lines(tmp_path: Path) -> CommandLine:
    """A place with a person's memory."""
    made = CommandLine(tmp_path)
    made.remember("The harbour gate opens at six", "--scope", "repo")
    return made


def save(server: McpPeer, n: int, title: str) -> tuple[str, str]:
    """Outcome and sentence of one save over MCP."""
    result = server.call("remember", tool_use(f"toolu_{n}"), title=title, scope="agent")
    shape = result["structuredContent"]
    assert next(texts_of(result)) == shape["say"]
    return shape["outcome"], shape["say"]


def reads(server: McpPeer) -> bool:
    """Recall, get and context still give the person's memory."""
    answers = [
        server.call("recall", query="harbour gate"),
        server.call("context", query="harbour gate"),
    ]
    return all("The harbour gate opens at six" in next(texts_of(a)) for a in answers)


def test_gateway_saving_switch_live_over_mcp(lines: CommandLine) -> None:
    """Off, refused with the sentence; on, saved: in one and the same running server."""
    env = environment(lines.home, lines.store)
    with AgentProcess(CLAUDE, cwd=lines.repo, env=env) as agent:
        agent.start(SESSION)
        server = agent.serve()
        server.shake_hands()
        before = save(server, 1, "The queue is in Redis")
        off = lines.person("off")
        refused = save(server, 2, "The cache is in Redis")
        handed = server.call("handoff", next="fix the gate")
        while_off = reads(server)
        on = lines.person("on")
        after = save(server, 3, "The cache is in Redis")
        while_on = reads(server)

    assert (off.exit_code, on.exit_code) == (0, 0)
    assert before[0] == "created"
    assert refused[0] == "refused"
    assert refused[1].startswith(SENTENCE)
    assert "onrecord on" in refused[1]
    assert handed["structuredContent"]["code"] == "saving.off"
    assert after[0] == "created"
    assert while_off
    assert while_on
    titles = {i["title"]: i["status"] for i in lines.run("list", "--all", "--json").json["items"]}
    assert titles["The cache is in Redis"] == "active"


def test_gateway_saving_switch_live_for_hooks(lines: CommandLine) -> None:
    """Off, a session's prompts are not recorded; what it is given still comes; on, they are."""
    env = environment(lines.home, lines.store)
    with AgentProcess(CLAUDE, cwd=lines.repo, env=env) as agent:
        lines.person("off")
        given = agent.hook("SessionStart", SESSION, source="startup")
        agent.prompt(SESSION, "a prompt while saving is off")
        lines.person("on")
        agent.prompt(SESSION, "a prompt while saving is on")
        sessions = lines.run("sessions", "--json").json["sessions"]
    prompts = {text for s in sessions for text in (s["first_prompt"], s["last_prompt"])}

    assert "The harbour gate opens at six" in given
    assert "a prompt while saving is off" not in prompts
    assert "a prompt while saving is on" in prompts


@pytest.mark.parametrize("name", ["claude-plain", "codex-env_i", "claude-double_fork"])
def test_gateway_saving_switch_live_is_a_persons(lines: CommandLine, name: str) -> None:
    """No agent turns it on or off; what it may always do goes on, and so does a person."""
    around = SHELL_TOOL[name]
    own = lines.remember("The queue is in Redis", around=around)
    agent_off = lines.run("off", around=around)
    saved = lines.run("remember", "The cache is in Redis", around=around)
    lines.person("off")
    agent_on = lines.run("on", around=around)
    refused = lines.run("remember", "The lock is in Redis", around=around)
    read = lines.run("recall", "harbour gate", around=around)
    person = lines.run("remember", "The lock is in Postgres", "--json")
    asked = lines.run("forget", own, around=around)
    undone = lines.run("undo")

    assert (agent_off.status, agent_on.status) == (4, 4)
    assert saved.status == 0
    assert refused.status == 1
    assert SENTENCE in refused.err
    assert "The harbour gate opens at six" in read.out
    assert person.json["outcome"] == "created"
    assert (asked.status, undone.status) == (0, 0)
    assert undone.out.startswith("Undone")
