"""How far an erasing reaches, for persons and for agents."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from desk import id_of
from onrecord.domain.errors import NotFound
from onrecord.domain.provenance import Link
from onrecord.domain.session import Delivery
from onrecord.service.commands import Forget, HandOff, Revise

if TYPE_CHECKING:
    from desk import Desk

TEXT = "The harbour office pays refunds without a receipt"


def derive(desk: Desk, source: str, derived: str) -> None:
    """Say that one item was made from the other."""
    with desk.store.write() as tx:
        tx.provenance.add_link(
            Link(source=derived, kind="derived_from", target=source, at=desk.clock.now())
        )


def test_copies_in_other_scopes_go_too(desk: Desk) -> None:
    """The same statement anywhere in the store; siblings stay."""
    made = desk.remember(TEXT, desk.ada, scope="repo")
    copy = desk.remember(TEXT, desk.ada, scope="project:fares")
    theirs = desk.remember(TEXT, desk.elsewhere(), scope="session")
    sibling = desk.remember("Fares are in cents", desk.ada, scope="project:fares")
    desk.do(Forget(item=id_of(made)), desk.ada_typed)

    gone = [desk.stored(id_of(one)).status for one in (made, copy, theirs)]
    assert gone == ["forgotten"] * 3
    assert desk.stored(id_of(sibling)).status == "active"


def test_without_a_typed_key_anothers_copy_is_held(desk: Desk) -> None:
    """Forgetting what another wrote wants the key; until then it counts no more."""
    note = desk.remember(TEXT, desk.elsewhere(), scope="session")
    made = desk.remember(TEXT, desk.ada, scope="repo")
    desk.do(Forget(item=id_of(made)), desk.ada)
    held = desk.stored(id_of(note))

    assert (held.status, held.flags) == ("proposed", ("source_forgotten",))


def test_what_was_derived_from_the_derived_goes_too(desk: Desk) -> None:
    """A summary of a summary."""
    source = desk.remember(TEXT, desk.ada, scope="repo")
    first = desk.remember("How the harbour pays", desk.ada, scope="repo", kind="summary")
    second = desk.remember("How ports pay", desk.ada, scope="repo", kind="summary")
    note = desk.remember("Ports differ in what they pay", desk.ada, scope="repo")
    derive(desk, id_of(source), id_of(first))
    derive(desk, id_of(first), id_of(second))
    derive(desk, id_of(second), id_of(note))
    desk.do(Forget(item=id_of(source)), desk.ada)
    states = [desk.stored(id_of(one)).status for one in (source, first, second, note)]

    assert states == ["forgotten", "forgotten", "forgotten", "proposed"]


def test_an_agent_erases_nothing_of_others_by_quoting_it(desk: Desk) -> None:
    """Its private note goes; another's handoff, prompt and copy with the same words stay."""
    other = desk.agent("claude-code", "c1")
    handoff = desk.do(HandOff(next=f"Check whether {TEXT}"), other)
    with desk.store.write() as tx:
        row = tx.sessions.get(other.principal.session)
        assert row is not None
        tx.sessions.put(replace(row, last_prompt=TEXT))
    shared = desk.remember(TEXT, desk.ada, scope="repo")
    agent = desk.agent()
    note = desk.remember(TEXT, agent, scope="session", distinct=True)
    gone = desk.do(Forget(item=id_of(note)), agent)
    with desk.store.read() as tx:
        prompt = tx.sessions.get(other.principal.session)

    assert gone.code == "forgotten"
    assert desk.stored(id_of(note)).status == "forgotten"
    assert desk.stored(id_of(handoff)).status == "active"
    assert desk.stored(id_of(shared)).status == "active"
    assert prompt is not None
    assert prompt.last_prompt == TEXT


def test_prompts_are_found_by_what_was_typed(desk: Desk) -> None:
    """The item holds the date beside the words, the prompt does not."""
    agent = desk.agent()
    said = "the tide feed moved to the new host yesterday"
    with desk.store.write() as tx:
        row = tx.sessions.get(agent.principal.session)
        assert row is not None
        tx.sessions.put(replace(row, first_prompt=f"remember: {said}"))
    made = desk.remember(said, desk.ada, scope="repo")
    desk.do(Forget(item=id_of(made)), desk.ada)
    with desk.store.read() as tx:
        after = tx.sessions.get(agent.principal.session)

    assert after is not None
    assert after.first_prompt == ""


