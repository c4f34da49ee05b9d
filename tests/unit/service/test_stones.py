"""Tombstones: how far they reach, what they know again, and who lifts them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from desk import BRANCH, REPO, id_of
from onrecord.domain.outcome import Corroborated, Created, Proposed, Refused, Updated
from onrecord.domain.time import DAY
from onrecord.service.commands import Forget, HandOff, Reject, Revise, Undo

if TYPE_CHECKING:
    from desk import Desk

TEXT = "Refunds need a receipt from the kiosk"


def turn_down(desk: Desk, text: str = TEXT, scope: str = "repo", **fields: object) -> str:
    """A person rejects a text as wrong in a scope; gives the item's id."""
    made = desk.remember(text, desk.ada, scope=scope, **fields)
    desk.do(Reject(item=id_of(made), reason="wrong"), desk.ada)
    return id_of(made)


@pytest.mark.parametrize("scope", ["repo", "branch", "agent", "session"])
def test_its_scope_and_narrower_ones_are_refused(desk: Desk, scope: str) -> None:
    """Rejected for the repository: for its branches, agents and sessions too."""
    turn_down(desk)
    answer = desk.remember(TEXT, desk.agent(), scope=scope)

    assert isinstance(answer, Refused)
    assert answer.code == "tombstone.equal"
    assert "ada" in answer.say
    assert "2026-01-01" in answer.say


def test_broader_scopes_are_not_bound_and_hold_it(desk: Desk) -> None:
    """Wrong here is not wrong everywhere, but a person looks."""
    turn_down(desk)
    answer = desk.remember(TEXT, desk.agent(), scope="global")

    assert isinstance(answer, Proposed)
    assert any(flag.startswith("tombstone:") for flag in answer.item.flags)


def test_elsewhere_it_is_at_best_proposed_in_private_scopes_too(desk: Desk) -> None:
    """In another repository, in the agent's own session."""
    turn_down(desk)
    answer = desk.remember(TEXT, desk.elsewhere(), scope="session")
    control = desk.remember("Night buses charge at the depot", desk.elsewhere(), scope="session")

    assert isinstance(answer, Proposed)
    assert isinstance(control, Created)


def test_who_cannot_read_that_scope_gets_a_generic_code(desk: Desk) -> None:
    """Neither code nor sentence tells that something was turned down elsewhere."""
    turn_down(desk)
    answer = desk.remember(TEXT, desk.elsewhere(), scope="session")
    here = desk.remember(TEXT, desk.agent(), scope="global")

    assert answer.code == "policy.held"
    assert "turned down" not in answer.say
    assert answer.item is not None
    assert [flag.partition(":")[0] for flag in answer.item.flags] == ["held"]
    assert here.code == "authority.shared_scope"


def test_everywhere_binds_everywhere(desk: Desk) -> None:
    """A tombstone of the global scope refuses in every repository."""
    turn_down(desk, scope="global")
    answers = [
        desk.remember(TEXT, caller, scope="session") for caller in (desk.agent(), desk.elsewhere())
    ]

    assert [answer.code for answer in answers] == ["tombstone.equal"] * 2


def test_a_sentence_that_was_the_rejected_claim_refuses_inside_other_text(desk: Desk) -> None:
    """Six words or more, in the middle of a body."""
    turn_down(desk)
    inside = desk.remember(
        "How refunds work", desk.agent(), scope="repo", body=f"We sell tickets. {TEXT}. Ask."
    )

    assert isinstance(inside, Refused)


def test_another_shared_sentence_only_flags(desk: Desk) -> None:
    """One sentence of a longer rejected text was not the claim."""
    turn_down(
        desk,
        "Refunds",
        body="The kiosk prints receipts on thermal paper. Refunds are paid in cash only there.",
    )
    shared = desk.remember(
        "Paper",
        desk.agent(),
        scope="session",
        body="The kiosk prints receipts on thermal paper. Order it in March from the usual shop.",
    )

    assert isinstance(shared, Proposed)
    assert any(flag.startswith("tombstone:") for flag in shared.item.flags)


