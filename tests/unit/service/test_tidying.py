"""Putting away in runs that go back whole, and purging what was put away long ago."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC
from typing import TYPE_CHECKING

import pytest

from desk import REPO, SECRETS, Desk, id_of, place
from onrecord.domain.errors import BadField, UndoClash
from onrecord.domain.outcome import Refused
from onrecord.domain.principal import Principal
from onrecord.domain.session import Delivered, Delivery
from onrecord.domain.time import DAY
from onrecord.service.caller import Caller
from onrecord.service.commands import Forget, Mark, Purge, PutAway, Reject, Revise, Sweep, Undo
from onrecord.service.retention import PURGED, Policy
from onrecord.service.upkeep import Upkeep

if TYPE_CHECKING:
    from onrecord.domain.item import Item


@pytest.fixture
def upkeep(desk: Desk) -> Upkeep:
    """What keeps the desk's store in order."""
    return Upkeep(desk.store, clock=desk.clock, ids=desk.ids, secrets=lambda: SECRETS, zone=UTC)


def names(items: list[Item]) -> list[str]:
    """Their ids."""
    return [item.id for item in items]


def test_groom_plans_what_had_its_time_and_a_run_is_the_plan(desk: Desk, upkeep: Upkeep) -> None:
    """What is pinned, verified, a rule, or was used stays; the run takes exactly the plan."""
    agent = desk.agent()
    unused = id_of(desk.remember("The fixtures live in spec", agent, scope="session"))
    used = id_of(desk.remember("The mailer is called Heron", agent, scope="session"))
    verified = id_of(desk.remember("The gate opens at six", desk.ada, scope=REPO))
    expiring = id_of(desk.remember("The fair is on", desk.ada, scope=REPO, ttl=60))
    pinned = id_of(desk.remember("Zones are rings", desk.ada, scope=REPO, ttl=60, pin=True))
    doubtful = id_of(desk.remember("The queue is in Redis", desk.ada, scope=REPO))
    desk.do(Mark(item=doubtful, action="dispute"), desk.ada)
    with desk.store.write() as tx:
        tx.items.bump([used], opened=1)
    assert upkeep.over(Policy(), desk.ada) == []
    desk.clock.advance(181 * DAY)

    plan = upkeep.over(Policy(), desk.ada)
    done = desk.do(PutAway(items=tuple(i.id for i, _ in plan), run="groom"), desk.ada)

    assert {item.id: why for item, why in plan} == {
        unused: "unused",
        expiring: "expired",
        doubtful: "doubtful",
    }
    assert "3 memories are put away" in done.say
    assert [desk.stored(i).status for i in (unused, expiring, doubtful)] == ["archived"] * 3
    assert [desk.stored(i).status for i in (used, verified, pinned)] == ["active"] * 3
    assert upkeep.over(Policy(), desk.ada) == []


def test_a_reminder_that_was_given_long_ago_has_had_its_time(desk: Desk, upkeep: Upkeep) -> None:
    """Ages count from when it was given; one that waits, or was snoozed since, stays."""
    given, waits, snoozed, over = (
        id_of(desk.remember(f"Look at the {word}", desk.ada, scope=REPO, kind="reminder"))
        for word in ("gates", "fares", "piers", "boats")
    )
    desk.clock.advance(200 * DAY)
    expiring = id_of(
        desk.remember("Feed the gulls", desk.ada, scope=REPO, kind="reminder", ttl=60)
    )
    agent = desk.agent()
    with desk.store.write() as tx:
        shown = [desk.stored(item) for item in (given, snoozed, over)]
        items = tuple(Delivered(item=one.id, version=1, rank=n) for n, one in enumerate(shown, 1))
        tx.deliveries.add(
            Delivery(
                id=desk.ids.new(desk.clock.now()),
                session=agent.principal.session,
                channel="hook",
                occasion="session_start",
                at=desk.clock.now(),
                budget=1_500,
                tokens=40,
                items=items,
            )
        )
    desk.do(Mark(item=over, action="pin"), desk.ada)
    content = replace(desk.stored(snoozed).content, valid_from=desk.clock.now() + DAY)
    desk.do(Revise(item=snoozed, content=content, reason="snoozed"), desk.ada)

    assert [why for _, why in upkeep.over(Policy(), desk.ada)] == []
    desk.clock.advance(91 * DAY)
    plan = upkeep.over(Policy(), desk.ada)

    assert {item.id: why for item, why in plan} == {given: "passing", expiring: "expired"}
    assert desk.stored(waits).status == "active"


