"""What was believed at a recorded instant, and what was true at one in the world."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from desk import REPO, place
from onrecord.domain.errors import NotFound
from onrecord.domain.item import Content, ItemQuery
from onrecord.domain.time import DAY, HOUR, to_iso
from onrecord.service.caller import Caller
from onrecord.service.commands import (
    Approve,
    Forget,
    Mark,
    MoveScope,
    Reject,
    Remember,
    Revise,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from desk import Desk
    from onrecord.service.answers import Recall

GATE = "The harbour gate answers on channel 12"


def keep(desk: Desk, text: str, **more: object) -> str:
    """The id of a person's statement."""
    made = desk.memory.do(
        Remember(content=Content(title=text), scope="repo", **more),  # type: ignore[arg-type]
        desk.ada,
    )
    assert made.item is not None, made.say
    desk.clock.advance(HOUR)
    return made.item.id


def told(found: Recall) -> list[tuple[str, str, float]]:
    """What an answer says, scores included."""
    return [
        (hit.item.content.title, hit.item.verification, round(hit.score, 9)) for hit in found.hits
    ]


def test_a_replaced_value_is_what_was_believed_then(desk: Desk) -> None:
    """Before the correction the old value, since then the new one; in between neither moves."""
    old = keep(desk, GATE)
    then = desk.clock.now()
    desk.clock.advance(DAY)
    new = keep(desk, "The harbour gate answers on channel 14", replaces=old)

    for agent in (desk.ada, desk.agent()):
        past = desk.memory.recall("harbour gate channel", agent, as_of=then)
        now = desk.memory.recall("harbour gate channel", agent)
        assert [hit.item.id for hit in past.hits] == [old]
        assert [hit.item.id for hit in now.hits] == [new]
    assert past.hits[0].item.status == "active"
    assert past.hits[0].item.head.superseded_at is None
    assert desk.memory.get(old, desk.ada, as_of=then).content.valid_to is None
    assert desk.memory.get(old, desk.ada).content.valid_to is not None
    with pytest.raises(NotFound):
        desk.memory.get(new, desk.ada, as_of=then)


def test_what_was_true_is_found_though_it_was_replaced_since(desk: Desk) -> None:
    """Half-open to the instant: up to the change the old value, from it on the new one."""
    old = keep(desk, GATE)
    change = desk.clock.now()
    keep(desk, "The harbour gate answers on channel 14", replaces=old)
    asked = "harbour gate channel"

    def titles(at: int) -> list[str]:
        return [
            hit.item.content.title[-2:]
            for hit in desk.memory.recall(asked, desk.agent(), valid_at=at).hits
        ]

    assert titles(change - 1) == ["12"]
    assert titles(change) == ["14"]
    assert desk.memory.get(old, desk.ada, valid_at=change - 1).id == old
    with pytest.raises(NotFound) as caught:
        desk.memory.get(old, desk.ada, valid_at=change)
    assert caught.value.details == {"valid_from": None, "valid_to": to_iso(change)}


def test_both_clocks_together(desk: Desk) -> None:
    """What was believed in March of January differs from what is believed of it now."""
    start = desk.clock.now()
    item = keep(desk, GATE)
    march = desk.clock.now()
    desk.clock.advance(DAY)
    closed = Content(title=GATE, valid_from=start, valid_to=start + HOUR)
    desk.memory.do(Revise(item=item, content=closed), desk.ada)
    asked = ("harbour gate channel", desk.ada)

    assert desk.memory.recall(*asked, as_of=march, valid_at=start + DAY).hits
    assert not desk.memory.recall(*asked, valid_at=start + DAY).hits
    assert desk.memory.recall(*asked, valid_at=start).hits
    assert not desk.memory.recall(*asked, as_of=start - 1).hits
    assert [v.n for v in desk.memory.history(item, desk.ada, as_of=march)] == [1]
    assert desk.memory.history(item, desk.ada, as_of=march)[0].superseded_at is None
    assert [v.n for v in desk.memory.history(item, desk.ada, valid_at=start + DAY)] == [1]


