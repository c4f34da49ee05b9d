"""An override in one place: the tombstone of a broader scope is lifted there and nowhere else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desk import REPO, id_of
from onrecord.domain.outcome import Created, Refused
from onrecord.service.commands import Mark, Reject, Undo

if TYPE_CHECKING:
    from desk import Desk
    from onrecord.domain.outcome import Outcome

TEXT = "Refunds need a receipt from the kiosk"


def overridden(desk: Desk) -> tuple[str, Outcome]:
    """A text that was rejected everywhere and saved for one repository; the rejected item."""
    made = desk.remember(TEXT, desk.ada, scope="global")
    desk.do(Reject(item=id_of(made), reason="wrong"), desk.ada)
    return id_of(made), desk.remember(TEXT, desk.ada_typed, scope="repo", override="so it is here")


def test_a_global_tombstone_stays_in_force_elsewhere(desk: Desk) -> None:
    """It names the repository that it was lifted for, and who did it."""
    rejected, answer = overridden(desk)
    with desk.store.read() as tx:
        (stone,) = tx.tombstones.of(rejected)
    elsewhere = desk.remember(TEXT, desk.elsewhere(), scope="repo")
    everywhere = desk.remember(TEXT, desk.agent(), scope="global")

    assert isinstance(answer, Created)
    assert (stone.scope, stone.lifted_at) == ("global", None)
    assert [(lift.scope, lift.by) for lift in stone.lifts] == [(REPO, desk.ada.principal.name)]
    assert isinstance(elsewhere, Refused)
    assert isinstance(everywhere, Refused)


def test_it_stays_lifted_there_when_the_saved_item_goes(desk: Desk) -> None:
    """In the repository and its branches, for the agents that work in it."""
    _, answer = overridden(desk)
    desk.do(Mark(item=id_of(answer), action="archive"), desk.ada)
    for scope in ("repo", "branch", "session"):
        again = desk.remember(TEXT, desk.agent(), scope=scope)
        assert not isinstance(again, Refused)


def test_undoing_the_override_puts_it_back_there(desk: Desk) -> None:
    """And taking the undo back lifts it again; elsewhere nothing changes."""
    _, answer = overridden(desk)
    undone = desk.do(Undo(event=answer.undo or 0), desk.ada_typed)
    between = desk.remember(TEXT, desk.agent(), scope="repo")
    desk.do(Undo(event=undone.undo or 0), desk.ada_typed)
    after = desk.remember(TEXT, desk.agent(), scope="repo")
    elsewhere = desk.remember(TEXT, desk.elsewhere(), scope="repo")

    assert isinstance(between, Refused)
    assert not isinstance(after, Refused)
    assert isinstance(elsewhere, Refused)
