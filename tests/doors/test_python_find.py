"""Finding as one types, from the Python library."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.agents import repository
from onrecord import Memory, Principal

if TYPE_CHECKING:
    from pathlib import Path


def test_a_list_for_every_letter(tmp_path: Path) -> None:
    """Eight at most, best first, in the caller's scopes or those given; none for two letters."""
    repo = repository(tmp_path / "repo")
    with Memory.open(
        tmp_path / "memory.db", principal=Principal.agent("codex", session="s-1"), cwd=repo
    ) as memory:
        words = "one two three four five six seven eight nine ten".split()
        memory.remember_many([f"The {word} lantern hangs" for word in words], scope="agent")
        memory.remember("Gantry lanterns are lit at dusk", scope="agent")
        assert memory.find("la") == []
        assert len(memory.find("lan")) == 8
        assert len(memory.find("lan", limit=3)) == 3
        (best, *_) = memory.find("gantry lant")
        assert best.content.title == "Gantry lanterns are lit at dusk"
        assert memory.find("lan", scope="repo") == []
