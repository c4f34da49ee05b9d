"""Undo restores the exact earlier state, and says what stands in its way."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from onrecord.domain.errors import UndoClash
from onrecord.domain.outcome import Refused, Updated
from onrecord.service.commands import Approve, Forget, Mark, Reject, Revise, Set, Undo

if TYPE_CHECKING:
    from desk import Desk
    from onrecord.domain.item import Item


def state(item: Item) -> tuple[object, ...]:
    """Everything that undo has to restore."""
    return (
        item.content,
        item.status,
        item.verification,
        item.pinned,
        item.expires_at,
        item.kind,
        item.scope,
        item.key,
        item.flags,
    )


def stored(desk: Desk, item: str) -> Item:
    """The item as it stands in the store."""
    with desk.store.read() as tx:
        found = tx.items.get(item)
    assert found is not None
    return found


@pytest.mark.parametrize("action", ["archive", "pin", "verify", "dispute"])
def test_undo_of_a_mark_is_exact(desk: Desk, action: str) -> None:
    """Archive, pin, verify and dispute leave nothing behind when undone."""
    made = desk.remember("Fares are in cents", desk.ada, scope="agent:codex", tags=("fare",))
    assert made.item is not None
    before = state(stored(desk, made.item.id))
    done = desk.do(Mark(item=made.item.id, action=action), desk.ada_typed)
    changed = state(stored(desk, made.item.id))
    assert done.undo is not None
    desk.do(Undo(event=done.undo), desk.ada)

    assert changed != before
    assert state(stored(desk, made.item.id)) == before


def test_undo_of_an_edit_restores_the_text(desk: Desk) -> None:
    """A further version says what the earlier one said; nothing is overwritten."""
    made = desk.remember("Fares are in cents", desk.ada, body="Always.", tags=("fare",))
    assert made.item is not None
    before = stored(desk, made.item.id)
    content = before.content.__class__(title="Fares are in euros")
    done = desk.do(Revise(item=made.item.id, content=content), desk.ada)
    assert done.undo is not None
    desk.do(Undo(event=done.undo), desk.ada)
    after = stored(desk, made.item.id)

    assert state(after) == state(before)
    assert after.version == 3


def test_undo_of_an_approval_brings_the_replaced_one_back(desk: Desk) -> None:
    """Approving a replacement supersedes the old item; undo restores both."""
    old = desk.remember("Deploy with blue", desk.ada, scope="repo", key="deploy")
    new = desk.remember("Deploy with green", desk.agent(), scope="repo", key="deploy")
    assert old.item is not None
    assert new.item is not None
    before = state(stored(desk, old.item.id)), state(stored(desk, new.item.id))
    done = desk.do(Approve(item=new.item.id), desk.ada_typed)
    assert done.undo is not None
    between = stored(desk, old.item.id).status, stored(desk, new.item.id).status
    desk.do(Undo(event=done.undo), desk.ada)
    after = state(stored(desk, old.item.id)), state(stored(desk, new.item.id))

    assert between == ("superseded", "active")
    assert after == before


def test_undo_of_a_rejection_needs_a_typed_key_and_lifts_the_tombstone(desk: Desk) -> None:
    """Afterwards the value may be said again."""
    made = desk.remember("Refunds need a receipt from the kiosk", desk.agent(), scope="repo")
    assert made.item is not None
    before = state(stored(desk, made.item.id))
    done = desk.do(Reject(item=made.item.id, reason="wrong"), desk.ada)
    assert done.undo is not None
    untyped = desk.do(Undo(event=done.undo), desk.ada)
    typed = desk.do(Undo(event=done.undo), desk.ada_typed)
    again = desk.remember(
        "Refunds need a receipt from the kiosk", desk.agent("claude-code", "c"), scope="repo"
    )

    assert isinstance(untyped, Refused)
    assert isinstance(typed, Updated)
    assert state(stored(desk, made.item.id)) == before
    assert not isinstance(again, Refused)


def test_undo_of_undo_is_redo(desk: Desk) -> None:
    """A compensating event can itself be taken back."""
    made = desk.remember("Fares are in cents", desk.ada)
    assert made.item is not None
    done = desk.do(Mark(item=made.item.id, action="pin"), desk.ada)
    pinned = state(stored(desk, made.item.id))
    undone = desk.do(Undo(event=done.undo or 0), desk.ada)
    desk.do(Undo(event=undone.undo or 0), desk.ada)

    assert state(stored(desk, made.item.id)) == pinned


def test_undo_of_something_changed_since_is_a_conflict(desk: Desk) -> None:
    """The later change is named and nothing is lost."""
    made = desk.remember("Fares are in cents", desk.ada)
    assert made.item is not None
    first = desk.do(Mark(item=made.item.id, action="pin"), desk.ada)
    desk.do(Mark(item=made.item.id, action="archive"), desk.ada)

    with pytest.raises(UndoClash, match="archived after that"):
        desk.do(Undo(event=first.undo or 0), desk.ada)


def test_forgetting_cannot_be_undone(desk: Desk) -> None:
    """Its text is gone; the answer says so."""
    made = desk.remember("Fares are in cents", desk.ada)
    assert made.item is not None
    desk.do(Forget(item=made.item.id), desk.ada)
    event = desk.memory.events(desk.ada)[0]

    with pytest.raises(UndoClash, match="erased"):
        desk.do(Undo(event=event.seq), desk.ada)


def test_an_agent_undoes_only_its_own_latest_change(desk: Desk) -> None:
    """Another's change is not its to undo, and neither is a person's."""
    agent = desk.agent()
    own = desk.remember("Use the fake clock", agent, scope="session")
    persons = desk.remember("Fares are in cents", desk.ada, scope="repo")
    other = desk.do(Undo(event=persons.undo or 0), agent)
    mine = desk.do(Undo(event=own.undo or 0), agent)

    assert isinstance(other, Refused)
    assert isinstance(mine, Updated)


def test_undo_of_a_setting_restores_it(desk: Desk) -> None:
    """Off, undone, is on."""
    done = desk.do(Set(name="saving", value="off"), desk.ada)
    desk.do(Undo(event=done.undo or 0), desk.ada)

    assert desk.memory.status(desk.ada).saving


def test_undo_again_and_again_walks_back(desk: Desk) -> None:
    """A bare undo takes the latest change that still stands; past an erasure once it was told."""
    first = desk.remember("Fares are in cents", desk.ada)
    second = desk.remember("Night buses charge at the depot", desk.ada)
    gone = desk.remember("The harbour office pays in coins only", desk.ada)
    assert first.item is not None
    assert second.item is not None
    assert gone.item is not None
    desk.do(Forget(item=gone.item.id), desk.ada)
    with pytest.raises(UndoClash, match="to forget"):
        desk.do(Undo(), desk.ada)
    assert second.undo is not None
    desk.do(Undo(event=second.undo), desk.ada)
    desk.do(Undo(), desk.ada)

    assert stored(desk, second.item.id).status == "archived"
    assert stored(desk, first.item.id).status == "archived"
