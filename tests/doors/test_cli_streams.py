"""Output that is closed, full or no longer read; Ctrl-C; nothing ends in a traceback."""

from __future__ import annotations

import array
import fcntl
import json
import os
import signal
import subprocess
import termios
import time
from typing import TYPE_CHECKING

import pytest

from commandline import CommandLine
from mcp_client import ONRECORD

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def lines(tmp_path_factory: pytest.TempPathFactory) -> CommandLine:
    """A place with enough on record that a listing does not fit into a pipe."""
    made = CommandLine(tmp_path_factory.mktemp("streams"))
    body = "a line of a long body\n" * 2_500
    for n in range(3):
        made.remember(f"Statement number {n} of three", "--summary", str(n), "--distinct")
        script = ["sh", "-c", f'printf "%s" "$B" | onrecord remember --title "Long {n}"']
        made.people.env["B"] = body
        assert made.people.run(script).exit_code == 0
    del made.people.env["B"]
    return made


def shell(lines: CommandLine, line: str) -> subprocess.CompletedProcess[str]:
    """Run a line of shell in the place."""
    return subprocess.run(
        ["sh", "-c", line],
        cwd=lines.repo,
        env=lines.people.env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize(
    "line",
    [
        "onrecord list >&-; echo $?",
        "onrecord list >&- 2>&- <&-; echo $?",
        "onrecord list --json >&-; echo $?",
        "onrecord --help >&-; echo $?",
        "onrecord --version 2>&-; echo $?",
        "onrecord remember 'With closed streams' --distinct >&- 2>&- <&-; echo $?",
    ],
)
def test_closed_streams_change_nothing(lines: CommandLine, line: str) -> None:
    """What is asked for is done, and what cannot be said is left out."""
    done = shell(lines, line)

    assert done.stdout.splitlines()[-1] == "0"
    assert done.stderr == ""


def test_a_closed_stream_is_no_place_for_the_store(lines: CommandLine, tmp_path: Path) -> None:
    """A file of the store that took the number of a closed stream would be written into."""
    store = tmp_path / "memory.db"
    os.chmod(tmp_path, 0o700)  # noqa: PTH101 - it is what the store asks for
    made = shell(lines, f"onrecord remember 'Kept whole' --db {store} >&- 2>&- <&-; echo $?")
    checked = shell(lines, f"onrecord check --db {store}")

    assert made.stdout == "0\n"
    assert checked.stdout.startswith("Sound: 1 event,")


@pytest.mark.parametrize("words", ["list", "list --json", "--help", "--version", "recall Long"])
def test_a_full_disk_is_told(lines: CommandLine, words: str) -> None:
    """One line on standard error, and a status that is not success."""
    if not os.path.exists("/dev/full"):  # noqa: PTH110 - a device
        pytest.skip("/dev/full is not on this system")
    done = shell(lines, f"onrecord {words} >/dev/full")
    first = done.stderr.splitlines()[0]

    assert done.returncode == 1
    assert "(output)" in first or '"code": "output"' in first
    assert "No space left" in done.stderr
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr


@pytest.mark.parametrize("words", ["list --json", "show {long} --json", "--help", "list"])
def test_a_reader_that_goes_away_is_no_error(lines: CommandLine, words: str) -> None:
    """`| head` and `| true` end quietly."""
    listed = json.loads(shell(lines, "onrecord list --json").stdout)["items"]
    whole = next(item["id"] for item in listed if item["body"])
    for reader in ("head -c 20", "true"):
        done = shell(lines, f"onrecord {words.format(long=whole)} | {reader}")
        assert done.stderr == ""


def test_ctrl_c_at_a_question_ends_quietly(lines: CommandLine) -> None:
    """The key's terminal is as it was, nothing was done, and the status says how it ended."""
    item = lines.remember("The gate opens at six", "--distinct")
    with lines.people.open(["onrecord", "forget", item]) as terminal:
        terminal.expect("[y/n]")
        terminal.type("\x03")
        ended = terminal.wait()
    again = lines.people.run(["sh", "-c", "stty -a | grep -o ' -\\?icanon'"])

    assert ended.exit_code == 130
    assert "Traceback" not in ended.text
    assert again.text.strip() == "icanon"
    assert lines.status_of(item) == "active"


def test_ctrl_c_while_reading_ends_quietly(lines: CommandLine) -> None:
    """A command that waits for the rest of its input is ended without a word."""
    with subprocess.Popen(
        [ONRECORD, "remember"],
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=lines.repo,
        env=lines.people.env,
        preexec_fn=heed_interrupts,  # noqa: PLW1509 - a test has one thread
    ) as command:
        assert command.stdin is not None
        command.stdin.write(b"half a statement")
        command.stdin.flush()
        wait_until_read(command.stdin.fileno())
        command.send_signal(signal.SIGINT)
        status = command.wait(60)
        assert command.stderr is not None
        told = command.stderr.read()

    assert (status, told) == (130, b"\n")
    listed = json.loads(lines.run("list", "--json").out)["items"]
    assert not any("half a statement" in item["title"] for item in listed)


def heed_interrupts() -> None:
    """As in a terminal; whoever starts tests in the background has them ignored."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def wait_until_read(pipe: int) -> None:
    """Wait until the other end has taken everything out of a pipe."""
    deadline = time.monotonic() + 60
    left = array.array("i", [1])
    while left[0]:
        fcntl.ioctl(pipe, termios.FIONREAD, left)
        assert time.monotonic() < deadline, "nothing was read"
        os.sched_yield()


def test_the_store_is_sound_after_all_of_it(lines: CommandLine) -> None:
    """Whatever happened to the streams, nothing happened to the store."""
    done = subprocess.run(
        [ONRECORD, "check"],
        env=lines.people.env,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )

    assert done.returncode == 0, done
