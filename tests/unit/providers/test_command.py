"""A command as the summariser: real programs, good and bad ones."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import pytest

from onrecord.domain.summariser import Unanswered
from onrecord.providers.command import CommandSummariser

ECHO = "import sys; sys.stdout.write(sys.stdin.read().upper())"
#: Leaves a child behind that says its number, and ends itself or not.
FORKS = """
import os, sys, time
child = os.fork()
if not child:
    time.sleep(600)
with open({path!r}, "w") as file:
    file.write(str(child))
sys.stdin.read()
print("done", flush=True)
{rest}
"""


def command(
    program: str, *, timeout_s: float = 30, max_answer: int = 100_000
) -> CommandSummariser:
    """A Python program as the summariser."""
    return CommandSummariser(
        [sys.executable, "-c", program],
        timeout_s=timeout_s,
        environ=os.environ,
        max_answer=max_answer,
    )


def why(asked: CommandSummariser, prompt: str = "hello") -> str:
    """Why there is no answer."""
    with pytest.raises(Unanswered) as told:
        asked.ask(prompt)
    return told.value.why


def is_gone(path: Path) -> bool:
    """Whether the process that a file names runs no more, within a moment."""
    pid = int(path.read_text(encoding="utf-8"))
    ends = time.monotonic() + 10
    while time.monotonic() < ends:
        try:
            state = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2]
        except OSError:
            return True
        if state.split()[0] == "Z":
            return True
    return False


def test_a_prompt_is_answered() -> None:
    """Whole, also where both are larger than what a pipe holds."""
    assert command(ECHO).ask("zoë 日") == "ZOË 日".encode()
    prompt = "word " * 100_000
    assert command(ECHO, max_answer=10**6).ask(prompt) == prompt.upper().encode()


def test_one_that_does_not_read_is_still_heard() -> None:
    """A prompt that nobody reads holds nothing up."""
    assert command("print('[]')").ask("x" * 1_000_000) == b"[]\n"


def test_what_goes_wrong_is_told() -> None:
    """No such program, one that fails, and one that says too much."""
    missing = CommandSummariser(["/no/such/program"], timeout_s=5, environ=os.environ)

    assert why(missing) == "missing"
    assert why(command("import sys; print('{}'); sys.exit(3)")) == "failed"
    assert why(command("while True: print('a' * 10_000)")) == "too_big"


def test_a_slow_one_is_ended_with_its_children(tmp_path: Path) -> None:
    """In time, and nothing that it started runs on."""
    path = tmp_path / "child"
    started = time.monotonic()

    told = why(command(FORKS.format(path=str(path), rest="time.sleep(600)"), timeout_s=2))

    assert told == "slow"
    assert time.monotonic() - started < 30
    assert is_gone(path)


def test_children_left_behind_are_ended_too(tmp_path: Path) -> None:
    """The answer counts, though a child holds the output open."""
    path = tmp_path / "child"

    answer = command(FORKS.format(path=str(path), rest="")).ask("x")

    assert answer == b"done\n"
    assert is_gone(path)


def test_it_runs_in_an_empty_folder_without_a_terminal() -> None:
    """No repository's files lie there, and no shell reads the words."""
    program = "import os; print(os.listdir('.'), os.getsid(0) == os.getpid())"

    assert command(program).ask("") == b"[] True\n"
    shell = CommandSummariser(["echo", "$HOME; true"], timeout_s=10, environ=os.environ)
    assert shell.ask("") == b"$HOME; true\n"
