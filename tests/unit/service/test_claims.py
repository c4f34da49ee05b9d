"""Who has a handoff: offered, claimed for a while, held on to, acknowledged, let go."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from desk import BRANCH, REPO, Desk, id_of
from onrecord.domain.errors import Clash, NotFound
from onrecord.domain.time import DAY, MINUTE
from onrecord.service import claims
from onrecord.service.commands import HandOff
from spooling import Hooks

if TYPE_CHECKING:
    from pathlib import Path

    from onrecord.domain.session import Handoff


@pytest.fixture
def hooks(desk: Desk, tmp_path: Path) -> Hooks:
    """Hooks that write into this desk's spool."""
    return Hooks(desk, tmp_path)


def offer(hooks: Hooks, session: str, *handoffs: str, client: str = "claude-code") -> None:
    """A session starts and is given handoffs, the first one as its own."""
    hooks.start(session, client=client)
    hooks.tell(
        "delivery",
        session,
        client=client,
        occasion="session_start",
        handoff=handoffs[0] if handoffs else "",
        shown=[[item, 1, at, 0.5, 9] for at, item in enumerate(handoffs, 1)],
    )


@pytest.fixture
def written(hooks: Hooks) -> Handoff:
    """A handoff that Codex wrote."""
    hooks.desk.do(HandOff(next="The till"), hooks.desk.agent("codex", "s1"))
    (row,) = hooks.handoffs("open")
    return row


def now_of(hooks: Hooks) -> Handoff:
    """The one handoff as it stands."""
    (row,) = hooks.handoffs()
    return row


def test_being_given_it_claims_nothing(hooks: Hooks, written: Handoff) -> None:
    """A session that was only opened took nothing over."""
    offer(hooks, "a", written.item)
    hooks.drain()

    assert now_of(hooks) == written


def test_the_first_prompt_claims_it_for_half_an_hour(hooks: Hooks, written: Handoff) -> None:
    """By the session's row; not what a client or a subagent said."""
    offer(hooks, "a", written.item)
    hooks.tell("prompt", "a")
    hooks.tell("prompt", "a", prompt="do this", agent_id="sub")
    hooks.drain()
    assert now_of(hooks).status == "open"
    hooks.prompt("go on", "a")
    hooks.drain()

    claimed, session = now_of(hooks), hooks.session("a")
    assert (claimed.status, claimed.claimed_by) == ("claimed", session.id)
    assert claimed.lease_until == session.last_event_at + 30 * MINUTE


def test_a_run_that_nobody_sits_at_claims_nothing(hooks: Hooks, written: Handoff) -> None:
    """A person who lets the agent act without asking does."""
    offer(hooks, "script", written.item)
    hooks.prompt("go on", "script", headless=True, alone=True)
    hooks.drain()
    assert now_of(hooks).status == "open"
    offer(hooks, "bold", written.item)
    hooks.prompt("go on", "bold", headless=True)
    hooks.drain()

    assert now_of(hooks).claimed_by == hooks.session("bold").id


def test_only_the_one_that_was_offered_is_claimed(hooks: Hooks, written: Handoff) -> None:
    """Others stand in the pack as well, and stay free however often the person speaks."""
    hooks.desk.do(HandOff(next="Another line"), hooks.desk.agent("codex", "s2"))
    (other,) = (row for row in hooks.handoffs() if row.item != written.item)
    offer(hooks, "a", written.item, other.item)
    hooks.prompt("one", "a")
    hooks.prompt("two", "a")
    hooks.drain()

    assert {row.item: row.status for row in hooks.handoffs()} == {
        written.item: "claimed",
        other.item: "open",
    }


def test_what_was_never_given_is_not_claimed(hooks: Hooks, written: Handoff) -> None:
    """Working in the same place takes nothing over."""
    offer(hooks, "a")
    hooks.prompt("one", "a")
    hooks.drain()

    assert now_of(hooks) == written


def test_of_two_the_first_to_speak_has_it(hooks: Hooks, written: Handoff) -> None:
    """The other one goes without, and takes it once the lease has run out."""
    offer(hooks, "a", written.item)
    offer(hooks, "b", written.item)
    hooks.prompt("mine", "b")
    hooks.prompt("mine too", "a")
    hooks.drain()
    assert now_of(hooks).claimed_by == hooks.session("b").id
    hooks.desk.clock.advance(31 * MINUTE)
    hooks.prompt("still here", "a")
    hooks.drain()

    assert now_of(hooks).claimed_by == hooks.session("a").id


