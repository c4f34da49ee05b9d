"""How a handoff stands by its text: what was taken back is nobody's, what waits is not yet."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from desk import Desk, id_of
from onrecord.domain.errors import Clash
from onrecord.service import claims
from onrecord.service.commands import HandOff, Mark, Reject, Undo

if TYPE_CHECKING:
    from collections.abc import Callable

    from onrecord.domain.outcome import Outcome
    from onrecord.service.caller import Caller

BACK: dict[str, Callable[[Desk, Outcome], object]] = {
    "undo": lambda desk, made: undo(desk, made.undo),
    "archive": lambda desk, made: desk.do(Mark(item=id_of(made), action="archive"), desk.ada),
    "reject": lambda desk, made: desk.do(Reject(item=id_of(made), reason="unwanted"), desk.ada),
}


def undo(desk: Desk, event: int | None) -> Outcome:
    """Take a change back by the number that its answer gave."""
    assert event is not None
    return desk.do(Undo(event=event), desk.ada)


def told(desk: Desk, caller: Caller, *statuses: str) -> dict[str, str]:
    """How the handoffs of a list stand."""
    return {row.item: row.status for row, _ in desk.memory.handoffs(caller, statuses=statuses)}


@pytest.mark.parametrize("way", BACK)
def test_one_whose_text_was_taken_back_is_nobodys(desk: Desk, way: str) -> None:
    """Neither a person nor an agent finds it among the open ones or can claim or cancel it."""
    made = desk.do(HandOff(next="The till"), desk.ada)
    other = desk.do(HandOff(next="Mend the cart of the shop"), desk.ada)
    BACK[way](desk, made)

    assert told(desk, desk.ada) == {id_of(other): "open"}
    assert told(desk, desk.ada, *claims.EVERY)[id_of(made)] == "withdrawn"
    for action in ("claim", "cancel"):
        with pytest.raises(Clash, match="withdrawn"):
            desk.memory.settle_handoff(action, id_of(made), desk.ada)


def test_undoing_the_undo_opens_it_again(desk: Desk) -> None:
    """The row keeps its own state, so what comes back can be claimed."""
    made = desk.do(HandOff(next="The till"), desk.ada)
    undone = undo(desk, made.undo)
    undo(desk, undone.undo)
    assert told(desk, desk.ada) == {id_of(made): "open"}
    desk.do(Mark(item=id_of(made), action="archive"), desk.ada)
    desk.do(Mark(item=id_of(made), action="restore"), desk.ada)
    row, event = desk.memory.settle_handoff("claim", id_of(made), desk.agent("codex"))

    assert row.status == "claimed"
    assert event


def test_one_that_waits_for_review_says_so_and_cannot_be_claimed(desk: Desk) -> None:
    """Who wrote it is told the way out; it is open once the person approved it."""
    writer = desk.agent("codex", headless=True)
    made = desk.do(HandOff(next="The till"), writer)
    assert told(desk, desk.ada) == told(desk, writer) == {id_of(made): "waiting"}
    with pytest.raises(Clash) as refused:
        desk.memory.settle_handoff("claim", id_of(made), writer)

    assert "review" in refused.value.message
    assert "onrecord review" in refused.value.hint


def test_those_that_are_over_take_no_places_in_a_list(desk: Desk) -> None:
    """However many newer ones were archived, the open one behind them is found."""
    first = desk.do(HandOff(next="The till of the shop"), desk.ada)
    for n in range(4):
        later = desk.do(HandOff(next=f"Step number {n} of something else"), desk.ada)
        desk.do(Mark(item=id_of(later), action="archive"), desk.ada)

    found = desk.memory.handoffs(desk.ada, limit=1)
    assert [row.item for row, _ in found] == [id_of(first)]


def test_one_that_was_offered_and_taken_back_is_not_claimed_by_a_prompt(desk: Desk) -> None:
    """The stored state alone does not make it free."""
    made = desk.do(HandOff(next="The till"), desk.ada)
    desk.do(Mark(item=id_of(made), action="archive"), desk.ada)
    with desk.store.read() as tx:
        row = tx.handoffs.get(id_of(made))
        assert row is not None
        seen = claims.standing(row, tx.items.get(row.item))

    assert row.status == "open"
    assert not claims.is_free(seen, desk.clock.now())


def test_cancelling_says_how_to_take_it_back(desk: Desk) -> None:
    """Its number undoes it; acknowledging what another one has names the way out."""
    made = desk.do(HandOff(next="The till"), desk.ada)
    with pytest.raises(Clash) as refused:
        desk.memory.settle_handoff("ack", id_of(made), desk.agent("codex"))
    assert "onrecord handoffs claim" in refused.value.hint
    row, event = desk.memory.settle_handoff("cancel", id_of(made), desk.ada)
    assert (row.status, event is not None) == ("cancelled", True)
    undo(desk, event)

    assert told(desk, desk.ada) == {id_of(made): "open"}
