"""Sightings: who counts as having said it by themselves, and what that may raise."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from desk import REPO, id_of
from onrecord.domain.outcome import Corroborated, Proposed, Updated
from onrecord.domain.session import Handoff
from onrecord.domain.time import DAY
from onrecord.service.commands import Claim, Revise, Undo
from onrecord.service.corroborate import seen_by

if TYPE_CHECKING:
    from desk import Desk
    from onrecord.service.caller import Caller

FACT = "The gate spec needs the fake clock"


def seen(desk: Desk, item: str) -> int:
    """How many sessions count for an item."""
    with desk.store.read() as tx:
        found = tx.items.get(item)
        assert found is not None
        return len(seen_by(tx, found))


def say(desk: Desk, caller: Caller) -> str:
    """The caller states the fact for the repository; gives the item's id."""
    return id_of(desk.remember(FACT, caller, scope="repo"))


def test_three_independent_sessions_raise_belief_and_never_status(desk: Desk) -> None:
    """Corroborated after the third, marked for the queue, and still waiting."""
    for n in range(3):
        item = say(desk, desk.agent("codex", f"s{n}"))
        expected = ("corroborated" if n == 2 else "unverified", "proposed")
        found = desk.stored(item)
        assert (found.verification, found.status) == expected

    assert "sightings:3" in desk.stored(item).flags


def test_what_several_sessions_said_stands_first_in_the_queue(desk: Desk) -> None:
    """Three sightings raise a proposal in the queue, before older ones."""
    older = id_of(desk.remember("Night buses charge at the depot", desk.agent(), scope="repo"))
    for n in range(3):
        raised = say(desk, desk.agent("codex", f"s{n}"))
    queue = desk.memory.queue(desk.ada)

    assert [waiting.item.id for waiting in queue] == [raised, older]
    assert [waiting.sightings for waiting in queue] == [3, 1]


def test_one_session_counts_once(desk: Desk) -> None:
    """Restating in one session adds nothing."""
    for _ in range(5):
        item = say(desk, desk.agent())

    assert seen(desk, item) == 1


def test_a_session_that_was_given_the_item_does_not_count(desk: Desk) -> None:
    """Delivered, then said: an echo."""
    item = say(desk, desk.agent("codex", "s0"))
    told = desk.agent("codex", "s1")
    with desk.store.write() as tx:
        tx.sessions.note_read(told.principal.session, item, 1, desk.clock.now())
    say(desk, told)

    assert seen(desk, item) == 1


def test_a_session_that_recalled_it_does_not_count(desk: Desk) -> None:
    """What a recall showed is known to the session from then on."""
    item = id_of(desk.remember(FACT, desk.ada, scope="repo"))
    asker = desk.agent("codex", "s1")
    desk.memory.recall("fake clock gate spec", asker)
    answer = desk.remember(FACT, asker, scope="repo")

    assert isinstance(answer, Corroborated)
    assert seen(desk, item) == 0


def test_a_pack_counts_as_shown_after_the_context_was_compacted(desk: Desk) -> None:
    """Compaction makes it deliverable anew, not unheard."""
    item = id_of(desk.remember(FACT, desk.ada, scope="repo"))
    told = desk.agent("codex", "s1")
    made, _ = desk.memory.pack(told, channel="mcp", nonce="n0nce000")
    with desk.store.write() as tx:
        tx.deliveries.forget_shown(told.principal.session, desk.clock.advance())
    say(desk, told)

    assert made.shown
    assert seen(desk, item) == 0


def test_a_session_that_descends_from_one_that_knew_it_does_not_count(desk: Desk) -> None:
    """By clear or fork, through any number of generations."""
    first = desk.agent("codex", "s0")
    item = say(desk, first)
    child = desk.agent("codex", "s1", parent=first.principal.session)
    grandchild = desk.agent("codex", "s2", parent=child.principal.session)
    say(desk, grandchild)

    assert seen(desk, item) == 1


