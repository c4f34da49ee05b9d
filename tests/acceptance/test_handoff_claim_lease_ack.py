"""handoff.claim_lease_ack: one of two gets it, a lease runs out, and what changed since is told.

Agents are running programs with the installed server; the clock of the store alone is moved.
"""

from __future__ import annotations

import subprocess
import threading
from typing import TYPE_CHECKING, Any

import pytest

from harness.agents import repository
from machine import Machine
from mcp_client import CLAUDE, CODEX, AgentProcess, environment, tool_use, turn
from onrecord import wiring
from onrecord.domain.principal import Principal
from onrecord.domain.scope import Place
from onrecord.service.caller import Caller

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from mcp_client import McpPeer
    from onrecord.domain.session import Handoff

PERSON = Caller(principal=Principal.person("ada", channel="terminal"), place=Place())


class Bench:
    """Claude Code and Codex at work in one repository, and a handoff that a third one wrote."""

    def __init__(self, folder: Path) -> None:
        self.home = folder / "home"
        self.home.mkdir()
        self.repo = repository(folder / "repo")
        self.store = Machine(self.home, self.repo).store
        self.env = environment(self.home, self.store)
        wiring.open_memory(str(self.store)).close()
        self.agents: list[AgentProcess] = []
        self.calls = 0
        self.claude = self.server(CLAUDE, "c-1")
        self.codex = self.server(CODEX, "x-1")
        writer = self.server(CODEX, "w-1")
        made = self.call(writer, turn("w-1"), next="The till", state="Tests are red")
        self.item = str(made["structuredContent"]["id"])

    def server(self, cli: Any, session: str) -> McpPeer:
        """The MCP server of an agent that began a session."""
        agent = AgentProcess(cli, cwd=self.repo, env=self.env)
        self.agents.append(agent)
        agent.start(session)
        agent.prompt(session, "Go on")
        if cli is CLAUDE:
            for number in range(9):
                agent.before_tool(session, f"toolu_{number}", tool="handoff")
        server = agent.serve()
        server.shake_hands()
        return server

    def call(self, server: McpPeer, meta: dict[str, Any], **given: Any) -> dict[str, Any]:
        """One call of the handoff tool."""
        result: dict[str, Any] = server.call("handoff", meta, **given)
        return result

    def as_claude(self, **given: Any) -> dict[str, Any]:
        """Claude Code's call."""
        self.calls += 1
        return self.call(self.claude, tool_use(f"toolu_{self.calls}"), **given)

    def as_codex(self, **given: Any) -> dict[str, Any]:
        """Codex's call."""
        return self.call(self.codex, turn("x-1"), **given)

    def row(self) -> Handoff:
        """The handoff as it stands."""
        memory = wiring.open_memory(str(self.store), create=False)
        try:
            statuses = ("open", "claimed", "acknowledged")
            (row,) = (
                row
                for row, _ in memory.handoffs(PERSON, statuses=statuses, limit=20)
                if row.item == self.item
            )
            return row
        finally:
            memory.close()

    def run_out(self) -> None:
        """The lease's time passes."""
        import apsw  # noqa: PLC0415 - time cannot be had for real

        connection = apsw.Connection(str(self.store))
        connection.execute("UPDATE handoffs SET lease_until = 1 WHERE item = ?", (self.item,))
        connection.close()


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    """Everybody at work."""
    made = Bench(tmp_path)
    yield made
    for agent in made.agents:
        agent.close()


def refused(result: dict[str, Any]) -> bool:
    """Whether a call was turned down."""
    return result.get("isError") is True


def test_handoff_claim_lease_ack_one_of_two_wins(bench: Bench) -> None:
    """Both ask at the same moment; the other one is told that it is claimed."""
    answers: dict[str, dict[str, Any]] = {}
    begin = threading.Barrier(2)

    def ask(name: str) -> None:
        begin.wait()
        answers[name] = getattr(bench, f"as_{name}")(action="claim", id=bench.item)

    threads = [threading.Thread(target=ask, args=(name,)) for name in ("claude", "codex")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sorted(refused(answer) for answer in answers.values()) == [False, True]
    lost = next(answer for answer in answers.values() if refused(answer))
    assert "claimed" in str(lost)
    assert bench.row().status == "claimed"


def test_handoff_claim_lease_ack_a_lease_runs_out(bench: Bench) -> None:
    """Until then nobody else has it, and who has it may claim again; afterwards anybody may."""
    assert not refused(bench.as_claude(action="claim", id=bench.item))
    assert not refused(bench.as_claude(action="claim", id=bench.item))
    assert refused(bench.as_codex(action="claim", id=bench.item))
    first = bench.row().claimed_by
    bench.run_out()
    assert not refused(bench.as_codex(action="claim", id=bench.item))

    assert bench.row().claimed_by != first
    assert refused(bench.as_claude(action="claim", id=bench.item))


def test_handoff_claim_lease_ack_is_acknowledged_by_who_has_it(bench: Bench) -> None:
    """Both ends are on record, and nobody gets it after that."""
    assert refused(bench.as_codex(action="acknowledge", id=bench.item))
    assert not refused(bench.as_claude(action="claim", id=bench.item))
    assert refused(bench.as_codex(action="acknowledge", id=bench.item))
    assert not refused(bench.as_claude(action="acknowledge", id=bench.item))

    row = bench.row()
    assert row.status == "acknowledged"
    assert row.acknowledged_at is not None
    bench.run_out()
    assert refused(bench.as_codex(action="claim", id=bench.item))


def test_handoff_claim_lease_ack_tells_what_changed_since(bench: Bench) -> None:
    """The repository moved on between writing and claiming."""
    (bench.repo / "till.py").write_text("TILL = {}\n", encoding="utf-8")
    author = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")
    for arguments in (("add", "."), (*author, "commit", "-q", "-m", "till: begin")):
        subprocess.run(["git", *arguments], cwd=bench.repo, check=True, timeout=30)
    told = str(bench.as_claude(action="claim", id=bench.item))

    assert "HEAD was" in told


def test_handoff_claim_lease_ack_an_offer_says_that_the_work_went_on(bench: Bench) -> None:
    """Before anybody claims it: the pack tells the commit that it was written at, and today's."""
    agent = bench.agents[0]
    assert "HEAD was" not in agent.hook("SessionStart", "c-8", source="startup")
    (bench.repo / "till.py").write_text("TILL = {}\n", encoding="utf-8")
    author = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")
    for arguments in (("add", "."), (*author, "commit", "-q", "-m", "till: begin")):
        subprocess.run(["git", *arguments], cwd=bench.repo, check=True, timeout=30)
    told = agent.hook("SessionStart", "c-9", source="startup")

    assert "The till" in told
    assert "HEAD was" in told
