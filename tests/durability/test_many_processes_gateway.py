"""Many processes use one store at once, through the gateway: no error, exact counts, one chain.

`ONRECORD_TEST_PROCESSES=50x100` runs it in full; the waits are told, not judged.
"""

from __future__ import annotations

import json
import os
import time
import traceback
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Final

from onrecord import wiring
from onrecord.domain.event import broken_at
from onrecord.domain.item import Content, ItemQuery
from onrecord.domain.outcome import Outcome
from onrecord.domain.principal import Principal
from onrecord.domain.scope import Place
from onrecord.service.caller import Caller
from onrecord.service.commands import Approve, Mark, Remember, Undo

if TYPE_CHECKING:
    from onrecord.service.memory import Memory

#: Processes and writes of each.
FULL: Final = os.environ.get("ONRECORD_TEST_PROCESSES", "12x25")
REPO: Final = "repo:github.com/acme/shop"


class Worker:
    """One process: an agent's session and the person beside it, on one open store."""

    def __init__(self, memory: Memory, n: int) -> None:
        self.memory = memory
        self.n = n
        place = Place(
            cwd="/src/shop", repo=REPO, agent="agent:codex", session=f"session:codex:w{n}"
        )
        claimed = Principal.for_agent("codex", session=f"w{n}")
        self.agent = Caller(principal=memory.join_session(claimed), place=place)
        person = Principal.person("ada", channel="terminal", confirmed=True)
        self.person = Caller(principal=person, place=Place(cwd="/src/shop", repo=REPO))
        self.waits: list[float] = []
        #: what must be there afterwards: title -> status
        self.titles: dict[str, str] = {}
        self.events = 0

    def do(self, command: object, caller: Caller) -> Outcome:
        """One write, timed."""
        begun = time.perf_counter()
        outcome = self.memory.do(command, caller)  # type: ignore[arg-type]
        self.waits.append(time.perf_counter() - begun)
        self.events += 1
        return outcome

    def turn(self, at: int) -> None:
        """One write of a kind in turn, and a read."""
        title = f"kestrel {self.n} writes number {at} by itself"
        kinds = (self.note, self.update, self.propose, self.approve, self.take_back)
        kinds[at % len(kinds)](title)
        if at % 5 == 4:
            found = self.memory.recall(f"kestrel {self.n} number {at}", self.agent)
            assert all(hit.item.status == "active" for hit in found.hits)

    def note(self, title: str) -> None:
        """An agent's own note."""
        self.say(title, "session", "created")
        self.titles[title] = "active"

    def update(self, title: str) -> None:
        """The same address again: one item, another version."""
        key = f"counter {self.n}"
        known = [t for t in self.titles if t.endswith("of the counter")]
        self.say(f"{title} of the counter", "session", "updated" if known else "created", key=key)
        for one in known:
            del self.titles[one]
        self.titles[f"{title} of the counter"] = "active"

    def propose(self, title: str) -> None:
        """For everyone: it waits."""
        self.say(title, "repo", "authority.shared_scope")
        self.titles[title] = "proposed"

    def approve(self, title: str) -> None:
        """Proposed and approved: two writes."""
        made = self.say(title, "repo", "authority.shared_scope")
        assert made.item is not None
        done = self.do(Approve(item=made.item.id, seen=made.item.head.digest), self.person)
        assert done.code == "approved", done
        self.titles[title] = "active"

    def take_back(self, title: str) -> None:
        """Written, pinned by the person, and both taken back."""
        made = self.say(title, "session", "created")
        assert made.item is not None
        pinned = self.do(Mark(item=made.item.id, action="pin"), self.person)
        for undo in (pinned.undo, made.undo):
            assert undo is not None
            assert self.do(Undo(event=undo), self.person).code == "undone"
        self.titles[title] = "archived"

    def say(self, title: str, scope: str, code: str, *, key: str = "") -> Outcome:
        """A statement of the agent's, answered as it must be."""
        command = Remember(content=Content(title=title), scope=scope, key=key)
        outcome = self.do(command, self.agent)
        assert outcome.code == code, outcome
        return outcome


def work(path: str, n: int, turns: int, go: int, told: Path) -> None:
    """Wait for the start, then open, which may have to make the store, and write."""
    os.read(go, 1)
    memory = wiring.open_memory(path)
    worker = Worker(memory, n)
    for at in range(turns):
        worker.turn(at)
    memory.close()
    said = {"waits": worker.waits, "titles": worker.titles, "events": worker.events}
    told.write_text(json.dumps(said), encoding="utf-8")


def spread(tmp_path: Path, path: str, processes: int, turns: int) -> list[int]:
    """Start them all at one moment; their exit codes."""
    go, start = os.pipe()
    pids: list[int] = []
    for n in range(processes):
        pid = os.fork()
        if not pid:
            code = 1
            try:
                os.close(start)
                work(path, n, turns, go, tmp_path / f"told-{n}")
                code = 0
            except BaseException:  # noqa: BLE001 - told, then judged by the exit code
                traceback.print_exc()
            finally:
                os._exit(code)
        pids.append(pid)
    os.close(go)
    os.close(start)
    return [os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) for pid in pids]


def test_durability_many_processes_through_the_gateway(tmp_path: Path) -> None:
    """Nobody sees an error, every acknowledged write is there in its state, the log is one."""
    processes, turns = (int(part) for part in FULL.split("x"))
    path = str(tmp_path / "home" / "onrecord.db")
    codes = spread(tmp_path, path, processes, turns)

    assert codes == [0] * processes
    told = [json.loads((tmp_path / f"told-{n}").read_text("utf-8")) for n in range(processes)]
    wanted = {title: status for one in told for title, status in one["titles"].items()}
    memory = wiring.open_memory(path, create=False)
    with memory._store.read() as tx:  # noqa: SLF001 - exact counts
        found: dict[str, str] = {}
        after = None
        while page := tx.items.page(ItemQuery(limit=200, after=after)):
            found |= {item.content.title: item.status for item in page}
            after = page[-1].id
        events = tx.events.head()[0]
        whole = broken_at(tx.events.walk()) is None
    sound = memory.check().sound
    memory.close()
    waits = sorted(wait for one in told for wait in one["waits"])
    print(_told(FULL, waits))  # noqa: T201 - seen with -s, and where it fails

    assert Counter(found.values()) == Counter(wanted.values())
    assert found == wanted
    assert events == sum(one["events"] for one in told)
    assert whole
    assert sound


def _told(size: str, waits: list[float]) -> str:
    """How long writes waited."""
    at = {
        name: waits[int(len(waits) * part)] * 1_000 for name, part in (("p50", 0.5), ("p99", 0.99))
    }
    return (
        f"{size}: {len(waits)} writes, p50 {at['p50']:.0f} ms, p99 {at['p99']:.0f} ms,"
        f" longest {waits[-1] * 1_000:.0f} ms"
    )
