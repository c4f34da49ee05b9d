"""However often a memory is imported, belief stays: sessions that said it by themselves count.

Real files, real commands, real MCP servers under a running agent; the control is three sessions.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

import pytest

from commandline import CommandLine
from mcp_client import CLAUDE, AgentProcess, environment, tool_use

if TYPE_CHECKING:
    from pathlib import Path

SAID: Final = "The harbour gate needs the frozen clock in its specs"
SESSIONS: Final = [f"0b7c4d1e-0000-4000-8000-00000000000{n}" for n in range(1, 4)]
YES: Final = [("[y/n]", "y")]


@pytest.fixture
def lines(tmp_path: Path) -> CommandLine:
    """A place with a store."""
    made = CommandLine(tmp_path)
    made.remember("The harbour office opens at nine")
    return made


class Agents:
    """Sessions of one agent, each saying the same by itself."""

    def __init__(self, lines: CommandLine) -> None:
        self._lines = lines
        self._count = 0

    def say(self, session: str) -> str:
        """One session states it over MCP; the outcome."""
        env = environment(self._lines.home, self._lines.store)
        with AgentProcess(CLAUDE, cwd=self._lines.repo, env=env) as agent:
            agent.start(session)
            self._count += 1
            call = f"toolu_{self._count}"
            agent.before_tool(session, call, "remember")
            server = agent.serve()
            server.shake_hands()
            result = server.call("remember", tool_use(call), title=SAID, scope="repo")
        outcome: str = result["structuredContent"]["outcome"]
        return outcome


def item(lines: CommandLine) -> dict[str, Any]:
    """The one memory that says it."""
    found = lines.run("list", "--all", "--json").json["items"]
    (one,) = [entry for entry in found if entry["title"] == SAID]
    shape: dict[str, Any] = lines.run("show", one["id"], "--json").json
    return shape


def belief(lines: CommandLine) -> tuple[str, str, int, int]:
    """Status, verification, sightings and pieces of evidence of it."""
    one = item(lines)
    waiting = lines.run("review", "--json").json["waiting"]
    sightings = [entry["sightings"] for entry in waiting if entry["item"]["id"] == one["id"]]
    return one["status"], one["verification"], sum(sightings), len(one["evidence"])


def imported(lines: CommandLine, times: int, **standing: Any) -> list[dict[str, int]]:
    """Import it from so many files that each claim the highest standing."""
    shape = {
        "title": SAID,
        "scope": "repo:github.com/acme/shop",
        "status": "active",
        "verification": "verified",
        "pinned": True,
        "author": {"user": "grace", "channel": "terminal"},
        "use": {"delivered": 99, "opened": 99, "helpful": 99},
        **standing,
    }
    outcomes: list[dict[str, int]] = []
    for n in range(times):
        path = lines.home / f"from-{n}.jsonl"
        header = {"onrecord": "export", "version": 1}
        path.write_text(f"{json.dumps(header)}\n{json.dumps(shape)}\n", encoding="utf-8")
        answer = lines.run("import", "jsonl", str(path), "--json")
        assert answer.status == 0, answer
        outcomes.append(answer.json["outcomes"])
    return outcomes


def test_belief_copying_never_raises_import(lines: CommandLine) -> None:
    """Five imports add nothing to what one session said; two further sessions do."""
    agents = Agents(lines)
    assert agents.say(SESSIONS[0]) == "proposed"
    before = belief(lines)

    outcomes = imported(lines, 5)

    assert outcomes == [{"corroborated": 1}] * 5
    assert belief(lines) == before == ("proposed", "unverified", 1, 0)
    assert [agents.say(session) for session in SESSIONS[1:]] == ["corroborated"] * 2
    assert belief(lines)[:3] == ("proposed", "corroborated", 3)


def test_belief_copying_never_raises_import_of_a_copy(lines: CommandLine, tmp_path: Path) -> None:
    """What comes in by a file waits unverified, however much it counted where it comes from."""
    Agents(lines).say(SESSIONS[0])
    lines.run("approve", item(lines)["id"], keys=YES)
    path = str(lines.home / "out.jsonl")
    assert lines.run("export", "-o", path).status == 0
    (tmp_path / "other").mkdir()
    other = CommandLine(tmp_path / "other")

    for _ in range(3):
        assert other.run("import", "jsonl", path).status == 0

    assert belief(lines)[:2] == ("active", "verified")
    assert belief(other)[:3] == ("proposed", "unverified", 0)
    assert other.run("recall", "harbour gate frozen clock").out.startswith("Nothing relevant")
    assert SAID in lines.run("recall", "harbour gate frozen clock").out
