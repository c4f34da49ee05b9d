"""Two items that speak against each other: every way out is one act and one undo."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from desk import id_of
from onrecord.domain.errors import BadField, IllegalTransition, UndoClash
from onrecord.domain.outcome import Conflict, Refused, Updated
from onrecord.domain.time import DAY
from onrecord.service.commands import Approve, Mark, Reconcile, Reject, Revise, Undo

if TYPE_CHECKING:
    from desk import Desk
    from onrecord.domain.item import Item

OLD = "Deploys go out through the blue lane"
NEW = "Deploys do not go out through the blue lane"
WAYS = ("new", "old", "both", "coexist", "dispute")


def pair(desk: Desk, *, waits: bool = False) -> tuple[str, str]:
    """A statement and one against it: a person's own, or an agent's that waits."""
    old = id_of(desk.remember(OLD, desk.ada, scope="repo"))
    who = desk.agent() if waits else desk.ada
    return old, id_of(desk.remember(NEW, who, scope="repo"))


def state(item: Item) -> Any:
    """All of an item that undo restores."""
    plain = replace(item, head=None, delivered=0, opened=0, helpful=0)  # type: ignore[arg-type]
    return plain, item.content


def settle(desk: Desk, new: str, old: str, way: str, **more: Any) -> Any:
    """The person's decision, with a key typed."""
    return desk.do(Reconcile(new=new, old=old, way=way, **more), desk.ada_typed)


def after(desk: Desk, *items: str) -> list[tuple[str, str]]:
    """Status and belief of items."""
    found = [desk.stored(item) for item in items]
    return [(item.status, item.verification) for item in found]


EXPECTED = {
    "new": [("superseded", "verified"), ("active", "verified")],
    "old": [("active", "verified"), ("rejected", "")],
    "both": [("active", "verified"), ("active", "verified")],
    "coexist": [("active", "verified"), ("active", "verified")],
    "dispute": [("active", "disputed"), ("active", "disputed")],
}


@pytest.mark.parametrize("waits", [False, True])
@pytest.mark.parametrize("way", WAYS)
def test_each_way_out_is_taken_back_whole_by_one_undo(
    desk: Desk, way: str, *, waits: bool
) -> None:
    """Both items are exactly as they were, whichever of them the way changed."""
    old, new = pair(desk, waits=waits)
    before = [state(desk.stored(item)) for item in (old, new)]
    done = settle(desk, new, old, way)
    became = after(desk, old, new)
    undone = desk.do(Undo(), desk.ada_typed)

    assert isinstance(done, Updated), done
    assert [row[0] for row in became] == [row[0] for row in EXPECTED[way]]
    assert all(
        got[1] == want[1] or not want[1] for got, want in zip(became, EXPECTED[way], strict=True)
    )
    assert isinstance(undone, Updated), undone
    assert [state(desk.stored(item)) for item in (old, new)] == before


@pytest.mark.parametrize("waits", [False, True])
@pytest.mark.parametrize("way", WAYS)
def test_a_decision_that_was_taken_back_leaves_nothing_beside_the_items(
    desk: Desk, way: str, *, waits: bool
) -> None:
    """No link to what it replaced, and no review; what was known in between still tells both."""
    old, new = pair(desk, waits=waits)
    before = [desk.memory.background(item, desk.ada) for item in (old, new)]
    desk.clock.advance(DAY)
    settle(desk, new, old, way)
    decided = [desk.memory.background(item, desk.ada) for item in (old, new)]
    then = desk.clock.now()
    desk.clock.advance(DAY)
    desk.do(Undo(), desk.ada_typed)
    after = [desk.memory.background(item, desk.ada) for item in (old, new)]
    between = [desk.memory.background(item, desk.ada, as_of=then) for item in (old, new)]
    approvals = [rest for rest in desk.memory.rests(new, desk.ada) if rest.kind == "approval"]

    assert after == before
    assert between == decided
    assert approvals == []
    if way in ("new", "old"):
        assert decided != before


