"""Two writers, one key: the one that has not seen the other's value does not win silently."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from commandline import CommandLine
from harness.surroundings import CLAUDE_VARIABLES
from mcp_client import CLAUDE, AgentProcess, environment, start_server

if TYPE_CHECKING:
    from pathlib import Path

    from mcp_client import McpPeer


@pytest.fixture
def lines(tmp_path: Path) -> CommandLine:
    """A place where a person keeps how to deploy."""
    made = CommandLine(tmp_path)
    made.remember("Deploy with blue", "--scope", "repo", "--key", "deploy")
    return made


def say(peer: McpPeer, title: str, **more: Any) -> dict[str, Any]:
    """An agent writes to the address."""
    answer = peer.call("remember", title=title, scope="repo", key="deploy", **more)
    found: dict[str, Any] = answer["structuredContent"]
    return found


def titles(lines: CommandLine) -> set[tuple[str, str]]:
    """(status, title) of all that stands or waits."""
    listed = [
        item
        for status in ("active", "proposed")
        for item in lines.run("list", "--all", "--status", status, "--json").json["items"]
    ]
    return {(item["status"], item["title"]) for item in listed}


def test_gateway_stale_write_refused_by_if_version(lines: CommandLine) -> None:
    """The second writer says which version it saw: a conflict with both values on record."""
    env = environment(lines.home, lines.store, **CLAUDE_VARIABLES)
    with start_server(lines.repo, env, "--client", "claude-code") as server:
        server.shake_hands()
        lines.remember("Deploy with green", "--scope", "repo", "--key", "deploy")
        stale = say(server, "Deploy with red", if_version=1)
        fresh = say(server, "Deploy with pink", if_version=2)

    assert (stale["outcome"], stale["code"]) == ("conflict", "conflict.version")
    assert stale["candidates"][0]["version"] == 2
    assert fresh["outcome"] == "proposed"
    assert titles(lines) >= {("active", "Deploy with green"), ("proposed", "Deploy with red")}


def test_gateway_stale_write_refused_for_a_person_too(lines: CommandLine) -> None:
    """The command ends with 3, the text is kept, and the next write with the version passes."""
    lines.remember("Deploy with green", "--scope", "repo", "--key", "deploy")
    words = ("--scope", "repo", "--key", "deploy", "--json")
    stale = lines.run("remember", "Deploy with red", *words, "--if-version", "1")
    fresh = lines.run("remember", "Deploy with pink", *words, "--if-version", "2")

    assert stale.status == 3
    assert stale.json["outcome"] == "conflict"
    assert fresh.status == 0
    assert titles(lines) == {("active", "Deploy with pink"), ("proposed", "Deploy with red")}


def test_gateway_stale_write_refused_after_reading(lines: CommandLine) -> None:
    """Read, then changed by another, then written without a version: a conflict.

    A session that reads again, or begins after the change, writes as usual.
    """
    env = environment(lines.home, lines.store)
    with AgentProcess(CLAUDE, cwd=lines.repo, env=env) as agent:
        agent.start("first")
        peer = agent.serve()
        peer.shake_hands()
        peer.call("recall", query="deploy blue")
        lines.remember("Deploy with green", "--scope", "repo", "--key", "deploy")
        stale = say(peer, "Deploy with red")
        peer.call("recall", query="deploy green")
        again = say(peer, "Deploy with pink")
    with AgentProcess(CLAUDE, cwd=lines.repo, env=env) as agent:
        agent.start("second")
        peer = agent.serve()
        peer.shake_hands()
        later = say(peer, "Deploy with grey")

    assert (stale["outcome"], stale["code"]) == ("conflict", "conflict.unread")
    assert again["outcome"] == "proposed"
    assert later["outcome"] == "proposed"
    assert ("proposed", "Deploy with red") in titles(lines)
    assert ("active", "Deploy with green") in titles(lines)


def test_gateway_stale_write_refused_but_sequential_writes_pass(lines: CommandLine) -> None:
    """Positive control: one writer after the other, each knowing the last."""
    for n, colour in enumerate(("green", "red", "pink"), 1):
        words = ("--scope", "repo", "--key", "deploy", "--if-version", str(n))
        lines.remember(f"Deploy with {colour}", *words)
    item = lines.run("list", "--all", "--json").json["items"][0]

    assert (item["title"], item["version"]) == ("Deploy with pink", 4)
