"""What is typed into a pane of a person's tmux, and where a program is started."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from harness import needs
from onrecord.capture import process
from onrecord.domain.errors import OnrecordError
from onrecord.doors.cli import panes

if TYPE_CHECKING:
    from collections.abc import Iterator

#: A program that notes each line that it is given.
READER = "while IFS= read -r line; do printf '%s\\n' \"$line\" >> noted; done"

#: A program that takes an Enter at the heels of a paste for a part of it, as some clients do.
EAGER = """
import os, sys, time, tty
tty.setraw(0)
last = 0.0
while data := os.read(0, 65_536):
    now = time.monotonic()
    os.write(1, data)
    if data.endswith(b"\\r"):
        entered = data == b"\\r" and now - last > 0.05
        with open("noted", "a") as notes:
            notes.write("entered" if entered else "a part of the text")
    last = now
"""


class Tmux:
    """A server of the test's own."""

    def __init__(self, folder: Path) -> None:
        needs.program("tmux", "install tmux")
        self.folder = folder
        self.socket = str(folder / "socket")
        self.ask("-f", "/dev/null", "new-session", "-d", "-c", str(folder), "sh", "-c", READER)
        self.pane = self.ask("list-panes", "-a", "-F", "#{pane_id}")
        self.pid = int(self.ask("list-panes", "-a", "-F", "#{pane_pid}"))

    def ask(self, *words: str) -> str:
        """What tmux prints."""
        done = subprocess.run(
            ["tmux", "-S", self.socket, *words],
            capture_output=True,
            encoding="utf-8",
            check=True,
        )
        return done.stdout.strip()

    def noted(self) -> str:
        """What the program was given, once it has something."""
        return until(lambda: (self.folder / "noted").read_text(encoding="utf-8"))


def until(look: object) -> str:
    """What there is at last."""
    assert callable(look)
    for _ in range(600):
        try:
            found = look()
        except OSError:
            found = ""
        if found:
            return str(found)
        time.sleep(0.05)
    pytest.fail("waited 30 s for nothing")


@pytest.fixture
def tmux(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Tmux]:
    """A pane with a program that reads."""
    # a socket's path may have about a hundred bytes
    short = Path(os.path.relpath(tmp_path))
    made = Tmux(short if len(str(short)) < len(str(tmp_path)) else tmp_path)
    monkeypatch.setenv("TMUX", f"{made.socket},{made.pid},0")
    yield made
    subprocess.run(["tmux", "-S", made.socket, "kill-server"], check=False)


def test_a_text_is_one_line_without_control_characters(tmux: Tmux) -> None:
    """Nothing in it ends a paste or presses Enter."""
    panes.type_into(tmux.pane, tmux.pid, "since then:\n'; touch pwned #\n\x1b[201~more\ttext")

    assert tmux.noted() == "since then: '; touch pwned # [201~more text\n"
    assert not (tmux.folder / "pwned").exists()


def test_what_is_typed_goes_to_no_shell(tmux: Tmux) -> None:
    """A program that was put into the background leaves its pane to a shell."""
    shell = 'set -m; sleep 600 & echo $! > behind; read -r line; echo "$line" > ran'
    tmux.ask("respawn-pane", "-k", "-t", tmux.pane, "sh", "-c", shell)
    behind = int(until(lambda: (tmux.folder / "behind").read_text(encoding="utf-8")))

    with pytest.raises(OnrecordError, match="Nothing was sent"):
        panes.type_into(tmux.pane, behind, "touch pwned")

    assert not (tmux.folder / "ran").exists()
    os.kill(behind, signal.SIGKILL)


def test_a_program_without_a_terminal_does_not_read_there() -> None:
    """Nor does one that is gone."""
    with subprocess.Popen(["sleep", "60"], start_new_session=True) as asleep:
        assert not process.reads_terminal(asleep.pid)
        asleep.kill()
    assert not process.reads_terminal(asleep.pid)


def test_a_folder_is_never_run(tmux: Tmux) -> None:
    """Tmux runs what stands in #() in a folder's name, unless it is told not to."""
    folder = tmux.folder.resolve() / "a#(touch pwned)#{pane_id}"
    folder.mkdir()

    assert panes.split(["sh", "-c", "pwd > where; cat"], cwd=str(folder), env={})

    where = until(lambda: (folder / "where").read_text(encoding="utf-8"))
    assert where.strip() == str(folder)
    assert not list(tmux.folder.rglob("pwned"))


def test_enter_is_no_part_of_what_was_pasted(tmux: Tmux) -> None:
    """It is pressed once the program shows the text, as a person would."""
    (tmux.folder / "eager.py").write_text(EAGER, encoding="utf-8")
    tmux.ask("respawn-pane", "-k", "-t", tmux.pane, sys.executable, "-u", "eager.py")
    pid = int(tmux.ask("list-panes", "-a", "-F", "#{pane_pid}"))
    until(lambda: process.reads_terminal(pid))
    panes.type_into(tmux.pane, pid, "since your last turn")

    assert tmux.noted() == "entered"


#: A program that shows something else for what is typed, each time, and notes an Enter.
OTHER = """
import os, sys, tty
tty.setraw(0)
os.write(1, b"reads\\r\\n")
n = 0
while data := os.read(0, 65_536):
    n += 1
    os.write(1, sys.argv[1].encode() + b" %d\\r\\n" % n)
    if data.endswith(b"\\r"):
        open("noted", "a").write("entered")
"""


def other(tmux: Tmux, shows: str) -> int:
    """The process of that program, in the pane."""
    (tmux.folder / "other.py").write_text(OTHER, encoding="utf-8")
    tmux.ask("respawn-pane", "-k", "-t", tmux.pane, sys.executable, "-u", "other.py", shows)
    pid = int(tmux.ask("list-panes", "-a", "-F", "#{pane_pid}"))
    until(lambda: "reads" in tmux.ask("capture-pane", "-p", "-t", tmux.pane))
    return pid


@pytest.mark.parametrize("shows", ["Allow this command? y/n", "since your last"])
def test_enter_answers_nothing_that_opened_instead(
    tmux: Tmux, monkeypatch: pytest.MonkeyPatch, shows: str
) -> None:
    """A screen that changes is not enough, nor is a part: the error says what to do."""
    monkeypatch.setattr(panes, "_LOOKS", 5)
    pid = other(tmux, shows)

    with pytest.raises(OnrecordError, match="not sent") as caught:
        panes.type_into(tmux.pane, pid, "since your last turn: the gate is painted")

    assert "press Enter" in (caught.value.hint or "")
    assert f"{shows} 1" in tmux.ask("capture-pane", "-p", "-t", tmux.pane)
    assert not (tmux.folder / "noted").exists()


@pytest.mark.parametrize(
    "shows",
    [
        "[Pasted text #1 +9 lines]",
        "[Paste #2 - 30 lines]",
        "> since your last turn:\r\n| the gate is |\r\n| painted     |",
    ],
)
def test_a_long_text_may_be_wrapped_or_stood_in_for(tmux: Tmux, shows: str) -> None:
    """Clients frame what is typed, and show a few words instead of what is long."""
    pid = other(tmux, shows)
    panes.type_into(tmux.pane, pid, "since your last turn: the gate is painted")

    assert tmux.noted() == "entered"


def test_a_text_of_which_the_screen_had_the_end_is_sent_once_it_has_another(tmux: Tmux) -> None:
    """What was said before is still on the screen."""
    for n in (1, 2):
        panes.type_into(tmux.pane, tmux.pid, "the gate is painted by the harbour master")
        until(lambda n=n: tmux.noted().count("\n") == n)
