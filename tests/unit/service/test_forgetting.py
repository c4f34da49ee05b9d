"""Forgetting erases the text, leaves a tombstone, and reaches what carries it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from onrecord.domain.errors import NotFound
from onrecord.domain.outcome import Proposed, Refused, Updated
from onrecord.domain.provenance import Link
from onrecord.service.commands import Claim, Forget, HandOff

if TYPE_CHECKING:
    from desk import Desk

TEXT = "The harbour office pays refunds without a receipt"


def test_a_forgotten_text_is_in_no_row(desk: Desk) -> None:
    """Item, versions, evidence, index: the id and the event stay, the words do not."""
    made = desk.remember(TEXT, desk.ada, body="Ask Mabel at the counter.", key="refunds")
    other = desk.remember("Fares are in cents", desk.ada)
    assert made.item is not None
    outcome = desk.do(Forget(item=made.item.id), desk.ada)
    found = desk.memory.recall("harbour refunds receipt Mabel", desk.ada)
    with desk.store.read() as tx:
        row = tx.items.get(made.item.id)
        history = tx.items.history(made.item.id)
    assert row is not None

    assert isinstance(outcome, Updated)
    assert (row.status, row.key, row.content.title, row.content.body) == ("forgotten", "", "", "")
    assert all(version.content.title == "" for version in history)
    assert found.abstained
    assert other.item is not None
    assert desk.memory.get(other.item.id, desk.ada).content.title == "Fares are in cents"
    with pytest.raises(NotFound):
        desk.memory.get(made.item.id, desk.ada)


def test_the_audit_chain_holds_after_erasing(desk: Desk) -> None:
    """The commitment becomes noise, and the log still verifies."""
    made = desk.remember(TEXT, desk.ada)
    assert made.item is not None
    desk.do(Forget(item=made.item.id), desk.ada)

    assert desk.memory.check().sound


def test_a_forgotten_value_does_not_come_back(desk: Desk) -> None:
    """Like a rejected one, by whatever path."""
    made = desk.remember(TEXT, desk.ada, scope="repo")
    assert made.item is not None
    desk.do(Forget(item=made.item.id), desk.ada)
    again = desk.remember(TEXT.upper(), desk.agent(), scope="repo")

    assert isinstance(again, Refused)
    assert again.code == "tombstone.equal"


def test_prompts_and_handoffs_that_carry_it_are_reached(desk: Desk) -> None:
    """A session's prompt with the text is blanked, a handoff with it is erased too."""
    made = desk.remember(TEXT, desk.ada, scope="repo")
    agent = desk.agent()
    handoff = desk.do(HandOff(next=f"Check this: {TEXT}"), agent)
    with desk.store.write() as tx:
        row = tx.sessions.get(agent.principal.session)
        assert row is not None
        tx.sessions.put(replace(row, last_prompt=f"is it true? {TEXT}"))
    assert made.item is not None
    assert handoff.item is not None
    reach = desk.memory.reach(made.item.id, desk.ada)
    desk.do(Forget(item=made.item.id), desk.ada)
    with desk.store.read() as tx:
        prompt = tx.sessions.get(agent.principal.session)
        carrier = tx.items.get(handoff.item.id)
        lease = tx.handoffs.get(handoff.item.id)

    assert reach.sessions == (agent.principal.session,)
    assert reach.handoffs == (handoff.item.id,)
    assert prompt is not None
    assert prompt.last_prompt == ""
    assert carrier is not None
    assert carrier.status == "forgotten"
    assert lease is not None
    assert lease.next == ""


def test_quotes_of_it_in_other_memories_are_blanked(desk: Desk) -> None:
    """The quote and its pointer go, the memory that rests on it stays; other quotes stay."""
    source = desk.remember(TEXT, desk.ada, scope="repo")
    claims = tuple(
        Claim(kind="message", pointer=f"codex:s1#u{n}", quote=quote)
        for n, quote in enumerate(
            (
                f"He said so: {TEXT}.",
                "The counter opens at nine",
                f"She wrote “{TEXT.upper().replace(' ', '  ')}”",
            )
        )
    )
    other = desk.remember("Mabel knows the refunds", desk.ada, scope="repo", evidence=claims)
    assert source.item is not None
    assert other.item is not None
    reach = desk.memory.reach(source.item.id, desk.ada)
    desk.do(Forget(item=source.item.id), desk.ada)
    with desk.store.read() as tx:
        rows = tx.provenance.evidence(other.item.id)

    assert len(reach.quotes) == 2
    assert [row.quote for row in rows] == ["", "The counter opens at nine", ""]
    assert desk.stored(other.item.id).status == "active"


