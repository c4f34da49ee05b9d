"""What holds for each command of the registry: JSON, exit statuses, a look before taking away."""

from __future__ import annotations

import importlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import pytest

from commandline import CommandLine
from onrecord.doors.cli import main, streams
from onrecord.doors.cli.command import parser_of
from onrecord.doors.cli.registry import ALIASES, COMMANDS
from onrecord.doors.errors import TABLE

if TYPE_CHECKING:
    from pathlib import Path

#: Commands -> words that are tried where there is no store and nobody at a terminal.
WORDS: Final[dict[str, str]] = {
    "remember": "Use tabs", "edit": "ABCDEF --text x", "forget": "ABCDEF --dry-run",
    "undo": "", "archive": "ABCDEF", "restore": "ABCDEF", "pin": "ABCDEF", "unpin": "ABCDEF",
    "verify": "ABCDEF", "dispute": "ABCDEF", "feedback": "ABCDEF stale", "off": "", "on": "",
    "remind": "", "rules": "", "policy": "", "files": "", "status": "",
    "recall": "tabs", "list": "", "show": "ABCDEF",
    "history": "ABCDEF", "diff": "ABCDEF", "why": "", "scopes": "", "stats": "", "log": "",
    "review": "", "approve": "ABCDEF", "reject": "ABCDEF --reason wrong", "conflicts": "",
    "connect": "codex --dry-run", "doctor": "codex", "pack": "", "sessions": "",
    "handoff": "--next fix", "handoffs": "", "resume": "", "summarize": "", "lint": "",
    "groom": "--dry-run", "dedupe": "--dry-run", "purge": "--dry-run", "sweep": "--dry-run",
    "check": "", "rebuild": "", "rotate-key": "", "reindex": "--dry-run", "backup": "",
    "restore-backup": "nosuch.db", "path": "", "config": "", "completion": "bash",
    "export": "", "import": "nosuch.jsonl", "eval": "governance --checkout .", "mirror": "",
}  # fmt: skip

#: Commands without JSON of ours: what they say is another program's protocol.
PROTOCOLS: Final = {"mcp", "hook"}
#: Too long for here: tests/e2e and benchmarks play it.
LONG: Final = {"demo"}

