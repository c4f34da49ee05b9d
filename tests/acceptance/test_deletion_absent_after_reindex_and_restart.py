"""The thirteen steps of a deletion, by commands, by MCP and by a program of an agent's.

A sibling is found at each of them. Every call is a process of its own, so each step is a restart.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

import pytest

from agent_door import Door
from commandline import CommandLine

if TYPE_CHECKING:
    from pathlib import Path

YES: Final = [("[y/n]", "y")]

GONE: Final = "The vault hint is kestrelquill under the harbour stairs"
SIBLING: Final = "The harbour pilot answers on channel ospreychannel"
WORD: Final = "kestrelquill"
KEPT: Final = "ospreychannel"


@pytest.fixture
def lines(tmp_path: Path) -> CommandLine:
    """A place without a store."""
    return CommandLine(tmp_path)


def source(lines: CommandLine) -> str:
    """The file that both memories come from."""
    path = lines.home / "MEMORY.md"
    path.write_text(f"# Harbour\n\n- {GONE}\n- {SIBLING}\n", encoding="utf-8")
    return str(path)


def feed(lines: CommandLine) -> dict[str, Any]:
    """An import of that file."""
    found: dict[str, Any] = lines.run("import", source(lines), "--json").json
    return found


def told(lines: CommandLine) -> str:
    """What every command that reads gives of it."""
    asked = (
        ("recall", f"{WORD} {KEPT} harbour"),
        ("list", "--all"),
        # what a pack was asked for is on record, so the word itself is not asked for
        ("pack", "--query", "harbour vault pilot"),
        ("review", "--json"),
        ("export",),
    )
    return "\n".join(lines.run(*words).out for words in asked)


def assert_absent(lines: CommandLine, where: str) -> None:
    """Nobody is told of it, and everybody of its sibling."""
    text = told(lines)
    assert WORD not in text, where
    assert text.count(KEPT) >= 3, where


def bytes_below(root: Path) -> bytes:
    """Every byte of the files below a folder, and their names, as the index folds letters."""
    files = [path for path in sorted(root.rglob("*")) if path.is_file()]
    names = "\n".join(str(path.relative_to(root)) for path in files).encode()
    return (names + b"".join(path.read_bytes() for path in files)).lower()


def test_deletion_absent_after_reindex_and_restart(lines: CommandLine, tmp_path: Path) -> None:
    """Written, found, deleted, fed again, indexed again, copied: absent, and on record as gone."""
    mirror, copies = lines.home / "mirror", tmp_path / "copies"
    copies.mkdir()

    # 1 and 2: written and approved, found everywhere, shown by the mirror
    assert feed(lines)["outcomes"] == {"proposed": 2}
    waiting = lines.run("review", "--json").json["waiting"]
    ids = {one["item"]["title"]: one["item"]["id"] for one in waiting}
    for item in ids.values():
        assert lines.run("approve", item, keys=YES).status == 0
    assert lines.run("mirror", str(mirror)).status == 0
    assert told(lines).count(WORD) >= 3
    assert WORD.encode() in bytes_below(mirror)
    assert WORD.encode() in bytes_below(lines.store.parent)

    # 3 and 4: deleted, absent
    assert lines.run("forget", ids[GONE], keys=YES).status == 0
    assert_absent(lines, "after the deletion")
    assert WORD.encode() not in bytes_below(lines.store.parent)

    # 5 and 6: its source is fed again, absent
    again = feed(lines)
    assert again["outcomes"] == {"corroborated": 1, "refused": 1}
    assert again["codes"] == {"tombstone.equal": 1}
    assert_absent(lines, "after its source was fed again")

    # 7 and 8: all jobs run, absent; the mirror follows
    assert lines.run("mirror", str(mirror)).status == 0
    assert lines.run("check").status == 0
    assert_absent(lines, "after the jobs")
    assert WORD.encode() not in bytes_below(mirror)
    assert KEPT.encode() in bytes_below(mirror)

    # 9 and 10: the index is made anew, by a process that knows nothing of before
    assert lines.run("rebuild").status == 0
    assert_absent(lines, "after the rebuild")

    # 11: absent from what is made afterwards: an index, a mirror, an export, a copy
    assert lines.run("export", "-o", str(copies / "out.jsonl")).status == 0
    markdown = ("export", "--format", "markdown", "-o", str(copies / "out.md"))
    assert lines.run(*markdown).status == 0
    assert lines.run("backup", str(copies / "copy.db")).status == 0
    assert lines.run("mirror", str(copies / "mirror")).status == 0
    for root in (copies, copies / "mirror", mirror, lines.store.parent):
        raw = bytes_below(root)
        assert WORD.encode() not in raw, root
        assert KEPT.encode() in raw, root

    # 12: the copy restored, and an import of the own mirror, bring nothing back
    assert lines.run("restore-backup", str(copies / "copy.db"), keys=YES).status == 0
    assert lines.run("import", str(mirror), "--json").json["outcomes"] == {"corroborated": 1}
    assert_absent(lines, "after the copy was restored")

    # 13: that it was deleted is on record, in one chain, without its text
    log = json.dumps(lines.run("log", "--json").json)
    assert '"forgotten"' in log
    assert ids[GONE] in log
    assert WORD not in log
    assert lines.run("check", "--json").json["broken_at"] is None


@pytest.mark.parametrize("kind", ["mcp", "python"])
def test_deletion_absent_after_reindex_and_restart_by_an_agent(
    lines: CommandLine, tmp_path: Path, kind: str
) -> None:
    """What an agent kept for itself and forgot stays gone from all that is made afterwards."""
    door = Door(lines=lines, kind=kind)
    mirror, copies = lines.home / "mirror", tmp_path / "copies"
    copies.mkdir()

    def told() -> str:
        return door.recall("harbour vault pilot") + door.pack()

    def assert_gone(where: str) -> None:
        text = told()
        assert WORD not in text, where
        assert text.count(KEPT) >= 2, where
        assert WORD.encode() not in bytes_below(lines.store.parent), where

    # 1 and 2: written, found, shown by the person's mirror
    item = door.remember(GONE)
    sibling = door.remember(SIBLING)
    assert {item["outcome"], sibling["outcome"]} == {"created"}
    name = str(item.get("id") or item["item"]["id"])
    assert told().count(WORD) >= 2
    assert lines.run("mirror", str(mirror)).status == 0
    assert WORD.encode() in bytes_below(mirror)
    assert WORD.encode() in bytes_below(lines.store.parent)

    # 3 and 4: deleted, absent, from the mirror as well
    assert door.forget(name) == "updated"
    assert_gone("after the deletion")
    assert WORD.encode() not in bytes_below(mirror)
    assert KEPT.encode() in bytes_below(mirror)

    # 5 and 6: its source, the agent, says it again; absent
    again = door.remember(GONE)
    assert (again["outcome"], again["code"]) == ("refused", "tombstone.equal")
    assert_gone("after it was said again")

    # 7 to 10: all jobs run, the index is made anew
    for words in (("sweep",), ("check",), ("mirror", str(mirror)), ("rebuild",)):
        assert lines.run(*words).status == 0, words
    assert_gone("after the jobs and the rebuild")

    # 11: absent from what is made afterwards
    assert lines.run("export", "-o", str(copies / "out.jsonl")).status == 0
    assert lines.run("backup", str(copies / "copy.db")).status == 0
    assert lines.run("mirror", str(copies / "mirror")).status == 0
    for root in (copies, copies / "mirror", mirror):
        raw = bytes_below(root)
        assert WORD.encode() not in raw, root
        assert KEPT.encode() in raw, root

    # 12: the copy restored, nothing comes back
    assert lines.run("restore-backup", str(copies / "copy.db"), keys=YES).status == 0
    assert_gone("after the copy was restored")
    assert door.remember(GONE)["outcome"] == "refused"

    # 13: that it was deleted is on record, without its text
    log = json.dumps(lines.run("log", "--json").json)
    assert '"forgotten"' in log
    assert name in log
    assert WORD not in log
    assert lines.run("check", "--json").json["broken_at"] is None
