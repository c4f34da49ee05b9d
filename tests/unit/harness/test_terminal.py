"""The person at a terminal, and the ways of an agent's shell tool, are what they say."""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from harness import needs
from harness.console import TerminalTimeoutError
from harness.surroundings import PERSON, PERSON_IN_AGENTS_TMUX, SHELL_TOOL, Surroundings
from harness.terminal import Person, Transcript

if TYPE_CHECKING:
    from collections.abc import Callable

PROBE = [sys.executable, "-I", "-S", str(Path(__file__).parents[2] / "harness" / "probe.py")]

#: Way -> an agent's program is above; agent variables are inherited; a terminal opens.
FACTS = {
    "plain": (True, True, False),
    "linked": (True, True, False),
    "setsid": (True, True, False),
    "env_i": (True, False, False),
    "script": (True, True, True),
    "setsid_f": (False, True, False),
    "background": (False, True, False),
    "double_fork": (False, False, False),
    "tmux_server": (False, True, True),
    "tmux_window": (False, False, True),
    "tmux_keys": (False, False, True),
}


@pytest.fixture
def person(tmp_path: Path) -> Person:
    """Somebody with an empty home."""
    return Person(tmp_path)


def probe(person: Person, around: Surroundings = PERSON) -> tuple[dict[str, Any], Transcript]:
    """What a command learns of its surroundings, and what its terminal showed."""
    out = person.home / "facts"
    transcript = person.run([*PROBE, str(out)], around=around)
    return json.loads(out.read_text(encoding="utf-8")), transcript


def need_programs_of(way: str) -> None:
    """Skip (in CI: fail) where a program that the way uses is not installed."""
    if way.startswith("tmux"):
        needs.program("tmux", "install it (Debian: apt-get install tmux)")


def group_lives(leader: int) -> bool:
    """The process group of this leader still has a member."""
    try:
        os.killpg(leader, 0)
    except ProcessLookupError:
        return False
    return True


def wait_until(holds: Callable[[], bool]) -> bool:
    """It came to hold within ten seconds."""
    deadline = time.monotonic() + 10
    while not holds():
        if time.monotonic() > deadline:
            return False
        os.sched_yield()
    return True


def test_a_person_has_a_terminal_and_no_test_runner_above(person: Person) -> None:
    """A person's command leads a session on its own terminal, under init and a supervisor."""
    facts, transcript = probe(person)

    assert transcript.exit_code == 0
    assert json.loads(transcript.text) == facts
    assert facts["terminal"]
    assert facts["isatty"] == [True, True, True]
    assert facts["leads_session"]
    assert str(os.getpid()) not in {one["pid"] for one in facts["ancestors"]}
    assert "supervisor.py" in facts["ancestors"][0]["command"]


def test_a_person_inherits_nothing_of_the_tests(
    person: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A variable of the test run does not reach a person's command."""
    monkeypatch.setenv("CLAUDECODE", "1")
    facts, _ = probe(person)

    assert set(facts["variables"]) == set(person.env)


def test_a_person_may_carry_an_agents_variables(person: Person) -> None:
    """In a tmux window once opened by an agent a person has its variables and a terminal."""
    facts, _ = probe(person, PERSON_IN_AGENTS_TMUX)

    assert "CLAUDECODE" in facts["variables"]
    assert facts["terminal"]


@pytest.mark.parametrize("name", sorted(SHELL_TOOL))
def test_each_way_of_a_shell_tool_shows_what_a_real_one_shows(person: Person, name: str) -> None:
    """Agent above, agent variables and terminal are as measured with the real agent CLIs."""
    client, way = name.split("-", 1)
    need_programs_of(way)
    facts, transcript = probe(person, SHELL_TOOL[name])
    above = any(client in (one["name"], Path(one["image"]).name) for one in facts["ancestors"])
    marker = {"claude": "CLAUDECODE", "codex": "CODEX_THREAD_ID"}[client]

    assert transcript.exit_code == 0
    assert (above, marker in facts["variables"], facts["terminal"]) == FACTS[way]


def test_keys_are_typed_when_their_text_appears(person: Person) -> None:
    """Each keys wait for their own text, also where the same question comes twice."""
    ask = "for i in 1 2; do printf 'Approve? '; read -r a; echo \"got $a $i\"; done; exit 3"
    said = person.run(["sh", "-c", ask], keys=[("Approve?", "y\r"), ("Approve?", "n\r")])

    assert said.exit_code == 3
    assert said.text.splitlines() == ["Approve? y", "got y 1", "Approve? n", "got n 2"]


@pytest.mark.parametrize("way", ["plain", "script"])
def test_an_agent_can_pipe_keys_in(person: Person, way: str) -> None:
    """Without a terminal the keys arrive on standard input, also by way of a made terminal."""
    said = person.run(
        ["sh", "-c", 'read -r a; echo "got $a"'],
        keys=[("never shown", "y\n")],
        around=SHELL_TOOL[f"claude-{way}"],
    )

    assert "got y" in said.text


@pytest.mark.parametrize("way", sorted(FACTS))
def test_exit_status_comes_back_from_every_way(person: Person, way: str) -> None:
    """The exit status of a command is its own, however it was started."""
    need_programs_of(way)
    said = person.run(["sh", "-c", "echo refused; exit 4"], around=SHELL_TOOL[f"codex-{way}"])

    assert said.exit_code == 4
    assert "refused" in said.text


def test_the_screen_is_what_stands_on_it(person: Person) -> None:
    """Cursor movement and erasing are carried out; the text keeps what was written."""
    said = person.run(["printf", r"one\r\n\033[2Jtwo\033[1;1Hthree\033[?2026h\033[38:5:1m!"])

    assert said.screen.splitlines()[0] == "three!"
    assert "one" not in said.screen
    assert "one" in said.text


def test_the_terminal_answers_where_the_cursor_is(person: Person) -> None:
    """A program that asks for the cursor position gets it, as screen programs need."""
    ask = r"stty raw -echo min 0 time 50; printf '\033[3;7H\033[6n'; dd bs=6 count=1 2>/dev/null"
    said = person.run(["sh", "-c", ask])

    assert said.raw.endswith(b"\x1b[3;7R")


def test_a_text_that_never_comes_fails_with_the_screen(person: Person) -> None:
    """Waiting ends with the command, and the message shows what stood there instead."""
    with pytest.raises(TerminalTimeoutError, match="Nothing waits"):
        person.run(["echo", "Nothing waits"], keys=[("Approve?", "y")])


def test_a_missing_command_says_so(person: Person) -> None:
    """A command that is not there ends with 127 and its name."""
    said = person.run(["no-such-command"])

    assert said.exit_code == 127
    assert "no-such-command" in said.text


def test_closing_ends_the_command(person: Person) -> None:
    """Hanging up leaves no process of the command behind."""
    with person.open(["sh", "-c", "trap '' HUP; echo on; sleep 1000 & wait"]) as terminal:
        terminal.expect("on")
        pid = terminal.pid

    assert wait_until(lambda: not group_lives(pid))