def test_a_child_of_a_session_that_restated_it_does_not_count(desk: Desk) -> None:
    """The parent's own sighting counts; what its child says comes from the parent."""
    item = say(desk, desk.agent("codex", "s0"))
    parent = desk.agent("codex", "s1")
    say(desk, parent)
    say(desk, desk.agent("codex", "s2", parent=parent.principal.session))

    assert seen(desk, item) == 2


def hand_over(desk: Desk, source: Caller, taker: Caller, how: str, **more: Any) -> None:
    """A handoff of one session that another claimed or was shown."""
    carrier = id_of(desk.remember("Carrier", desk.ada, scope="repo"))
    now = desk.clock.now()
    handoff = Handoff(
        item=carrier,
        session=source.principal.session,
        repo=REPO,
        created_at=now,
        lapses_at=now + DAY,
        **more,
    )
    with desk.store.write() as tx:
        if how == "claimed":
            handoff = replace(handoff, claimed_by=taker.principal.session, status="claimed")
        else:
            tx.sessions.note_read(taker.principal.session, carrier, 1, now)
        tx.handoffs.add(handoff)


@pytest.mark.parametrize("how", ["claimed", "shown"])
def test_a_session_that_took_over_by_handoff_does_not_count(desk: Desk, how: str) -> None:
    """What the one before knew may have come over with the agent's own words."""
    first = desk.agent("codex", "s0")
    item = say(desk, first)
    taker = desk.agent("claude-code", "c1")
    hand_over(desk, first, taker, how, next="go on with the gate")
    say(desk, taker)

    assert seen(desk, item) == 1


def test_an_automatic_handoff_carries_no_statement(desk: Desk) -> None:
    """Commits and prompts came over, not what the agent found: the next one found it itself."""
    first = desk.agent("codex", "s0")
    item = say(desk, first)
    taker = desk.agent("claude-code", "c1")
    hand_over(desk, first, taker, "claimed", automatic=True, next="Last asked: fix the spec")
    say(desk, taker)

    assert seen(desk, item) == 2


def test_an_automatic_handoff_that_tells_it_makes_an_echo(desk: Desk) -> None:
    """The person's own prompt said it; both sessions have it from there."""
    first = desk.agent("codex", "s0")
    item = say(desk, first)
    taker = desk.agent("claude-code", "c1")
    hand_over(desk, first, taker, "claimed", automatic=True, next=f"Last asked: why? {FACT}")
    say(desk, taker)

    assert seen(desk, item) == 1


def test_an_automatic_handoff_of_one_that_was_given_it_makes_an_echo(desk: Desk) -> None:
    """The session before had it delivered, and did not find it."""
    item = say(desk, desk.agent("codex", "s0"))
    given = desk.agent("codex", "s1")
    with desk.store.write() as tx:
        tx.sessions.note_read(given.principal.session, item, 1, desk.clock.now())
    taker = desk.agent("claude-code", "c1")
    hand_over(desk, given, taker, "claimed", automatic=True, next="Last asked: fix the spec")
    say(desk, taker)

    assert seen(desk, item) == 1


def test_a_session_that_no_hook_saw_does_not_count(desk: Desk) -> None:
    """A synthetic session's words are kept as evidence of nothing."""
    item = say(desk, desk.agent("codex", "s0"))
    say(desk, desk.agent("codex", "made-up", synthetic=True))

    assert seen(desk, item) == 1


def test_the_author_counts_unless_no_hook_saw_it(desk: Desk) -> None:
    """An item of a synthetic session starts at none."""
    item = say(desk, desk.agent("codex", "made-up", synthetic=True))

    assert seen(desk, item) == 0