def test_text_of_fewer_than_four_words_is_never_matched(desk: Desk) -> None:
    """Nobody owns "use tabs"; a redacted remainder is counted without its markers."""
    turn_down(desk, "Use tabs")
    again = desk.remember("Use tabs", desk.agent(), scope="session")

    assert isinstance(again, Created)


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("Use tabs everywhere", False),
        ("Use tabs everywhere now", True),
    ],
)
def test_four_words_are_the_fewest(desk: Desk, text: str, *, known: bool) -> None:
    """One word less is anyone's."""
    turn_down(desk, text)
    answer = desk.remember(text, desk.agent(), scope="session")

    assert (answer.code == "tombstone.equal") == known
    assert isinstance(answer, Refused if known else Created)


@pytest.mark.parametrize(
    ("text", "refused"),
    [("Refunds need a kiosk receipt", False), ("Refunds need a paper kiosk receipt", True)],
)
def test_six_words_are_the_fewest_of_a_sentence(desk: Desk, text: str, *, refused: bool) -> None:
    """One word less inside another text waits at most; by itself it is known all the same."""
    turn_down(desk, text)
    body = f"We sell tickets. {text}. Ask at the till when in doubt."
    inside = desk.remember("How the till works", desk.agent(), scope="session", body=body)
    alone = desk.remember(text, desk.agent(), scope="session")

    assert isinstance(inside, Refused) == refused
    assert isinstance(alone, Refused)


def test_prints_are_of_redacted_text_with_one_marker(desk: Desk) -> None:
    """The claim comes back with another secret in it: still the claim."""
    one = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    two = "ghp_" + "z9Y8x7W6v5U4t3S2r1Q0p9O8n7M6l5K4j3I2"
    turn_down(desk, f"The kiosk at the harbour logs in with {one} every morning")
    again = desk.remember(
        f"The kiosk at the harbour logs in with {two} every morning", desk.agent(), scope="repo"
    )

    assert isinstance(again, Refused)
    assert again.code == "tombstone.equal"


def test_a_dated_claim_is_known_again_on_another_day(desk: Desk) -> None:
    """Prints are taken before and after dates are put beside the words."""
    turn_down(desk, "The tide feed moved to the new host yesterday")
    desk.clock.advance(3 * DAY)
    again = desk.remember(
        "The tide feed moved to the new host yesterday", desk.agent(), scope="repo"
    )

    assert isinstance(again, Refused)
    assert again.code == "tombstone.equal"


def test_hidden_characters_do_not_carry_it_past(desk: Desk) -> None:
    """Zero-width joints, full-width letters, look-alikes: the same value."""
    turn_down(desk)
    disguises = [
        "Refunds need a rec\u200beipt from the kiosk",
        "Ｒｅｆｕｎｄｓ need a receipt from the kiosk",
        "Refunds n\u0435ed a receipt from the ki\u043esk.",
        "REFUNDS   NEED A RECEIPT FROM THE KIOSK!!",
    ]
    answers = [desk.remember("Note", desk.agent(), scope="repo", body=text) for text in disguises]

    assert [type(answer) for answer in answers] == [Refused] * len(disguises)


def test_every_version_of_a_forgotten_item_stays_away(desk: Desk) -> None:
    """What it said before its last edit was erased as well."""
    made = desk.remember(TEXT, desk.ada, scope="repo")
    content = replace(desk.stored(id_of(made)).content, title="Refunds need nothing at all here")
    desk.do(Revise(item=id_of(made), content=content), desk.ada)
    desk.do(Forget(item=id_of(made)), desk.ada)
    answers = [
        desk.remember(text, desk.agent(), scope="repo")
        for text in (TEXT, "Refunds need nothing at all here")
    ]

    assert [answer.code for answer in answers] == ["tombstone.equal"] * 2


def test_a_handoff_does_not_carry_it_either(desk: Desk) -> None:
    """The same step holds for what agents hand over."""
    turn_down(desk)
    answer = desk.do(HandOff(next=TEXT), desk.agent())

    assert isinstance(answer, Refused)


def test_an_override_wants_a_typed_key_also_when_revising(desk: Desk) -> None:
    """No edit of another item is a way round the key."""
    turn_down(desk)
    other = desk.remember("Fares are in cents", desk.ada, scope="repo")
    content = replace(desk.stored(id_of(other)).content, title=TEXT)
    untyped = desk.do(
        Revise(item=id_of(other), content=content, override="I mean it now"), desk.ada
    )
    typed = desk.do(
        Revise(item=id_of(other), content=content, override="I mean it now"), desk.ada_typed
    )

    assert isinstance(untyped, Refused)
    assert isinstance(typed, Updated)


