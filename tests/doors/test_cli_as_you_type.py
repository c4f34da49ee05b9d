"""`onrecord recall` without words is a field that finds with every letter, for a person alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from commandline import SCRIPT, CommandLine
from harness.surroundings import SHELL_TOOL
from harness.terminal import Person

if TYPE_CHECKING:
    from pathlib import Path

    from harness.surroundings import Surroundings

FIELD = ["onrecord", "recall"]


@pytest.fixture
def lines(tmp_path: Path) -> CommandLine:
    """A place with a few memories."""
    made = CommandLine(tmp_path)
    made.remember("Kiosk printers need paper", "--scope", "global", "--kind", "fact")
    made.remember("The kiosk certificates rotate every 45 days", "--scope", "global")
    made.remember("終電の表記を統一する", "--scope", "global")
    return made


def person(lines: CommandLine) -> Person:
    """Someone at a terminal there."""
    return Person(lines.home, cwd=lines.people.cwd)


def test_what_is_typed_is_found_chosen_and_shown(lines: CommandLine) -> None:
    """By the first letters, then by more; arrows choose, and Enter shows the memory whole."""
    printers = lines.remember("Kiosk printers need paper", "--scope", "global")
    with person(lines).open(FIELD) as terminal:
        terminal.see("type three letters or more")
        terminal.type("ki")
        terminal.see("find: ki")
        assert "printers" not in terminal.screen
        terminal.type("o")
        terminal.see("printers")
        terminal.see("certificates")
        terminal.type("sk certif")
        terminal.see("find: kiosk certif")
        terminal.see_gone("> " + printers[-6:])
        terminal.type("\x15kiosk")
        terminal.see("find: kiosk\n")
        chosen = next(line for line in terminal.screen.splitlines() if line.startswith("> "))
        other = "certificates" if "printers" in chosen else "printers"
        terminal.type("\x1b[B")
        terminal.see_gone(chosen)
        terminal.type("\r")
        ended = terminal.wait()

    assert ended.exit_code == 0
    assert f"{other}" in terminal.screen
    assert "version 1 by" in terminal.screen
    assert "find:" not in terminal.screen


def test_a_word_of_another_script_and_nothing(lines: CommandLine) -> None:
    """One sign is enough there; what nothing fits is said, and taken back by the key for it.

    Keys that mean nothing here do nothing, and Esc by itself leaves.
    """
    with person(lines).open(FIELD) as terminal:
        terminal.see("find:")
        terminal.type("終")
        terminal.see("終電の表記")
        terminal.type("\x7fwzqx")
        terminal.see("nothing here fits wzqx")
        terminal.type("\x17")
        terminal.see("Esc leaves")
        for key in ("\x1b[D", "\x1bOH", "\x1b[3~", "\x1bb", "\x1b[1;5C"):
            terminal.type(key)
        terminal.type("終")
        terminal.see("終電の表記")
        terminal.type("\x1b")
        ended = terminal.wait()

    assert ended.exit_code == 0
    assert terminal.screen.strip() == ""


def test_it_is_narrowed_by_scope_and_kind(lines: CommandLine) -> None:
    """And nothing outside of them comes up."""
    with person(lines).open([*FIELD, "--kind", "fact"]) as terminal:
        terminal.see("find:")
        terminal.type("kiosk")
        terminal.see("printers")
        assert "certificates" not in terminal.screen
        terminal.type("\x03")
        ended = terminal.wait()

    assert ended.exit_code == 130


@pytest.mark.parametrize("around", [SCRIPT, SHELL_TOOL["claude-plain"]])
def test_others_have_to_say_what_they_look_for(lines: CommandLine, around: Surroundings) -> None:
    """As has a person who narrows by what needs the whole of the words, or wants JSON."""
    for words in (("recall",), ("recall", "--json")):
        answer = lines.run(*words, around=around)
        assert (answer.status, "what to look for" in answer.err) == (2, True)
    told = lines.person("recall", "--tag", "x")
    assert (told.exit_code, "what to look for" in told.text) == (2, True)


def test_where_nothing_is_there_is_no_field(tmp_path: Path) -> None:
    """It says so instead."""
    told = CommandLine(tmp_path).person("recall")

    assert (told.exit_code, "Nothing is on record yet." in told.text) == (0, True)
