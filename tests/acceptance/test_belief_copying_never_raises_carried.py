"""What is carried on by handoffs, scopes, programs and decisions raises no belief; sessions do."""

from __future__ import annotations

import json
import subprocess
import sys
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

import pytest

from commandline import CommandLine
from mcp_client import CLAUDE, AgentProcess, environment

if TYPE_CHECKING:
    from pathlib import Path

FACT: Final = "The gate spec needs the fake clock"
OTHER: Final = "Lost property is kept for ninety days"
SESSIONS: Final = tuple(f"0b7c4d1e-0000-4000-8000-00000000001{n}" for n in range(8))
YES: Final = [("[y/n]", "y")]


class Bench:
    """A place with a store, and agents that work there one after another."""

    def __init__(self, folder: Path) -> None:
        self.lines = CommandLine(folder)
        self.lines.remember("Night buses charge at the depot", "--scope", "repo")

    def run(
        self, session: str, *, fact: str = FACT, hands: dict[str, Any] | None = None
    ) -> dict[str, Any]:
        """A whole run: a prompt, which claims what is handed over, the fact, a handoff."""
        env = environment(self.lines.home, self.lines.store)
        with AgentProcess(CLAUDE, cwd=self.lines.repo, env=env) as agent:
            agent.start(session)
            agent.prompt(session, "Make the gate spec pass")
            peer = agent.serve()
            peer.shake_hands()
            answer = peer.call("remember", title=fact, scope="repo")["structuredContent"]
            if hands is not None:
                done = peer.call("handoff", **hands)["structuredContent"]
                assert done["outcome"] == "created", done
            agent.end(session, "other")
        found: dict[str, Any] = answer
        return found

    def belief(self, item: str) -> tuple[str, str]:
        """An item's belief and status, as a person sees them."""
        shown = self.lines.run("show", item, "--json").json
        return shown["verification"], shown["status"]

    def control(self, fact: str = FACT) -> None:
        """Positive control: sessions that nobody told it, until three have said it."""
        said = [self.run(session, fact=fact)["id"] for session in SESSIONS[5:8]]
        assert self.belief(said[-1])[0] == "corroborated"


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    """A fresh one."""
    return Bench(tmp_path)


def test_belief_copying_never_raises_by_a_line_of_handoffs(bench: Bench) -> None:
    """Four sessions that each took over from the one before are one that said it."""
    hands = {"next": "make the spec pass", "state": FACT}
    item = bench.run(SESSIONS[0], hands=hands)["id"]
    for session in SESSIONS[1:4]:
        bench.run(session, hands=hands)
    waiting = bench.lines.run("review", "--json").json["waiting"]
    handoffs = bench.lines.run("handoffs", "list", "--all", "--json")

    assert bench.belief(item) == ("unverified", "proposed"), handoffs
    assert [row["sightings"] for row in waiting if row["item"]["id"] == item] == [1]
    bench.control(OTHER)


def test_belief_copying_never_raises_by_another_name_of_its_scope(bench: Bench) -> None:
    """Renamed and merged: the same belief, the same sightings, wherever it stands."""
    item = bench.run(SESSIONS[0])["id"]
    before = bench.belief(item)
    names = [f"repo:github.com/acme/{name}" for name in ("shop", "store", "market")]
    for old, new in pairwise(names):
        done = bench.lines.run("scopes", "rename", old, new)
        assert done.status == 0, done
        assert bench.belief(item) == before

    assert before == ("unverified", "proposed")
    bench.control()


_PROGRAM: Final = """
import json, sys
from onrecord import Memory, Principal
given = json.load(sys.stdin)
with Memory.open(given["store"], principal=Principal.agent("codex", session=given["session"]),
                 cwd=given["cwd"]) as memory:
    print(json.dumps([memory.remember(given["fact"], scope="repo").item.id for _ in range(3)]))
"""


def test_belief_copying_never_raises_by_programs(bench: Bench) -> None:
    """Five programs that call themselves sessions, three times each: no hook saw one of them."""
    item = bench.run(SESSIONS[0])["id"]
    for n in range(5):
        given = {
            "store": str(bench.lines.store),
            "cwd": str(bench.lines.repo),
            "session": f"made-up-{n}",
            "fact": FACT,
        }
        done = subprocess.run(
            [sys.executable, "-c", _PROGRAM],
            input=json.dumps(given),
            env=environment(bench.lines.home, bench.lines.store),
            capture_output=True,
            encoding="utf-8",
            check=False,
            timeout=60,
        )
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout) == [item] * 3

    assert bench.belief(item) == ("unverified", "proposed")
    bench.control()


def test_belief_copying_never_raises_to_active(bench: Bench) -> None:
    """However many say it, it waits first in the queue until a person lets it count."""
    item = bench.run(SESSIONS[0])["id"]
    bench.control()
    (entry,) = bench.lines.run("review", "--json").json["waiting"]
    given = bench.lines.run("pack").out

    assert (entry["item"]["id"], entry["sightings"]) == (item, 4)
    assert bench.belief(item) == ("corroborated", "proposed")
    assert FACT not in given
    assert bench.lines.run("approve", item, keys=YES).status == 0
    assert bench.belief(item) == ("verified", "active")
    assert FACT in bench.lines.run("pack").out