def test_delivery_queries_that_carry_it_are_blanked(desk: Desk) -> None:
    """The log of what was asked holds what was asked, whether or not it brought the item up."""
    made = desk.remember(TEXT, desk.ada, scope="repo")
    agent = desk.agent()
    with desk.store.write() as tx:
        for name, query in (
            ("d1", f"is it so that {TEXT}?"),
            ("d2", "what about fares"),
            ("d3", f"so: {TEXT.upper()}".replace(" ", "\n")),
        ):
            tx.deliveries.add(
                Delivery(
                    id=name,
                    session=agent.principal.session,
                    channel="mcp",
                    occasion="context",
                    at=desk.clock.now(),
                    budget=1,
                    tokens=1,
                    query=query,
                )
            )
    desk.do(Forget(item=id_of(made)), desk.ada)
    with desk.store.read() as tx:
        found = [tx.deliveries.get(name) for name in ("d1", "d2", "d3")]

    assert [row.query for row in found if row] == ["", "what about fares", ""]


def test_a_forgotten_key_differs_from_one_never_written(desk: Desk) -> None:
    """Looked up by key, found by recall, asked for by id: each says which it is."""
    made = desk.remember(TEXT, desk.ada, scope="repo", key="refunds")
    before = desk.memory.at("refunds", desk.agent())
    desk.do(Forget(item=id_of(made)), desk.ada)
    told = []
    for key in ("refunds", "never"):
        with pytest.raises(NotFound) as caught:
            desk.memory.at(key, desk.agent())
        told.append(caught.value.details["forgotten"])
    recalls = [desk.memory.recall(key, desk.agent()).forgotten_in for key in ("refunds", "never")]
    with pytest.raises(NotFound, match="forgotten"):
        desk.memory.get(id_of(made), desk.ada)

    assert before.id == id_of(made)
    assert told == [True, False]
    assert recalls == [("repo:github.com/acme/shop",), ()]


def test_a_forgotten_key_that_is_written_again_is_just_a_key(desk: Desk) -> None:
    """The note is about what is not there."""
    made = desk.remember(TEXT, desk.ada, scope="repo", key="refunds")
    desk.do(Forget(item=id_of(made)), desk.ada)
    desk.remember("Refunds are paid in cash", desk.ada, scope="repo", key="refunds")

    assert desk.memory.at("refunds", desk.ada).content.title == "Refunds are paid in cash"
    assert desk.memory.recall("refunds", desk.ada).forgotten_in == ()


def test_who_could_not_see_an_item_is_not_told_that_it_was_forgotten(desk: Desk) -> None:
    """The same answer as for an id that never was."""
    made = desk.remember(TEXT, desk.elsewhere(), scope="session")
    desk.do(Forget(item=id_of(made)), desk.ada_typed)
    messages = []
    for name in (id_of(made), "01ARZ3NDEKTSV4RRFFQ69G5FAV"):
        with pytest.raises(NotFound) as caught:
            desk.memory.get(name, desk.agent())
        messages.append((caught.value.message, caught.value.details.get("forgotten")))

    assert messages[0] == messages[1]


def test_erasing_leaves_one_event_for_each_item_and_no_text_in_any(desk: Desk) -> None:
    """The log names ids and numbers only."""
    made = desk.remember(TEXT, desk.ada, scope="repo", key="refunds", tags=("harbour",))
    copy = desk.remember(TEXT, desk.ada, scope="project:fares")
    desk.do(Forget(item=id_of(made)), desk.ada)
    with desk.store.read() as tx:
        lines = list(tx.events.walk())
    erased = [line.target for line in lines if line.action == "forgotten"]

    assert sorted(erased) == sorted([id_of(made), id_of(copy)])
    assert "harbour" not in repr(lines)


def test_what_says_an_earlier_version_is_held_where_the_tombstone_binds(desk: Desk) -> None:
    """It was not the value that was forgotten, but it may not go on unseen."""
    made = desk.remember(TEXT, desk.ada, scope="repo")
    content = replace(desk.stored(id_of(made)).content, title="The harbour office pays nothing")
    desk.do(Revise(item=id_of(made), content=content), desk.ada)
    note = desk.remember(TEXT, desk.agent(), scope="session", distinct=True)
    away = desk.remember(TEXT, desk.elsewhere(), scope="session")
    desk.do(Forget(item=id_of(made)), desk.ada_typed)
    held, other = desk.stored(id_of(note)), desk.stored(id_of(away))

    assert (held.status, "source_forgotten" in held.flags) == ("proposed", True)
    assert (other.status, other.flags) == ("active", ())