def test_a_decision_that_was_taken_back_and_made_again_shows_again(desk: Desk) -> None:
    """Undoing the undo brings link and review back."""
    approved = id_of(desk.remember(NEW, desk.agent(), scope="repo"))
    desk.do(Approve(item=approved), desk.ada_typed)
    with_review = desk.memory.background(approved, desk.ada)
    desk.do(Undo(), desk.ada_typed)
    without = desk.memory.background(approved, desk.ada)
    desk.do(Approve(item=approved), desk.ada_typed)
    again = desk.memory.background(approved, desk.ada)

    assert [len(found[2]) for found in (with_review, without, again)] == [1, 0, 1]


def test_one_after_the_other_gives_both_a_period(desk: Desk) -> None:
    """The old one ends where the new one begins; an instant may be given."""
    old, new = pair(desk)
    at = desk.clock.now() + 3 * DAY
    settle(desk, new, old, "coexist", at=at)

    assert desk.stored(old).content.valid_to == at
    assert desk.stored(new).content.valid_from == at
    found = desk.memory.recall("blue lane deploys", desk.ada, valid_at=at + DAY)
    assert [hit.item.id for hit in found.hits] == [new]
    found = desk.memory.recall("blue lane deploys", desk.ada)
    assert [hit.item.id for hit in found.hits] == [old]


def test_a_boundary_outside_of_both_periods_is_sent_back(desk: Desk) -> None:
    """Nothing changes where one of the two would have no time of its own."""
    old = id_of(desk.remember(OLD, desk.ada, scope="repo", valid_from=desk.clock.now()))
    new = id_of(desk.remember(NEW, desk.ada, scope="repo"))
    before = after(desk, old, new)
    with pytest.raises(BadField):
        settle(desk, new, old, "coexist", at=5)

    assert after(desk, old, new) == before


def test_a_decision_is_bound_to_the_text_that_was_seen(desk: Desk) -> None:
    """Changed after it was shown: nothing is done."""
    old, new = pair(desk, waits=True)
    answer = settle(desk, new, old, "new", seen=b"another")

    assert isinstance(answer, Conflict)
    assert after(desk, old, new)[0] == ("active", "verified")


@pytest.mark.parametrize("way", WAYS)
def test_a_decision_is_bound_to_the_old_text_too(desk: Desk, way: str) -> None:
    """Reworded by its agent after it was shown: nothing is rejected, replaced or verified."""
    agent = desk.agent()
    old = id_of(desk.remember(OLD, agent, scope="branch"))
    new = id_of(desk.remember(NEW, desk.ada, scope="branch"))
    shown = {"seen": desk.stored(new).head.digest, "seen_old": desk.stored(old).head.digest}
    desk.do(Revise(item=old, content=replace(desk.stored(old).content, body="But red.")), agent)
    before = [state(desk.stored(item)) for item in (old, new)]
    answer = settle(desk, new, old, way, **shown)

    assert isinstance(answer, Conflict)
    assert answer.code == "reconcile.changed"
    assert answer.item is not None
    assert answer.item.id == old
    assert [state(desk.stored(item)) for item in (old, new)] == before
    shown["seen_old"] = desk.stored(old).head.digest
    assert isinstance(settle(desk, new, old, way, **shown), Updated)


def test_what_changed_after_the_decision_keeps_its_undo_away(desk: Desk) -> None:
    """All parts come back or none does."""
    old, new = pair(desk, waits=True)
    done = settle(desk, new, old, "dispute")
    desk.do(Mark(item=old, action="verify"), desk.ada_typed)
    with pytest.raises(UndoClash):
        desk.do(Undo(event=done.undo), desk.ada_typed)

    assert after(desk, old, new) == [("active", "verified"), ("active", "disputed")]
    desk.do(Undo(), desk.ada_typed)
    desk.do(Undo(event=done.undo), desk.ada_typed)
    assert after(desk, old, new) == [("active", "verified"), ("proposed", "unverified")]
    with pytest.raises(UndoClash):
        desk.do(Undo(event=done.undo), desk.ada_typed)


