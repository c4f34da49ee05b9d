"""How far long work is: a line that changes on a terminal, plain lines elsewhere, or none."""

from __future__ import annotations

import io
from itertools import count
from typing import TYPE_CHECKING

import pytest

from onrecord.doors.cli.progress import Progress

if TYPE_CHECKING:
    from collections.abc import Callable


class Screen(io.StringIO):
    """Standard error that is a terminal or is not."""

    def __init__(self, *, live: bool) -> None:
        super().__init__()
        self._live = live

    def isatty(self) -> bool:
        """Whether it is one."""
        return self._live


@pytest.fixture
def at(monkeypatch: pytest.MonkeyPatch) -> Callable[[bool], Screen]:
    """Makes standard error a terminal, or not."""

    def made(live: bool) -> Screen:
        screen = Screen(live=live)
        monkeypatch.setattr("sys.stderr", screen)
        return screen

    return made


def slow() -> Callable[[], float]:
    """A clock on which every look is three seconds later."""
    seconds = count(0, 3)
    return lambda: float(next(seconds))


def work(told: Progress) -> None:
    """Two stages and some steps."""
    told.stage("reading")
    told.step("importing", 50, 200)
    told.step("importing", 200, 200)
    told.end()


def test_elsewhere_it_is_plain_lines(at: Callable[[bool], Screen]) -> None:
    """Nothing that acts on a terminal is sent to a file."""
    screen = at(False)
    work(Progress(quiet=False, environ={"TERM": "xterm"}, clock=slow()))

    assert screen.getvalue() == "reading …\nimporting: 50 of 200\nimporting: 200 of 200\n"


def test_on_a_terminal_it_is_one_line_that_goes_again(at: Callable[[bool], Screen]) -> None:
    """A bar with figures, without colour, taken away at the end."""
    screen = at(True)
    work(Progress(quiet=False, environ={"TERM": "xterm"}, clock=slow()))

    shown = screen.getvalue().split("\r\x1b[K")
    assert shown[0] == shown[-1] == ""
    assert shown[1] == "reading …"
    assert shown[2] == "[######..................] importing: 50 of 200"
    assert "\n" not in screen.getvalue()
    assert "m" not in screen.getvalue().replace("importing", "")


def test_a_terminal_that_can_do_nothing_gets_plain_lines(at: Callable[[bool], Screen]) -> None:
    """As its own word for itself says."""
    screen = at(True)
    work(Progress(quiet=False, environ={"TERM": "dumb"}, clock=slow()))

    assert "\r" not in screen.getvalue()


def test_beside_json_nothing_is_said(at: Callable[[bool], Screen]) -> None:
    """Standard error holds an error or nothing."""
    screen = at(True)
    work(Progress(quiet=True, environ={"TERM": "xterm"}, clock=slow()))

    assert screen.getvalue() == ""


def test_short_work_says_nothing(at: Callable[[bool], Screen]) -> None:
    """Steps that follow one another fast are not all told."""
    screen = at(False)
    told = Progress(quiet=False, environ={}, clock=lambda: 0.5)
    for n in range(100):
        told.step("importing", n, 100)

    assert screen.getvalue() == ""
