"""What a command says of a slip or of what nobody would expect: which it is, and what to do."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from onrecord.doors.cli import main, streams

if TYPE_CHECKING:
    from pathlib import Path


TOKEN = "ghp_" + "wQ7vK2mZx9LrT4bN8cYpJ6sHdF3gA1eUoI5k"


class Line:
    """`onrecord` in this process, in a home of its own; nobody sits at it."""

    def __init__(self, home: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.home = home
        self._capsys = capsys

    def run(self, *words: str) -> tuple[int, str, str]:
        """Status, what was said, and what was complained of."""
        self._capsys.readouterr()
        status = main.run(list(words))
        streams.finish()
        told = self._capsys.readouterr()
        return status, told.out, told.err

    def json(self, *words: str) -> Any:
        """What a command answers as JSON."""
        return json.loads(self.run(*words, "--json")[1])

    def configure(self, text: str | bytes) -> Path:
        """Write the user's configuration file."""
        path = self.home / ".config" / "onrecord" / "config.toml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return path


@pytest.fixture
def line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Line:
    """A home with nothing in it."""
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "ONRECORD_DB", "ONRECORD_CONFIG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    return Line(tmp_path, capsys)


@pytest.mark.parametrize("words", [("nosuch.md",), ("markdown", "nosuch.md"), ("nosuch.jsonl",)])
def test_an_import_of_no_file_says_that_there_is_none(line: Line, words: tuple[str, ...]) -> None:
    """It is neither a format that nobody knows nor a file with nothing in it."""
    status, _, told = line.run("import", *words, "--dry-run")

    assert status == 1
    assert "There is no file or folder at that path. (not_found)" in told
    assert words[-1] in told


@pytest.mark.parametrize(
    ("text", "at", "why"),
    [
        ("a = 1\nstore = \n", 2, "invalid value"),
        ("[files]\nb\n", 2, "expected '=' after a key in a key/value pair"),
        ("a = 1\n[semantic\n", 2, "expected ']'"),
        ('a = """x\n\n', 2, "unterminated string"),
        (b"a = 1\nb = '\xff'\n", 2, "it is not UTF-8"),
    ],
)
def test_a_broken_configuration_is_told_with_its_line(
    line: Line, text: str | bytes, at: int, why: str
) -> None:
    """The code is the documented one; file, line and reason are named, and nothing of the text."""
    path = line.configure(text)

    for command in ("status", "config", "list"):
        status, _, told = line.run(command)
        assert status == 1
        assert f"line {at}: " in told
        assert "(config.invalid)" in told
        assert str(path) in told
        assert why in told


def test_a_broken_configuration_shows_nothing_of_its_text(line: Line) -> None:
    """A name that stands twice may be a secret pasted in the wrong place."""
    line.configure("x = {hunter2hunter2 = 1, hunter2hunter2 = 2}\n")

    status, _, told = line.run("status")

    assert status == 1
    assert "config.invalid" in told
    assert "hunter2" not in told


def test_the_configuration_is_told_whole_and_without_secrets(line: Line) -> None:
    """Every table that is read is there, word by word, with the file that it stands in."""
    path = line.configure(
        f'[summaries]\ncommand = ["my-summariser", "--token={TOKEN}"]\n'
        '[semantic]\nmodel = "none"\n[semantic.models.mine]\nonnx = "/m.onnx"\ntokenizer = "/t"\n'
        '[files]\nmore = ["notes.md"]\n'
    )

    told = {row["name"]: row for row in line.json("config")["settings"]}

    assert told["semantic.model"] == {
        "name": "semantic.model",
        "value": '"none"',
        "from": str(path),
    }
    assert told["semantic.models.mine.onnx"]["value"] == '"/m.onnx"'
    assert told["files.more"]["value"] == '["notes.md"]'
    assert "my-summariser" in told["summaries.command"]["value"]
    assert "ghp_" not in json.dumps(told)