def test_only_a_person_with_a_typed_key_decides(desk: Desk) -> None:
    """Agents are refused, and so is a person who typed nothing; undoing is alike."""
    old, new = pair(desk, waits=True)
    command = Reconcile(new=new, old=old, way="new")
    answers = [desk.do(command, who) for who in (desk.agent(), desk.ada)]
    done = settle(desk, new, old, "both")
    undone = desk.do(Undo(event=done.undo), desk.ada)

    assert all(isinstance(answer, Refused) for answer in (*answers, undone))
    assert after(desk, old, new) == [("active", "verified"), ("active", "verified")]


def test_what_cannot_be_decided_is_said(desk: Desk) -> None:
    """One item alone, one that is gone, a way that there is not, one key for both."""
    old, new = pair(desk)
    keyed = [
        id_of(desk.remember("Tides are read at six", desk.ada, scope="repo", key="tides")),
        id_of(desk.remember("Tides are read at ten", desk.agent(), scope="repo", key="tides")),
    ]
    for command in (
        Reconcile(new=new, old=new, way="both"),
        Reconcile(new=new, old=old, way="else"),
        Reconcile(new=keyed[1], old=keyed[0], way="both"),
    ):
        with pytest.raises(BadField):
            desk.do(command, desk.ada_typed)
    desk.do(Reject(item=new, reason="wrong"), desk.ada_typed)
    with pytest.raises(IllegalTransition):
        settle(desk, new, old, "old")
    done = settle(desk, keyed[1], keyed[0], "new")
    assert isinstance(done, Updated)
    assert [row[0] for row in after(desk, *keyed)] == ["superseded", "active"]


def test_a_proposal_counts_only_where_nothing_that_it_replaces_stays(desk: Desk) -> None:
    """Made for another one's place: against the one that is given it can only be turned down."""
    old = id_of(desk.remember(OLD, desk.ada, scope="repo"))
    third = id_of(desk.remember("The blue lane is the fast one", desk.ada, scope="repo"))
    new = id_of(desk.remember(NEW, desk.agent(), scope="repo", replaces=third))
    before = after(desk, old, third, new)
    for way in ("new", "both", "coexist", "dispute"):
        with pytest.raises(BadField) as raised:
            settle(desk, new, old, way)
        assert third[-6:] in raised.value.message
    unchanged = after(desk, old, third, new)
    done = settle(desk, new, third, "new")

    assert before[2][0] == "proposed"
    assert unchanged == before
    assert isinstance(done, Updated)
    assert [row[0] for row in after(desk, old, third, new)] == ["active", "superseded", "active"]


@pytest.mark.parametrize("way", WAYS)
def test_two_that_both_wait_are_not_decided_at_once(desk: Desk, way: str) -> None:
    """One of them has to count first; neither changes by half."""
    old = id_of(desk.remember(OLD, desk.agent(), scope="repo"))
    new = id_of(desk.remember(NEW, desk.agent("claude-code", "s2"), scope="repo"))
    with pytest.raises(IllegalTransition):
        settle(desk, new, old, way)

    assert [row[0] for row in after(desk, old, new)] == ["proposed", "proposed"]


def test_a_rejected_value_is_not_let_in_by_deciding(desk: Desk) -> None:
    """A tombstone made since refuses, and nothing else changes."""
    old, new = pair(desk, waits=True)
    again = id_of(desk.remember(NEW, desk.agent("claude-code", "s9"), scope="branch"))
    desk.do(Reject(item=again, reason="wrong"), desk.ada_typed)
    if desk.stored(new).status == "proposed":
        answer = settle(desk, new, old, "both")
        assert isinstance(answer, (Refused, Updated))


def test_a_revised_pair_is_open_again(desk: Desk) -> None:
    """Both stay, until one of them says something else."""
    old, new = pair(desk)
    settle(desk, new, old, "both")
    with desk.store.read() as tx:
        from onrecord.service import reconciling  # noqa: PLC0415 - one look

        assert reconciling.is_settled(tx, desk.stored(new), desk.stored(old))
    content = replace(desk.stored(new).content, body="Since May.")
    desk.do(Revise(item=new, content=content), desk.ada)
    with desk.store.read() as tx:
        assert not reconciling.is_settled(tx, desk.stored(new), desk.stored(old))
