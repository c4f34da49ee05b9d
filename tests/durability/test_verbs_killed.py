"""Verbs on the whole store killed at any moment: the old state or the new one, and they resume."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

from durability.rounds import rounds
from onrecord import wiring
from onrecord.domain.errors import UndoClash
from onrecord.domain.item import Content, ItemQuery
from onrecord.domain.principal import Principal
from onrecord.domain.scope import Place
from onrecord.service.caller import Caller
from onrecord.service.commands import Forget, Remember, Revise, Undo
from onrecord.service.import_lines import ImportFile

if TYPE_CHECKING:
    from collections.abc import Callable

SEED: Final = 20_261_130
#: Rounds of each verb where no more are asked for.
SHORT: Final = 3
LINES: Final = 120
ADA: Final = Caller(
    principal=Principal.person("ada", channel="terminal", confirmed=True), place=Place()
)
GONE: Final = "The vault hint is kestrelquill under the harbour stairs"

#: How everything stands: title, status and pin of each item, and how many keys there are.
State = tuple[frozenset[tuple[str, str, bool]], int]


@dataclass(frozen=True, kw_only=True, slots=True)
class Made:
    """A store with something for every verb to do."""

    path: Path
    gone: str
    copy: Path
    file: Path
    batch: str


def prepare(folder: Path) -> Made:
    """Memories, a copy of the store, a file, and an import that came in."""
    path, file = folder / "made" / "memory.db", folder / "more.jsonl"
    titles = [f"Lamp {n} is lit at dusk by the {n}th keeper" for n in range(LINES)]
    head: dict[str, object] = {"onrecord": "export", "version": 1, "items": LINES}
    rows = [head, *({"title": title, "scope": "global"} for title in titles)]
    file.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    memory = wiring.open_memory(str(path))
    made = memory.do(Remember(content=Content(title=GONE, body=GONE * 9)), ADA)
    assert made.item is not None
    wiring.open_copies(str(path)).back_up(ADA, str(folder / "copy.db"))
    kept = memory.do(Remember(content=Content(title="The gate opens at six")), ADA)
    assert kept.item is not None
    memory.do(Revise(item=kept.item.id, content=Content(title="The gate opens at ten")), ADA)
    memory.close()
    return Made(path=path, gone=made.item.id, copy=folder / "copy.db", file=file, batch="")


def state(path: str) -> State:
    """How a store stands, opened by somebody else: what was begun is finished, and it is sound."""
    memory = wiring.open_memory(path, create=False)
    try:
        wiring.open_intake(path, memory).drain()
        found = memory.check(audit=True)
        assert found.sound, (found.faults, found.findings[:3], found.damaged)
        store = memory._store  # noqa: SLF001  # pyright: ignore[reportPrivateUsage] - every item, whoever may see it
        with store.read() as tx:
            items = tx.items.page(ItemQuery(limit=10_000))
        keys = len((Path(path).parent / "memory.db.keys").read_text("utf-8").splitlines())
        return frozenset((item.content.title, item.status, item.pinned) for item in items), keys
    finally:
        memory.close()


def forget(path: str, made: Made) -> None:
    """Erase one memory."""
    memory = wiring.open_memory(path, create=False)
    if memory.status(ADA).items.get("forgotten", 0) == 0:
        memory.do(Forget(item=made.gone), ADA)
    memory.close()


def undo(path: str, _: Made) -> None:
    """Take the last edit back."""
    memory = wiring.open_memory(path, create=False)
    edit = next(event for event in memory.events(ADA, limit=200) if event.action == "updated")
    # a round that was killed after its end
    with suppress(UndoClash):
        memory.do(Undo(event=edit.seq), ADA)
    memory.close()


def restore(path: str, made: Made) -> None:
    """Let the copy be the store."""
    wiring.open_copies(path).restore(str(made.copy), ADA)


def rotate(path: str, _: Made) -> None:
    """Put a new key in use."""
    keys = wiring.open_keys(path)
    keys.rotate(ADA)
    keys.close()


def bring_in(path: str, made: Made) -> None:
    """Take a file of two batches in."""
    transfer = wiring.open_transfer(path, create=False)
    with made.file.open("rb") as stream:
        transfer.bring_in(ImportFile(stream, made.file.name, Place()), ADA)
    transfer.close()


def take_back(path: str, made: Made) -> None:
    """Take that import back, as far as it is not."""
    transfer = wiring.open_transfer(path, create=False)
    with suppress(UndoClash):
        transfer.take_back(made.batch, ADA)
    transfer.close()


VERBS: Final[dict[str, Callable[[str, Made], None]]] = {
    "forget": forget,
    "undo": undo,
    "restore-backup": restore,
    "rotate-key": rotate,
    "import": bring_in,
    "undo an import": take_back,
}
#: Those that go step by step: what is between old and new is told, and they go on.
STEPWISE: Final = ("import", "undo an import")


def killed(work: Callable[[], None], after_s: float) -> bool:
    """Whether a process that does something was killed so long after it began."""
    ready, go = os.pipe()
    pid = os.fork()
    if not pid:
        try:
            os.write(go, b"r")
            work()
        finally:
            os._exit(0)
    os.read(ready, 1)
    time.sleep(after_s)
    os.kill(pid, signal.SIGKILL)
    _, status = os.waitpid(pid, 0)
    os.close(ready)
    os.close(go)
    return os.WIFSIGNALED(status)


@pytest.mark.parametrize("verb", sorted(VERBS))
def test_durability_verbs_killed_at_any_moment(tmp_path: Path, verb: str) -> None:
    """Old or new, sound and audited each time; the verb given again leads to the new state."""
    made, act = prepare(tmp_path), VERBS[verb]
    if verb == "undo an import":
        bring_in(str(made.path), made)
        memory = wiring.open_memory(str(made.path), create=False)
        batch = memory.events(ADA)[0].target
        memory.close()
        made = Made(path=made.path, gone="", copy=made.copy, file=made.file, batch=batch)
    old = state(str(made.path))
    whole = str(shutil.copytree(made.path.parent, tmp_path / "whole") / "memory.db")
    begun = time.monotonic()
    act(whole, made)
    lasts = time.monotonic() - begun
    new = state(whole)
    assert new != old
    chance, between = random.Random(f"{SEED}:{verb}"), 0  # noqa: S311 - repeatable
    for n in rounds(SHORT):
        after, dead = chance.uniform(0, lasts), False
        # a warm process may be done sooner than the first was: then earlier, until it is hit
        while not dead:
            place = str(shutil.copytree(made.path.parent, tmp_path / f"{n}") / "memory.db")
            dead = killed(lambda place=place: act(place, made), after)  # type: ignore[misc]
            now = state(place)
            if verb not in STEPWISE:
                told = (n, now[0] ^ old[0], now[1])
                assert now[0] in (old[0], new[0]), told
                assert now[1] in (old[1], new[1]), told
            between += now not in (old, new)
            if verb != "rotate-key" or now == old:
                act(place, made)
            assert state(place) == new, n
            shutil.rmtree(Path(place).parent)
            after /= 2

    assert not between or verb in STEPWISE
