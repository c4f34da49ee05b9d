"""Intervals on both clocks, whatever the clock, the zone and the order of changes."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from hypothesis import given, settings
from hypothesis import strategies as st

from desk import Desk
from onrecord.domain.item import Content
from onrecord.domain.time import HOUR, from_datetime, from_iso, holds_at, to_iso
from onrecord.service.commands import Mark, Remember, Revise
from onrecord.storage.inmemory import InMemoryStore
from onrecord.testing.builders import START

#: Steps of a clock that may be set back: what is done at each, and how far it moves.
STEPS = st.lists(
    st.tuples(
        st.sampled_from(["revise", "replace", "pin", "unpin", "archive", "restore"]),
        st.integers(min_value=-3 * HOUR, max_value=3 * HOUR),
    ),
    max_size=8,
)
ZONES = ("UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu")


@settings(max_examples=60, deadline=None)
@given(STEPS)
def test_no_interval_is_ever_empty_or_out_of_order(steps: list[tuple[str, int]]) -> None:
    """Ends lie after beginnings, versions tile the recorded time, one state holds at once."""
    desk = Desk(InMemoryStore())
    ids = [_kept(desk, "The gate is number 0")]
    for n, (what, moved) in enumerate(steps, 1):
        desk.clock.advance(moved)
        _do(desk, what, ids, n)
    for name in ids:
        versions = desk.memory.history(name, desk.ada)
        for one, following in zip(versions, [*versions[1:], None], strict=True):
            start, end = one.content.valid_from, one.content.valid_to
            assert start is None or end is None or start < end
            assert one.superseded_at == (following.recorded_at if following else None)
            assert following is None or one.recorded_at < following.recorded_at
            seen = desk.memory.history(name, desk.ada, as_of=one.recorded_at)
            assert seen[-1].n == one.n
            assert desk.memory.get(name, desk.ada, as_of=one.recorded_at).version == one.n


def _kept(desk: Desk, title: str, replaces: str = "") -> str:
    made = desk.memory.do(
        Remember(content=Content(title=title), scope="repo", distinct=True, replaces=replaces),
        desk.ada,
    )
    assert made.item is not None
    return made.item.id


def _do(desk: Desk, what: str, ids: list[str], n: int) -> None:
    status = desk.memory.get(ids[-1], desk.ada).status
    if what == "replace" and status == "active":
        ids.append(_kept(desk, f"The gate is number {n}", replaces=ids[-1]))
    elif what == "revise" and status == "active":
        command = Revise(item=ids[-1], content=Content(title=f"The gate is number {n}"))
        desk.memory.do(command, desk.ada)
    elif (what == "restore" and status == "archived") or (
        what in ("pin", "unpin", "archive") and status == "active"
    ):
        desk.memory.do(Mark(item=ids[-1], action=what), desk.ada)


@given(
    st.datetimes(min_value=datetime(1970, 1, 2), max_value=datetime(2100, 1, 1)),  # noqa: DTZ001 - the zone is drawn
    st.sampled_from(ZONES),
    st.sampled_from([0, 1]),
)
def test_an_instant_is_the_same_in_every_zone(local: datetime, zone: str, fold: int) -> None:
    """Also in the hour that comes twice, and in the one that daylight saving leaves out."""
    moment = local.replace(tzinfo=ZoneInfo(zone), fold=fold)
    at = from_datetime(moment.astimezone(UTC))

    assert from_iso(moment.astimezone(UTC).isoformat()) == at
    assert from_iso(to_iso(at)) == at
    assert from_iso(moment.isoformat()) == at


@given(st.integers(0, 10**15), st.integers(1, 10**12), st.integers(-(10**12), 2 * 10**12))
def test_intervals_are_half_open(start: int, length: int, off: int) -> None:
    """The start holds, the end does not, and two that meet cover each instant once."""
    end, at = start + length, start + off

    assert holds_at(start, end, start)
    assert not holds_at(start, end, end)
    assert holds_at(start, end, at) == (start <= at < end)
    if at >= start:
        assert holds_at(start, end, at) + holds_at(end, None, at) == 1
    else:
        assert not holds_at(start, end, at)


def test_the_hour_that_comes_twice_is_two_hours() -> None:
    """A half-open day of a change of clocks has 23 or 25 hours."""
    berlin = ZoneInfo("Europe/Berlin")
    for day, hours in (
        (datetime(2026, 3, 29, tzinfo=berlin), 23),
        (datetime(2026, 10, 25, tzinfo=berlin), 25),
    ):
        start, end = day, datetime.combine(day + timedelta(days=1), day.time(), berlin)

        assert (from_datetime(end) - from_datetime(start)) == hours * HOUR
    assert from_iso("2026-01-01") == START
