"""What other tools remembered comes in as proposals, once, and goes back as a whole.

Files as each tool writes them, real commands; the control is that all of it does arrive.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import pytest

from commandline import CommandLine
from foreign_tools import SHOP, TOOLS


def files(root: Path) -> dict[str, str]:
    """Every file below a folder with a digest of its bytes."""
    return {
        str(path.relative_to(root)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(root.rglob("*"))
        if path.is_file() and not path.name.endswith("-shm")
    }


def waiting(lines: CommandLine) -> dict[str, dict[str, Any]]:
    """What waits for review, by title."""
    found = lines.run("review", "--json").json["waiting"]
    return {one["item"]["title"]: one["item"] for one in found}


@pytest.mark.parametrize("tool", TOOLS, ids="-".join)
def test_belief_copying_never_raises_of_other_tools(tmp_path: Path, tool: tuple[str, str]) -> None:
    """Recognised, looked at first, proposed with where it comes from, once, and taken back."""
    lines = CommandLine(tmp_path)
    folder = tmp_path / "theirs"
    folder.mkdir()
    path, wanted = TOOLS[tool].make(folder), TOOLS[tool].wanted
    before = files(folder)

    look = lines.run("import", str(path), "--dry-run", "--json").json

    assert (look["format"], look["items"]) == (tool[0], len(wanted))
    assert look["outcomes"] == {"proposed": len(wanted)}
    assert look["left_out"] == TOOLS[tool].left_out
    assert not lines.store.exists()

    done = lines.run("import", tool[0], str(path), "--json").json

    assert done["outcomes"] == look["outcomes"]
    found = waiting(lines)
    assert set(found) == {one.title for one in wanted}
    for one in wanted:
        item = lines.run("show", found[one.title]["id"], "--json").json
        assert (item["kind"], item["scope"], item["key"]) == (one.kind, one.scope, one.key)
        assert (item["status"], item["verification"]) == ("proposed", "unverified")
        assert one.body in item["body"]
        assert set(one.tags) <= set(item["tags"])
        (came,) = item["evidence"]
        assert came["pointer"].startswith(f"import:{tool[0]}:{path.name}#")

    again = lines.run("import", str(path), "--json").json

    assert again["outcomes"] == {"corroborated": len(wanted)}
    assert set(waiting(lines)) == set(found)
    assert files(folder) == before

    back = lines.run("undo", "--import", done["batch"], keys=[("[y/n]", "y")])

    assert back.status == 0, back
    assert waiting(lines) == {}


@pytest.mark.parametrize("tool", TOOLS, ids="-".join)
def test_tombstone_reextraction_stays_inactive_by_importers(
    tmp_path: Path, tool: tuple[str, str]
) -> None:
    """What a person turned down stays out; the rest of the same source still arrives."""
    lines = CommandLine(tmp_path)
    path, wanted = TOOLS[tool].make(tmp_path), TOOLS[tool].wanted
    lines.run("import", str(path))
    first = waiting(lines)[wanted[0].title]["id"]
    assert lines.run("reject", first, "--reason", "wrong").status == 0

    again = lines.run("import", str(path), "--json").json

    (refused,) = again["refused"]
    # where it was turned down cannot be read from here, only that it was
    elsewhere = wanted[0].scope not in (SHOP, "global")
    assert refused["code"] == ("policy.turned_down" if elsewhere else "tombstone.equal")
    assert again["outcomes"].get("corroborated", 0) == len(wanted) - 1
    assert wanted[0].title not in waiting(lines)
    assert lines.status_of(first) == "rejected"
