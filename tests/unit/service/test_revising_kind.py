"""A rewording may say what kind of memory it is from now on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from onrecord.domain.item import Content
from onrecord.domain.outcome import Refused, Updated
from onrecord.service.commands import HandOff, Remember, Revise, Undo

if TYPE_CHECKING:
    from desk import Desk
    from onrecord.domain.item import Item

TEXT = Content(title="The gate opens at six")


def made(desk: Desk, kind: str) -> Item:
    """A person's memory of a kind."""
    item = desk.remember(TEXT.title, desk.ada_typed, kind=kind).item
    assert item is not None
    return item


@pytest.mark.parametrize(("before", "after"), [("fact", "note"), ("note", "decision")])
def test_the_kind_changes_with_the_text_and_back(desk: Desk, before: str, after: str) -> None:
    """To a note as well, which elsewhere means that no kind was given; undo restores it."""
    item = made(desk, before)

    done = desk.do(Revise(item=item.id, content=TEXT, kind=after), desk.ada)

    assert done.item is not None
    assert (done.item.kind, done.item.version) == (after, 2)
    assert desk.memory.events(desk.ada, item=item.id)[-1].change["kind"] == (before, after)
    desk.do(Undo(event=done.undo or 0), desk.ada)
    assert desk.memory.get(item.id, desk.ada).kind == before


def test_without_a_kind_it_stays(desk: Desk) -> None:
    """As before."""
    item = made(desk, "fact")

    desk.do(Revise(item=item.id, content=Content(title="The gate opens at seven")), desk.ada)

    assert desk.memory.get(item.id, desk.ada).kind == "fact"


def test_a_rule_wants_a_typed_key(desk: Desk) -> None:
    """Making one out of a memory is setting a rule."""
    item = made(desk, "fact")
    command = Revise(item=item.id, content=TEXT, kind="rule")

    assert desk.do(command, desk.ada).code == "authority.rule_needs_key"
    assert desk.do(command, desk.agent()).code == "authority.rule_needs_person"
    assert desk.memory.get(item.id, desk.ada).kind == "fact"
    desk.do(command, desk.ada_typed)
    assert desk.memory.get(item.id, desk.ada).kind == "rule"


def test_an_unknown_kind_is_refused(desk: Desk) -> None:
    """By its shape."""
    item = made(desk, "fact")

    assert desk.do(Revise(item=item.id, content=TEXT, kind="gossip"), desk.ada).code == (
        "shape.kind"
    )


def test_a_handoff_stays_one(desk: Desk) -> None:
    """Its state hangs on it, and nothing else has that."""
    handoff = desk.do(HandOff(next="fix the gate"), desk.agent()).item
    assert handoff is not None
    for item, kind in ((handoff, "note"), (made(desk, "fact"), "handoff")):
        done = desk.do(Revise(item=item.id, content=TEXT, kind=kind), desk.ada)
        assert (done.code, type(done)) == ("shape.kind", Refused)
        assert desk.memory.get(item.id, desk.ada_typed).kind == item.kind
    reworded = Revise(item=handoff.id, content=Content(title="fix the other gate"), kind="handoff")
    assert isinstance(desk.do(reworded, desk.ada), Updated)


@pytest.mark.parametrize("who", ["ada", "ada_typed", "agent"])
@pytest.mark.parametrize(
    "kind", ["fact", "summary", "reminder", "task", "note", "rule", "handoff", "gossip"]
)
def test_what_may_be_remembered_may_be_revised_to(desk: Desk, kind: str, who: str) -> None:
    """And nothing else, by whatever party: both ask the same rules about a kind."""
    caller = desk.agent() if who == "agent" else getattr(desk, who)
    item = desk.remember("The depot closes", caller, scope="agent" * (who == "agent")).item
    assert item is not None

    kept = desk.do(Remember(content=TEXT, kind=kind), caller)
    revised = desk.do(Revise(item=item.id, content=item.content, kind=kind), caller)

    refused = {"rule": who != "ada_typed", "handoff": True, "gossip": True}.get(kind, False)
    assert isinstance(kept, Refused) == isinstance(revised, Refused) == refused
    assert not refused or kept.code == revised.code
