"""A value that a person turned down does not come back through a program and the library."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any, Final

import pytest

from commandline import CommandLine
from harness.surroundings import SHELL_TOOL
from mcp_client import environment
from statements import CLAIM, DISGUISES, NEIGHBOUR, PARAPHRASE

if TYPE_CHECKING:
    from pathlib import Path

HARMLESS: Final = "The harbour office closes at five"

_PROGRAM: Final = """
import json, sys
from onrecord import Memory, Principal, to_json
given = json.load(sys.stdin)
with Memory.open(given["store"], principal=Principal.agent("codex", session="lib"),
                 cwd=given["cwd"]) as memory:
    answers = []
    for verb, words, more in given["calls"]:
        words = [answers[0]["item"]["id"] if word == "FIRST" else word for word in words]
        more = {k: answers[0]["item"]["id"] if v == "FIRST" else v for k, v in more.items()}
        found = getattr(memory, verb)(*words, **more)
        if isinstance(found, list):
            answers += [to_json(one) for one in found]
        else:
            answers.append({"text": found.text} if verb == "pack" else to_json(found))
    print(json.dumps(answers))
"""


class Bench:
    """A place where an agent's claim was turned down, and its neighbour stands."""

    def __init__(self, folder: Path) -> None:
        self.lines = CommandLine(folder)
        self.lines.remember(NEIGHBOUR, "--scope", "repo")
        self.claim = self.lines.remember(
            CLAIM, "--scope", "repo", around=SHELL_TOOL["claude-plain"]
        )
        assert self.lines.run("reject", self.claim, "--reason", "wrong").status == 0

    def program(self, *calls: tuple[str, list[Any], dict[str, Any]]) -> list[dict[str, Any]]:
        """What a program of an agent's gets, call after call; it is a process of its own."""
        given = {"store": str(self.lines.store), "cwd": str(self.lines.repo), "calls": calls}
        done = subprocess.run(
            [sys.executable, "-c", _PROGRAM],
            input=json.dumps(given),
            env=environment(self.lines.home, self.lines.store),
            capture_output=True,
            encoding="utf-8",
            check=False,
            timeout=120,
        )
        assert done.returncode == 0, done.stderr
        found: list[dict[str, Any]] = json.loads(done.stdout)
        return found

    def given(self) -> str:
        """What a recall and a pack tell in further processes."""
        recall, pack = self.program(("recall", [CLAIM], {}), ("pack", [CLAIM], {}))
        return json.dumps(recall, ensure_ascii=False) + str(pack["text"])


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    """A fresh one."""
    return Bench(tmp_path)


def test_tombstone_laundering_sequence_by_programs(bench: Bench) -> None:
    """By key, as another, in several, in place of something harmless, by rewording that."""
    answers = bench.program(
        ("remember", [HARMLESS], {"scope": "agent"}),
        ("remember", [CLAIM], {"scope": "agent"}),
        ("remember", [CLAIM], {"scope": "repo", "key": "refunds"}),
        ("remember", [CLAIM], {"scope": "agent", "distinct": True}),
        ("remember", [CLAIM], {"scope": "agent", "replaces": "FIRST"}),
        ("remember", [f"Refunds\n\nWe asked around. {CLAIM}. So it is."], {"scope": "agent"}),
        ("revise", ["FIRST", CLAIM], {}),
        ("remember_many", [[CLAIM, "The pilot boat is painted yellow"]], {"scope": "agent"}),
    )
    told = bench.given()

    assert answers[0]["outcome"] == "created"
    assert [answer["code"] for answer in answers[1:-1]] == ["tombstone.equal"] * 7
    assert answers[-1]["outcome"] == "created"
    assert bench.lines.status_of(answers[0]["item"]["id"]) == "active"
    assert CLAIM not in told
    assert NEIGHBOUR in told


def test_tombstone_key_normalization_attack_by_programs(bench: Bench) -> None:
    """Every disguise of the value; the paraphrase and an unrelated statement are stored."""
    answers = bench.program(
        *(("remember", [text], {"scope": "agent", "title": "Refunds"}) for text in DISGUISES),
        ("remember", [PARAPHRASE], {"scope": "agent"}),
        ("remember", [HARMLESS], {"scope": "agent"}),
    )

    assert {answer["code"] for answer in answers[:-2]} == {"tombstone.equal"}
    assert answers[-2]["outcome"] in ("created", "proposed")
    assert answers[-1]["outcome"] == "created"


def test_tombstone_no_second_memory_unit_by_programs(bench: Bench) -> None:
    """What was tried is on record as refused, and no memory was made of it."""
    before = bench.lines.run("list", "--all", "--status", "active", "--json").json["items"]
    tried = [("remember", [CLAIM], {"scope": scope}) for scope in ("agent", "repo", "session")]
    bench.program(*tried)
    after = bench.lines.run("list", "--all", "--status", "active", "--json").json["items"]
    waiting = bench.lines.run("review", "--json").json["waiting"]
    events = bench.lines.run("log", "--json").json["events"]

    assert [item["id"] for item in after] == [item["id"] for item in before]
    assert waiting == []
    assert {event["code"] for event in events if event["action"] == "refused"} == {
        "tombstone.equal"
    }
