"""What a person says of a memory counts at once; what an agent says of another's is asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from commandline import CommandLine
from harness.agents import repository
from harness.surroundings import SHELL_TOOL
from onrecord import Memory, Principal

if TYPE_CHECKING:
    from pathlib import Path

CLAUDE = SHELL_TOOL["claude-plain"]


def test_a_person_says_what_became_of_a_memory(tmp_path: Path) -> None:
    """`stale` and `wrong` set belief, the others leave it; nothing of what it says changes."""
    lines = CommandLine(tmp_path)
    item = lines.remember("The gate opens at six")
    belief: list[str] = []
    for verdict in ("stale", "helpful", "wrong", "not_relevant"):
        answer = lines.run("feedback", item[-6:], verdict, "--note", "it moved", "--json")
        assert (answer.status, answer.json["outcome"]) == (0, "updated"), answer
        belief.append(lines.run("show", item, "--json").json["verification"])
    shown = lines.run("show", item, "--json").json

    assert belief == ["stale", "stale", "disputed", "disputed"]
    assert (shown["version"], shown["use"]["helpful"]) == (1, 1)


def test_an_agent_asks_for_it_and_slips_are_told(tmp_path: Path) -> None:
    """Of a person's memory an agent's `stale` waits; unknown words and ids say what is known."""
    lines = CommandLine(tmp_path)
    item = lines.remember("The gate opens at six")
    asked = lines.run("feedback", item, "stale", "--json", around=CLAUDE)
    slip = lines.run("feedback", item, "useless")
    unknown = lines.run("feedback", "ZZZZZZ", "stale")
    long = lines.run("feedback", item, "helpful", "--note", "x" * 1_001)

    assert (asked.json["outcome"], asked.json["code"]) == ("proposed", "asked")
    assert lines.run("show", item, "--json").json["verification"] == "verified"
    assert (slip.status, unknown.status, long.status) == (2, 1, 1)
    assert "not_relevant" in slip.err


def test_the_library_says_it_too(tmp_path: Path) -> None:
    """An agent's own note at once; verifying wants a key that no program can type."""
    repo = repository(tmp_path / "repo")
    store = tmp_path / "memory.db"
    codex = Principal.agent("codex", session="s-1")
    with Memory.open(store, principal=codex, cwd=repo) as memory:
        texts = ("Lamps are lit at dusk", "Fares are counted in cents")
        lamps, fares = (one.item for one in memory.remember_many(texts, scope="agent"))
        assert lamps is not None
        assert fares is not None
        doubted = memory.dispute(fares.id[-6:])
        stale = memory.feedback(lamps.id[-6:], "stale", note="they are lit by day")
        refused = memory.verify(fares.id)
        assert memory.get(lamps.id).verification == "stale"

    assert (doubted.code, stale.code) == ("disputed", "staled")
    assert refused.code == "authority.verify_needs_person"
