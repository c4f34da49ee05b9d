"""Forgetting killed at any step: not begun, or finished by whoever opens the store next."""

from __future__ import annotations

import os
import shutil
import signal
from pathlib import Path
from typing import Final

import pytest

from durability.deadly import Deadly, copied, forked
from durability.rounds import rounds
from onrecord import wiring
from onrecord.domain.item import Content
from onrecord.domain.principal import Principal
from onrecord.domain.scope import Place
from onrecord.service.caller import Caller
from onrecord.service.commands import Forget, Remember
from onrecord.storage import ledger

GONE: Final = "The vault hint is kestrelquill under the harbour stairs"
SIBLING: Final = "The harbour pilot answers on channel ospreychannel"
ADA: Final = Caller(
    principal=Principal.person("ada", channel="terminal", confirmed=True), place=Place()
)
#: Every step up to here, and one in so many of the long rewriting after it.
_EVERY = 20
_FURTHER = 29


@pytest.fixture
def made(tmp_path: Path) -> tuple[Path, str]:
    """A store with two memories, and the id of the one that is to go."""
    path = tmp_path / "made" / "memory.db"
    memory = wiring.open_memory(str(path))
    kept = [
        memory.do(Remember(content=Content(title=title, body=title * 20)), ADA)
        for title in (GONE, SIBLING)
    ]
    memory.close()
    assert kept[0].item is not None
    return path, kept[0].item.id


def left(path: str) -> bytes:
    """Every byte beside the store but its keys."""
    folder = Path(path).parent
    return b"".join(file.read_bytes() for file in folder.rglob("*") if file.is_file()).lower()


def finished(path: str, item: str) -> None:
    """Opened by somebody else, what was begun is finished; begun anew where it was not."""
    memory = wiring.open_memory(path, create=False)
    try:
        wiring.open_intake(path, memory).drain()
        standing = memory.status(ADA).items
        assert standing.get("active", 0) + standing.get("forgotten", 0) == 2
        if standing.get("active") == 2:
            assert memory.do(Forget(item=item), ADA).code == "forgotten"
        assert memory.check().sound
    finally:
        memory.close()
    told = left(path)
    assert b"kestrelquill" not in told
    assert b"ospreychannel" in told
    wiring.open_copies(path).back_up(ADA)
    assert [one.item for one in ledger.FileLedger(ledger.path_of(path)).read()] == [item]


def test_durability_forget_killed_at_any_write(tmp_path: Path, made: tuple[Path, str]) -> None:
    """For every write and sync of the file, of its log and of the rewriting after the erasure."""
    path, item = made
    nth = kills = 0
    while True:
        place = copied(path, tmp_path / f"{nth}")

        def work(place: str = place, nth: int = nth) -> None:
            disk = Deadly(f"deadly-{nth}", fails_at=None)
            memory = wiring.open_memory(place, create=False)
            disk.fails_at = disk.steps + nth  # pyright: ignore[reportUnknownMemberType] - apsw's
            memory.do(Forget(item=item), ADA)

        if not forked(work):
            break
        kills += 1
        finished(place, item)
        shutil.rmtree(Path(place).parent)
        nth += 1 if nth < _EVERY or len(rounds(1)) > 1 else _FURTHER

    assert kills > _EVERY


@pytest.mark.parametrize("when", ["before", "after"])
def test_durability_forget_killed_around_the_ledger(
    tmp_path: Path, made: tuple[Path, str], when: str
) -> None:
    """Between the erasure and its line beside the store, and after that line."""
    path, item = made
    place = copied(path, tmp_path / when)

    def work() -> None:
        add = ledger.FileLedger.add

        def deadly(self: ledger.FileLedger, erasures: object) -> None:
            if when == "after":
                add(self, erasures)  # type: ignore[arg-type]
            os.kill(os.getpid(), signal.SIGKILL)

        ledger.FileLedger.add = deadly  # type: ignore[method-assign]
        wiring.open_memory(place, create=False).do(Forget(item=item), ADA)

    assert forked(work)
    memory = wiring.open_memory(place, create=False)
    assert memory.status(ADA).items.get("forgotten") == 1
    memory.close()
    finished(place, item)


def test_forgetting_under_a_reader_is_told_and_finished_later(made: tuple[Path, str]) -> None:
    """Another process reads what stands in the log: it is said, and done once that one ends."""
    path, item = made
    told, go = os.pipe(), os.pipe()
    pid = os.fork()
    if not pid:
        store = wiring.open_memory(str(path), create=False)
        with store._store.read() as tx:  # noqa: SLF001  # pyright: ignore[reportPrivateUsage] - a reader that takes its time
            tx.items.get(item)
            os.write(told[1], b"r")
            os.read(go[0], 1)
        os._exit(0)
    try:
        assert os.read(told[0], 1) == b"r"
        memory = wiring.open_memory(str(path), create=False)
        # something that the reader does not know of yet keeps the log from being cut
        memory.do(Remember(content=Content(title="The gate opens at six")), ADA)
        pending = memory.do(Forget(item=item), ADA)
    finally:
        os.write(go[1], b"g")
        os.waitpid(pid, 0)
    wiring.open_intake(str(path), memory).drain()
    memory.close()

    assert pending.code == "forgotten.pending"
    assert "Another process is reading" in pending.say
    assert b"kestrelquill" not in left(str(path))
    assert b"ospreychannel" in left(str(path))
