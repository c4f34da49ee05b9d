"""handoff.crash_safe: whatever is killed at whatever moment, the next session is offered one.

The agent CLI is a running program of its name; hooks, drains and servers are the installed ones.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from harness.agents import repository
from hooked import Answer
from mcp_client import CLAUDE, CODEX, HOOK, AgentProcess, environment, tool_use
from onrecord import wiring
from onrecord.capture import spool
from onrecord.domain.principal import Principal
from onrecord.domain.scope import Place
from onrecord.service.caller import Caller

if TYPE_CHECKING:
    from pathlib import Path

    from mcp_client import Cli
    from onrecord.domain.session import Handoff

PERSON = Caller(principal=Principal.person("ada", channel="terminal"), place=Place())
STATUSES = ("open", "claimed", "acknowledged", "replaced", "expired", "cancelled")


class Desk:
    """A home, a repository, a store."""

    def __init__(self, folder: Path) -> None:
        self.home = folder / "home"
        self.home.mkdir()
        self.repo = repository(folder / "repo")
        self.store = folder / "data" / "memory.db"
        self.env = environment(self.home, self.store)
        wiring.open_memory(str(self.store)).close()

    def agent(self, cli: Cli = CLAUDE) -> AgentProcess:
        """An agent CLI that runs in the repository."""
        return AgentProcess(cli, cwd=self.repo, env=self.env)

    def begun(self, session: str, cli: Cli = CLAUDE) -> AgentProcess:
        """An agent in a session with one prompt."""
        agent = self.agent(cli)
        agent.start(session)
        agent.prompt(session, f"Words of {session}")
        return agent

    def offered(self, session: str, cli: Cli = CLAUDE) -> list[str]:
        """Titles of the handoffs that a new session is given."""
        with self.agent(cli) as agent:
            raw = agent.hook("SessionStart", session, source="startup")
        answer = Answer(raw=raw.encode(), errors=b"", exit_code=0)
        return [entry.title for entry in answer.entries if entry.kind == "handoff"]

    def handoffs(self, *statuses: str) -> list[Handoff]:
        """Handoffs with everything taken in that waits."""
        memory = wiring.open_memory(str(self.store), create=False)
        try:
            wiring.open_intake(str(self.store), memory).drain()
            return [
                row for row, _ in memory.handoffs(PERSON, statuses=statuses or STATUSES, limit=50)
            ]
        finally:
            memory.close()


def kill(agent: AgentProcess) -> None:
    """No chance to tidy up."""
    os.kill(agent.pid, signal.SIGKILL)
    agent.close()


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    """One of each."""
    return Desk(tmp_path)


def test_handoff_crash_safe_when_the_agent_is_killed(desk: Desk) -> None:
    """In the middle of a turn, with everything still in the spool or all of it taken in."""
    kill(desk.begun("a"))
    first = desk.offered("b")
    agent = desk.begun("c")
    desk.handoffs()
    kill(agent)
    second = desk.offered("d", CODEX)

    assert first == ["Handoff from claude-code on main: Words of a"]
    assert second == ["Handoff from claude-code on main: Words of c"]
    assert len(desk.handoffs("open")) == 1


def test_handoff_crash_safe_a_living_agent_hands_nothing_over(desk: Desk) -> None:
    """Two windows in one repository: the other one's work is not finished."""
    with desk.begun("a"):
        assert desk.offered("b") == []


def test_handoff_crash_safe_when_the_hook_is_killed(desk: Desk) -> None:
    """At any moment of it: a record is whole or is none, and the session is handed over."""
    told = {"session_id": "a", "cwd": str(desk.repo), "source": "startup", "prompt": "Words of a"}
    agent = desk.begun("a")
    for event in ("SessionStart", "UserPromptSubmit", "SessionEnd"):
        for step in range(8):
            process = subprocess.Popen(
                [HOOK, "claude-code", event],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                cwd=desk.repo,
                env={**desk.env, "CLAUDECODE": "1"},
            )
            assert process.stdin is not None
            process.stdin.write(json.dumps({**told, "hook_event_name": event}).encode())
            process.stdin.close()
            try:
                process.wait(step * 0.012)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            assert process.stdout is not None
            printed = process.stdout.read()
            process.stdout.close()
            assert not printed or json.loads(printed)
    kill(agent)
    folder = wiring.spool_folder(str(desk.store))

    assert desk.offered("b") == ["Handoff from claude-code on main: Words of a"]
    assert spool.set_aside_count(folder) == 0
    assert len(desk.handoffs("open")) == 1


def test_handoff_crash_safe_when_the_drain_is_killed(desk: Desk) -> None:
    """At any moment of taking in and closing: the next one ends what it began."""
    for step in range(10):
        name = f"s{step}"
        kill(desk.begun(name))
        process = subprocess.Popen(
            [sys.executable, "-P", "-E", "-m", "onrecord.doors.hook.drain", str(desk.store)],
            env=desk.env,
            cwd=desk.repo,
        )
        try:
            process.wait(0.08 + step * 0.03)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

        title = f"Handoff from claude-code on main: Words of {name}"
        assert desk.offered(f"next-{step}") == [title]
        assert len(desk.handoffs("open")) == 1
    assert len(desk.handoffs()) == 10


def test_handoff_crash_safe_when_the_server_is_killed(desk: Desk) -> None:
    """An agent's own handoff is there whole, or the automatic one is; never both, never none."""
    for step in range(6):
        name = f"s{step}"
        agent = desk.begun(name)
        # one question would leave to the next what it had taken over
        agent.prompt(name, f"Words of {name}")
        server = agent.serve()
        server.shake_hands()
        agent.before_tool(name, f"toolu_{step}", tool="handoff")
        request: dict[str, Any] = {
            "jsonrpc": "2.0",
            "id": 9,
            "method": "tools/call",
            "params": {
                "name": "handoff",
                "arguments": {"next": f"Own words of {name}"},
                "_meta": tool_use(f"toolu_{step}"),
            },
        }
        server.send(request)
        if step % 3:
            server.read()
        for child in _children(agent.pid):
            os.kill(child, signal.SIGKILL)
        kill(agent)
        offered = desk.offered(f"next-{step}")

        own, automatic = f"Own words of {name}", f"Words of {name}"
        newest = [title.rpartition(": ")[2] for title in offered]
        assert newest[0] in (own, automatic)
        assert not {own, automatic} <= set(newest)
        if step % 3:
            assert newest[0] == own


def _children(pid: int) -> list[int]:
    """Processes below one."""
    done = subprocess.run(
        ["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, timeout=30, check=False
    )
    return [int(word) for word in done.stdout.split()]