def test_a_rewording_starts_the_count_anew(desk: Desk) -> None:
    """What sessions said of another text does not corroborate this one."""
    author = desk.agent("codex", "s0")
    item = say(desk, author)
    say(desk, desk.agent("codex", "s1"))
    before = seen(desk, item)
    content = desk.stored(item).content
    revised = desk.do(
        Revise(item=item, content=replace(content, title="The gate spec needs a real clock")),
        author,
    )
    desk.remember("The gate spec needs a real clock", desk.agent("codex", "s2"), scope="repo")

    assert isinstance(revised, Proposed)
    assert before == 2
    assert seen(desk, item) == 2
    assert desk.stored(item).verification == "unverified"


def test_persons_are_no_sightings(desk: Desk) -> None:
    """A person's word settles a matter; it is not counted beside agents'."""
    item = say(desk, desk.agent("codex", "s0"))
    desk.remember(FACT, desk.ada, scope="repo")

    assert seen(desk, item) <= 1
    assert desk.stored(item).verification == "verified"


def test_evidence_comes_with_a_sighting(desk: Desk) -> None:
    """What the second session gives as evidence is kept beside the first's."""
    item = say(desk, desk.agent("codex", "s0"))
    desk.remember(
        FACT,
        desk.agent("codex", "s1"),
        scope="repo",
        evidence=(Claim(kind="file", pointer="spec/gate.rb:3"),),
    )
    evidence, _, _ = desk.memory.background(item, desk.ada)

    assert [row.pointer for row in evidence] == ["spec/gate.rb:3"]


def test_a_sighting_alone_offers_no_undo_and_what_it_raised_does(desk: Desk) -> None:
    """A fact cannot be unsaid; the belief that it raised can be taken back."""
    answers = [desk.remember(FACT, desk.agent("codex", f"s{n}"), scope="repo") for n in range(3)]
    item = id_of(answers[0])
    raised = answers[2].undo
    assert raised is not None
    undone = desk.do(Undo(event=raised), desk.ada)

    assert answers[1].undo is None
    assert isinstance(undone, Updated)
    assert desk.stored(item).verification == "unverified"
    assert "sightings:3" not in desk.stored(item).flags


STANDS = "The deploy of the gate runs on port 8080"
REWORDED = "The deploy of the gate runs on the port 8080"


def quotes(desk: Desk, item: str) -> list[str]:
    """The words that are kept as evidence of an item."""
    with desk.store.read() as tx:
        return [row.quote for row in tx.provenance.evidence(item)]


def test_what_is_said_for_a_narrower_scope_is_evidence_of_no_broader_item(desk: Desk) -> None:
    """Neither the words nor what is given with them; in the item's own scope both are kept."""
    item = id_of(desk.remember(STANDS, desk.ada, scope="repo"))
    given = (Claim(kind="command", pointer="make deploy", quote="of my own desk"),)
    agent = desk.agent()
    for text in (REWORDED, STANDS):
        told = desk.remember(text, agent, scope="agent", evidence=given)
        assert id_of(told) == item
        assert "kept with it" not in told.say
    assert quotes(desk, item) == []
    with desk.store.read() as tx:
        assert len(tx.provenance.sightings(item)) == 1

    told = desk.remember(REWORDED, agent, scope="repo", evidence=given)
    assert "yours are kept with it" in told.say
    assert quotes(desk, item) == ["of my own desk", REWORDED]


def test_a_session_leaves_few_wordings_with_one_item(desk: Desk) -> None:
    """And the answer says of none that it is kept which is not; another session's still are."""
    item = id_of(desk.remember(STANDS, desk.ada, scope="repo"))
    ways = [
        f"{a}eploy of {b}gate runs on port 8080{c}"
        for a in "Dd"
        for b in ("the ", "")
        for c in ("!", "", ".")
    ]
    kept = [
        text
        for text in ways
        if "kept with it" in desk.remember(text, desk.agent(), scope="repo").say
    ]

    assert quotes(desk, item) == kept
    assert len(kept) == 3
    desk.remember(REWORDED, desk.agent("claude-code", "c9"), scope="repo")
    assert quotes(desk, item) == [*kept, REWORDED]