#: Commands that take something away, or write over it: each shows first what it would do.
DESTRUCTIVE: Final = {
    *("forget", "undo", "archive", "reject", "scopes", "purge", "groom", "dedupe", "sweep"),
    *("restore-backup", "reindex", "mirror", "import", "connect", "doctor", "files", "summarize"),
    *("restore", "pin", "unpin", "verify", "dispute"),
}
#: Commands that change something and need no look before, each with the reason.
HARMLESS: Final[dict[str, str]] = {
    **dict.fromkeys(("remember", "edit", "remind", "rules", "off", "on"), "undo takes it back"),
    **dict.fromkeys(
        ("policy", "approve", "handoff", "handoffs", "feedback"), "undo takes it back"
    ),
    **dict.fromkeys(("review", "conflicts"), "each is shown, and a key decides"),
    "resume": "starts an agent, after a key",
    "rebuild": "what it makes anew is derived",
    "rotate-key": "earlier keys are kept and go on counting",
    **dict.fromkeys(("backup", "export"), "writes a new file, never over another"),
    "demo": "works in a throw-away home",
}
READING: Final = {
    *("status", "recall", "list", "show", "history", "diff", "why", "stats", "log", "pack"),
    *("sessions", "mcp", "hook", "lint", "check", "path", "config", "completion", "eval"),
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Said:
    """What one command line came to."""

    status: int
    out: str
    err: str


class InProcess:
    """`onrecord` in this process, in a home of its own."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def run(self, *words: str) -> Said:
        """One command line."""
        self._capsys.readouterr()
        status = main.run(list(words))
        streams.finish()
        told = self._capsys.readouterr()
        return Said(status=status, out=told.out, err=told.err)


@pytest.fixture
def here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> InProcess:
    """An empty home, and a folder that is no repository."""
    for name in ("ONRECORD_DB", "ONRECORD_CONFIG", "XDG_CONFIG_HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    return InProcess(capsys)


def test_every_command_is_named_here() -> None:
    """A new one is sorted by what it does, or this is red."""
    assert set(WORDS) | PROTOCOLS | LONG == set(COMMANDS)
    assert DESTRUCTIVE | set(HARMLESS) | READING == set(COMMANDS)
    assert len(DESTRUCTIVE) + len(HARMLESS) + len(READING) == len(COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_what_takes_something_away_can_be_looked_at_first(name: str) -> None:
    """By one name everywhere; and what only reads has no such option."""
    module = importlib.import_module(f"onrecord.doors.cli.commands.{COMMANDS[name][0]}")
    options = parser_of(name, module)._option_string_actions  # noqa: SLF001 - what argparse has

    assert ("--dry-run" in options) == (name in DESTRUCTIVE)
    assert "--json" in options


@pytest.mark.parametrize("name", WORDS)
def test_each_answers_json_or_one_line_of_it(here: InProcess, name: str) -> None:
    """One value on standard output, or one object on standard error; and a status of the table."""
    said = here.run(name, *WORDS[name].split(), "--json")

    assert said.status in {0, *(status for status, _, _ in TABLE.values())}
    assert bool(said.out) != bool(said.err)
    shape = json.loads(said.out or said.err)
    assert isinstance(shape, dict)
    if said.err:
        assert said.err.count("\n") == 1
        assert {"code", "message", "hint", "details"} == set(shape)
        assert said.status == TABLE.get(shape["code"], TABLE[shape["code"].partition(".")[0]])[0]


@pytest.mark.parametrize("name", [*COMMANDS, *ALIASES, "nosuch", "--nosuch"])
def test_words_that_cannot_be_read_end_with_2(here: InProcess, name: str) -> None:
    """As text with the way out, as JSON in one line; nothing on standard output."""
    text, shape = here.run(name, "--nosuch"), here.run(name, "--nosuch", "--json")

    assert (text.status, text.out) == (shape.status, shape.out) == (2, "")
    assert "(usage)" in text.err
    assert len(text.err.splitlines()) >= 2
    assert json.loads(shape.err)["code"] == "usage"
    assert shape.err.count("\n") == 1


def test_the_version_is_json_too(here: InProcess) -> None:
    """Asked for before or after."""
    plain = here.run("--version")

    for words in (("version", "--json"), ("--json", "version")):
        assert f"onrecord {json.loads(here.run(*words).out)['version']}\n" == plain.out


#: Commands -> words of a dry run; {a} and {b} are memories, {old} an archived one.
DRY: Final[dict[str, str]] = {
    "forget": "{a}", "undo": "", "archive": "{a}", "restore": "{old}", "pin": "{a}",
    "unpin": "{b}", "verify": "{a}", "dispute": "{a}", "reject": "{a} --reason wrong",
    "scopes": "rename repo project:gates", "purge": "--older-than 1s", "groom": "--unused 1s",
    "dedupe": "", "sweep": "", "restore-backup": "{copy}", "reindex": "--drop",
    "mirror": "{mirror}", "import": "jsonl {export}", "connect": "codex", "doctor": "--fix",
    "files": "sync",
}  # fmt: skip


def test_a_dry_run_of_each_changes_nothing(tmp_path: Path) -> None:
    """Neither in the log nor in any file of the home, whoever might do it for real."""
    lines = CommandLine(tmp_path)
    names = {
        "a": lines.remember("The gate opens at six", "--scope", "repo"),
        "b": lines.remember("Use pnpm in the web folder", "--scope", "global", "--pin"),
        "old": lines.remember("The old gate opened at five", "--scope", "repo"),
    }
    assert lines.run("archive", names["old"]).status == 0
    names |= {name: str(lines.home / name) for name in ("export", "mirror", "copy")}
    assert lines.run("export", "-o", names["export"]).status == 0
    assert lines.run("mirror", names["mirror"]).status == 0
    assert lines.run("backup", names["copy"]).status == 0
    lines.remember("The depot charges at night", "--scope", "global")
    assert lines.run("files", "enable", keys=[("[y/n]", "y")]).status == 0
    assert lines.run("status").status == 0

    def there() -> dict[str, bytes]:
        """Every file but what the engine keeps beside an open store."""
        found = (path for path in lines.home.rglob("*") if path.is_file())
        beside = ("-shm", "-wal")
        return {str(path): path.read_bytes() for path in found if not path.name.endswith(beside)}

    head = lines.run("check", "--json").json["head"]
    before = there()
    assert set(DRY) | {"summarize"} == DESTRUCTIVE  # that one asks a summariser: its own tests
    for name, words in DRY.items():
        done = lines.run(name, *words.format(**names).split(), "--dry-run", "--json")
        assert done.status in (0, 1), (name, done)
        assert json.loads(done.out or done.err), name
        after = there()
        changed = {path for path in before | after if before.get(path) != after.get(path)}
        # the doctor checks the store, which clears free pages that erasing left
        assert changed <= ({str(lines.store)} if name == "doctor" else set()), name
        before = after
    assert lines.run("check", "--json").json["head"] == head
