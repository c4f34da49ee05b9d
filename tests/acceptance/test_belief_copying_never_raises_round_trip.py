"""What goes to another store and back, is summarised, or mirrored and read, raises no belief."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any, Final

import pytest

from commandline import CommandLine
from mcp_client import CLAUDE, AgentProcess, environment

if TYPE_CHECKING:
    from pathlib import Path

FACT: Final = "The gate spec needs the fake clock"
SESSIONS: Final = tuple(f"0b7c4d1e-0000-4000-8000-00000000002{n}" for n in range(6))
ROUNDS: Final = 3


class Bench:
    """A place with a store, where one session has said something by itself."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.lines = CommandLine(folder)
        self.lines.remember("Night buses charge at the depot", "--scope", "repo")
        self.item = self.say(SESSIONS[0])
        self.before = self.standing()
        assert self.before == ("unverified", "proposed", 1)

    def say(self, session: str) -> str:
        """A whole run of an agent that states the fact; the item's id."""
        transcript = self.lines.home / ".claude" / "projects" / "-shop" / f"{session}.jsonl"
        transcript.parent.mkdir(parents=True, exist_ok=True)
        row = {"type": "user", "uuid": "u1", "message": {"content": "Make the gate spec pass"}}
        transcript.write_text(f"{json.dumps(row)}\n", encoding="utf-8")
        env = environment(self.lines.home, self.lines.store)
        with AgentProcess(CLAUDE, cwd=self.lines.repo, env=env) as agent:
            told: dict[str, Any] = {"transcript_path": str(transcript)}
            agent.hook("SessionStart", session, source="startup", **told)
            agent.hook("UserPromptSubmit", session, prompt="Make the gate spec pass", **told)
            peer = agent.serve()
            peer.shake_hands()
            answer: dict[str, Any] = peer.call("remember", title=FACT, scope="repo")
            agent.hook("SessionEnd", session, reason="other", **told)
        found: str = answer["structuredContent"]["id"]
        return found

    def standing(self, lines: CommandLine | None = None) -> tuple[str, str, int]:
        """Belief, status and sightings of the one memory that says it."""
        waiting = (lines or self.lines).run("review", "--json").json["waiting"]
        (entry,) = [one for one in waiting if one["item"]["title"] == FACT]
        return entry["item"]["verification"], entry["item"]["status"], entry["sightings"]

    def control(self) -> None:
        """Positive control: two further sessions that nobody told it, and it is corroborated."""
        assert self.standing() == self.before
        for session in SESSIONS[4:6]:
            assert self.say(session) == self.item
        assert self.standing() == ("corroborated", "proposed", 3)


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    """A fresh one."""
    return Bench(tmp_path)


def test_belief_copying_never_raises_by_a_round_trip(bench: Bench) -> None:
    """To another store and back, three times: one sighting here, none there."""
    other = CommandLine(bench.folder / "other")
    for n in range(ROUNDS):
        there, back = (bench.lines.home / f"{way}-{n}.jsonl" for way in ("there", "back"))
        for source, file, target in ((bench.lines, there, other), (other, back, bench.lines)):
            given = source.run("export", "--status", "proposed", "-o", str(file))
            assert given.status == 0, given
            assert FACT in file.read_text(encoding="utf-8")
            taken = target.run("import", "jsonl", str(file))
            assert taken.status == 0, taken
        assert bench.standing(other) == ("unverified", "proposed", 0)
        assert bench.standing() == bench.before
    bench.control()


def test_belief_copying_never_raises_by_summaries(bench: Bench) -> None:
    """A model that says it of three sessions, again and again, saw nothing by itself."""
    program = bench.lines.home / "summariser.py"
    answer = {
        "summary": None,
        "items": [{"kind": "lesson", "title": FACT, "body": "", "messages": [1]}],
    }
    program.write_text(
        f"import sys\nsys.stdin.read()\nprint({json.dumps(answer)!r})\n", encoding="utf-8"
    )
    config = bench.lines.home / ".config" / "onrecord" / "config.toml"
    config.parent.mkdir(parents=True, exist_ok=True)
    command = json.dumps([sys.executable, str(program)])
    config.write_text(
        f'[summaries]\ncommand = {command}\nrepositories = ["github.com/acme/*"]\n',
        encoding="utf-8",
    )
    sessions = bench.lines.run("sessions", "--json").json["sessions"]
    made: list[dict[str, int]] = []
    for _ in range(ROUNDS):
        done = bench.lines.run("summarize", sessions[0]["id"], "--again", "--json")
        assert done.status == 0, done
        made += [part["outcomes"] for part in done.json["parts"]]
        assert bench.standing() == bench.before

    assert made == [{"corroborated": 1}] * ROUNDS
    bench.control()


def test_belief_copying_never_raises_by_a_mirror(bench: Bench) -> None:
    """What was written for people to read says nothing new when it is read back."""
    folder = bench.lines.home / "mirror"
    words = ("mirror", str(folder), "--status", "active", "--status", "proposed", "--json")
    for _ in range(ROUNDS):
        assert bench.lines.run(*words).status == 0
        assert FACT in "".join(one.read_text(encoding="utf-8") for one in folder.rglob("*.md"))
        taken = bench.lines.run("import", "mirror", str(folder), "--json")
        assert taken.status == 0, taken
        assert taken.json["outcomes"] == {"corroborated": 2}
        assert bench.standing() == bench.before
    bench.control()
