"""A correction of any shape holds after the index is made anew and another process asks."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

import pytest

from commandline import CommandLine
from harness.surroundings import SHELL_TOOL

if TYPE_CHECKING:
    from pathlib import Path

CLAUDE: Final = SHELL_TOOL["claude-plain"]
SIBLING: Final = "The harbour lamp is green"

#: shape -> what stood, what it became
SHAPES: Final = {
    "replacement": ("The harbour queue is RabbitMQ", "The harbour queue is Kafka"),
    "polarity": ("The harbour gate is open at night", "The harbour gate is not open at night"),
    "partial": ("All harbour gates need a key", "All harbour gates except gate 4 need a key"),
    "bounded": ("The harbour pump is off", "The harbour pump is off until 3 May 2031"),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_correction_survives_reindex(tmp_path: Path, shape: str) -> None:
    """The new text answers, the old one is history, and restating it changes nothing."""
    old, new = SHAPES[shape]
    lines = CommandLine(tmp_path)
    first = lines.remember(old, "--scope", "repo")
    lines.remember(SIBLING, "--scope", "repo")
    second = lines.remember(new, "--scope", "repo", "--replaces", first)
    assert lines.run("rebuild").status == 0
    restated = lines.run("remember", old, "--scope", "repo", "--json", around=CLAUDE)

    assert restated.json["outcome"] in ("proposed", "conflict")
    hits = lines.run("recall", "harbour", "--limit", "20", "--json").json["hits"]
    titles = [hit["item"]["title"] for hit in hits]
    assert new in titles
    assert SIBLING in titles
    assert old not in titles
    history = lines.run("history", first, "--json").json["versions"]
    assert {version["title"] for version in history} == {old}
    assert history[-1]["valid_to"] is not None
    assert lines.status_of(first) == "superseded"
    pack = lines.run("pack").out
    assert new in pack
    assert f"{old}\n" not in pack
    assert lines.status_of(second) == "active"


def test_correction_retraction_without_replacement(tmp_path: Path) -> None:
    """What a person took back is absent, and stays so when an agent says it again."""
    lines = CommandLine(tmp_path)
    wrong = "The harbour has a second pump behind the crane"
    item = lines.remember(wrong, "--scope", "repo")
    lines.remember(SIBLING, "--scope", "repo")
    assert "second pump" in lines.run("recall", "harbour pump", "--json").out
    assert lines.run("reject", item, "--reason", "wrong").status == 0
    again = [
        lines.run("remember", text, "--scope", scope, "--json", around=CLAUDE)
        for text in (wrong, wrong.upper(), f"{wrong}.")
        for scope in ("repo", "agent")
    ]
    assert lines.run("rebuild").status == 0

    assert {answer.json["outcome"] for answer in again} == {"refused"}
    told = json.dumps(lines.run("recall", "harbour pump lamp", "--json").json["hits"])
    assert SIBLING in told
    assert "second pump" not in told
    assert "second pump" not in lines.run("pack").out
