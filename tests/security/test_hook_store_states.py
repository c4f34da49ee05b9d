"""In any state of the store the hook answers from it or keeps quiet, and the agent goes on."""

from __future__ import annotations

import json
import os
import resource
import shutil
import subprocess
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import apsw
import pytest

from hooked import Answer, Hooked, is_root
from machine import HOOK

if TYPE_CHECKING:
    from collections.abc import Iterator

QUESTION = "Which one do we use to install packages: pnpm or npm?"


@pytest.fixture
def hooked(tmp_path: Path) -> Hooked:
    """A home in which one thing is known of the repository."""
    made = Hooked(tmp_path)
    made.remember("Install with pnpm", "npm breaks the lock file.")
    return made


def quiet(answer: Answer) -> bool:
    """Exit status 0, and not a byte anywhere."""
    return (answer.raw, answer.errors, answer.exit_code) == (b"", b"", 0)


@contextmanager
def writing(store: Path) -> Iterator[apsw.Connection]:
    """Somebody in the middle of a long change."""
    connection = apsw.Connection(str(store))
    connection.execute("BEGIN IMMEDIATE")
    connection.execute("UPDATE items SET status = 'archived'")
    try:
        yield connection
    finally:
        connection.execute("ROLLBACK")
        connection.close()


@contextmanager
def alone(store: Path) -> Iterator[None]:
    """Somebody who keeps everybody else out."""
    connection = apsw.Connection(str(store))
    connection.pragma("locking_mode", "exclusive")
    connection.execute("BEGIN EXCLUSIVE")
    connection.execute("UPDATE items SET status = 'archived'")
    try:
        yield
    finally:
        connection.execute("ROLLBACK")
        connection.close()


def test_a_writer_holds_nobody_up(hooked: Hooked) -> None:
    """The answer is from the state before the change that is under way."""
    with writing(hooked.store):
        assert hooked.start().titles == ["Install with pnpm"]
        assert hooked.prompt(QUESTION, session="s-2").titles == ["Install with pnpm"]


def test_a_store_that_cannot_be_read_now_is_waited_for_briefly(hooked: Hooked) -> None:
    """Nothing is given; the session is seen, and its words are not, since saving may be off."""
    with alone(hooked.store):
        assert quiet(hooked.start())
        assert quiet(hooked.prompt("my own words"))

    assert [record["event"] for record in hooked.records] == ["session_start", "prompt"]
    assert b"my own words" not in hooked.spooled
    assert set(hooked.faults) == {"StoreBusy store.busy"}


@pytest.mark.parametrize(
    "harm",
    ["nothing in it", "other bytes", "half of it", "another database", "a folder", "a newer one"],
)
def test_a_harmed_store_is_left_as_it_is(hooked: Hooked, harm: str) -> None:
    """The hook neither repairs nor replaces it; what it saw waits in the spool."""
    whole = hooked.store.read_bytes()
    for path in hooked.store.parent.glob("memory.db-*"):
        path.unlink()
    if harm == "a folder":
        hooked.store.unlink()
        hooked.store.mkdir()
    elif harm in ("another database", "a newer one"):
        if harm == "another database":
            hooked.store.write_bytes(b"")
        connection = apsw.Connection(str(hooked.store))
        connection.execute("CREATE TABLE IF NOT EXISTS t (x)")
        if harm == "a newer one":
            connection.execute("PRAGMA user_version = 999")
            connection.execute("UPDATE meta SET value = '999'")
        connection.close()
    else:
        raw = {"nothing in it": b"", "other bytes": b"text " * 999, "half of it": whole[:4096]}
        hooked.store.write_bytes(raw[harm])
    before = b"" if hooked.store.is_dir() else hooked.store.read_bytes()
    start, prompt = hooked.start(), hooked.prompt(QUESTION)

    assert quiet(start)
    assert quiet(prompt)
    assert [record["event"] for record in hooked.records] == ["session_start", "prompt"]
    assert hooked.faults
    assert all("pnpm" not in line for line in hooked.faults)
    assert hooked.store.is_dir() or hooked.store.read_bytes() == before


def test_flipped_bytes_are_never_fatal(hooked: Hooked) -> None:
    """Wherever the file is damaged: an answer that is protocol, or nothing."""
    whole = hooked.store.read_bytes()
    for path in hooked.store.parent.glob("memory.db-*"):
        path.unlink()
    for at in range(0, len(whole), len(whole) // 24):
        hooked.store.write_bytes(
            whole[:at] + bytes(b ^ 0x5A for b in whole[at : at + 64]) + whole[at + 64 :]
        )
        answer = hooked.start(session=f"s-{at}")
        assert (answer.errors, answer.exit_code) == (b"", 0)
        assert set(answer.told) <= {"hookSpecificOutput", "systemMessage"}


def test_a_link_in_the_stores_place_is_not_followed(hooked: Hooked, tmp_path: Path) -> None:
    """Whoever can put one there could have the hook read another's memory."""
    moved = tmp_path / "moved.db"
    shutil.move(hooked.store, moved)
    hooked.store.symlink_to(moved)

    assert quiet(hooked.start())
    assert hooked.faults[0].startswith("StoreUnsafe")


@pytest.mark.skipif(is_root(), reason="file modes do not bind root")
def test_a_folder_that_cannot_be_written_gives_nothing(hooked: Hooked) -> None:
    """What is given must be on record, so nothing is given; and nothing is waited for."""
    hooked.store.parent.chmod(0o500)
    try:
        assert quiet(hooked.start())
    finally:
        hooked.store.parent.chmod(0o700)


def limited(hooked: Hooked, event: str, payload: str, most: int) -> Answer:
    """A hook call of a process whose files may not grow beyond so many bytes."""
    done = subprocess.run(
        [HOOK, "claude-code", event],
        input=payload.encode(),
        cwd=hooked.repo,
        env={**hooked.env, "CLAUDECODE": "1"},
        capture_output=True,
        timeout=60,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (most, most)),
    )
    return Answer(raw=done.stdout, errors=done.stderr, exit_code=done.returncode)


@pytest.mark.parametrize("most", [0, 40, 300])
def test_a_full_disk_gives_nothing_that_is_not_on_record(hooked: Hooked, most: int) -> None:
    """Half a record is none: nothing is left of it, and nothing was given."""
    told = {"session_id": "s-1", "source": "startup", "cwd": str(hooked.repo)}
    answer = limited(hooked, "SessionStart", json.dumps(told), most)

    assert (answer.errors, answer.exit_code, answer.context) == (b"", 0, "")
    assert not [record for record in hooked.records if record["event"] == "delivery"]
    assert [path for path in hooked.folder.iterdir() if path.name.startswith(".0")] == []
    assert hooked.start(session="s-2").titles == ["Install with pnpm"]


def test_a_full_spool_gives_nothing_that_is_not_on_record(hooked: Hooked) -> None:
    """A flood of records is not answered with more of them."""
    hooked.start(session="s-0")
    for number in range(10_000):
        os.close(os.open(hooked.folder / f"{number:020d}-1-x.json", os.O_CREAT | os.O_WRONLY))

    answer = hooked.prompt(QUESTION, session="s-3")
    assert quiet(answer)
    assert len(list(hooked.folder.iterdir())) <= 10_010
