"""The drain that a hook starts: it ends by itself, alone at its work, and leaves nothing open."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from hooked import Hooked
from onrecord import wiring
from onrecord.capture import spool

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def hooked(tmp_path: Path) -> Hooked:
    """A home with a store, and a session in its spool."""
    made = Hooked(tmp_path)
    made.remember("Install with pnpm")
    made.prompt("The first words")
    return made


def drain(hooked: Hooked, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    """One drain, to its end."""
    return subprocess.run(
        [sys.executable, "-P", "-E", "-m", "onrecord.doors.hook.drain", *arguments],
        cwd=hooked.repo,
        env=hooked.env,
        capture_output=True,
        timeout=60,
        check=False,
    )


def waiting(hooked: Hooked) -> int:
    """How many records wait."""
    return len(spool.names(str(hooked.folder)))


def test_a_drain_takes_in_what_waits_and_says_nothing(hooked: Hooked) -> None:
    """Once; a second one finds nothing."""
    for _ in range(2):
        done = drain(hooked, str(hooked.store))
        assert (done.stdout, done.stderr, done.returncode) == (b"", b"", 0)
        assert waiting(hooked) == 0


def test_one_drain_works_at_a_time(hooked: Hooked) -> None:
    """Another one leaves at once, and its records are taken in by the one at work."""
    turn = os.open(hooked.folder / ".turn", os.O_RDWR | os.O_CREAT, 0o600)
    fcntl.flock(turn, fcntl.LOCK_EX)
    done = drain(hooked, str(hooked.store))
    left = waiting(hooked)
    os.close(turn)

    assert (done.returncode, left) == (0, 1)
    assert drain(hooked, str(hooked.store)).returncode == 0
    assert waiting(hooked) == 0


@pytest.mark.parametrize("wrong", ["no argument", "no store", "no database"])
def test_a_drain_without_a_store_ends_quietly(hooked: Hooked, tmp_path: Path, wrong: str) -> None:
    """And makes none."""
    other = tmp_path / "other.db"
    if wrong == "no database":
        other.write_bytes(b"not a database" * 99)
    arguments = [] if wrong == "no argument" else [str(other)]
    done = drain(hooked, *arguments)

    assert (done.stdout, done.stderr, done.returncode) == (b"", b"", 0)
    assert other.exists() == (wrong == "no database")


def test_a_session_that_ends_is_taken_in_by_itself(hooked: Hooked) -> None:
    """The hook of its end starts a drain, which outlives it; nobody has to open the store."""
    hooked.call("SessionEnd", reason="other")
    hooked.wait_for_drain()
    memory = wiring.open_memory(str(hooked.store), create=False)
    try:
        (session,) = memory.sessions(hooked.person)
    finally:
        memory.close()

    assert (session.end_reason, session.first_prompt) == ("other", "The first words")
    assert session.ended_at is not None


def test_many_records_are_taken_in_between_turns(hooked: Hooked) -> None:
    """A long session does not fill the spool until its end."""
    for number in range(40):
        at = 1_800_000_000_000_000 + number
        record: dict[str, object] = {"client": "codex", "session": "s", "event": "stop", "at": at}
        spool.write(str(hooked.folder), record, at=at)
    hooked.call("Stop")

    hooked.wait_for_drain()
