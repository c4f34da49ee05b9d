"""A memory that cites a file is shown as stale once the file says something else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from commandline import CommandLine

if TYPE_CHECKING:
    from pathlib import Path

ASKED = "gate limit"


def recalled(lines: CommandLine) -> dict[str, Any]:
    """What a recall says of each title's belief."""
    answer = lines.run("recall", ASKED, "--json")
    return {hit["item"]["title"]: hit for hit in answer.json["hits"]}


def test_evidence_citation_checked_at_read(tmp_path: Path) -> None:
    """Changed, gone, moved and back again; what cites an unchanged file stays good throughout."""
    lines = CommandLine(tmp_path)
    source = lines.repo / "src" / "gate.py"
    other = lines.repo / "src" / "lamp.py"
    source.parent.mkdir()
    text = "import os\n\nLIMIT = 4\n\n\ndef gate():\n    return LIMIT\n"
    source.write_text(text, encoding="utf-8")
    other.write_text("LAMP = 1\n", encoding="utf-8")
    cites = "The gate limit is set in src/gate.py:3"
    stays = "The gate limit lamp is in src/lamp.py:1"
    item = lines.remember(cites, "--scope", "repo")
    lines.remember(stays, "--scope", "repo")

    def belief() -> tuple[str, str]:
        found = recalled(lines)
        shown = lines.run("show", item, "--json").json
        shown = shown.get("item", shown)
        assert shown["verification"] == found[cites]["item"]["verification"]
        return found[cites]["item"]["verification"], found[stays]["item"]["verification"]

    assert belief() == ("verified", "verified")
    source.write_text(text.replace("LIMIT = 4", "LIMIT = 9"), encoding="utf-8")
    assert belief() == ("stale", "verified")
    reasons = recalled(lines)[cites]["reasons"]
    assert any("src/gate.py" in reason and "changed" in reason for reason in reasons)
    source.write_text("# new\n# lines\n" + text, encoding="utf-8")
    assert belief() == ("verified", "verified")
    source.unlink()
    assert belief() == ("stale", "verified")
    assert any("gone" in reason for reason in recalled(lines)[cites]["reasons"])
    source.write_text(text, encoding="utf-8")
    assert belief() == ("verified", "verified")
