"""The index made anew: what was found is found again, and nothing else changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from desk import REPO, SECRETS
from onrecord.domain import errors
from onrecord.domain.item import Content, ItemQuery
from onrecord.service.commands import Forget, Mark, Revise
from onrecord.service.upkeep import Upkeep

if TYPE_CHECKING:
    from desk import Desk


def upkeep(desk: Desk) -> Upkeep:
    """What keeps the desk's store in order."""
    return Upkeep(desk.store, clock=desk.clock, ids=desk.ids, secrets=lambda: SECRETS, zone=None)


def found(desk: Desk, query: str) -> list[str]:
    """Titles that a recall gives."""
    return [hit.item.content.title for hit in desk.memory.recall(query, desk.ada).hits]


def test_evidence_rebuild_from_retained(desk: Desk) -> None:
    """With the index gone nothing is found; made anew, recall and pack hold it all again."""
    words = [f"zq{n:03}kestrel{n * 7919:06}" for n in range(220)]
    for word in words:
        desk.remember(f"The shelf of {word} is in the hall", desk.ada)
    with desk.store.write() as tx:
        tx.index.clear()
    assert found(desk, words[7]) == []

    seen: list[tuple[int, int]] = []
    done = upkeep(desk).rebuild(desk.ada, lambda n, total: seen.append((n, total)))

    assert (done.items, done.documents) == (220, 220)
    assert seen[-1] == (220, 220)
    for word in words:
        assert found(desk, word) == [f"The shelf of {word} is in the hall"]
    pack, _ = desk.memory.pack(desk.ada, query=words[7], channel="terminal", nonce="0" * 16)
    assert words[7] in pack.text
    assert desk.memory.check().sound


def test_only_what_is_live_is_found_afterwards(desk: Desk) -> None:
    """Earlier versions and what was put away are indexed, and stay out of a recall."""
    revised = desk.remember("The gate opens at quarter past kestrel", desk.ada).item
    away = desk.remember("The harbour pilot answers on channel osprey", desk.ada).item
    gone = desk.remember("The vault hint is merlin under the stairs", desk.ada).item
    assert revised is not None
    assert away is not None
    assert gone is not None
    later = Content(title="The gate opens at half past hobby")
    desk.do(Revise(item=revised.id, content=later), desk.ada)
    desk.do(Mark(item=away.id, action="archive"), desk.ada)
    desk.do(Forget(item=gone.id), desk.ada_typed)

    done = upkeep(desk).rebuild(desk.ada)

    assert (done.items, done.documents) == (2, 3)
    assert found(desk, "hobby") == ["The gate opens at half past hobby"]
    assert found(desk, "kestrel") == found(desk, "osprey") == found(desk, "merlin") == []
    desk.do(Mark(item=away.id, action="restore"), desk.ada)
    assert found(desk, "osprey") == ["The harbour pilot answers on channel osprey"]


def test_belief_and_everything_else_stays(desk: Desk) -> None:
    """One event, by the person, and not a field of any item is another."""
    desk.remember("The gate opens at six", desk.ada, scope=REPO)
    desk.remember("Use pnpm in the web folder", desk.agent())
    before = desk.memory.page(ItemQuery(), desk.ada)
    lines = desk.memory.events(desk.ada)

    done = upkeep(desk).rebuild(desk.ada)

    assert desk.memory.page(ItemQuery(), desk.ada) == before
    line, *rest = desk.memory.events(desk.ada)
    assert rest == lines
    assert (line.seq, line.action, line.by.user) == (done.event, "rebuilt", "ada")


def test_only_a_person_rebuilds(desk: Desk) -> None:
    """Nothing is on record of an attempt that changed nothing."""
    with pytest.raises(errors.NeedsPerson):
        upkeep(desk).rebuild(desk.agent())
    assert desk.memory.events(desk.ada) == []
