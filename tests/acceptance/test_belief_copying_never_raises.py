"""Copying, importing, moving and restating never raise belief; three sessions of their own do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import pytest

from commandline import CommandLine
from mcp_client import CLAUDE, AgentProcess, environment

if TYPE_CHECKING:
    from pathlib import Path

FACT: Final = "The gate spec needs the fake clock"
#: Session ids as the client writes them.
SESSIONS: Final = tuple(f"0b7c4d1e-0000-4000-8000-00000000000{n}" for n in range(6))


@pytest.fixture
def lines(tmp_path: Path) -> CommandLine:
    """A place with a store, so that hooks are heard from the first session on."""
    made = CommandLine(tmp_path)
    made.remember("Night buses charge at the depot", "--scope", "repo")
    return made


def say(
    lines: CommandLine,
    session: str,
    *,
    times: int = 1,
    source: str = "startup",
    before: tuple[str, dict[str, Any]] | None = None,
    hooked: bool = True,
) -> dict[str, Any]:
    """A whole run of an agent that states the fact; the last answer."""
    env = environment(lines.home, lines.store)
    answer: dict[str, Any] = {}
    with AgentProcess(CLAUDE, cwd=lines.repo, env=env) as agent:
        if hooked:
            agent.start(session, source)
            agent.prompt(session, "Make the gate spec pass")
        peer = agent.serve()
        peer.shake_hands()
        if before is not None:
            peer.call(before[0], **before[1])
        for _ in range(times):
            answer = peer.call("remember", title=FACT, scope="repo")["structuredContent"]
        if hooked:
            agent.end(session, "other")
    return answer


def belief(lines: CommandLine, item: str) -> tuple[str, str]:
    """An item's belief and status, as a person sees them."""
    shown = lines.run("show", item, "--json").json
    return shown["verification"], shown["status"]


def test_belief_copying_never_raises_but_three_sessions_of_their_own_do(
    lines: CommandLine,
) -> None:
    """Positive control: corroborated by the third, and still waiting for a person."""
    seen = []
    for session in SESSIONS[:3]:
        item = say(lines, session)["id"]
        seen.append(belief(lines, item))
    waiting = lines.run("review", "--json").json["waiting"]

    assert seen == [
        ("unverified", "proposed"),
        ("unverified", "proposed"),
        ("corroborated", "proposed"),
    ]
    assert [(entry["item"]["id"], entry["sightings"]) for entry in waiting] == [(item, 3)]


def test_belief_copying_never_raises_by_restating_in_one_session(lines: CommandLine) -> None:
    """Nine times in one session is one sighting."""
    item = say(lines, SESSIONS[0], times=9)["id"]

    assert belief(lines, item) == ("unverified", "proposed")


def test_belief_copying_never_raises_by_sessions_that_were_told(lines: CommandLine) -> None:
    """What a recall or a context showed comes back as an echo."""
    item = lines.remember(FACT, "--scope", "repo")
    assert lines.run("dispute", item).status == 0
    for n, session in enumerate(SESSIONS[:4]):
        asked: dict[str, Any] = {"query": "fake clock gate spec"}
        say(lines, session, before=(("recall", "context")[n % 2], asked))
    shown = lines.run("review", "--json").json["waiting"]

    assert belief(lines, item)[0] == "disputed"
    assert shown == []


def test_belief_copying_never_raises_by_sessions_without_hooks(lines: CommandLine) -> None:
    """A session that no hook has seen says so and counts for nothing."""
    for session in SESSIONS[:4]:
        item = say(lines, session, hooked=False)["id"]

    assert belief(lines, item) == ("unverified", "proposed")


def test_belief_copying_never_raises_by_import(lines: CommandLine, tmp_path: Path) -> None:
    """Verified where it comes from, unverified and waiting here; importing again adds nothing."""
    other = CommandLine(tmp_path / "other")
    other.remember(FACT, "--scope", "repo")
    files = [lines.home / f"memories-{n}.jsonl" for n in range(4)]
    for file in files:
        assert other.run("export", "-o", str(file)).status == 0
    for file in files:
        assert lines.run("import", "jsonl", str(file)).status == 0
    (entry,) = lines.run("review", "--json").json["waiting"]

    assert (entry["item"]["verification"], entry["item"]["status"]) == ("unverified", "proposed")
    assert entry["sightings"] == 0


def test_belief_copying_never_raises_by_moving_or_archiving(lines: CommandLine) -> None:
    """Putting away and taking out again, by a person, says nothing of the text."""
    item = lines.remember("Use tabs in the gate", "--scope", "agent:codex")
    before = belief(lines, item)
    for words in (("archive", item), ("restore", item), ("pin", item), ("unpin", item)):
        assert lines.run(*words).status == 0

    assert before == ("unverified", "active")
    assert belief(lines, item) == before
