"""A new key in use: what was made with an earlier one is known as before."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC
from typing import TYPE_CHECKING

import pytest

from desk import SECRETS, id_of
from onrecord.domain.errors import KeyUnreadable, NeedsPerson, NotFound, StoreCorrupt
from onrecord.domain.event import broken_at
from onrecord.domain.item import Content
from onrecord.domain.outcome import Corroborated, Refused
from onrecord.service.commands import Forget, Reject, Remember, Revise
from onrecord.service.keys import Keys
from onrecord.service.memory import Memory
from onrecord.service.work import Secrets

if TYPE_CHECKING:
    from collections.abc import Callable

    from desk import Desk

WRONG = "The harbour office pays in coins only on Fridays"
KEPT = "The production gate listens on port 5432"


class Ring:
    """The keys of a desk, of which a new one can be put in use."""

    def __init__(self, desk: Desk) -> None:
        self.now = SECRETS
        desk.memory = Memory(
            desk.store, clock=desk.clock, ids=desk.ids, secrets=self.read, zone=UTC
        )
        self.keys = Keys(
            desk.store,
            clock=desk.clock,
            ids=desk.ids,
            secrets=self.read,
            zone=UTC,
            fresh=self.fresh,
        )

    def read(self) -> Secrets:
        """The keys as they are."""
        return self.now

    def fresh(self) -> tuple[str, str, Callable[[], None]]:
        """A new one in front of the others."""
        was, n = self.now, len(self.now.older) + 1
        older = ((was.key_id, was.key), *was.older)
        new = Secrets(key_id=f"k{n}", key=bytes([n]) * 32, older=older)

        def use() -> None:
            self.now = new

        return was.key_id, new.key_id, use


@pytest.fixture
def ring(desk: Desk) -> Ring:
    """A desk whose keys can be rotated."""
    return Ring(desk)


@pytest.mark.parametrize("times", [1, 3])
def test_what_was_rejected_stays_out_after_a_rotation(desk: Desk, ring: Ring, times: int) -> None:
    """Also in other dress; without the earlier keys it would come back."""
    waiting = id_of(desk.remember(WRONG, desk.agent(), scope="repo"))
    desk.do(Reject(item=waiting, reason="wrong"), desk.ada_typed)
    for _ in range(times):
        ring.keys.rotate(desk.ada_typed)
    for text in (WRONG, WRONG.upper(), WRONG + "."):
        again = desk.remember(text, desk.agent("claude-code", "c1"), scope="repo")
        assert (type(again), again.code) == (Refused, "tombstone.equal")
    ring.now = replace(ring.now, older=())

    assert not isinstance(desk.remember(WRONG, desk.agent(), scope="repo"), Refused)


def test_what_is_rejected_under_the_new_key_is_known_by_it_alone(desk: Desk, ring: Ring) -> None:
    """The tombstone names its key."""
    ring.keys.rotate(desk.ada_typed)
    waiting = id_of(desk.remember(WRONG, desk.agent(), scope="repo"))
    desk.do(Reject(item=waiting, reason="wrong"), desk.ada_typed)
    with desk.store.read() as tx:
        (stone,) = tx.tombstones.of(waiting)
    ring.now = replace(ring.now, older=())
    again = desk.remember(WRONG, desk.agent(), scope="repo")

    assert stone.key_id == "k1"
    assert again.code == "tombstone.equal"


def test_texts_and_statements_are_known_after_a_rotation(desk: Desk, ring: Ring) -> None:
    """Digests fit, equal words are no second memory, and what was replaced waits."""
    kept = id_of(desk.remember(KEPT, desk.ada, scope="repo"))
    edited = id_of(desk.remember("Fares are kept in cents", desk.ada, scope="repo"))
    desk.do(Revise(item=edited, content=Content(title="Fares are kept in euros")), desk.ada)
    ring.keys.rotate(desk.ada_typed)
    same = desk.remember(KEPT, desk.agent(), scope="repo")
    old = desk.remember("Fares are kept in cents", desk.agent(), scope="repo")

    assert isinstance(same, Corroborated)
    assert id_of(same) == kept
    assert [one.why for one in old.candidates] == ["superseded"]
    assert desk.memory.get(kept, desk.ada).content.title == KEPT
    assert desk.memory.check(audit=True).sound
    ring.now = replace(ring.now, older=())
    with pytest.raises(StoreCorrupt):
        desk.memory.get(kept, desk.ada)


def test_forgetting_reaches_copies_and_addresses_of_before(desk: Desk, ring: Ring) -> None:
    """A copy that was kept under the earlier key goes too; a forgotten key is told as such."""
    desk.remember("The gate opens at six", desk.ada, scope="repo", key="gate")
    gone = id_of(desk.remember(WRONG, desk.ada, scope="repo", key="pay"))
    desk.do(Forget(item=gone), desk.ada_typed)
    copy = id_of(desk.remember(KEPT, desk.ada, scope="global"))
    ring.keys.rotate(desk.ada_typed)
    other = id_of(desk.remember(KEPT, desk.ada, scope="repo", distinct=True))
    desk.do(Forget(item=other), desk.ada_typed)
    with pytest.raises(NotFound) as told:
        desk.memory.at("pay", desk.ada, scope="repo")

    assert desk.stored(copy).status == "forgotten"
    assert told.value.details["forgotten"] is True


def test_a_request_is_answered_once_over_a_rotation(desk: Desk, ring: Ring) -> None:
    """Its key was kept under the earlier one."""
    command = Remember(content=Content(title=KEPT), scope="repo", idempotency_key="r-1")
    first = desk.do(command, desk.ada)
    ring.keys.rotate(desk.ada_typed)
    again = desk.do(command, desk.ada)

    assert (again.code, again.undo, id_of(again)) == (first.code, first.undo, id_of(first))


def test_a_rotation_is_one_event_and_a_persons(desk: Desk, ring: Ring) -> None:
    """The names of both keys are on record; nobody else does it, nor without a typed key."""
    for caller in (desk.ada, desk.agent()):
        with pytest.raises(NeedsPerson):
            ring.keys.rotate(caller)
    done = ring.keys.rotate(desk.ada_typed)
    with desk.store.read() as tx:
        lines = list(tx.events.walk())

    assert (done.before, done.now, done.older) == ("test", "k1", 1)
    assert [(line.action, line.change["key"]) for line in lines] == [
        ("key_rotated", ("test", "k1"))
    ]
    assert lines[-1].seq == done.event
    assert broken_at(lines) is None


def test_keys_that_cannot_be_read_are_not_rotated(desk: Desk) -> None:
    """Nothing is put on record."""

    def lost() -> Secrets:
        raise KeyUnreadable

    keys = Keys(
        desk.store,
        clock=desk.clock,
        ids=desk.ids,
        secrets=lost,
        zone=UTC,
        fresh=lambda: ("", "", lambda: None),
    )
    with pytest.raises(KeyUnreadable):
        keys.rotate(desk.ada_typed)
    with desk.store.read() as tx:
        assert tx.events.head()[0] == 0
