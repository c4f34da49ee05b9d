"""The thirteen steps of a deletion, by commands alone; a sibling is found at each of them.

Every command is a process of its own, so each step is a restart too.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

import pytest

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
