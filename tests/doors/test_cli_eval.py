"""How well recall finds, measured from the command line."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from commandline import CommandLine

if TYPE_CHECKING:
    from pathlib import Path

ITEM: dict[str, Any] = {
    "id": "gate",
    "scope": "global",
    "kind": "fact",
    "title": "The gate opens at six",
    "body": "",
    "tags": [],
    "author": "ada",
    "created_at": "2024-01-01",
    "valid_from": None,
    "valid_to": None,
    "status": "active",
    "supersedes": None,
}
QUERY: dict[str, Any] = {
    "id": "1",
    "class": "keyword",
    "text": "gate",
    "ladder": ["global"],
    "as_of": None,
    "valid_at": None,
    "relevant": {"gate": 2},
    "forbidden": [],
    "note": "",
}


@pytest.fixture
def lines(tmp_path: Path) -> CommandLine:
    """A place with a small corpus in it."""
    made = CommandLine(tmp_path)
    folder = made.home / "corpus"
    folder.mkdir(parents=True)
    (folder / "items.jsonl").write_text(json.dumps(ITEM), encoding="utf-8")
    (folder / "queries.jsonl").write_text(json.dumps(QUERY), encoding="utf-8")
    return made


def test_a_table_shows_each_class(lines: CommandLine) -> None:
    """With the whole below; and the caller's own store is not touched, nor made."""
    done = lines.run("eval", "retrieval", "--data", str(lines.home / "corpus"))

    assert done.status == 0
    rows = [line.split() for line in done.out.splitlines()]
    assert ["keyword", "1", *["1.000"] * 5, "0"] in rows
    assert ["ALL", "1", *["1.000"] * 5, "0"] in rows
    assert not lines.store.exists()


def test_results_go_to_a_file_question_by_question(lines: CommandLine) -> None:
    """JSON on the screen is the sums; the file has every question too."""
    out = lines.home / "result.json"
    done = lines.run(
        "eval", "retrieval", "--data", str(lines.home / "corpus"), "--out", str(out), "--json"
    )
    kept = json.loads(out.read_text(encoding="utf-8"))

    assert done.json["overall"]["recall_at_5"] == 1.0
    assert "questions" not in done.json
    assert [row["got"] for row in kept.pop("questions")] == [["gate"]]
    assert kept == done.json


@pytest.mark.parametrize("words", [["-k", "0"], ["-k", "21"], ["--format", "locomo"]])
def test_what_cannot_be_measured_is_told(lines: CommandLine, words: list[str]) -> None:
    """With status 2, and nothing measured."""
    done = lines.run("eval", "retrieval", "--data", str(lines.home / "corpus"), *words)

    assert (done.status, done.out) == (2, "")
    assert "(usage)" in done.err
    assert "Nothing was measured" in done.err


def test_a_file_that_cannot_be_written_is_told(lines: CommandLine) -> None:
    """The measurement is lost with it, and that is said."""
    data = str(lines.home / "corpus")
    done = lines.run("eval", "retrieval", "--data", data, "--out", str(lines.home))

    assert (done.status, done.out) == (2, "")
    assert "nothing was written" in done.err


def test_a_path_that_is_not_there_is_told_so(lines: CommandLine) -> None:
    """And not as a corpus of an unknown format, which a folder without one is."""
    missing = lines.run("eval", "retrieval", "--data", str(lines.home / "nowhere"))
    other = lines.run("eval", "retrieval", "--data", str(lines.repo))

    assert (missing.status, other.status) == (2, 2)
    assert "There is no such path" in missing.err
    assert str(lines.home / "nowhere") in missing.err
    assert "not a corpus" in other.err
