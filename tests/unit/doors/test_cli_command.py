"""Words of the command line, and faults that are told without a traceback."""

from __future__ import annotations

import json
import os

import pytest

from onrecord.domain.errors import NotFound, StoreUnsafe, UsageError
from onrecord.doors.cli import command
from onrecord.doors.cli.main import run


def surrogates(raw: bytes) -> str:
    """Bytes as Python hands them over where the locale cannot read them."""
    return raw.decode("ascii", "surrogateescape")


def test_words_are_utf8_whatever_the_locale_made_of_them() -> None:
    """A word that is UTF-8 is read, even where the locale is plain ASCII."""
    raw = "naïve 漢字".encode()

    assert command.decoded([surrogates(raw)]) == [os.fsencode(surrogates(raw)).decode()]


@pytest.mark.parametrize("words", [["caf\udce9"], ["--title", "caf\udce9"], ["--title=\udce9"]])
def test_a_word_that_is_not_utf8_is_refused(words: list[str]) -> None:
    """Wherever it stands."""
    with pytest.raises(UsageError, match="UTF-8"):
        command.decoded(words)


@pytest.mark.parametrize("words", [["--db", "/tmp/\udce9"], ["--db=/tmp/\udce9"]])  # noqa: S108
def test_the_path_of_a_store_may_be_any_bytes(words: list[str]) -> None:
    """A folder's name is not always UTF-8."""
    assert command.decoded(words) == words


def test_an_error_is_one_line_and_a_way_out(capsys: pytest.CaptureFixture[str]) -> None:
    """The code stands with the sentence; the hint follows; control characters are shown."""
    status = command.fail(NotFound(hint="look\nthere \x1b[2J"), as_json=False)
    told = capsys.readouterr().err.splitlines()

    assert status == 1
    assert told[0].startswith("onrecord: Nothing under that id")
    assert told[0].endswith("(not_found)")
    assert told[1:] == ["  look", "  there \\u001b[2J"]


def test_the_path_that_an_error_is_about_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    """Once: in the hint, or after it."""
    command.fail(StoreUnsafe("A link.", details={"path": "/a/b"}), as_json=False)
    command.fail(
        StoreUnsafe("Open.", hint="chmod 600 /a/b", details={"path": "/a/b"}), as_json=False
    )

    assert capsys.readouterr().err.count("/a/b") == 2


def test_a_fault_of_ours_is_told_without_what_it_worked_on(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Kind and place are enough for a report; the fault's own words may quote stored text."""
    with pytest.raises(KeyError) as caught:
        command.parser_of("nosuch", command)
    caught.value.add_note("the secret text")
    status = command.fail(caught.value, as_json=True)
    told = json.loads(capsys.readouterr().err)

    assert status == 5
    assert told["code"] == "internal"
    assert told["details"]["kind"] == "KeyError"
    assert told["details"]["at"].startswith("onrecord/doors/cli/command.py:")
    assert "secret" not in json.dumps(told)


@pytest.mark.parametrize(
    ("words", "status", "told"),
    [
        (["nosuch"], 2, "There is no command `nosuch`"),
        (["recal"], 2, "Did you mean recall?"),
        (["\x1b[31m"], 2, "`?[31m`"),
        (["help", "nosuch"], 2, "There is no command"),
        (["--store"], 2, "Say which command"),
        (["--json"], 2, "Say which command"),
        (["mcp", "--client"], 2, "usage: onrecord mcp"),
        (["mcp", "--nope", "x"], 2, "usage: onrecord mcp"),
    ],
)
def test_words_that_are_no_command(
    words: list[str], status: int, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The line says what is wrong, and what there is."""
    assert run(words) == status
    assert told in capsys.readouterr().err


@pytest.mark.parametrize("words", [[], ["help"], ["-h"], ["--help"]])
def test_help_is_an_answer(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """Asked for without a command, it is the overview, on standard output."""
    assert run(words) == 0
    assert capsys.readouterr().out.startswith("onrecord: one governed memory")


@pytest.mark.parametrize(
    "words",
    [
        ["help", "recall"],
        ["recall", "-h"],
        ["search", "--help"],
        ["help", "search"],
        ["recall", "--json", "x", "--help"],
    ],
)
def test_help_of_a_command_is_its_page(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """Whichever way it is asked for."""
    assert run(words) == 0
    assert "usage: onrecord recall [QUERY...] [options]" in capsys.readouterr().out


def test_help_of_a_topic(capsys: pytest.CaptureFixture[str]) -> None:
    """A topic explains itself."""
    assert run(["help", "exit"]) == 0
    assert "needs a person" not in capsys.readouterr().err
