"""Forgotten meanings leave no byte: every file of the home is read for their vectors."""

from __future__ import annotations

from typing import TYPE_CHECKING

import apsw

from commandline import CommandLine

if TYPE_CHECKING:
    from pathlib import Path

KEPT = (
    "The depot closes at nine in the evening",
    "Commit subjects are in the imperative",
    "Guests borrow a laptop from reception",
    "The ferry costs four euros",
)
GONE = (
    "Fraudsters mostly reuse stolen payment cards",
    "The relay board cuts the power of lane two",
    "Timetables are downloaded every night",
    "The council wants the budget in spring",
)


def vectors(lines: CommandLine) -> dict[str, bytes]:
    """Item -> its vector, as the store has it."""
    connection = apsw.Connection(str(lines.store), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        rows = connection.execute("SELECT item, vector FROM vectors").fetchall()
    finally:
        connection.close()
    return {str(item): bytes(vector) for item, vector in rows}  # type: ignore[arg-type]


def files(folder: Path) -> dict[str, bytes]:
    """Every file below a folder."""
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_deletion_no_residue_of_vectors(tmp_path: Path) -> None:
    """Half of them forgotten, by an agentless terminal: theirs are nowhere, the others' are there.

    Revised ones have left their former vectors nowhere either.
    """
    lines = CommandLine(tmp_path)
    kept = [lines.remember(text, "--scope", "repo") for text in KEPT]
    gone = [lines.remember(text, "--scope", "repo") for text in GONE]
    assert lines.run("reindex").status == 0
    before = vectors(lines)
    assert set(before) == {*kept, *gone}
    whole = files(lines.home)
    assert all(any(vector in data for data in whole.values()) for vector in before.values())

    for item in gone:
        assert lines.run("forget", item, keys=[("[y/n]", "y")]).status == 0
    assert lines.run("check").status == 0

    assert set(vectors(lines)) == set(kept)
    after = files(lines.home)
    for item in gone:
        for piece in (before[item], before[item][:48], before[item][-48:]):
            assert [name for name, data in after.items() if piece in data] == []
    for item in kept:
        assert any(before[item] in data for data in after.values())

    assert lines.run("reindex", "--drop").status == 0
    assert vectors(lines) == {}
