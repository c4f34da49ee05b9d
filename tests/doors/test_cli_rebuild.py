"""The index of words made anew from the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING

import apsw
import pytest

from commandline import SCRIPT, CommandLine
from harness.surroundings import SHELL_TOOL

if TYPE_CHECKING:
    from pathlib import Path

    from harness.surroundings import Surroundings


@pytest.fixture
def lines(tmp_path: Path) -> CommandLine:
    """A place with a memory whose words are not in the index."""
    made = CommandLine(tmp_path)
    made.remember("The gate opens at six in the morning")
    connection = apsw.Connection(str(made.store))
    connection.execute("DELETE FROM document_index_data WHERE id > 10")
    connection.close()
    return made


def test_a_harmed_index_is_told_and_mended(lines: CommandLine) -> None:
    """A check is sound again, and the memory is found."""
    before = lines.run("check")

    done = lines.run("rebuild")

    assert before.status == 5
    assert "the lexical index differs" in before.out
    assert (done.status, done.out) == (0, "Made anew: 1 memory in 1 version.\n")
    assert lines.run("check").status == 0
    assert "The gate opens at six" in lines.run("recall", "gate").out
    assert lines.run("log", "--limit", "1", "--json").json["events"][0]["action"] == "rebuilt"
    shape = lines.run("rebuild", "--json").json
    assert (shape["items"], shape["documents"]) == (1, 1)


@pytest.mark.parametrize("around", [SCRIPT, SHELL_TOOL["claude-plain"]])
def test_only_a_person_rebuilds(lines: CommandLine, around: Surroundings) -> None:
    """The index stays as it is."""
    answer = lines.run("rebuild", "--json", around=around)

    assert answer.status == 4
    assert answer.error["code"] == "person.required"
    assert lines.run("check").status == 5


def test_there_must_be_a_store(tmp_path: Path) -> None:
    """None is made to be rebuilt."""
    lines = CommandLine(tmp_path)

    assert lines.run("rebuild").status == 5
    assert not lines.store.exists()
