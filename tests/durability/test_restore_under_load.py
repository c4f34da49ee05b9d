"""A copy restored while others write, and a restore that is killed: one state or the other."""

from __future__ import annotations

import os
import signal
from dataclasses import replace
from typing import TYPE_CHECKING

from durability.rounds import rounds
from onrecord import wiring
from onrecord.domain.item import Content, ItemQuery
from onrecord.domain.principal import Principal
from onrecord.domain.scope import Place
from onrecord.service.caller import Caller
from onrecord.service.commands import Remember

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

#: What a restore tells of itself, one after the other.
_STEPS = 4

_ACTIVE = ItemQuery(statuses=("active",), limit=200)

ADA = Caller(principal=Principal.person("ada", channel="terminal", confirmed=True), place=Place())


def forked(work: Callable[[], object]) -> int:
    """A process that does something; its id."""
    pid = os.fork()
    if pid:
        return pid
    try:
        work()
    finally:
        os._exit(1)


def ended(pid: int) -> None:
    """Kill a process and wait for its end."""
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)


def written(path: str, name: str, count: int) -> None:
    """Keep so many statements through the gateway, as another process would."""
    memory = wiring.open_memory(path, create=True)
    for n in range(count):
        memory.do(Remember(content=Content(title=f"{name} keeps number {n}")), ADA)
    memory.close()


def titles(path: str) -> set[str]:
    """What is active, after a check that finds the store sound."""
    memory = wiring.open_memory(path, create=False)
    found = memory.check()
    assert found.sound, found
    items = page = memory.page(_ACTIVE, ADA)
    while len(page) == _ACTIVE.limit:
        page = memory.page(replace(_ACTIVE, after=page[-1].id), ADA)
        items = [*items, *page]
    memory.close()
    return {item.content.title for item in items}


def test_durability_restore_under_load(tmp_path: Path) -> None:
    """Writers go on through it; what they wrote is in the store that is kept, or after it."""
    path = str(tmp_path / "home" / "memory.db")
    written(path, "Before", 5)
    copies = wiring.open_copies(path)
    copy = copies.back_up(ADA).path
    writers = [forked(lambda n=n: written(path, f"Writer {n}", 10_000)) for n in range(2)]  # type: ignore[misc]
    try:
        for _ in rounds(3):
            restored = copies.restore(copy, ADA)
            assert {f"Before keeps number {n}" for n in range(5)} <= titles(restored.kept)
    finally:
        for pid in writers:
            ended(pid)

    assert {f"Before keeps number {n}" for n in range(5)} <= titles(path)


def test_durability_restore_killed(tmp_path: Path) -> None:
    """At every step: the store is what it was, or the copy; and can be restored again."""
    path = str(tmp_path / "home" / "memory.db")
    written(path, "Before", 3)
    copy = wiring.open_copies(path).back_up(ADA).path
    written(path, "After", 20)
    old, new = titles(path), {f"Before keeps number {n}" for n in range(3)}
    for turn in rounds(8):
        reader, writer = os.pipe()

        def tell(_doing: str, writer: int = writer) -> None:
            os.write(writer, b".")

        pid = forked(lambda tell=tell: wiring.open_copies(path).restore(copy, ADA, tell))  # type: ignore[misc]
        os.close(writer)
        for _ in range(1 + turn % _STEPS):
            assert os.read(reader, 1) == b"."
        ended(pid)
        os.close(reader)
        found = titles(path)
        assert found in (old, new)
        if found == new:
            written(path, "After", 20)

    assert wiring.open_copies(path).restore(copy, ADA).items == 3
    assert titles(path) == new
