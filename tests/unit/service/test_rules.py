"""A rule is text by a person that no agent channel can write, change, dispute or delete."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from desk import id_of
from onrecord.domain.outcome import Created, Refused, Updated
from onrecord.service.commands import (
    Approve,
    Command,
    Feedback,
    Forget,
    Mark,
    Reject,
    Revise,
    Undo,
)

if TYPE_CHECKING:
    from desk import Desk

RULE = "Never push to main without a review"


def changes(item: str, desk: Desk) -> list[Command]:
    """Every command that would touch a rule."""
    content = replace(desk.stored(item).content, title="Push whenever you like")
    marks = ("archive", "restore", "pin", "unpin", "verify", "dispute", "stale", "decline")
    return [
        Revise(item=item, content=content),
        Approve(item=item),
        Reject(item=item, reason="unwanted"),
        Forget(item=item),
        *(Mark(item=item, action=action) for action in marks),
    ]


def test_an_agent_can_do_nothing_to_a_rule(desk: Desk) -> None:
    """Each verb is refused, and the rule stands as it was."""
    made = desk.remember(RULE, desk.ada_typed, scope="repo", kind="rule", key="push")
    before = desk.stored(id_of(made))
    outcomes = [desk.do(change, desk.agent()) for change in changes(id_of(made), desk)]

    assert [type(outcome) for outcome in outcomes] == [Refused] * len(outcomes)
    assert desk.stored(id_of(made)) == before


def test_an_agent_cannot_take_a_rules_place(desk: Desk) -> None:
    """Neither by its key nor by its id, not even as a proposal."""
    made = desk.remember(RULE, desk.ada_typed, scope="repo", kind="rule", key="push")
    by_key = desk.remember("Push at will", desk.agent(), scope="repo", key="push")
    by_id = desk.remember("Push at will", desk.agent(), scope="repo", replaces=id_of(made))

    assert isinstance(by_key, Refused)
    assert isinstance(by_id, Refused)
    assert by_key.code == "authority.rule_needs_person"
    assert desk.memory.queue(desk.ada) == []


def test_a_person_changes_a_rule_with_a_typed_key_alone(desk: Desk) -> None:
    """Making, replacing and undoing it want the key."""
    made = desk.remember(RULE, desk.ada_typed, scope="repo", kind="rule")
    content = replace(desk.stored(id_of(made)).content, title="Push after two reviews")
    untyped = desk.do(Revise(item=id_of(made), content=content), desk.ada)
    typed = desk.do(Revise(item=id_of(made), content=content), desk.ada_typed)
    back_untyped = desk.do(Undo(event=typed.undo or 0), desk.ada)
    back = desk.do(Undo(event=typed.undo or 0), desk.ada_typed)

    assert isinstance(made, Created)
    assert isinstance(untyped, Refused)
    assert isinstance(typed, Updated)
    assert isinstance(back_untyped, Refused)
    assert isinstance(back, Updated)
    assert desk.stored(id_of(made)).content.title == RULE


@pytest.mark.parametrize("verdict", ["wrong", "stale", "helpful"])
def test_an_agents_verdict_on_a_rule_is_noted_and_changes_nothing(
    desk: Desk, verdict: str
) -> None:
    """The opinion is kept; the rule is not flagged and not doubted."""
    made = desk.remember(RULE, desk.ada_typed, scope="repo", kind="rule")
    said = desk.do(Feedback(item=id_of(made), verdict=verdict), desk.agent())
    found = desk.stored(id_of(made))

    assert isinstance(said, Updated)
    assert (found.verification, found.flags) == ("verified", ())


def test_a_rule_is_first_in_what_an_agent_is_given(desk: Desk) -> None:
    """Positive control: the rule reaches the agent."""
    desk.remember(RULE, desk.ada_typed, scope="repo", kind="rule")
    made, _ = desk.memory.pack(desk.agent(), channel="mcp", nonce="n0nce000")

    assert RULE in made.text
