"""A week of ordinary work: at each day's end everything reads as a sensible person expects."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from desk import Desk
from harness.agents import repository
from onrecord.domain.outcome import name_of
from onrecord.service.claims import LEASE
from onrecord.storage.sqlite_engine import open_sqlite
from simulation import diary
from simulation.week import AGENTS, ALL, FEATURE, MAIN, SESSIONS, Week, git

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from onrecord.domain.session import Session


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """A desk over a real store."""
    folder = tmp_path / "data"
    folder.mkdir(mode=0o700)
    store = open_sqlite(str(folder / "memory.db"), create=True)
    yield Desk(store)
    store.close()


@pytest.fixture
def trees(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two checkouts of the shop, whose commits are the same in every run."""
    for name in ("GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"):
        monkeypatch.setenv(name, "2026-01-05T09:00:00Z")
    for branch in ("main", "currency"):
        tree = repository(tmp_path / branch)
        git(tree, "remote", "add", "origin", "https://github.com/acme/shop.git")
    return tmp_path


def test_each_days_end_reads_as_expected(
    desk: Desk, trees: Path, golden: Callable[[str, str | bytes], None]
) -> None:
    """The diary of one week, whole: sessions, queue, memories, handoffs, packs."""
    week = Week(desk, trees, seed=7, trees=(MAIN, FEATURE))
    for day in range(len(SESSIONS)):
        week.live(day)
        golden(f"week/day_{day + 1}.txt", diary.page(week, day))
        assert_sound(week)


@pytest.mark.parametrize("seed", [11, 23])
def test_other_weeks_keep_the_same_promises(desk: Desk, tmp_path: Path, seed: int) -> None:
    """Whatever the week brings."""
    week = Week(desk, tmp_path, seed=seed)
    for day in range(len(SESSIONS)):
        week.live(day)
        assert_sound(week)
    answers = {name_of(answer) for _, answer in week.kept if not isinstance(answer, str)}
    assert answers >= {"proposed", "refused"}
    assert week.gone
    assert {row.status for row in week.hooks.handoffs()} >= {"open", "acknowledged", "replaced"}


def assert_sound(week: Week) -> None:
    """What holds at the end of each day."""
    assert_stored(week)
    assert_packs(week)
    assert_queue(week)
    assert_handoffs(week)
    assert week.desk.memory.check(audit=True).sound


def assert_stored(week: Week) -> None:
    """Every remembered text is there, was there already, or was refused with a code."""
    for text, answer in week.kept:
        if isinstance(answer, str):
            assert answer, text
            continue
        assert answer.code, text
        if answer.item is not None:
            week.desk.stored(answer.item.id)


def assert_packs(week: Week) -> None:
    """Nothing turned down or erased, nothing over budget, nothing twice in one context."""
    had: set[tuple[str, int, str, int]] = set()
    for given in week.given:
        assert given.pack.tokens <= given.pack.budget
        for item, version, *_ in given.pack.shown:
            assert week.gone.get(item, given.at) >= given.at
            told = (given.session, given.age, item, version)
            assert told not in had
            had.add(told)
    for agent in AGENTS:
        for branch in (MAIN, FEATURE):
            made = week.next_pack(agent, branch)
            assert made.tokens <= made.budget
            assert not week.gone.keys() & {row[0] for row in made.shown}


def assert_queue(week: Week) -> None:
    """It holds the proposals, all of them and nothing else."""
    now = week.desk.clock.now()
    waits = {entry.item.id for entry in week.desk.memory.queue(week.desk.ada) if not entry.asked}
    stored = week.desk.memory.page(ALL, week.desk.ada, states=("proposed",))
    assert waits == {item.id for item in stored}
    assert all(not item.expired(now) for item in stored)


def assert_handoffs(week: Week) -> None:
    """Of observed ones a branch has one at most; claims and lapses keep their times."""
    now = week.desk.clock.now()
    ended = {row.id: row for row in week.hooks.sessions() if row.ended_at is not None}
    open_ones = week.hooks.handoffs("open")
    people = [
        row.branch
        for row in open_ones
        if row.automatic and row.session in ended and not ended[row.session].headless
    ]
    assert len(people) == len(set(people))
    lines = [row.session for row in open_ones if row.automatic]
    assert len(lines) == len(set(lines))
    assert all(row.lapses_at > now for row in open_ones)
    assert all(row.lapses_at <= now for row in week.hooks.handoffs("expired"))
    for row in week.hooks.handoffs("claimed"):
        assert row.claimed_at is not None
        assert row.lease_until is not None
        assert row.claimed_at + LEASE <= row.lease_until <= now + LEASE
    told = {row.branch for row in week.hooks.handoffs()}
    assert all(row.branch in told for row in ended.values() if _worked(row))


def _worked(row: Session) -> bool:
    return bool(row.prompts and row.repo)
