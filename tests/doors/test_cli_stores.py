"""Stores that are missing, cannot be written, cannot be read, or were made by a newer onrecord."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING, Final

import apsw
import pytest

from commandline import SCRIPT, Answer, CommandLine
from harness import needs

if TYPE_CHECKING:
    from pathlib import Path

READING: Final = {
    "recall": ("recall", "setup_db"),
    "list": ("list",),
    "status": ("status",),
    "scopes": ("scopes",),
    "log": ("log",),
    "review": ("review",),
    "why": ("why",),
    "sessions": ("sessions",),
    "handoffs": ("handoffs",),
    "pack": ("pack",),
    "policy": ("policy",),
    "path": ("path",),
}
#: Commands about one thing that is not there.
ABOUT_ONE: Final = {
    "show": ("show", "ABCDEF"),
    "history": ("history", "ABCDEF"),
    "edit": ("edit", "ABCDEF", "--text", "x"),
    "forget": ("forget", "ABCDEF"),
    "archive": ("archive", "ABCDEF"),
    "approve": ("approve", "ABCDEF"),
    "reject": ("reject", "ABCDEF", "--reason", "wrong"),
    "undo": ("undo",),
    "handoffs ack": ("handoffs", "ack", "ABCDEF"),
}


#: Commands that a person can give before there is anything: what they type, and keys.
FIRST: Final[dict[str, tuple[tuple[str, ...], list[tuple[str, str]]]]] = {
    "remember": (("Use tabs",), []),
    "remind": (("add", "Renew the pass"), []),
    "rules": (("add", "Never push unasked"), [("[y/n]", "y")]),
    "handoff": (("--next", "the gate"), []),
    "off": ((), []),
    "policy": (("none",), [("[y/n]", "y")]),
    "files": (("enable",), [("[y/n]", "y")]),
    "scopes": (("alias", "project:fare", "project:fares"), []),
}


@pytest.fixture
def lines(tmp_path: Path) -> CommandLine:
    """A place without a store."""
    return CommandLine(tmp_path)


def everything(folder: Path) -> set[str]:
    """Names of all files below a folder."""
    return {str(path.relative_to(folder)) for path in folder.rglob("*")}


@pytest.mark.parametrize("name", READING)
def test_reading_without_a_store_answers_and_makes_none(lines: CommandLine, name: str) -> None:
    """As text and as JSON, for a person and for a script; nothing is left behind."""
    text = lines.run(*READING[name])
    shape = lines.run(*READING[name], "--json")
    script = lines.run(*READING[name], around=SCRIPT)

    assert (text.status, shape.status) == (0, 0)
    assert text.out
    assert isinstance(shape.json, dict)
    assert script.status == (1 if name == "log" else 0)
    assert everything(lines.home) == set()


@pytest.mark.parametrize("name", ABOUT_ONE)
def test_what_is_about_one_memory_says_that_there_is_none(lines: CommandLine, name: str) -> None:
    """Not found, and no store is made for it."""
    answer = lines.run(*ABOUT_ONE[name])

    assert answer.status == 1
    assert "(not_found)" in answer.err
    assert everything(lines.home) == set()


def test_nothing_on_record_is_said_plainly(lines: CommandLine) -> None:
    """A recall tells an empty store from one in which nothing fits."""
    before = lines.run("recall", "setup_db")
    lines.remember("The gate opens at six")
    after = lines.run("recall", "zeppelin")

    assert before.out == "Nothing is on record yet.\n"
    assert after.out == "Nothing relevant is on record here.\n"


@pytest.mark.parametrize("words", [("check",), ("doctor",)])
def test_a_missing_store_is_not_called_sound(lines: CommandLine, words: tuple[str, ...]) -> None:
    """What examines the store says that there is none."""
    answer = lines.run(*words)

    assert answer.status in (1, 5)
    assert "store.missing" in answer.out + answer.err
    assert not lines.store.exists()


def test_writing_makes_the_store(lines: CommandLine) -> None:
    """The first memory brings the store, for its owner alone; named ones are apart."""
    lines.remember("The gate opens at six")
    lines.run("remember", "Only a trial", "--store", "trial")

    assert oct(lines.store.stat().st_mode)[-3:] == "600"
    for words in (("--store", "trial", "list"), ("list", "--store", "trial"), ("list", "--json")):
        told = lines.run(*words).out
        assert ("Only a trial" in told) == ("trial" in words)
        assert ("The gate opens" in told) == ("trial" not in words)


def test_options_may_stand_before_the_command(lines: CommandLine) -> None:
    """`--json`, `--store` and `--db` mean the same on both sides."""
    lines.run("remember", "Only a trial", "--store", "trial")
    path = lines.run("path", "--store", "trial").out.strip()
    wanted = lines.run("list", "--store", "trial", "--json").out

    assert "Only a trial" in wanted
    for words in (
        ("--json", "--store", "trial", "list"),
        ("--store=trial", "list", "--json"),
        ("--db", path, "--json", "list"),
        ("list", f"--db={path}", "--json"),
    ):
        assert lines.run(*words).out == wanted


def without_override() -> list[str]:
    """A command before a command that takes away root's way past permissions."""
    if os.geteuid() != 0:
        return []
    program = needs.program("setpriv", "install it (util-linux)")
    taken = "-dac_override,-dac_read_search"
    return [program, f"--bounding-set={taken}", f"--inh-caps={taken}"]