def test_derived_items_go_or_are_held_by_kind(desk: Desk) -> None:
    """A summary goes with its source; a note of its own words waits for a person."""
    source = desk.remember(TEXT, desk.ada, scope="repo")
    summary = desk.remember("How the harbour pays", desk.ada, scope="repo", kind="summary")
    note = desk.remember("Refund rules differ by office", desk.ada, scope="repo")
    assert source.item is not None
    assert summary.item is not None
    assert note.item is not None
    with desk.store.write() as tx:
        for derived in (summary.item, note.item):
            tx.provenance.add_link(
                Link(source=derived.id, kind="derived_from", target=source.item.id, at=1)
            )
    desk.do(Forget(item=source.item.id), desk.ada)
    with desk.store.read() as tx:
        gone, held = tx.items.get(summary.item.id), tx.items.get(note.item.id)

    assert gone is not None
    assert gone.status == "forgotten"
    assert held is not None
    assert (held.status, held.flags) == ("proposed", ("source_forgotten",))


def test_an_agent_may_only_ask_for_a_shared_one(desk: Desk) -> None:
    """The person finds it in the queue; the agent's own private note goes at once."""
    shared = desk.remember("Fares are in cents", desk.ada, scope="repo")
    agent = desk.agent()
    own = desk.remember("Use the fake clock in the gate tests", agent, scope="session")
    assert shared.item is not None
    assert own.item is not None
    asked = desk.do(Forget(item=shared.item.id), agent)
    gone = desk.do(Forget(item=own.item.id), agent)
    queue = desk.memory.queue(desk.ada)

    assert isinstance(asked, Proposed)
    assert isinstance(gone, Updated)
    assert [waiting.asked for waiting in queue] == ["forget:codex"]


def test_forgetting_what_another_wrote_wants_a_typed_key(desk: Desk) -> None:
    """A person's own memory goes on their word; an agent's wants the key."""
    theirs = desk.remember("Gate tests need the fake clock", desk.agent(), scope="repo")
    assert theirs.item is not None
    untyped = desk.do(Forget(item=theirs.item.id), desk.ada)
    typed = desk.do(Forget(item=theirs.item.id), desk.ada_typed)

    assert isinstance(untyped, Refused)
    assert isinstance(typed, Updated)


def test_prompts_that_say_it_in_other_letters_are_reached(desk: Desk) -> None:
    """Case, marks and spacing do not hide a forgotten text in a prompt; others stay."""
    made = desk.remember("Aunt Quagmirella owes us nine thousand zlotys", desk.ada)
    agent = desk.agent()
    other = desk.agent("claude-code", "c2")
    assert made.item is not None
    with desk.store.write() as tx:
        for caller, prompt in (
            (agent, 'please note: "aunt quagmirella, owes us nine thousand  zlotys"!'),
            (other, "fix the gate test"),
        ):
            row = tx.sessions.get(caller.principal.session)
            assert row is not None
            tx.sessions.put(replace(row, last_prompt=prompt, commits=(f"c0ffee {prompt}",)))
    desk.do(Forget(item=made.item.id), desk.ada)
    with desk.store.read() as tx:
        blank, kept = (tx.sessions.get(c.principal.session) for c in (agent, other))

    assert blank is not None
    assert (blank.last_prompt, blank.commits) == ("", ())
    assert kept is not None
    assert kept.last_prompt == "fix the gate test"


def test_a_value_too_short_to_be_known_again_is_said_to_be(desk: Desk) -> None:
    """No promise is made that the fingerprints cannot keep."""
    short = desk.remember("Vermilion folder", desk.ada)
    assert short.item is not None
    outcome = desk.do(Forget(item=short.item.id), desk.ada)

    assert "too short" in outcome.say