def test_a_run_goes_back_whole_but_for_what_was_touched(desk: Desk) -> None:
    """Statuses are as before; what a person restored or erased since stays as it is."""
    ids = [id_of(desk.remember(f"Gate {n} opens at six", desk.ada, scope=REPO)) for n in range(4)]
    before = [desk.stored(item) for item in ids]
    done = desk.do(PutAway(items=tuple(ids), run="dedupe"), desk.ada)
    desk.do(Mark(item=ids[2], action="restore"), desk.ada)
    desk.do(Forget(item=ids[3]), desk.ada)

    assert done.undo is not None
    back = desk.do(Undo(event=done.undo), desk.ada)

    assert "2 memories are back; 2 changed since" in back.say
    assert [desk.stored(item) for item in ids[:2]] == before[:2]
    assert [desk.stored(item).status for item in ids[2:]] == ["active", "forgotten"]
    with pytest.raises(UndoClash):
        desk.do(Undo(event=done.undo), desk.ada)


def test_a_run_leaves_what_must_stay(desk: Desk) -> None:
    """Pinned ones, proposals and unknown ids are passed over."""
    pinned = id_of(desk.remember("Zones are rings", desk.ada, scope=REPO, pin=True))
    waits = id_of(desk.remember("The queue is in Redis", desk.agent(), scope=REPO))
    done = desk.do(
        PutAway(items=(pinned, waits, "01ARZ3NDEKTSV4RRFFQ69G5FAV"), run="groom"), desk.ada
    )

    assert "0 memories" in done.say
    assert [desk.stored(item).status for item in (pinned, waits)] == ["active", "proposed"]
    with pytest.raises(BadField):
        desk.do(PutAway(items=(pinned,), run="sweep"), desk.ada)


def test_purge_erases_what_was_put_away_and_nothing_else(desk: Desk, upkeep: Upkeep) -> None:
    """Text is gone from rows and index; what counts, waits or is recent stays whole."""
    old = id_of(desk.remember("The gate opens at six every day", desk.ada, scope=REPO, key="gate"))
    desk.do(Mark(item=old, action="archive"), desk.ada)
    desk.clock.advance(200 * DAY)
    recent = id_of(desk.remember("The till closes at nine", desk.ada, scope=REPO))
    long_active = id_of(desk.remember("Zones are rings", desk.ada, scope=REPO))
    desk.do(Mark(item=recent, action="archive"), desk.ada)

    plan = upkeep.purgeable(PURGED, 180 * DAY)
    done = desk.do(Purge(items=(*names(plan), long_active)), desk.ada_typed)

    assert names(plan) == [old]
    assert done.code == "purged"
    erased = desk.stored(old)
    assert (erased.status, erased.content.title, erased.key) == ("forgotten", "", "")
    assert desk.stored(recent).content.title == "The till closes at nine"
    assert desk.stored(long_active).status == "active"
    assert not desk.memory.recall("gate opens six", desk.ada).hits
    assert desk.memory.recall("gate", desk.ada).forgotten_in == (REPO,)


def test_an_archived_item_counts_from_when_it_was_archived(desk: Desk, upkeep: Upkeep) -> None:
    """However long ago it was written."""
    item = id_of(desk.remember("The gate opens at six", desk.ada, scope=REPO))
    desk.clock.advance(300 * DAY)
    desk.do(Mark(item=item, action="archive"), desk.ada)

    assert upkeep.purgeable(PURGED, 180 * DAY) == []
    desk.clock.advance(181 * DAY)
    assert names(upkeep.purgeable(PURGED, 180 * DAY)) == [item]
    assert upkeep.purgeable(("rejected",), 180 * DAY) == []


def test_purging_leaves_no_tombstone_and_keeps_those_that_were(desk: Desk) -> None:
    """What was only put away may be learned again; what was wrong may not."""
    plain, wrong = "The gate opens at six in the morning", "The queue lives in a Redis cluster"
    away = id_of(desk.remember(plain, desk.ada, scope=REPO))
    bad = id_of(desk.remember(wrong, desk.ada, scope=REPO))
    desk.do(Mark(item=away, action="archive"), desk.ada)
    desk.do(Reject(item=bad, reason="wrong"), desk.ada)
    desk.do(Purge(items=(away, bad)), desk.ada_typed)

    again = desk.remember(plain, desk.ada, scope=REPO)
    turned = desk.remember(wrong, desk.ada, scope=REPO)

    assert not isinstance(again, Refused)
    assert isinstance(turned, Refused)
    assert turned.code == "tombstone.equal"


def test_purging_a_copy_leaves_the_other(desk: Desk) -> None:
    """The same words that count elsewhere are not reached."""
    first = id_of(desk.remember("The gate opens at six", desk.ada, scope=REPO))
    desk.do(Mark(item=first, action="archive"), desk.ada)
    second = id_of(desk.remember("The gate opens at six", desk.ada, scope=REPO))
    desk.do(Purge(items=(first,)), desk.ada_typed)

    assert first != second
    assert desk.stored(second).content.title == "The gate opens at six"