def test_an_overrides_reason_is_kept_and_the_lifting_is_on_record(desk: Desk) -> None:
    """By event, with its reason in the version; the tombstone itself is never deleted."""
    turned_down = turn_down(desk)
    made = desk.remember(TEXT, desk.ada_typed, scope="repo", override="the law changed")
    with desk.store.read() as tx:
        stones = tx.tombstones.of(turned_down)
        event = tx.events.of(id_of(made))[0]
    lifted: Any = event.change["lifted"][1]
    later = desk.remember(TEXT, desk.agent(), scope="repo")

    assert desk.stored(id_of(made)).head.reason == "the law changed"
    assert [stone.lifted_at is not None for stone in stones] == [True]
    assert [tuple(pair) for pair in lifted] == [(stones[0].id, turned_down)]
    assert isinstance(later, Corroborated)


def test_undoing_an_override_puts_the_tombstone_back(desk: Desk) -> None:
    """And taking the undo back lifts it again."""
    turn_down(desk)
    made = desk.remember(TEXT, desk.ada_typed, scope="repo", override="the law changed")
    undone = desk.do(Undo(event=made.undo or 0), desk.ada_typed)
    between = desk.remember(TEXT, desk.agent(), scope="repo")
    desk.do(Undo(event=undone.undo or 0), desk.ada_typed)
    after = desk.remember(TEXT, desk.agent(), scope="repo")

    assert isinstance(between, Refused)
    assert isinstance(after, Corroborated)


def test_an_override_lifts_it_for_its_scope_alone(desk: Desk) -> None:
    """Meant for this repository: everywhere else the tombstone stands."""
    turn_down(desk, scope="global")
    made = desk.remember(TEXT, desk.ada_typed, scope="repo", override="here it is so")
    here = desk.remember(TEXT, desk.agent(), scope="repo")
    there = desk.remember(TEXT, desk.elsewhere(), scope="repo")

    assert isinstance(made, Created)
    assert isinstance(here, Corroborated)
    assert isinstance(there, Refused)


def test_a_person_is_refused_without_override_and_told_how(desk: Desk) -> None:
    """The way out is in the sentence."""
    turn_down(desk)
    answer = desk.remember(TEXT, desk.ada, scope="repo")

    assert isinstance(answer, Refused)
    assert "--override" in answer.say


def test_undoing_the_undo_of_a_rejection_rejects_it_again(desk: Desk) -> None:
    """With its tombstone."""
    made = desk.remember(TEXT, desk.agent(), scope="repo")
    done = desk.do(Reject(item=id_of(made), reason="wrong"), desk.ada)
    undone = desk.do(Undo(event=done.undo or 0), desk.ada_typed)
    desk.do(Undo(event=undone.undo or 0), desk.ada_typed)
    again = desk.remember(TEXT, desk.agent(), scope="repo")

    assert desk.stored(id_of(made)).status == "rejected"
    assert isinstance(again, Refused)


def test_a_branch_is_bound_by_its_repository_wherever_the_person_stands(desk: Desk) -> None:
    """Reach follows the names, not only the caller's place."""
    turn_down(desk, scope=REPO)
    answer = desk.remember(TEXT, desk.ada, scope=BRANCH)

    assert isinstance(answer, Refused)


def test_what_an_agent_forgot_of_its_own_binds_that_agent_alone(desk: Desk) -> None:
    """No agent can keep others, or a person, from saying something by forgetting it first."""
    agent = desk.agent()
    note = desk.remember(TEXT, agent, scope="branch")
    desk.do(Forget(item=id_of(note)), agent)
    itself = desk.remember(TEXT, agent, scope="branch")
    other = desk.remember(TEXT, desk.agent("claude-code", "c1"), scope="branch")
    person = desk.remember(TEXT, desk.ada, scope="branch")

    assert isinstance(itself, Refused)
    assert isinstance(other, Proposed)
    assert isinstance(person, Updated)
    assert desk.stored(id_of(person)).status == "active"
