"""What was said of a memory, and who took a handoff over, goes back exactly, and forth again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from desk import id_of
from onrecord.domain.errors import UndoClash
from onrecord.domain.outcome import Refused, Updated
from onrecord.service import auditing, verdicts
from onrecord.service.commands import Feedback, HandOff, Mark, Settle, Undo

if TYPE_CHECKING:
    from desk import Desk
    from onrecord.domain.session import Handoff


def counted(desk: Desk, item: str) -> tuple[int, str, list[str]]:
    """Helped how often, belief, and the verdicts that count."""
    with desk.store.read() as tx:
        assert list(auditing.findings(tx)) == []
        said = [row.verdict for row in verdicts.standing(tx, item)]
    stored = desk.stored(item)
    return stored.helpful, stored.verification, said


def row_of(desk: Desk, item: str) -> Handoff:
    """A handoff's own row."""
    with desk.store.read() as tx:
        row = tx.handoffs.get(item)
    assert row is not None
    return row


@pytest.mark.parametrize("verdict", ["helpful", "wrong", "stale", "not_relevant"])
def test_an_opinion_is_taken_back_and_given_again(desk: Desk, verdict: str) -> None:
    """Count, belief and what moves a recall are as before, then as after, as often as wanted."""
    item = id_of(desk.remember("The gate opens at six", desk.ada, scope="repo"))
    before = counted(desk, item)
    said = desk.do(Feedback(item=item, verdict=verdict), desk.ada)
    after = counted(desk, item)
    assert said.undo is not None
    back = desk.do(Undo(event=said.undo), desk.ada_typed)
    assert counted(desk, item) == before != after
    assert back.undo is not None
    again = desk.do(Undo(event=back.undo), desk.ada_typed)

    assert counted(desk, item) == after
    assert isinstance(again, Updated)
    with pytest.raises(UndoClash):
        desk.do(Undo(event=back.undo), desk.ada_typed)


def test_what_came_after_stays_and_is_no_hindrance(desk: Desk) -> None:
    """An opinion is apart from the memory: each goes back without the other, in any order."""
    item = id_of(desk.remember("The gate opens at six", desk.ada, scope="repo"))
    said = desk.do(Feedback(item=item, verdict="helpful"), desk.ada)
    pinned = desk.do(Mark(item=item, action="pin"), desk.ada)
    desk.do(Undo(event=said.undo or 0), desk.ada)
    assert desk.stored(item).pinned
    desk.do(Undo(event=pinned.undo or 0), desk.ada)

    assert not desk.stored(item).pinned
    assert counted(desk, item) == (0, "verified", [])


def test_an_agent_takes_back_its_own_word_alone(desk: Desk) -> None:
    """Of a shared memory too; another session's word is not its own, and counts go by both."""
    item = id_of(desk.remember("The gate opens at six", desk.ada, scope="repo"))
    mine = desk.do(Feedback(item=item, verdict="helpful"), desk.agent())
    theirs = desk.do(Feedback(item=item, verdict="helpful"), desk.agent("claude-code", "s2"))
    refused = desk.do(Undo(event=theirs.undo or 0), desk.agent())
    assert desk.stored(item).helpful == 2
    desk.do(Undo(event=mine.undo or 0), desk.agent())

    assert isinstance(refused, Refused)
    assert desk.stored(item).helpful == 1


def test_a_claim_is_given_back_and_an_acknowledgement_too(desk: Desk) -> None:
    """The row is as it was, lease and all; what came after a claim goes first."""
    item = id_of(desk.do(HandOff(next="look at the gate"), desk.agent()))
    other = desk.agent("claude-code", "s2")
    rows = [row_of(desk, item)]
    claimed = desk.do(Settle(item=item, action="claim"), other)
    rows.append(row_of(desk, item))
    done = desk.do(Settle(item=item, action="ack"), other)
    with pytest.raises(UndoClash):
        desk.do(Undo(event=claimed.undo or 0), desk.ada)
    desk.do(Undo(event=done.undo or 0), desk.ada)
    assert row_of(desk, item) == rows[1]
    back = desk.do(Undo(event=claimed.undo or 0), desk.ada)
    assert row_of(desk, item) == rows[0]
    desk.do(Undo(event=back.undo or 0), desk.ada)

    assert row_of(desk, item) == rows[1]
    with desk.store.read() as tx:
        assert list(auditing.findings(tx)) == []


def test_a_claim_that_another_session_has_since_stays(desk: Desk) -> None:
    """After the lease ran out somebody else took it: that one is not thrown out."""
    item = id_of(desk.do(HandOff(next="look at the gate"), desk.agent()))
    first = desk.do(Settle(item=item, action="claim"), desk.agent("claude-code", "s2"))
    desk.clock.advance(2 * 60 * 60 * 1_000_000)
    desk.do(Settle(item=item, action="claim"), desk.agent("codex", "s3"))

    with pytest.raises(UndoClash):
        desk.do(Undo(event=first.undo or 0), desk.ada)
    assert row_of(desk, item).claimed_by
