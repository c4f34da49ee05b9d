"""The field that finds as one types: its keys, what is chosen, and what fits on a line."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desk import Desk, id_of
from onrecord.doors.cli.search_field import Field, fitted, keys, width
from onrecord.service.finding import find
from onrecord.storage.inmemory import InMemoryStore

if TYPE_CHECKING:
    from onrecord.service.answers import Hit


@pytest.fixture
def desk() -> Desk:
    """A fresh store with callers."""
    return Desk(InMemoryStore())


def field(desk: Desk) -> tuple[Field, list[str]]:
    """A field over three memories, and what it asked for."""
    for title in ("Kiosk printers", "Kiosk scanners", "Kiosk lamps"):
        id_of(desk.remember(title, desk.ada, scope="repo", distinct=True))
    asked: list[str] = []

    def ask(text: str) -> tuple[Hit, ...]:
        asked.append(text)
        return find(desk.memory, text, desk.ada)

    return Field(ask), asked


def test_what_was_pasted_is_looked_for_once(desk: Desk) -> None:
    """And a text that stands as it was is not looked for again."""
    made, asked = field(desk)
    for key in "kiosk":
        made.press(key)
    made.look()
    made.look()

    assert asked == ["kiosk"]
    assert len(made.hits) == 3


def test_the_choice_stays_among_the_hits_and_begins_anew_with_others(desk: Desk) -> None:
    """Up at the top and down at the end stay there."""
    made, _ = field(desk)
    for key in ("\x1b[A", "\x1b[B"):
        made.press(key)
        assert made.at == 0
    for key in "kiosk":
        made.press(key)
    made.look()
    places: list[int] = []
    for key in ("\x1b[A", "\x1b[B", "\x1bOB", "\x0e", "\x1b[B", "\x10"):
        made.press(key)
        places.append(made.at)
    for key in " printers":
        made.press(key)
    made.look()

    assert places == [0, 1, 2, 2, 2, 1]
    assert made.at == 0
    shown = made.lines(lambda hit: hit.item.content.title, 80)
    assert shown[0] == "> Kiosk printers"
    assert all(line.startswith("  ") for line in shown[1:])


def test_keys_that_take_back(desk: Desk) -> None:
    """A letter, a word, everything; other keys change nothing."""
    made, _ = field(desk)
    for key in ("a", "b", " ", "c", "\x7f", "\x08", "\t", "\x01", "\x1b[C"):
        made.press(key)
    assert made.typed == "ab"
    for key in (" ", "d", "\x17"):
        made.press(key)
    assert made.typed == "ab"
    made.press("\x15")
    assert made.typed == ""


@given(st.text(max_size=60), st.integers(2, 40))
def test_no_line_is_wider_than_the_terminal(text: str, columns: int) -> None:
    """Whatever it holds, it stays on one line and acts on nothing."""
    line = fitted(text, columns)

    assert width(line) < columns
    assert not any(char in line for char in "\n\r\x1b")


def test_wide_and_combining_characters_are_counted_as_they_are_drawn() -> None:
    """Signs of East Asia take two columns, an accent of its own none."""
    assert width("終電") == 4
    assert width("e\u0301") == 1
    assert fitted("終電の表記", 8) == "終電の…"


def typed(text: str) -> list[str]:
    """The keys that come of what a terminal sends."""
    reading, writing = os.pipe()
    os.write(writing, text.encode())
    os.close(writing)
    try:
        return list(keys(reading, lambda: None))
    finally:
        os.close(reading)


@pytest.mark.parametrize(
    "sent",
    [
        "\x1b[D",
        "\x1b[H",
        "\x1bOH",
        "\x1b[3~",
        "\x1b[1;5C",
        "\x1b[15~",
        "\x1bb",
        "\x1bé",
        "\x1b\x7f",
        "\x1b\x1b[D",
        "\x1b[<0;12;7M",
        "\x1b[200~",
    ],
)
def test_a_key_without_a_meaning_here_is_one_key_and_does_not_leave(desk: Desk, sent: str) -> None:
    """Left, Home, Delete, with Ctrl or Alt: only Esc that nothing follows is Esc."""
    found = typed(f"a{sent}b")
    made, _ = field(desk)
    for key in found:
        made.press(key)

    assert found == ["a", sent, "b"]
    assert made.typed == "ab"


def test_keys_with_a_meaning_come_one_by_one() -> None:
    """Arrows of either form, Esc at the end, and what was typed ahead."""
    sent = ["k", "\x1b[A", "\x1bOB", "終", "\r", "\x1b"]

    assert typed("".join(sent)) == sent
    assert typed("a\x1b\x1b") == ["a", "\x1b"]
