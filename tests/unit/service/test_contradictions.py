"""What is listed as speaking against something else, and what is no duplicate because of it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from desk import SECRETS, id_of
from onrecord.domain.outcome import Conflict
from onrecord.service.commands import Approve, Mark, Revise
from onrecord.service.upkeep import Upkeep

if TYPE_CHECKING:
    from desk import Desk

LANE = "Deploys of the fare gate go out through the blue lane every week"
NO_LANE = "Deploys of the fare gate do not go out through the blue lane every week"
TWICE = (
    "Harbour tugs moor at pier nine of the old basin by night",
    "By night harbour tugs they moor at the old pier nine, basin",
)


def upkeep(desk: Desk) -> Upkeep:
    """What keeps the desk's store in order."""
    return Upkeep(desk.store, clock=desk.clock, ids=desk.ids, secrets=lambda: SECRETS, zone=None)


def listed(desk: Desk) -> list[tuple[str, str]]:
    """(new, old) of every pair, as the person sees them."""
    return [(pair.new.id, pair.old.id) for pair in upkeep(desk).opposed(desk.ada)]


def keep(desk: Desk, text: str) -> str:
    """A person's statement, whatever it resembles."""
    title, _, body = text.partition("\n")
    return id_of(desk.remember(title, desk.ada, body=body, scope="repo", distinct=True))


LONG = "\n" + "It was agreed with the harbour master and stands in the minutes of March. " * 8


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (LANE, NO_LANE),
        (
            "The pool size of the gate in staging is 25",
            "The pool size of the gate in staging is 40",
        ),
        (LANE + LONG, NO_LANE + LONG),
    ],
)
def test_what_speaks_against_another_is_no_duplicate(desk: Desk, one: str, other: str) -> None:
    """Neither `dedupe` nor `lint` calls it one; what is said twice is one all the same."""
    pair = {keep(desk, one), keep(desk, other)}
    twice = {keep(desk, text) for text in TWICE}
    found = [{two.keep.id, two.other.id} for two in upkeep(desk).duplicates(desk.ada)]
    near = {
        finding.item for finding in upkeep(desk).lint(desk.ada) if finding.code == "duplicate.near"
    }

    assert found == [twice]
    assert len(near & twice) == 1
    assert not near & pair


def test_a_persons_own_contradiction_is_listed_and_linted(desk: Desk) -> None:
    """Both are active; undecided it stands in both lists, away it stands in none."""
    old = id_of(desk.remember(LANE, desk.ada, scope="repo"))
    new = id_of(desk.remember(NO_LANE, desk.ada, scope="repo"))
    found = [
        (finding.item, finding.about)
        for finding in upkeep(desk).lint(desk.ada)
        if finding.code == "belief.opposed"
    ]

    assert listed(desk) == found == [(new, old)]
    desk.do(Mark(item=old, action="archive"), desk.ada)
    assert listed(desk) == []


def test_proposals_of_a_replacement_and_against_a_persons_word_are_listed(desk: Desk) -> None:
    """Oldest first; approved, the one that took a place is no pair any more."""
    old = id_of(desk.remember(LANE, desk.ada, scope="repo"))
    against = id_of(desk.remember(NO_LANE, desk.agent(), scope="repo"))
    fares = id_of(desk.remember("Fares are in cents", desk.ada, scope="repo", key="fares"))
    instead = id_of(desk.remember("Fares are in euros", desk.agent(), scope="repo", key="fares"))

    assert listed(desk) == [(against, old), (instead, fares)]
    desk.do(Approve(item=instead), desk.ada_typed)
    assert listed(desk) == [(against, old)]
    desk.do(Approve(item=against), desk.ada_typed)
    assert listed(desk) == [(against, old)]


def test_two_that_waited_side_by_side_are_compared_once_both_count(desk: Desk) -> None:
    """Neither stood when the other was written: approving the second tells of it."""
    first = desk.remember("The staging database listens on port 5433", desk.agent(), kind="fact")
    other = desk.remember(
        "The staging database listens on port 6432", desk.agent("claude-code", "s2"), kind="fact"
    )
    alone = desk.remember("The cart is kept in Redis", desk.agent(), kind="fact")
    said = [desk.do(Approve(item=id_of(one)), desk.ada_typed).say for one in (first, alone, other)]

    assert ["contradict" in text for text in said] == [False, False, True]
    assert f"m:{id_of(first)[-6:]}" in said[2]
    assert listed(desk) == [(id_of(other), id_of(first))]
    assert desk.memory.check(audit=True).sound


def test_what_an_agent_may_not_see_is_not_listed_for_it(desk: Desk) -> None:
    """A pair is shown to whoever sees both."""
    agent = desk.agent()
    desk.remember(LANE, agent, scope="session")
    desk.remember(NO_LANE, agent, scope="session")

    assert len(upkeep(desk).opposed(agent)) == 1
    assert upkeep(desk).opposed(desk.agent("claude-code", "s7")) == []


def test_a_text_that_was_reworded_is_compared_as_it_is_now(desk: Desk) -> None:
    """The link stays on record; what it says now is shown."""
    desk.remember(LANE, desk.ada, scope="repo")
    new = id_of(desk.remember(NO_LANE, desk.ada, scope="repo"))
    content = replace(desk.stored(new).content, body="Since the freeze.")
    desk.do(Revise(item=new, content=content), desk.ada)

    assert [pair.new.content.body for pair in upkeep(desk).opposed(desk.ada)] == [
        "Since the freeze."
    ]
    mended = replace(
        content, title="Deploys of the fare gate are announced in the blue lane", body=""
    )
    desk.do(Revise(item=new, content=mended), desk.ada)
    assert listed(desk) == []


def test_a_late_edit_that_says_what_stands_speaks_against_nothing(desk: Desk) -> None:
    """Asked for at an older version: another text waits and is listed, the same one is not."""
    item = keep(desk, LANE)
    content = desk.stored(item).content
    desk.do(Revise(item=item, content=replace(content, title="Red lane")), desk.ada)
    same = replace(desk.stored(item).content)
    late = desk.do(Revise(item=item, content=same, if_version=1), desk.ada)
    spelled = replace(same, title="red  lane")
    alike = desk.do(Revise(item=item, content=spelled, if_version=1), desk.ada)
    before = listed(desk)
    other = replace(same, title="Green lane")
    clash = desk.do(Revise(item=item, content=other, if_version=1), desk.ada)

    assert not isinstance(late, Conflict)
    assert isinstance(alike, Conflict)
    assert before == []
    assert isinstance(clash, Conflict)
    assert listed(desk) == [(id_of(clash), item)]
    assert desk.stored(item).content.title == "Red lane"


def test_whatever_marks_a_statement_has_it_is_kept(desk: Desk) -> None:
    """A `#` before a unit, in one of the three that are set against each other."""
    said = ("Do not trust the seconds column", "Do not trust it", "Trust the seconds row")
    stored = [keep(desk, text) for text in said]
    made = id_of(desk.remember("Trust the # seconds column", desk.ada, scope="repo"))

    assert {desk.stored(item).status for item in (*stored, made)} == {"active"}


def test_a_body_of_any_make_keeps_no_pair_from_being_looked_at(desk: Desk) -> None:
    """A number of thousands of digits, or one word of thousands of apostrophes."""
    for body in ("9" * 5_000 + " am", "x's" * 2_000):
        pair = {keep(desk, f"{LANE}\n{body}"), keep(desk, f"{LANE} again\n{body}")}
        found = [{two.keep.id, two.other.id} for two in upkeep(desk).duplicates(desk.ada)]
        assert pair in found
    assert listed(desk) == []