def test_only_a_person_tidies_and_purging_wants_a_key(desk: Desk) -> None:
    """Anyone else is refused, whatever the ids."""
    item = id_of(desk.remember("The gate opens at six", desk.ada, scope=REPO))
    desk.do(Mark(item=item, action="archive"), desk.ada)
    answers = [
        desk.do(PutAway(items=(item,), run="groom"), desk.agent()),
        desk.do(Purge(items=(item,)), desk.agent()),
        desk.do(Purge(items=(item,)), desk.ada),
    ]

    assert [answer.code for answer in answers] == [
        *("authority.tidy_needs_person", "authority.purge_needs_person"),
        "authority.purge_needs_key",
    ]
    assert desk.stored(item).status == "archived"


def test_lint_says_what_to_mend(desk: Desk, upkeep: Upkeep) -> None:
    """Each by its code; what is as it should be is not named."""
    vague = id_of(desk.remember("note", desk.ada, scope=REPO))
    long = id_of(desk.remember("The gate has hours", desk.ada, scope=REPO, body="six " * 1_100))
    dated = id_of(
        desk.remember("We moved to Redis yesterday", desk.ada, scope=REPO, dates_as_written=True)
    )
    one = id_of(desk.remember("Run bin/setup_db before you run specs", desk.ada, scope=REPO))
    two = id_of(
        desk.remember(
            "Before you run specs, run bin/setup_db", desk.ada, scope=REPO, distinct=True
        )
    )
    desk.remember("Answers are kept short", desk.ada, scope="workspace:Site")
    fine = id_of(desk.remember("Deploys ship on the blue line", desk.ada, scope="workspace:site"))

    found = upkeep.lint(desk.ada)

    assert {(f.code, f.item) for f in found} == {
        ("title.vague", vague),
        ("body.long", long),
        ("date.relative", dated),
        ("duplicate.near", two),
        ("scope.twin", ""),
    }
    assert next(f.about for f in found if f.code == "duplicate.near") == one
    assert upkeep.lint(desk.ada, scopes=("workspace:site",)) == []
    desk.clock.advance(61 * DAY)
    assert ("use.never", fine) in {(f.code, f.item) for f in upkeep.lint(desk.ada)}


def test_lint_tells_what_was_true_until_a_day_that_is_past(desk: Desk, upkeep: Upkeep) -> None:
    """It has no time to live, so nothing else names it; what ends later is left alone."""
    end = desk.clock.now() + DAY
    over = id_of(desk.remember("The old gate is open", desk.ada, scope=REPO, valid_to=end))
    desk.remember("The ferry runs all summer", desk.ada, scope=REPO, valid_to=end + 30 * DAY)
    assert upkeep.lint(desk.ada) == []

    desk.clock.advance(2 * DAY)

    assert [(f.code, f.item) for f in upkeep.lint(desk.ada)] == [("time.ended", over)]


def test_figures_count_what_there_is(desk: Desk, upkeep: Upkeep) -> None:
    """By status, kind, scope and week, with what was useful."""
    first = id_of(desk.remember("The gate opens at six", desk.ada, scope=REPO, kind="fact"))
    desk.clock.advance(8 * DAY)
    desk.remember("The till closes at nine", desk.ada, scope="global")
    desk.remember("The queue is in Redis", desk.agent(), scope=REPO)
    with desk.store.write() as tx:
        tx.items.bump([first], helpful=2)

    figures = upkeep.figures(desk.ada)

    assert figures.by_status == {"active": 2, "proposed": 1}
    assert figures.by_kind == {"fact": 1, "note": 1}
    assert figures.by_scope == {REPO: 1, "global": 1}
    assert figures.weekly[-2:] == (1, 2)
    assert names(list(figures.most)) == [first]
    assert figures.least == ()


def test_what_a_sweep_lets_lapse_is_what_was_foretold(desk: Desk, upkeep: Upkeep) -> None:
    """Old proposals and expired tasks."""
    waits = id_of(desk.remember("The queue is in Redis", desk.agent(), scope=REPO))
    task = id_of(desk.remember("Move the queue", desk.ada, scope=REPO, kind="task"))
    assert upkeep.lapsing() == ([], [])
    desk.clock.advance(61 * DAY)

    proposals, tasks = upkeep.lapsing()

    assert (names(proposals), names(tasks)) == ([waits], [task])
    desk.do(Sweep(), Caller(principal=Principal(writer="system", channel="system"), place=place()))
    assert upkeep.lapsing() == ([], [])