def run_without_override(lines: CommandLine, *words: str) -> Answer:
    """Run a command that obeys the permissions of files, whoever runs the tests."""
    out, err = lines.home / "out", lines.home / "err"
    line = 'exec "$@" >"$OUT" 2>"$ERR"'
    lines.people.env |= {"OUT": str(out), "ERR": str(err)}
    ended = lines.people.run(["sh", "-c", line, "sh", *without_override(), "onrecord", *words])
    return Answer(
        out=out.read_text(encoding="utf-8"),
        err=err.read_text(encoding="utf-8"),
        status=ended.exit_code,
    )


def test_a_store_that_cannot_be_written_is_still_read(lines: CommandLine) -> None:
    """Every reading command works; writing says what is wrong; the check does what it can."""
    item = lines.remember("Run bin/setup_db before specs")
    folder = lines.store.parent
    for path in folder.iterdir():
        path.chmod(0o400)
    folder.chmod(0o500)
    try:
        read = {name: run_without_override(lines, *words) for name, words in READING.items()}
        shown = run_without_override(lines, "show", item)
        checked = run_without_override(lines, "check")
        wrote = run_without_override(lines, "remember", "The gate opens at six")
    finally:
        folder.chmod(0o700)

    assert {name: answer.err for name, answer in read.items()} == dict.fromkeys(READING, "")
    assert "Run bin/setup_db" in read["recall"].out
    assert "Run bin/setup_db" in read["pack"].out
    assert "Run bin/setup_db" in shown.out
    assert checked.out.startswith("Sound")
    assert wrote.status == 5
    assert "(store.read_only)" in wrote.err


def test_a_store_of_a_newer_onrecord_is_not_written(lines: CommandLine) -> None:
    """It says who made it, and to upgrade; nothing in the file changes."""
    lines.remember("Run bin/setup_db before specs")
    with apsw.Connection(str(lines.store)) as connection:
        connection.execute("PRAGMA user_version = 9999")
        connection.execute("UPDATE meta SET value = '9999' WHERE name LIKE 'min_%'")
    connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
    connection.close()
    before = lines.store.read_bytes()
    answers = [lines.run(*words) for words in (("list",), ("remember", "x y z"), ("check",))]

    for answer in answers:
        assert answer.status == 5
        assert "(store.newer)" in answer.err
    assert lines.store.read_bytes() == before


@pytest.mark.parametrize("content", [b"not a database at all\n" * 400, b"\0" * 9000])
def test_a_file_that_is_no_store_is_left_alone(lines: CommandLine, content: bytes) -> None:
    """Every command says so, and `check` does not send one in a circle."""
    lines.store.parent.mkdir(parents=True)
    lines.store.parent.chmod(0o700)
    lines.store.write_bytes(content)
    lines.store.chmod(0o600)
    answers = {
        words[0]: lines.run(*words) for words in (("list",), ("remember", "x y z"), ("check",))
    }

    for answer in answers.values():
        assert answer.status == 5
        assert "(store.corrupt)" in answer.err
        assert "Traceback" not in answer.err
    assert "no store of onrecord" in answers["list"].err
    assert "Copies" in answers["check"].err
    assert lines.store.read_bytes() == content


def test_a_damaged_store_is_not_called_sound(lines: CommandLine) -> None:
    """A flipped byte in a stored text is found, and the memory is not shown as it is now."""
    item = lines.remember("Run bin/setup_db before specs")
    with apsw.Connection(str(lines.store)) as connection:
        connection.execute("DROP TRIGGER IF EXISTS versions_immutable")
        connection.execute("PRAGMA writable_schema = OFF")
    connection.close()
    raw = lines.store.read_bytes()
    assert raw.count(b"Run bin/setup_db before specs") > 0
    lines.store.write_bytes(raw.replace(b"Run bin/setup_db before", b"Run bin/setup_dB before"))
    checked = lines.run("check")
    shown = lines.run("show", item)

    assert checked.status == 5
    assert "Sound" not in checked.out
    assert shown.status == 5
    assert "(store.corrupt)" in shown.err


def test_a_store_without_its_key_is_read_and_not_written(lines: CommandLine) -> None:
    """Without the key nothing can be recognised again, so nothing is kept; the check says so."""
    lines.remember("Run bin/setup_db before specs")
    shutil.move(f"{lines.store}.keys", lines.home / "keys")
    read, wrote = lines.run("list"), lines.run("remember", "x y z")
    checked = lines.run("check")

    assert "setup_db" in read.out
    assert (wrote.status, checked.status) == (5, 5)
    assert "(store.key)" in wrote.err
    assert "key" in checked.out


@pytest.mark.parametrize("path", ["/dev/null", "/proc/x.db", "."])
def test_paths_that_no_store_can_be_at(lines: CommandLine, path: str) -> None:
    """The path is named, and nothing is made there."""
    answer = lines.run("remember", "x y z", "--db", path)

    assert answer.status == 5
    assert "(store" in answer.err
    assert len(answer.err.splitlines()) >= 2


@pytest.mark.parametrize("name", FIRST)
def test_what_is_answered_as_done_is_kept(lines: CommandLine, name: str) -> None:
    """The first command ever makes the store, and what it did is in the log there."""
    words, keys = FIRST[name]
    said = lines.person(name, *words, keys=keys)

    assert said.exit_code == 0, said.text
    assert lines.store.exists()
    assert lines.run("log", "--json").json["events"] != []