def test_working_on_holds_on_to_it(hooks: Hooks, written: Handoff) -> None:
    """Every prompt of the session that has it begins the lease anew."""
    offer(hooks, "a", written.item)
    offer(hooks, "b", written.item)
    hooks.prompt("one", "a")
    hooks.desk.clock.advance(25 * MINUTE)
    hooks.prompt("two", "a")
    hooks.desk.clock.advance(25 * MINUTE)
    hooks.prompt("mine?", "b")
    hooks.drain()

    assert now_of(hooks).claimed_by == hooks.session("a").id


def test_a_session_does_not_take_over_from_itself(hooks: Hooks) -> None:
    """Resumed, it is not offered its own words, and could not claim them."""
    hooks.start("a")
    hooks.drain()
    hooks.desk.do(HandOff(next="The till"), hooks.desk.agent("claude-code", "a"))
    offer(hooks, "a", now_of(hooks).item)
    hooks.prompt("go on", "a")
    hooks.drain()

    assert now_of(hooks).status == "open"


def test_claimed_ones_are_not_offered_until_the_lease_runs_out(
    hooks: Hooks, written: Handoff
) -> None:
    """What is free is what packs bring."""
    offer(hooks, "a", written.item)
    hooks.prompt("go on", "a")
    hooks.drain()

    def offered() -> list[str]:
        with hooks.desk.store.read() as tx:
            found = tx.shelf.open_handoffs(REPO, BRANCH, now=hooks.desk.clock.now(), limit=9)
        return [row[0].id for row in found]

    assert offered() == []
    hooks.desk.clock.advance(31 * MINUTE)
    assert offered() == [written.item]


def test_one_of_another_branch_is_taken_over_by_its_id(hooks: Hooks, written: Handoff) -> None:
    """What a pack offers there can be opened, claimed and acknowledged; memories stay there."""
    desk = hooks.desk
    there = desk.remember("Only here", desk.ada, scope="branch")
    main = desk.agent("claude-code", "m1", branch="branch:github.com/acme/shop@main")

    assert desk.memory.get(written.item, main).kind == "handoff"
    assert [row.item for row, _ in desk.memory.handoffs(main)] == [written.item]
    for action in ("claim", "ack"):
        desk.memory.settle_handoff(action, written.item, main)
    assert now_of(hooks).status == "acknowledged"
    with pytest.raises(NotFound):
        desk.memory.get(id_of(there), main)
    with pytest.raises(NotFound):
        desk.memory.get(written.item, desk.elsewhere())


def test_an_agents_own_handoff_lapses_after_two_weeks_as_well(hooks: Hooks) -> None:
    """One that was addressed too; a newer one stays."""
    agent = hooks.desk.agent("codex", "s1")
    hooks.desk.do(HandOff(next="Own words"), agent)
    hooks.desk.do(HandOff(next="For one", to_agent="claude-code"), agent)
    hooks.desk.clock.advance(2 * DAY)
    hooks.desk.do(HandOff(next="Newer"), agent)
    hooks.desk.clock.advance(12 * DAY)
    hooks.drain()

    assert {row.next: row.status for row in hooks.handoffs()} == {
        "Own words": "expired",
        "For one": "expired",
        "Newer": "open",
    }


def test_only_who_has_it_acknowledges(hooks: Hooks, written: Handoff) -> None:
    """And only once; nothing is claimed after that."""
    now = hooks.desk.clock.now()
    with hooks.desk.store.write() as tx, pytest.raises(Clash):
        claims.acknowledge(tx, written, "s", now)
    with hooks.desk.store.write() as tx:
        mine = claims.claim(tx, written, "s", now)
        done = claims.acknowledge(tx, mine, "s", now)
    for attempt in (claims.claim, claims.acknowledge):
        with hooks.desk.store.write() as tx, pytest.raises(Clash):
            attempt(tx, done, "other", now)
    with hooks.desk.store.write() as tx, pytest.raises(Clash):
        claims.cancel(tx, done)

    assert (done.status, done.acknowledged_at) == ("acknowledged", now)


@pytest.mark.parametrize(
    ("change", "free"),
    [
        ({}, True),
        ({"status": "claimed", "lease_until": 200}, False),
        ({"status": "claimed", "lease_until": 100}, True),
        ({"status": "claimed", "lease_until": None}, False),
        ({"lapses_at": 100}, False),
        ({"status": "acknowledged"}, False),
        ({"status": "cancelled"}, False),
        ({"status": "replaced"}, False),
    ],
)
def test_what_is_free(change: dict[str, Any], free: bool) -> None:
    """Open and not lapsed, or claimed under a lease that ran out."""
    from onrecord.domain.session import Handoff as Row  # noqa: PLC0415 - beside its table

    fields: dict[str, Any] = {"item": "i", "session": "s", "created_at": 1, "lapses_at": 500}

    assert claims.is_free(Row(**{**fields, **change}), 100) is free
