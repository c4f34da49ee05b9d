"""Whatever is delivered can be followed back: each memory to a source that is still there."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from sourced import SESSION, TITLES, Sourced

if TYPE_CHECKING:
    from pathlib import Path

NEW: Final = "5eed0009-0000-4000-8000-000000000009"
SURVIVES: Final = ("stands", "moved", "unchecked")
#: path -> what its memory rests on, and how that is named
SOURCES: Final = {
    "command": ("person", r".+"),
    "mcp": ("session", rf"claude-code:{SESSION}"),
    "private": ("session", rf"claude-code:{SESSION}"),
    "summary": ("message", rf"claude-code:{SESSION}#u1"),
    "file": ("file", r"plan\.md(@[0-9a-f]+)?:\d+"),
    "import": ("import", r"import:markdown:notes\.md#.+"),
}


def test_evidence_claim_resolves_to_source(tmp_path: Path) -> None:
    """Every path populated, each delivered item followed back by `history` and `why`."""
    home = Sourced(tmp_path)
    handoffs = [row for row in home.listed() if row["kind"] == "handoff"]
    told = home.told(NEW)
    by_recall = [name for name, title in TITLES.items() if title in told.recall]
    why = home.run("why", NEW, "--json").json
    given = [row["id"] for d in why["deliveries"] for row in d["items"] if row["shown"]]

    assert set(by_recall) == set(TITLES)
    assert {home.items[name] for name in TITLES if name != "private"} <= set(given)
    assert {row["id"] for row in handoffs} & set(given)
    for item in {*given, *(home.items[name] for name in by_recall)}:
        sources = home.run("history", item, "--json").json["sources"]
        assert any(one["state"] in SURVIVES for one in sources), item
        assert item not in why["sources"] or why["sources"][item] == sources
    for name, (kind, pointer) in SOURCES.items():
        sources = home.run("history", home.items[name], "--json").json["sources"]
        named = [one["pointer"] for one in sources if one["kind"] == kind]
        assert any(re.fullmatch(pointer, one) for one in named), (name, sources)
    (handed, *_) = handoffs
    sources = home.run("history", handed["id"], "--json").json["sources"]
    assert any(one["kind"] == "session" and one["state"] == "stands" for one in sources)


def test_evidence_claim_resolves_to_source_or_is_said_not_to(tmp_path: Path) -> None:
    """A file that is gone is said to be; a person's word beside it still stands."""
    home = Sourced(tmp_path)
    (home.repo / "src").mkdir()
    (home.repo / "src" / "gate.py").write_text("LIMIT = 4\n", encoding="utf-8")
    item = home.remember("The fare gate limit is in src/gate.py:1", "--scope", "repo")
    (home.repo / "src" / "gate.py").unlink()
    sources = home.run("history", item, "--json").json["sources"]
    lines = home.run("history", item).out

    assert {one["kind"]: one["state"] for one in sources} == {"person": "stands", "file": "gone"}
    assert "rests on file src/gate.py" in lines
    assert "gone" in lines
