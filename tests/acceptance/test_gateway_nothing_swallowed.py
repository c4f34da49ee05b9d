"""Whatever is said is stored and can be found: no text is merged away, none saved and lost."""

from __future__ import annotations

import json
import sys
from collections import Counter
from itertools import chain
from typing import TYPE_CHECKING, Final

import pytest

from commandline import CommandLine
from harness.surroundings import CLAUDE_VARIABLES
from mcp_client import environment, start_server
from statements import CORRECTIONS, LOOKALIKES, UNRELATED

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

#: Everything that is said, in order: facts, pairs of look-alikes, and each shape of correction.
SAID: Final = (
    *UNRELATED,
    *chain.from_iterable(LOOKALIKES),
    *chain.from_iterable(pair for pairs in CORRECTIONS.values() for pair in pairs),
)
STATUSES: Final = {"active", "proposed"}


def by_agent(lines: CommandLine, scope: str, texts: Iterable[str]) -> list[dict[str, str]]:
    """What an agent's server answers to each text."""
    env = environment(lines.home, lines.store, **CLAUDE_VARIABLES)
    with start_server(lines.repo, env, "--client", "claude-code") as server:
        server.shake_hands()
        return [
            server.call("remember", title=text, scope=scope)["structuredContent"] for text in texts
        ]


_PROGRAM: Final = """
import json, sys
from pathlib import Path
from onrecord import Memory, to_json
said = json.loads(Path(sys.argv[1]).read_text("utf-8"))
with Memory.open() as memory:
    answers = [to_json(memory.remember(text, scope="repo")) for text in said]
Path(sys.argv[2]).write_text(json.dumps(answers), "utf-8")
"""


def by_person(lines: CommandLine, texts: Sequence[str]) -> list[dict[str, str]]:
    """What a program answers that the person runs on their own terminal."""
    asked, told = lines.home / "asked.json", lines.home / "told.json"
    asked.write_text(json.dumps(texts), "utf-8")
    done = lines.people.run([sys.executable, "-c", _PROGRAM, str(asked), str(told)], timeout_s=120)
    assert done.exit_code == 0, done.text
    answers: list[dict[str, str]] = json.loads(told.read_text("utf-8"))
    return answers


def stored(lines: CommandLine) -> list[dict[str, str]]:
    """Everything that stands or waits, as a person lists it."""
    found: list[dict[str, str]] = []
    for status in sorted(STATUSES):
        more = ("--status", status, "--limit", "200", "--json")
        found += lines.run("list", "--all", *more).json["items"]
    return found


def test_the_statements_are_as_many_as_they_should_be() -> None:
    """Twenty facts, twenty pairs, six of each of six shapes; no two equal."""
    assert len(UNRELATED) == len(LOOKALIKES) == 20
    assert [len(pairs) for pairs in CORRECTIONS.values()] == [6] * 6
    assert Counter(SAID).most_common(1)[0][1] == 1


@pytest.mark.parametrize("scope", ["agent", "repo"])
def test_gateway_nothing_swallowed_of_an_agent(tmp_path: Path, scope: str) -> None:
    """In its own scope and in a shared one; saying it again is corroborated, never a second."""
    lines = CommandLine(tmp_path)
    answers = by_agent(lines, scope, SAID)
    again = by_agent(lines, scope, SAID[:5])
    known = {item["id"]: item["title"] for item in stored(lines)}

    assert {answer["outcome"] for answer in answers} <= {"created", "proposed", "conflict"}
    assert Counter(known.values()) == Counter(SAID)
    assert [known[answer["id"]] for answer in answers] == list(SAID)
    assert [answer["outcome"] for answer in again] == ["corroborated"] * 5


def test_gateway_nothing_swallowed_of_a_person(tmp_path: Path) -> None:
    """All of it counts; what equals an earlier one is told so."""
    lines = CommandLine(tmp_path)
    answers = by_person(lines, SAID)
    again = by_person(lines, SAID[:2])
    titles = Counter(item["title"] for item in stored(lines))

    assert {answer["outcome"] for answer in answers} <= {"created", "proposed", "conflict"}
    assert titles == Counter(SAID)
    assert [answer["outcome"] for answer in again] == ["corroborated"] * 2


def test_gateway_nothing_swallowed_by_a_key(tmp_path: Path) -> None:
    """Six writers of one address: one value stands, all others wait, every text is there."""
    lines = CommandLine(tmp_path)
    lines.remember("Deploy with blue", "--scope", "repo", "--key", "deploy")
    said = [f"Deploy with colour number {n}" for n in range(6)]
    env = environment(lines.home, lines.store, **CLAUDE_VARIABLES)
    for text in said:
        with start_server(lines.repo, env, "--client", "claude-code") as server:
            server.shake_hands()
            answer = server.call("remember", title=text, scope="repo", key="deploy")
            assert answer["structuredContent"]["outcome"] in ("proposed", "conflict")
    items = stored(lines)

    assert Counter(item["title"] for item in items) == Counter(["Deploy with blue", *said])
    assert [item["title"] for item in items if item["status"] == "active"] == ["Deploy with blue"]
