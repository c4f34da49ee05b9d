"""Verbs on the whole store have their one event each, too, and reading has none."""

from __future__ import annotations

import json
from contextlib import closing
from typing import TYPE_CHECKING, Final

import apsw
import pytest

from commandline import CommandLine

if TYPE_CHECKING:
    from pathlib import Path

YES: Final = [("[y/n]", "y")]

#: verb -> (the command, the keys that are typed, the actions of its lines in order)
VERBS: Final[dict[str, tuple[tuple[str, ...], list[tuple[str, str]], list[str]]]] = {
    "rebuild": (("rebuild",), [], ["rebuilt"]),
    "rotate-key": (("rotate-key",), YES, ["key_rotated"]),
    "restore-backup": (("restore-backup", "{copy}"), YES, ["backup_restored"]),
    "import": (("import", "jsonl", "{file}"), [], ["proposed", "imported"]),
    "undo an import": (("undo",), YES, ["undone", "import_undone"]),
}
#: Those that read the store, and write elsewhere or nothing.
READING: Final = (
    ("backup",),
    ("export",),
    ("check", "--audit"),
    ("log",),
    ("import", "jsonl", "{file}", "--dry-run"),
    ("recall", "gate"),
)


@pytest.fixture
def lines(tmp_path: Path) -> CommandLine:
    """A place with a memory, a copy of it, and a file to be taken in."""
    made = CommandLine(tmp_path)
    made.remember("The gate opens at six", "--scope", "repo")
    rows = [
        {"onrecord": "export", "version": 1, "items": 1},
        {"title": "Zones are counted from the harbour", "scope": "repo"},
    ]
    text = "".join(f"{json.dumps(row)}\n" for row in rows)
    (tmp_path / "more.jsonl").write_text(text, encoding="utf-8")
    return made


def given(word: str, lines: CommandLine) -> str:
    """A word of a command line with its paths."""
    file = lines.home.parent / "more.jsonl"
    return word.format(copy=lines.home / "copy.db", file=file)


def logged(lines: CommandLine) -> list[str]:
    """The actions of the log, first to last."""
    events = lines.run("log", "--limit", "200", "--json").json["events"]
    return [event["action"] for event in reversed(events)]


@pytest.mark.parametrize("verb", VERBS)
def test_audit_every_change_has_its_event_on_the_whole_store(
    lines: CommandLine, verb: str
) -> None:
    """Exactly its lines, and the chain and every row hold afterwards."""
    words, keys, actions = VERBS[verb]
    if verb == "restore-backup":
        assert lines.run("backup", str(lines.home / "copy.db")).status == 0
    if verb == "undo an import":
        assert lines.run("import", "jsonl", given("{file}", lines)).status == 0
    before = logged(lines)
    done = lines.run(*(given(word, lines) for word in words), keys=keys)
    after = logged(lines)

    assert done.status == 0, done
    assert after[: len(before)] == before
    assert after[len(before) :] == actions
    assert lines.run("check", "--audit").status == 0


def test_audit_every_change_has_its_event_and_no_reading_has(lines: CommandLine) -> None:
    """Nothing is put on record where nothing was changed."""
    before = logged(lines)
    for words in READING:
        assert lines.run(*(given(word, lines) for word in words)).status == 0, words

    assert logged(lines) == before


@pytest.mark.parametrize("verb", ["rebuild", "rotate-key", "import"])
def test_audit_an_unwritable_event_refuses_a_change_of_the_whole_store(
    lines: CommandLine, verb: str
) -> None:
    """Where the line cannot be written nothing is changed, the keys neither."""
    words, keys, _ = VERBS[verb]
    ring = lines.store.with_name(lines.store.name + ".keys")
    listed, secret = lines.run("list", "--all", "--json").json["items"], ring.read_bytes()
    with closing(apsw.Connection(str(lines.store))) as file:
        file.execute(
            "CREATE TRIGGER no_more BEFORE INSERT ON events BEGIN SELECT RAISE(ABORT, 'no'); END"
        )
    failed = lines.run(*(given(word, lines) for word in words), keys=keys)
    with closing(apsw.Connection(str(lines.store))) as file:
        file.execute("DROP TRIGGER no_more")
    kept, same = lines.run("list", "--all", "--json").json["items"], ring.read_bytes()
    done = lines.run(*(given(word, lines) for word in words), keys=keys)

    assert failed.status == 5, failed
    assert (kept, same) == (listed, secret)
    assert done.status == 0, done