def test_nothing_that_comes_later_moves_an_answer(desk: Desk) -> None:
    """Recall with its order and scores, list, get, a key and a history stay what they were."""
    texts = [GATE, "The harbour gate is closed on Sundays", "The harbour master is Ines"]
    ids = [keep(desk, text) for text in texts]
    keyed = keep(desk, "Deploys run on Fridays", key="deploys")
    waiting = desk.memory.do(
        Remember(content=Content(title="The harbour gate needs two keys"), scope="repo"),
        desk.agent(),
    )
    assert waiting.item is not None
    desk.clock.advance(HOUR)
    then = desk.clock.now()
    query = ItemQuery(statuses=("active", "proposed"), as_of=then)
    looks: list[Callable[[], object]] = [
        lambda: told(desk.memory.recall("harbour gate", desk.ada, as_of=then)),
        lambda: told(desk.memory.recall("harbor gat", desk.agent(), as_of=then)),
        lambda: told(desk.memory.recall("deploys", desk.ada, as_of=then, valid_at=then)),
        lambda: desk.memory.page(query, desk.ada),
        lambda: desk.memory.get(ids[1], desk.ada, as_of=then),
        lambda: desk.memory.at("deploys", desk.ada, as_of=then),
        lambda: desk.memory.history(ids[0], desk.ada, as_of=then),
    ]
    before = [look() for look in looks]
    assert all(before[:2])

    desk.clock.advance(DAY)
    for n in range(12):
        keep(desk, f"The harbour gate has sensor number {n} of the new kind", distinct=True)
    keep(desk, "The harbour gate answers on channel 14", replaces=ids[0])
    desk.memory.do(Revise(item=ids[1], content=Content(title="The gate is open")), desk.ada)
    desk.memory.do(Mark(item=ids[1], action="pin"), desk.ada)
    desk.memory.do(Reject(item=ids[2], reason="wrong"), desk.ada_typed)
    desk.memory.do(Approve(item=waiting.item.id), desk.ada_typed)
    desk.memory.do(Mark(item=keyed, action="archive"), desk.ada)
    keep(desk, "Deploys run on Mondays", key="deploys")
    desk.memory.get(ids[1], desk.agent())

    assert [look() for look in looks] == before


def test_what_was_erased_is_counted_and_gone(desk: Desk) -> None:
    """At every instant; the answer says how many of then are missing."""
    gone = keep(desk, GATE)
    stays = keep(desk, "The harbour gate is closed on Sundays")
    then = desk.clock.now()
    desk.clock.advance(DAY)
    desk.memory.do(Forget(item=gone), desk.ada_typed)

    found = desk.memory.recall("harbour gate", desk.ada, as_of=then)
    assert [hit.item.id for hit in found.hits] == [stays]
    assert found.erased == 1
    assert desk.memory.recall("harbour gate", desk.ada).erased == 0
    with pytest.raises(NotFound) as caught:
        desk.memory.get(gone, desk.ada, as_of=then)
    assert caught.value.details == {"forgotten": True}


def test_an_agent_learns_nothing_of_other_places_or_queues(desk: Desk) -> None:
    """The past is read in the caller's own ladder, and what waited for a person is no answer."""
    keep(desk, GATE)
    desk.memory.do(
        Remember(content=Content(title="The harbour gate needs two keys"), scope="repo"),
        desk.agent(),
    )
    desk.clock.advance(HOUR)
    then = desk.clock.now()
    other = desk.agent("claude-code", "s2", repo="repo:github.com/acme/depot", branch="")

    assert not desk.memory.recall("harbour gate", other, as_of=then).hits
    found = desk.memory.recall("harbour gate", desk.agent("claude-code", "s3"), as_of=then)
    assert [hit.item.content.title for hit in found.hits] == [GATE]
    listed = desk.memory.page(ItemQuery(as_of=then), desk.agent("claude-code", "s3"))
    assert [item.content.title for item in listed] == [GATE]


def test_a_scope_that_was_renamed_since_keeps_its_past(desk: Desk) -> None:
    """A repository that moved hosts: what was believed there then is found as before."""
    kept = keep(desk, GATE)
    gone = keep(desk, "The harbour office pays in coins only")
    then = desk.clock.now()
    asked = "harbour gate channel"
    before = told(desk.memory.recall(asked, desk.ada, as_of=then))
    moved = "repo:example.org/acme/shop"
    desk.do(MoveScope(old=REPO, new=moved), desk.ada_typed)
    desk.do(Forget(item=gone), desk.ada_typed)
    there = Caller(principal=desk.agent().principal, place=place(repo=moved))
    for caller in (desk.ada, there):
        found = desk.memory.recall(asked, caller, given=(moved,), as_of=then)
        listed = desk.memory.page(ItemQuery(scopes=(moved,), as_of=then), caller)

        assert before[0] in told(found)
        assert found.erased == 1
        assert [item.id for item in listed] == [kept]
        assert listed[0].scope == moved
        assert desk.memory.get(kept, caller, as_of=then).scope == moved
