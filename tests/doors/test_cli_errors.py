"""Whatever is wrong, a command ends with one clear sentence, a way out and its status."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING, Final

import pytest

from commandline import SCRIPT, CommandLine
from mcp_client import ONRECORD

if TYPE_CHECKING:
    from pathlib import Path

#: words -> (exit status, code, what stands in the sentence or the way out)
CASES: Final[dict[str, tuple[tuple[str, ...], int, str, str]]] = {
    "unknown option": (("list", "--nope"), 2, "usage", "onrecord list --help"),
    "unknown choice": (("list", "--kind", "gossip"), 2, "usage", "lesson"),
    "missing word": (("show",), 2, "usage", "required: id"),
    "dash": (("remember", "-x"), 2, "usage", "`--`"),
    "scope of another tool": (
        ("remember", "x", "--scope", "repo::acme/shop"),
        *(2, "scope.invalid", "repo:github.com/acme/shop"),
    ),
    "scope that acts": (("recall", "x", "--scope", "a\x1b[2J"), 2, "scope.invalid", "U+001B"),
    "scope that climbs": (("list", "--scope", "repo:../.."), 2, "scope.invalid", "use repo:"),
    "scope with a wildcard": (("list", "--scope", "project:*"), 2, "scope.invalid", "wildcard"),
    "endless scope": (("list", "--scope", "project:" + "a" * 600), 2, "scope.invalid", "512"),
    "no such scope here": (("list", "--scope", "project"), 2, "scope.invalid", "project:<name>"),
    "title too long": (("remember", "b", "--title", "a" * 201), 1, "shape.title_too_long", "201"),
    "empty": (("remember", ""), 1, "shape.title_missing", "title"),
    "kind": (("remember", "x", "--kind", "gossip"), 1, "shape.kind", "lesson"),
    "too many tags": (
        ("remember", "x", *("--tag=t" + str(n) for n in range(33))),
        *(1, "shape.tags_too_long", "33"),
    ),
    "key of two lines": (("remember", "x", "--key", "a\nb"), 1, "shape.key", "one line"),
    "duration": (("remember", "x", "--ttl", "soon"), 2, "usage", "30d"),
    "duration too long": (("remember", "x", "--ttl", "400d"), 1, "shape.ttl", "365 days"),
    "date": (("remember", "x", "--valid-from", "soon"), 2, "field.invalid", "2026-11-30"),
    "interval": (
        ("remember", "x", "--valid-from", "2026-02-01", "--valid-to", "2026-01-01"),
        *(1, "shape.interval", "valid_to"),
    ),
    "evidence": (("remember", "x", "--evidence", "hearsay"), 2, "usage", "KIND=POINTER"),
    "unknown evidence": (("remember", "x", "--evidence", "a=b"), 1, "shape.evidence", "file"),
    "id too short": (("show", "abc"), 1, "not_found", "4 characters"),
    "unknown id": (("show", "ZZZZZZ"), 1, "not_found", "onrecord list"),
    "id that is none": (("show", "../../etc/passwd"), 1, "not_found", "onrecord list"),
    "id of wildcards": (("show", "%%%%"), 1, "not_found", "onrecord list"),
    "endless id": (("show", "A" * 5000), 1, "not_found", "4 characters"),
    "undo of nothing": (("undo", "999"), 1, "not_found", "no change"),
    "undo of no number": (("undo", "x"), 2, "usage", "whole number"),
    "forget of nothing": (("forget",), 2, "usage", "--scope"),
    "forget of too much": (("forget", "ABCD", "--scope", "repo"), 2, "usage", "Give ids alone"),
    "no such policy": (("policy", "some"), 2, "usage", "flagged"),
    "handoff of nothing": (("handoff",), 2, "usage", "--next"),
    "claim of nothing": (("handoffs", "claim"), 2, "usage", "Say which"),
    "no such head": (("check", "--head", "12"), 2, "usage", "SEQ:HASH"),
    "two stores": (("list", "--store", "a", "--db", "b"), 2, "usage", "exclude"),
    "name of a store": (("list", "--store", "../x"), 2, "usage", "letters"),
    "why of nothing": (("why", "nosuch"), 1, "not_found", "no session"),
}


@pytest.fixture(scope="module")
def lines(tmp_path_factory: pytest.TempPathFactory) -> CommandLine:
    """A place with one memory on record."""
    made = CommandLine(tmp_path_factory.mktemp("errors"))
    made.remember("Run bin/setup_db before specs")
    return made


@pytest.mark.parametrize("name", CASES)
def test_what_is_wrong_is_told(lines: CommandLine, name: str) -> None:
    """One line with the code, then the way out; nothing on standard output, never a traceback."""
    words, status, code, told = CASES[name]
    answer = lines.run(*words)
    first, *rest = answer.err.splitlines()

    assert (answer.status, answer.out) == (status, "")
    assert first.startswith("onrecord: ")
    assert first.endswith(f"({code})")
    assert told in answer.err
    assert len(rest) <= 3
    assert "Traceback" not in answer.err
    assert "\x1b" not in answer.err


@pytest.mark.parametrize("name", ["unknown option", "unknown id", "scope of another tool"])
def test_errors_are_json_where_that_is_asked_for(lines: CommandLine, name: str) -> None:
    """The same error as one object on standard error."""
    words, status, code, _ = CASES[name]
    answer = lines.run(*words, "--json")

    assert (answer.status, answer.out) == (status, "")
    assert set(answer.error) == {"code", "message", "hint", "details"}
    assert answer.error["code"] == code


def test_nothing_that_was_wrong_is_kept(lines: CommandLine) -> None:
    """What is on record is the same as before, and the store is sound."""
    before = lines.run("list", "--json").json
    for name in ("kind", "interval", "scope of another tool", "evidence", "title too long"):
        assert lines.run(*CASES[name][0]).status
    after = lines.run("list", "--json").json

    assert before["items"]
    assert after == before
    assert lines.run("check").status == 0


def test_an_id_that_fits_several_lists_them(lines: CommandLine) -> None:
    """Each candidate stands there whole, with its title; any unique start or end is enough."""
    first = lines.remember("The gate opens at six")
    second = lines.remember("The gate closes at nine")
    common = first[: next(n for n in range(26) if first[n] != second[n])]
    answer = lines.run("show", common)

    assert answer.status == 2
    assert f"{first}  The gate opens at six" in answer.err
    assert f"{second}  The gate closes at nine" in answer.err
    for part in (first, first[-6:], first[-6:].lower(), f"m:{first[-6:]}", f"  {first}"):
        assert first in lines.run("show", part.strip(), "--json").out


def piped(lines: CommandLine, given: bytes, *words: str) -> subprocess.CompletedProcess[bytes]:
    """Run a command with bytes on its standard input."""
    return subprocess.run(
        [ONRECORD, *words],
        input=given,
        capture_output=True,
        cwd=lines.repo,
        env=lines.people.env,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (b"caf\xe9 in latin-1", b"(at byte 3)"),
        (b"\xff\xfe" + "title".encode("utf-16-le"), b"not valid UTF-8"),
        (b"a" * 70_000, b"70000 of at most 65536 bytes"),
        (b"title\n" + b"a" * 65_600, b"65600 of at most 65536 bytes"),
        (b"a\0b", b"NUL"),
        (b"", b"one-line title"),
        (b"\n\n  \n", b"one-line title"),
    ],
)
def test_text_from_standard_input_is_checked(
    lines: CommandLine, given: bytes, told: bytes
) -> None:
    """Size, encoding and content are told by number; the text itself is not repeated."""
    done = piped(lines, given, "remember", "--scope", "global")

    assert done.returncode in (1, 2)
    assert told in done.stderr
    assert b"Traceback" not in done.stderr
    assert b"caf" not in done.stderr


def test_text_from_standard_input_is_kept(lines: CommandLine) -> None:
    """The first line is the title and the rest the body; a dash means the same as nothing."""
    whole = piped(lines, "Übersicht\n\nzwei\nZeilen\n".encode(), "remember", "--json")
    dash = piped(lines, b"Said with a dash\n", "remember", "-", "--json")
    body = piped(lines, b"only the body\n", "remember", "--title", "Given apart", "--json")

    assert (whole.returncode, dash.returncode, body.returncode) == (0, 0, 0)
    assert '"title": "Übersicht"'.encode() in whole.stdout
    assert b'"body": "zwei\\nZeilen"' in whole.stdout
    assert b'"title": "Said with a dash"' in dash.stdout
    assert b'"body": "only the body"' in body.stdout


def test_words_may_be_of_any_locale(lines: CommandLine) -> None:
    """UTF-8 words come in and go out where the locale is plain ASCII; others are refused."""
    plain = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    kept = lines.run("remember", "naïve 漢字 ☃", "--json", env=plain)
    shown = lines.run("list", "--limit", "1", env=plain)
    raw = subprocess.run(
        [ONRECORD.encode(), b"remember", b"caf\xe9"],
        capture_output=True,
        env=lines.people.env,
        timeout=60,
        check=False,
    )

    assert kept.json["item"]["title"] == "naïve 漢字 ☃"
    assert "na\\xefve \\u6f22\\u5b57 \\u2603" in shown.out
    assert raw.returncode == 2
    assert b"not valid UTF-8" in raw.stderr


def test_control_characters_never_reach_a_terminal(lines: CommandLine) -> None:
    """Neither from stored text, nor from what was typed wrongly, as text or as JSON."""
    lines.remember("Colours", "--summary", "see \x1b]0;x\x07 below", "--key", "colour")
    shown = [
        lines.person(*words)
        for words in (
            ("list",),
            ("list", "--json"),
            ("recall", "Colours", "--explain"),
            ("show", "colour\x1b[2J"),
            ("log", "--json"),
            ("\x1b[31m",),
            ("list", "--\x1b[31m"),
            ("remember", "Links", "--evidence", "file=a\x9bb\x1b[31m"),
        )
    ]
    shown += [
        lines.person("show", item["id"])
        for item in lines.run("list", "--json").json["items"]
        if item["title"] == "Colours"
    ]

    assert len(shown) == 9
    for one in shown:
        acting = {byte for byte in one.raw if byte < 32 or byte == 0x7F} - {9, 10, 13}
        assert acting == set()
        assert "\x9b" not in one.text


@pytest.mark.parametrize(
    "env",
    [
        {"TERM": "dumb"},
        {"TERM": ""},
        {"NO_COLOR": "1"},
        {"COLUMNS": "20"},
        {"LANG": "tlh_QO.nothing"},
        {"PYTHONIOENCODING": "latin-1"},
    ],
    ids=str,
)
def test_odd_terminals_are_no_trouble(lines: CommandLine, env: dict[str, str]) -> None:
    """Commands read, list and help as everywhere else."""
    for words in (("list",), ("recall", "setup_db"), ("--help",), ("status",)):
        shown = lines.person(*words, env=env)
        assert shown.exit_code == 0
        assert b"\x1b" not in shown.raw


def test_a_folder_that_is_gone_is_no_trouble(lines: CommandLine, tmp_path: Path) -> None:
    """A command works from where it still can, and says so where it cannot."""
    gone = tmp_path / "gone"
    line = f"mkdir {gone}; cd {gone}; rmdir {gone}; exec onrecord"
    said = lines.people.run(["sh", "-c", f"{line} remember 'From nowhere'"])
    relative = lines.people.run(["sh", "-c", f"{line} list --db here.db"])

    assert said.exit_code == 0
    assert "in global" in said.text
    assert relative.exit_code == 2
    assert "is gone" in relative.text


def test_a_home_that_is_missing_is_no_trouble(lines: CommandLine, tmp_path: Path) -> None:
    """HOME unset, empty or relative does not put a store into the folder one stands in."""
    for setting in ("-u HOME", "HOME=", "HOME=here"):
        command = f"env {setting} XDG_CONFIG_HOME={tmp_path} onrecord path"
        said = lines.people.run(["sh", "-c", command])

        assert said.exit_code == 0
        assert said.text.startswith("/")
        assert str(lines.repo) not in said.text


def test_a_configuration_that_cannot_be_read_is_told(lines: CommandLine, tmp_path: Path) -> None:
    """The file is named, not quoted."""
    broken = tmp_path / "config.toml"
    broken.write_text("store = [", encoding="utf-8")
    answer = lines.run("list", env={"ONRECORD_CONFIG": str(broken)})

    assert answer.status == 1
    assert "config.invalid" in answer.err
    assert str(broken) in answer.err


def test_a_script_is_told_the_same(lines: CommandLine) -> None:
    """Errors do not depend on a terminal."""
    answer = lines.run("list", "--nope", around=SCRIPT)

    assert (answer.status, answer.out) == (2, "")
    assert answer.err.startswith("onrecord: Unrecognized arguments")
