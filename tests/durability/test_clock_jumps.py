"""A clock that is set back and forth: nothing lost, no version out of order, the log one chain."""

from __future__ import annotations

import random
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from durability.rounds import rounds
from onrecord import wiring
from onrecord.domain.event import broken_at
from onrecord.domain.item import Content, ItemQuery
from onrecord.domain.principal import Principal
from onrecord.domain.scope import Place
from onrecord.service.caller import Caller
from onrecord.service.clocks import RandomIds
from onrecord.service.commands import Command, Forget, Mark, Remember, Revise, Undo
from onrecord.service.memory import Memory
from onrecord.service.work import Secrets
from onrecord.storage.sqlite_engine import open_sqlite
from onrecord.testing.builders import START, FixedClock

if TYPE_CHECKING:
    from pathlib import Path

    from onrecord.domain.outcome import Outcome

SECOND: Final = 1_000_000
DAY: Final = 86_400 * SECOND

#: A daylight saving change by hand, a dead battery, a wrong year, and ordinary time.
JUMPS: Final = (SECOND, SECOND, SECOND, -3_600 * SECOND, -DAY, 400 * DAY, -400 * DAY, 0, -SECOND)

ADA: Final = Caller(
    principal=Principal.person("ada", channel="terminal", confirmed=True),
    place=Place(cwd="/src/shop"),
)


class Times:
    """A person who writes on a machine whose clock jumps, opening the store anew now and then."""

    def __init__(self, path: str, seed: int) -> None:
        self._path = path
        self._dice = random.Random(seed)  # noqa: S311 - a seed to repeat
        self._clock = FixedClock()
        self._memory = self._open()
        #: id -> title that must be there, and how many versions
        self.kept: dict[str, tuple[str, int]] = {}
        self.gone: set[str] = set()

    def _open(self) -> Memory:
        return Memory(
            open_sqlite(self._path, create=True),
            clock=self._clock,
            ids=RandomIds(),
            secrets=lambda: Secrets(key_id="k1", key=b"k" * 32),
            zone=None,
        )

    def do(self, command: Command) -> Outcome:
        """One change at whatever the clock says."""
        self._clock.advance(self._dice.choice(JUMPS))
        self._clock.at = max(self._clock.at, START - 800 * DAY)
        return self._memory.do(command, ADA)

    def turn(self, number: int) -> None:
        """One change of some kind."""
        live = sorted(self.kept)
        kind = self._dice.choice(("add", "add", "revise", "forget", "pin", "reopen"))
        if kind == "reopen":
            self._memory.close()
            self._memory = self._open()
        elif kind == "add" or len(live) < 2:
            title = f"The quay {number} has berth {number * 7 % 97} for the ferry {number}"
            said = Remember(content=Content(title=title), scope="global", distinct=True)
            item = self.do(said).item
            assert item is not None
            self.kept[item.id] = (title, 1)
        else:
            self._change(self._dice.choice(live), kind, number)

    def _change(self, item: str, kind: str, number: int) -> None:
        title, versions = self.kept[item]
        if kind == "revise":
            title = f"{title} since tide {number}"[-180:]
            outcome = self.do(Revise(item=item, content=Content(title=title)))
            assert outcome.code != "conflict", outcome
            self.kept[item] = (title, versions + 1)
        elif kind == "forget":
            self.do(Forget(item=item))
            self.kept.pop(item)
            self.gone.add(item)
        else:
            event = self.do(Mark(item=item, action="pin")).undo
            if event:
                self.do(Undo(event=event))

    def close(self) -> None:
        """Give the store back."""
        self._memory.close()


def test_durability_clock_jumps(tmp_path: Path) -> None:
    """Every acknowledged change stands, whatever time it was done at."""
    for seed in rounds(4):
        path = str(tmp_path / f"home{seed}" / "memory.db")
        times = Times(path, seed)
        for number in range(60):
            times.turn(number)
        times.close()
        assert_in_order(path, times)


def assert_in_order(path: str, times: Times) -> None:
    """Counts are exact, versions follow one another without a gap, and nothing else is there."""
    store = open_sqlite(path, create=False)
    assert list(store.faults()) == []
    with store.read() as tx:
        assert broken_at(tx.events.walk()) is None
        seqs = [event.seq for event in tx.events.walk()]
        assert seqs == list(range(1, len(seqs) + 1))
        found = {item.id: item for item in tx.items.page(ItemQuery(limit=500))}
        live = {name: item for name, item in found.items() if item.status == "active"}
        assert live.keys() == times.kept.keys()
        for name, (title, versions) in times.kept.items():
            history = sorted(tx.items.history(name), key=lambda version: version.n)
            assert live[name].content.title == title
            assert [version.n for version in history] == list(range(1, versions + 1))
            for old, new in pairwise(history):
                assert old.superseded_at == new.recorded_at
                assert old.recorded_at < new.recorded_at
        for name in times.gone:
            gone = tx.items.get(name)
            assert gone is not None
            assert gone.status == "forgotten"
    store.close()


def test_durability_clock_jumps_of_an_expiry(tmp_path: Path) -> None:
    """What is past its time by a wrong clock is there again once the clock is right."""
    path = str(tmp_path / "home" / "memory.db")
    clock = FixedClock()
    memory = wiring.open_memory(path)
    memory.close()
    memory = Memory(
        open_sqlite(path, create=False),
        clock=clock,
        ids=RandomIds(),
        secrets=lambda: Secrets(key_id="k1", key=b"k" * 32),
        zone=None,
    )
    said = Remember(
        content=Content(title="The quay closes early this week"), scope="global", ttl=86_400
    )
    assert memory.do(said, ADA).code == "created"

    def found() -> int:
        return len(memory.recall("quay closes early", ADA).hits)

    assert found() == 1
    clock.advance(30 * DAY)
    assert found() == 0
    clock.advance(-30 * DAY)
    assert found() == 1
    memory.close()
