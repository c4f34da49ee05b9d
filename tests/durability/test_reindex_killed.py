"""Having memories read by a model, killed at any step: what was read stays, and recall answers."""

from __future__ import annotations

import shutil
from datetime import UTC
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

from desk import SECRETS
from durability.deadly import Deadly, copied, forked
from durability.rounds import rounds
from meanings import Letters
from onrecord.domain.item import Content
from onrecord.domain.principal import Principal
from onrecord.domain.scope import Place
from onrecord.service.caller import Caller
from onrecord.service.clocks import RandomIds, SystemClock
from onrecord.service.commands import Remember
from onrecord.service.meaning import Meaning
from onrecord.service.memory import Memory
from onrecord.service.reindexing import Reindexing
from onrecord.service.vectorizing import BATCH
from onrecord.storage.sqlite_engine import open_sqlite

if TYPE_CHECKING:
    from onrecord.service.reindexing import Reindexed

TOLD: Final = "abracadabra zanzibar hippopotamus cinnamon marzipan"
ASKED: Final = " ".join(f"qqx{word}xqq" for word in TOLD.split())
#: More than two batches, and the last of them no whole one.
COUNT: Final = 40
ADA: Final = Caller(principal=Principal.person("ada", channel="terminal"), place=Place())
#: So many steps lie between two kills.
_EVERY: Final = 7


class Process:
    """What one process has open; its model counts what it reads."""

    def __init__(self, path: str, *, create: bool = False) -> None:
        self.model = Letters()
        self._store = open_sqlite(path, create=create)
        given: dict[str, Any] = {
            "clock": SystemClock(),
            "ids": RandomIds(),
            "secrets": lambda: SECRETS,
            "zone": UTC,
            "meaning": Meaning(lambda _name: self.model),
        }
        self.reindexing = Reindexing(self._store, **given)
        self.memory = Memory(self._store, **given)

    def run(self, *, redo: bool = False) -> Reindexed:
        """Have everything read that lacks vectors."""
        return self.reindexing.run(ADA, "letters", redo=redo)

    def found(self) -> tuple[str, list[str]]:
        """How recall goes, and what it finds by meaning alone."""
        found = self.memory.recall(ASKED, ADA)
        return found.mode, [hit.item.content.title for hit in found.hits]

    def close(self) -> None:
        """Leave the store."""
        self._store.close()


@pytest.fixture
def made(tmp_path: Path) -> Path:
    """A store with memories that no model has read."""
    path = tmp_path / "made" / "memory.db"
    one = Process(str(path), create=True)
    for title in (TOLD, *(f"The shelf number {n} is in hall {n}" for n in range(COUNT - 1))):
        one.memory.do(Remember(content=Content(title=title)), ADA)
    one.close()
    return path


def gone_on(place: str, *, redo: bool) -> int:
    """Another process finds what answered still answering, and goes on; what it had to read."""
    one = Process(place)
    coverage, found = one.reindexing.coverage(), one.found()
    if redo or coverage.model:
        # a whole one is in use: the former or, killed at the very end, the new
        assert (coverage.model, coverage.having) == ("letters", COUNT)
        assert found == ("hybrid", [TOLD])
    else:
        assert found == ("lexical", [])
    embedded = one.run().embedded
    after = one.reindexing.coverage()
    assert (after.model, after.having, after.building) == ("letters", COUNT, ())
    assert one.found() == ("hybrid", [TOLD])
    assert one.memory.check().sound
    one.close()
    return embedded


@pytest.mark.parametrize("redo", [False, True])
def test_durability_reindex_killed_at_any_write(tmp_path: Path, made: Path, *, redo: bool) -> None:
    """The first time, and where all is made anew beside what is in use."""
    if redo:
        one = Process(str(made))
        one.run()
        one.close()
    step = 1 if len(rounds(1)) > 1 else _EVERY
    nth, read = 0, list[int]()
    while True:
        place = copied(made, tmp_path / f"{nth}")

        def work(place: str = place, nth: int = nth) -> None:
            disk = Deadly(f"deadly-{nth}", fails_at=None)
            one = Process(place)
            disk.fails_at = disk.steps + nth  # pyright: ignore[reportUnknownMemberType] - apsw's
            one.run(redo=redo)

        if not forked(work):
            break
        read.append(gone_on(place, redo=redo))
        shutil.rmtree(Path(place).parent)
        nth += step

    # what was kept before a kill is not read again
    assert any(0 < count < COUNT for count in read)
    assert min(read) == 0
    assert len(read) > COUNT // BATCH
