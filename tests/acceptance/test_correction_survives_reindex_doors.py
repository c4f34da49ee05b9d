"""Corrections that an agent makes over MCP or in a program hold across processes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import pytest

from agent_door import Door
from commandline import CommandLine

if TYPE_CHECKING:
    from pathlib import Path

SIBLING: Final = "The harbour lamp is green"

#: shape -> what stood, what it became
SHAPES: Final = {
    "replacement": ("The harbour queue is RabbitMQ", "The harbour queue is Kafka"),
    "polarity": ("The harbour gate is open at night", "The harbour gate is not open at night"),
    "partial": ("All harbour gates need a key", "All harbour gates except gate 4 need a key"),
    "bounded": ("The harbour pump is off", "The harbour pump is off until 3 May 2041"),
    "retraction": (
        "The harbour has a second pump",
        "It is not true that the harbour has a second pump",
    ),
}


def id_of(answer: dict[str, Any]) -> str:
    """The id that an answer is about."""
    return str(answer["id"] if "id" in answer else answer["item"]["id"])


@pytest.fixture(params=["mcp", "python"])
def door(request: pytest.FixtureRequest, tmp_path: Path) -> Door:
    """A place with the sibling in it."""
    made = Door(CommandLine(tmp_path), request.param)
    made.lines.remember(SIBLING, "--scope", "repo")
    return made


@pytest.mark.parametrize("shape", SHAPES)
def test_correction_survives_reindex_by_agents_doors(door: Door, shape: str) -> None:
    """The new text answers in new processes, the old one is history and stays that."""
    old, new = SHAPES[shape]
    first = id_of(door.remember(old))
    assert old in door.recall("harbour")
    second = id_of(door.remember(new, replaces=first))
    assert door.lines.run("rebuild").status == 0
    restated = door.remember(old)
    told, pack = door.recall("harbour"), door.pack()

    assert restated["outcome"] == "proposed"
    assert restated["code"] == "sameness.superseded"
    for text in (told, pack):
        assert new in text
        assert SIBLING in text
        assert f"{old}\\n" not in text.replace(new, "")
        assert f'"{old}"' not in text
    history = door.lines.run("history", first, "--json").json["versions"]
    assert {version["title"] for version in history} == {old}
    assert history[-1]["valid_to"] is not None
    assert [door.lines.status_of(item) for item in (first, second)] == ["superseded", "active"]


def test_correction_survives_reindex_of_bounded_validity(door: Door) -> None:
    """True until a day: there before it and gone after it, in recall and in packs."""
    over = "The harbour crane is hired"
    coming = "The harbour ferry sails on Sundays"
    now = "The harbour dredger works at night"
    door.remember(over, valid_from="2019-01-01", valid_to="2020-03")
    door.remember(coming, valid_from="2041-01-01")
    door.remember(now, valid_from="2020-01-01", valid_to="2041-01-01")
    assert door.lines.run("rebuild").status == 0
    told, pack = door.recall("harbour"), door.pack()
    then, later = (door.recall("harbour", valid_at=at) for at in ("2019-06-01", "2041-06-01"))

    for text in (told, pack):
        assert now in text
        assert SIBLING in text
        assert over not in text
        assert coming not in text
    assert over in then
    assert now not in then
    assert coming in later
    assert now not in later


def test_correction_retraction_without_replacement_by_agents_doors(door: Door) -> None:
    """An agent takes back its own note: absent in every process, and refused when said again."""
    wrong = "The harbour has a third pump behind the crane"
    item = id_of(door.remember(wrong))
    assert "third pump" in door.recall("harbour pump")
    assert door.forget(item) == "updated"
    again = [door.remember(text) for text in (wrong, wrong.upper(), f"{wrong}.")]
    assert door.lines.run("rebuild").status == 0
    told, pack = door.recall("harbour pump lamp"), door.pack()

    assert {answer["code"] for answer in again} == {"tombstone.equal"}
    for text in (told, pack):
        assert "third pump" not in text
        assert SIBLING in text
