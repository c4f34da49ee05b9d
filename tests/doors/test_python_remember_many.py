"""Many statements from a program: through the gateway, many to a transaction."""

from __future__ import annotations

from typing import TYPE_CHECKING

from onrecord import Memory

if TYPE_CHECKING:
    from pathlib import Path


def test_many_statements_are_kept_in_few_transactions(tmp_path: Path) -> None:
    """Each has its answer in order, and progress is told by the batch."""
    told: list[int] = []
    texts = (f"Crane {number} stands at berth {number}\nSince spring." for number in range(250))
    with Memory.open(tmp_path / "memory.db") as memory:
        outcomes = memory.remember_many(texts, scope="agent", progress=told.append)
        items = [outcome.item for outcome in outcomes if outcome.item]
        found = memory.get(items[249].id)

    assert told == [100, 200, 250]
    assert len({item.id for item in items}) == len(outcomes) == 250
    assert found.content.title == "Crane 249 stands at berth 249"
    assert found.content.body == "Since spring."


def test_what_is_wrong_with_one_is_its_answer(tmp_path: Path) -> None:
    """The others of the batch are kept."""
    texts = ["The gate is green", "A gate\n" + "x" * 70_000, "", "a\ud800b", "The lamp is red"]
    with Memory.open(tmp_path / "memory.db") as memory:
        outcomes = memory.remember_many(texts, scope="agent")

    assert [outcome.code for outcome in outcomes[1:4]] == [
        "shape.body_too_long",
        "shape.title_missing",
        "shape.utf8",
    ]
    assert outcomes[0].item
    assert outcomes[4].item


def test_a_statement_twice_in_one_batch_is_one_memory(tmp_path: Path) -> None:
    """What was kept a moment ago is known already."""
    with Memory.open(tmp_path / "memory.db") as memory:
        first, second = memory.remember_many(["The gate is green"] * 2, scope="agent")

    assert first.item
    assert second.item
    assert second.code == "same.waiting"
    assert second.item.id == first.item.id
