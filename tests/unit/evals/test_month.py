"""Ordinary writes are taken in without questions; changes of mind are noticed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from onrecord import wiring
from onrecord.domain.item import Content
from onrecord.domain.principal import Principal
from onrecord.domain.scope import Place
from onrecord.evals.month import Counting, writes
from onrecord.service.caller import Caller
from onrecord.service.commands import Remember
from onrecord.testing.builders import FixedClock

if TYPE_CHECKING:
    from pathlib import Path

REPO = "repo:month.example/acme/shop"


def test_a_month_repeats_from_its_seed() -> None:
    """The same writes for one seed, others for another, and some of each kind."""
    some = list(writes(400, 7))

    assert some == list(writes(400, 7))
    assert some != list(writes(400, 8))
    assert {write.what for write in some} == {"new", "again", "update"}


def test_ordinary_writes_meet_no_question(tmp_path: Path) -> None:
    """Nothing is refused or merged away, at most one in 200 is asked about, updates are."""
    clock, counting = FixedClock(), Counting()
    ada = Caller(
        principal=Principal.person("ada", channel="terminal", confirmed=True),
        place=Place(cwd="/month", repo=REPO),
    )
    (tmp_path / "data").mkdir(mode=0o700)
    memory = wiring.open_measured(str(tmp_path / "data" / "memory.db"), clock)
    for write in writes(240, 20310303):
        command = Remember(content=Content(title=write.text), scope="repo")
        counting.add(write, memory.do(command, ada))
        clock.advance()
    memory.close()
    tally = counting.tally()
    updates = tally.counts["update"]

    assert tally.refused == tally.merged == ()
    assert len(tally.asked) <= 0.005 * tally.ordinary
    assert tally.counts["again"] == {"corroborated": sum(tally.counts["again"].values())}
    assert updates["conflict"] >= 0.9 * sum(updates.values()) > 0