def test_what_counts_later_says_from_when(line: Line) -> None:
    """The answer, the list and the history say it; what counts already is not marked."""
    status, told, _ = line.run("remember", "The new gate opens", "--valid-from", "2127-01-01")
    assert (status, "It counts from 2127-01-01; until then" in told) == (0, True)
    status, told, _ = line.run("remember", "The old gate is open", "--valid-from", "2020-01-01")
    assert "It counts from" not in told

    rows = line.run("list", "--status", "active", "--status", "proposed")[1].splitlines()

    assert sum("from 2127-01-01" in row for row in rows) == 1
    assert not any("from 2020-01-01" in row for row in rows)
    item = next(i for i in line.json("list")["items"] if i["title"] == "The new gate opens")
    assert "valid: 2127-01-01 to no known end" in line.run("history", item["id"])[1]
    assert "no known start" not in line.run("history", item["id"])[1]


def test_a_handoff_is_not_kept_as_a_memory(line: Line) -> None:
    """The command for it is named, and nothing is kept."""
    status, _, told = line.run("remember", "Use black", "--kind", "handoff")

    assert status == 1
    assert "onrecord handoff" in told
    assert "(shape.kind)" in told
    assert line.json("list")["items"] == []


def test_a_store_that_is_not_there_is_told_from_an_empty_one(line: Line) -> None:
    """A slip in a name gets the nearest ones, whatever was asked of it."""
    assert line.run("list")[1:] == ("Nothing is on record yet.\n", "")
    line.run("remember", "Use pnpm", "--store", "trial")

    for words in (("recall", "pnpm"), ("stats",), ("scopes",), ("list",), ("sessions",)):
        told = line.run(*words, "--store", "trail")[2]
        assert told == "onrecord: there is no store named `trail`\n  Did you mean trial?\n", words
        assert line.run(*words, "--store", "trial")[2] == ""
        assert line.run(*words, "--store", "trail", "--json")[2] == ""
    assert "`onrecord path --all`" in line.run("list", "--store", "nosuch")[2]
    assert "Did you mean trial?" in line.run("check", "--store", "trail")[2]


def test_nobody_is_asked_where_no_summariser_is(line: Line) -> None:
    """Nothing says that it is asked when nothing is configured."""
    status, out, told = line.run("summarize")

    assert status != 0
    assert "asking" not in out + told


def test_a_connect_that_finds_nothing_says_what_counts(
    line: Line, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The hint is another command than the one just typed, and the PATH is named."""
    monkeypatch.setenv("PATH", str(line.home))
    _, _, told = line.run("connect", "--all", "--dry-run")
    assert "PATH" in told
    assert "--all" not in told.splitlines()[1]

    _, _, told = line.run("connect", "--remove")
    assert "take our entries out" in told
    assert "--all --remove" in told


def test_words_that_do_not_go_with_a_dropped_index_are_named(line: Line) -> None:
    """`none` is not blamed on a file that is not there."""
    assert (
        "--drop goes without --model and --redo."
        in line.run("reindex", "--drop", "--model", "none")[2]
    )
    told = line.run("reindex", "--model", "none")[2]
    assert "`none` is no model" in told
    assert "[semantic]" not in told


def test_limits_are_told_in_units_that_people_have(line: Line) -> None:
    """A year is days, and an age is no time to live."""
    assert "1 s to 365 days" in "".join(
        line.run("remember", "Use pnpm here", "--ttl", "9999d")[1:]
    )
    assert "A time is written like 90s" in line.run("groom", "--unused", "1x", "--dry-run")[2]


def test_the_weeks_of_growth_are_named(line: Line) -> None:
    """Each number stands beside the day that its week begins with."""
    line.run("remember", "The gate port is 5432")
    rows = line.run("stats")[1].partition("the earliest first:\n")[2].splitlines()[:8]

    assert all(row.startswith("  from 2") for row in rows)
    assert rows == sorted(rows)


def test_ids_go_without_words_that_choose_by_themselves(line: Line) -> None:
    """All of those words are named."""
    line.run("remember", "The gate port is 5432")
    told = line.run("forget", "ABCDEF", "--scope", "global")[2]

    assert all(
        word in told for word in ("--scope", "--since", "--session", "--source", "--everything")
    )
