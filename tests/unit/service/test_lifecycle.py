"""Marks, requests, decisions, switches, and what time does by itself."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from desk import REPO, id_of
from onrecord.domain.errors import BadField, Clash, IllegalTransition, NotFound
from onrecord.domain.item import Content
from onrecord.domain.outcome import Conflict, Proposed, Refused, Updated
from onrecord.domain.principal import Principal
from onrecord.domain.scope import Place
from onrecord.domain.time import DAY, SECOND
from onrecord.service.caller import Caller
from onrecord.service.commands import (
    Approve,
    Feedback,
    Forget,
    HandOff,
    Mark,
    Reject,
    Revise,
    Set,
    Settle,
    Sweep,
    Undo,
)

if TYPE_CHECKING:
    from desk import Desk

TEXT = "Refunds need a receipt from the kiosk"
ITSELF = Caller(principal=Principal(writer="system", channel="system"), place=Place())


# -- approve and reject ---------------------------------------------------------


def test_approval_binds_to_the_digest_that_was_seen(desk: Desk) -> None:
    """Changed after it was shown: a conflict on record, and nothing becomes active."""
    agent = desk.agent()
    made = desk.remember(TEXT, agent, scope="repo", key="refunds")
    seen = desk.stored(id_of(made)).head.digest
    desk.remember("Refunds need nothing at all", agent, scope="repo", key="refunds")
    late = desk.do(Approve(item=id_of(made), seen=seen), desk.ada_typed)

    assert isinstance(late, Conflict)
    assert late.code == "approve.changed"
    assert desk.stored(id_of(made)).status == "proposed"
    assert desk.memory.events(desk.ada)[0].code == "approve.changed"


def held_against(desk: Desk) -> tuple[str, str, bytes, bytes]:
    """A proposal to replace a person's memory: both ids, and both texts as they were shown."""
    old = id_of(desk.remember("Refunds are in cash", desk.ada, scope="repo", key="refunds"))
    made = id_of(desk.remember(TEXT, desk.agent(), scope="repo", key="refunds"))
    return made, old, desk.stored(made).head.digest, desk.stored(old).head.digest


@pytest.mark.parametrize("change", ["reworded", "another", "unseen"])
def test_approval_binds_to_what_it_was_shown_to_replace(desk: Desk, change: str) -> None:
    """Another text of it, another memory, or one where none was shown: a conflict names both."""
    made, old, seen, seen_old = held_against(desk)
    place = old
    if change == "reworded":
        text = Content(title="Refunds are in cash, above 50 by transfer")
        desk.do(Revise(item=old, content=text), desk.ada)
    elif change == "another":
        desk.do(Mark(item=old, action="archive"), desk.ada_typed)
        said = desk.remember("Refunds go to the card", desk.ada, scope="repo", key="refunds")
        place = id_of(said)
    else:
        seen_old = b""
    before = desk.stored(place)
    late = desk.do(Approve(item=made, seen=seen, seen_old=seen_old), desk.ada_typed)
    again = Approve(item=made, seen=seen, seen_old=before.head.digest)
    now = desk.do(again, desk.ada_typed)

    assert isinstance(late, Conflict)
    assert late.code == "approve.place_changed"
    assert [candidate.id for candidate in late.candidates] == [made, place]
    assert late.candidates[1].version == before.version
    assert isinstance(now, Updated)
    assert desk.stored(place).status == "superseded"


def test_where_nothing_is_left_to_replace_the_person_looks_again(desk: Desk) -> None:
    """What it was to replace was replaced already; approved then, the clash is told."""
    old = id_of(desk.remember("The kiosk queue is RabbitMQ", desk.ada, scope="repo"))
    new, other = (
        id_of(desk.remember(f"The kiosk queue is {name}", by, scope="repo", replaces=old))
        for name, by in (("NATS", desk.agent()), ("Kafka", desk.ada))
    )
    seen_old = desk.stored(old).head.digest
    seen = desk.stored(new).head.digest
    late = desk.do(Approve(item=new, seen=seen, seen_old=seen_old), desk.ada_typed)
    stood = desk.stored(other).status
    now = desk.do(Approve(item=new, seen=seen, seen_old=b""), desk.ada_typed)

    assert isinstance(late, Conflict)
    assert late.code == "approve.place_changed"
    assert [candidate.id for candidate in late.candidates] == [new]
    assert stood == desk.stored(other).status == "active"
    assert f"may contradict m:{other[-6:]}" in now.say


def test_another_scope_is_another_place(desk: Desk) -> None:
    """Approved for everywhere, what stands under its key there is what leaves."""
    made, old, seen, seen_old = held_against(desk)
    wide = id_of(desk.remember("Refunds by post", desk.ada, scope="global", key="refunds"))
    late = desk.do(
        Approve(item=made, seen=seen, seen_old=seen_old, scope="global"), desk.ada_typed
    )
    proposal = desk.stored(made)
    there = desk.memory.takes_place_of(proposal, desk.ada, scope="global")
    here = desk.memory.takes_place_of(proposal, desk.ada)

    assert isinstance(late, Conflict)
    assert there is not None
    assert here is not None
    assert (there.id, here.id) == (wide, old)
    assert desk.memory.queue(desk.ada)[0].replaces == here


def test_approve_with_edits_records_both_digests(desk: Desk) -> None:
    """What was shown, and what counts now."""
    made = desk.remember(TEXT, desk.agent(), scope="repo")
    before = desk.stored(id_of(made))
    edited = replace(before.content, title="Refunds need a receipt from any kiosk")
    desk.do(Approve(item=before.id, seen=before.head.digest, content=edited), desk.ada_typed)
    _, _, reviews = desk.memory.background(before.id, desk.ada)
    after = desk.stored(before.id)

    assert (reviews[0].seen, reviews[0].became) == (before.head.digest, after.head.digest)
    assert after.content.title == "Refunds need a receipt from any kiosk"
    assert after.version == 2


def test_an_edit_while_approving_passes_the_texts_steps(desk: Desk) -> None:
    """A secret typed into the editor is redacted like any other."""
    made = desk.remember(TEXT, desk.agent(), scope="repo")
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    edited = replace(desk.stored(id_of(made)).content, body=f"The kiosk logs in with {secret}.")
    desk.do(Approve(item=id_of(made), content=edited), desk.ada_typed)

    assert secret not in desk.stored(id_of(made)).content.body


def test_approving_somewhere_else_moves_it(desk: Desk) -> None:
    """The person chooses the scope."""
    made = desk.remember(TEXT, desk.agent(), scope="repo")
    desk.do(Approve(item=id_of(made), scope="global"), desk.ada_typed)

    assert desk.stored(id_of(made)).scope == "global"


def test_a_rejected_value_cannot_be_approved_under_another_id(desk: Desk) -> None:
    """A look-alike proposal that waited already does not become the way round."""
    other = desk.remember(TEXT, desk.elsewhere(), scope="repo")
    here = desk.remember(TEXT, desk.agent(), scope="repo")
    desk.do(Reject(item=id_of(here), reason="wrong"), desk.ada)
    moved = desk.do(Approve(item=id_of(other), scope=REPO), desk.ada_typed)

    assert isinstance(moved, Refused)
    assert moved.code == "tombstone.equal"
    assert desk.stored(id_of(other)).status == "proposed"


def test_approving_a_second_proposal_takes_the_place_of_whatever_holds_the_key(
    desk: Desk,
) -> None:
    """Keys are unique among active items whatever was archived in between."""
    first = desk.remember("Deploy with blue", desk.ada, scope="repo", key="deploy")
    one = desk.remember("Deploy with green", desk.agent(), scope="repo", key="deploy")
    desk.do(Mark(item=id_of(first), action="archive"), desk.ada)
    second = desk.remember("Deploy with red", desk.ada, scope="repo", key="deploy")
    desk.do(Approve(item=id_of(one)), desk.ada_typed)
    states = [desk.stored(id_of(made)).status for made in (first, second, one)]

    assert states == ["archived", "superseded", "active"]


@pytest.mark.parametrize(
    ("reason", "leaves"),
    [
        ("wrong", True),
        ("unwanted", True),
        ("duplicate", False),
        ("wrong_scope", False),
        ("not_useful", False),
    ],
)
def test_only_wrong_and_unwanted_leave_a_tombstone(
    desk: Desk, reason: str, *, leaves: bool
) -> None:
    """The other reasons say nothing about the value itself."""
    made = desk.remember(TEXT, desk.agent(), scope="repo")
    desk.do(Reject(item=id_of(made), reason=reason), desk.ada)
    again = desk.remember(TEXT, desk.agent(), scope="repo")

    assert isinstance(again, Refused) == leaves


def test_a_reason_that_is_none_is_told(desk: Desk) -> None:
    """The hint lists those that are."""
    made = desk.remember(TEXT, desk.agent(), scope="repo")

    with pytest.raises(BadField, match="reason"):
        desk.do(Reject(item=id_of(made), reason="because"), desk.ada)


def test_rejecting_reaches_equal_items_where_the_tombstone_binds(desk: Desk) -> None:
    """The agent's own note in a narrower scope goes with it; one event, one undo."""
    agent = desk.agent()
    note = desk.remember(TEXT, agent, scope="session")
    shared = desk.remember(TEXT, agent, scope="repo")
    done = desk.do(Reject(item=id_of(shared), reason="wrong"), desk.ada)
    between = [desk.stored(id_of(made)).status for made in (note, shared)]
    desk.do(Undo(event=done.undo or 0), desk.ada_typed)
    after = [desk.stored(id_of(made)).status for made in (note, shared)]

    assert between == ["rejected", "rejected"]
    assert after == ["active", "proposed"]


def test_rejecting_leaves_what_a_person_said_for_a_narrower_scope(desk: Desk) -> None:
    """Turned down for everywhere, said for this repository: both are the person's word."""
    here = desk.remember(TEXT, desk.ada, scope="repo")
    everywhere = desk.remember(TEXT, desk.agent(), scope="global", distinct=True)
    desk.do(Reject(item=id_of(everywhere), reason="wrong"), desk.ada)
    again = desk.remember(TEXT, desk.agent(), scope="repo")

    assert desk.stored(id_of(here)).status == "active"
    assert again.code == "same.known"


# -- marks ------------------------------------------------------------------------


def test_what_was_archived_as_a_proposal_comes_back_as_one(desk: Desk) -> None:
    """Restoring is no way round the typed key of an approval."""
    agent = desk.agent()
    made = desk.remember(TEXT, agent, scope="repo")
    desk.do(Mark(item=id_of(made), action="archive"), agent)
    desk.do(Mark(item=id_of(made), action="restore"), desk.ada)

    assert desk.stored(id_of(made)).status == "proposed"


def test_what_was_archived_active_comes_back_active(desk: Desk) -> None:
    """Restore is the other way of archive."""
    made = desk.remember(TEXT, desk.ada, scope="repo")
    desk.do(Mark(item=id_of(made), action="archive"), desk.ada)
    desk.do(Mark(item=id_of(made), action="restore"), desk.ada)

    assert desk.stored(id_of(made)).status == "active"


def test_what_was_turned_down_meanwhile_is_not_restored(desk: Desk) -> None:
    """The archive is no way round a tombstone."""
    old = desk.remember(TEXT, desk.ada, scope="repo")
    desk.do(Mark(item=id_of(old), action="archive"), desk.ada)
    new = desk.remember(TEXT, desk.agent(), scope="repo")
    desk.do(Reject(item=id_of(new), reason="wrong"), desk.ada)
    back = desk.do(Mark(item=id_of(old), action="restore"), desk.ada)

    assert isinstance(back, Refused)
    assert desk.stored(id_of(old)).status == "archived"


def test_an_address_that_is_taken_is_not_restored_to(desk: Desk) -> None:
    """Keys are unique among active items; the clash is on record."""
    old = desk.remember("Deploy with blue", desk.ada, scope="repo", key="deploy")
    desk.do(Mark(item=id_of(old), action="archive"), desk.ada)
    desk.remember("Deploy with green", desk.ada, scope="repo", key="deploy")

    with pytest.raises(IllegalTransition, match="taken"):
        desk.do(Mark(item=id_of(old), action="restore"), desk.ada)

    assert desk.memory.events(desk.ada)[0].code == "conflict.status"


def test_an_agent_withdraws_its_own_proposal_and_erases_none(desk: Desk) -> None:
    """Erasing it would leave a tombstone for everyone; that only a person decides."""
    agent = desk.agent()
    made = desk.remember(TEXT, agent, scope="repo")
    asked = desk.do(Forget(item=id_of(made)), agent)
    withdrawn = desk.do(Mark(item=id_of(made), action="archive"), agent)
    again = desk.remember(TEXT, desk.agent("claude-code", "c1"), scope="repo")

    assert isinstance(asked, Proposed)
    assert isinstance(withdrawn, Updated)
    assert isinstance(again, Proposed)


def test_an_agents_notes_are_its_own_in_one_repository(desk: Desk) -> None:
    """In another one it neither sees nor changes what it noted here."""
    made = desk.remember(TEXT, desk.agent(), scope="agent")
    away = desk.elsewhere()
    found = desk.memory.recall("refunds receipt kiosk", away)

    assert found.abstained
    with pytest.raises(NotFound):
        desk.memory.get(id_of(made), away)
    with pytest.raises(NotFound):
        desk.do(Mark(item=id_of(made), action="archive"), away)


def test_declining_takes_the_request_out_of_the_queue(desk: Desk) -> None:
    """The item stays as it is."""
    made = desk.remember(TEXT, desk.ada, scope="repo")
    desk.do(Forget(item=id_of(made)), desk.agent())
    asked = [waiting.asked for waiting in desk.memory.queue(desk.ada)]
    desk.do(Mark(item=id_of(made), action="decline"), desk.ada)

    assert asked == ["forget:codex"]
    assert desk.memory.queue(desk.ada) == []
    assert desk.stored(id_of(made)).status == "active"


def test_an_illegal_step_names_both_states(desk: Desk) -> None:
    """From one table; anything else is an error."""
    made = desk.remember(TEXT, desk.ada, scope="repo")
    desk.do(Mark(item=id_of(made), action="archive"), desk.ada)

    with pytest.raises(IllegalTransition) as caught:
        desk.do(Mark(item=id_of(made), action="pin"), desk.ada)

    assert caught.value.details["from"] == "archived"


# -- switches ---------------------------------------------------------------------


def test_saving_off_stops_every_learning_verb_of_an_agent(desk: Desk) -> None:
    """Remember, revise, hand off and feedback; each says what the agent should tell."""
    agent = desk.agent()
    note = desk.remember(TEXT, agent, scope="session")
    content = replace(desk.stored(id_of(note)).content, body="More.")
    desk.do(Set(name="saving", value="off"), desk.ada)
    outcomes = [
        desk.remember("Fares are in cents", agent, scope="session"),
        desk.do(Revise(item=id_of(note), content=content), agent),
        desk.do(HandOff(next="the gate"), agent),
        desk.do(Feedback(item=id_of(note), verdict="helpful", note="it was"), agent),
    ]

    assert [outcome.code for outcome in outcomes] == ["saving.off"] * 4
    assert all("not saved" in outcome.say for outcome in outcomes)


def test_saving_off_leaves_forget_undo_reject_and_archive(desk: Desk) -> None:
    """Off stops learning; it is not amnesia and not a lock."""
    agent = desk.agent()
    notes = [
        id_of(desk.remember(f"{TEXT} number {n}", agent, scope="session")) for n in ("a", "b")
    ]
    shared = desk.remember("Fares are in cents", agent, scope="repo")
    last = desk.remember("Zones are rings around the harbour", agent, scope="session")
    desk.do(Set(name="saving", value="off"), desk.ada)
    outcomes = [
        desk.do(Undo(event=last.undo or 0), agent),
        desk.do(Mark(item=notes[0], action="archive"), agent),
        desk.do(Forget(item=notes[1]), agent),
        desk.do(Reject(item=id_of(shared), reason="wrong"), desk.ada),
        desk.remember("Riders pay per zone", desk.ada, scope="repo"),
    ]

    assert not any(isinstance(outcome, Refused) for outcome in outcomes)


def test_saving_is_switched_for_everything_at_once(desk: Desk) -> None:
    """A scope that would silently do nothing is told instead."""
    with pytest.raises(BadField, match="everything at once"):
        desk.do(Set(name="saving", value="off", scope="repo"), desk.ada)

    assert desk.memory.status(desk.ada).saving


# -- time -------------------------------------------------------------------------


def test_tasks_expire_after_14_days_unless_updated(desk: Desk) -> None:
    """Updating one starts its fourteen days anew."""
    agent = desk.agent()
    made = desk.remember("Fix the gate spec", agent, scope="session", kind="task", key="gate")
    first = desk.stored(id_of(made))
    desk.clock.advance(10 * DAY)
    desk.remember("Fix the gate specs", agent, scope="session", kind="task", key="gate")
    second = desk.stored(id_of(made))

    assert first.expires_at == first.created_at + 14 * DAY
    assert second.expires_at == second.head.recorded_at + 14 * DAY


def test_a_task_whose_time_is_over_becomes_stale(desk: Desk) -> None:
    """By the sweep, on record, once."""
    made = desk.remember("Fix the gate spec", desk.ada, scope="repo", kind="task")
    desk.clock.advance(14 * DAY + SECOND)
    desk.do(Sweep(), ITSELF)
    desk.do(Sweep(), ITSELF)

    assert desk.stored(id_of(made)).verification == "stale"
    assert desk.actions(id_of(made)) == ["created", "staled"]


def test_proposals_lapse_to_the_archive_after_60_days_reversibly(desk: Desk) -> None:
    """Not a day earlier; restoring and undoing both bring back a proposal."""
    made = desk.remember(TEXT, desk.agent(), scope="repo")
    desk.clock.advance(60 * DAY - 10 * SECOND)
    desk.do(Sweep(), ITSELF)
    before = desk.stored(id_of(made)).status
    desk.clock.advance(20 * SECOND)
    desk.do(Sweep(), ITSELF)
    lapsed = desk.stored(id_of(made)).status
    with desk.store.read() as tx:
        event = tx.events.of(id_of(made))[-1]
    desk.do(Undo(event=event.seq), desk.ada)

    assert (before, lapsed, event.action) == ("proposed", "archived", "lapsed")
    assert event.by.writer == "system"
    assert desk.stored(id_of(made)).status == "proposed"


def test_draining_sweeps(desk: Desk, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Whoever opens the store next lets lapse what is due."""
    made = desk.remember(TEXT, desk.agent(), scope="repo")
    desk.clock.advance(61 * DAY)
    folder = tmp_path_factory.mktemp("spool") / "spool"
    desk.memory.intake(str(folder)).drain()

    assert desk.stored(id_of(made)).status == "archived"


@pytest.mark.parametrize("who", ["agent", "ada_typed"])
def test_nobody_else_sweeps(desk: Desk, who: str) -> None:
    """It is onrecord's own."""
    caller = desk.agent() if who == "agent" else desk.ada_typed

    assert isinstance(desk.do(Sweep(), caller), Refused)


# -- handoffs ---------------------------------------------------------------------


def test_an_agent_cancels_only_what_it_wrote_or_claimed(desk: Desk) -> None:
    """Another's handoff stays open; the refusal is on record."""
    writer, other = desk.agent("claude-code", "c1"), desk.agent("codex", "s1")
    made = desk.do(HandOff(next="the gate"), writer)
    refused = desk.do(Settle(item=id_of(made), action="cancel"), other)
    with desk.store.read() as tx:
        between = tx.handoffs.get(id_of(made))
    desk.do(Settle(item=id_of(made), action="claim"), other)
    cancelled = desk.do(Settle(item=id_of(made), action="cancel"), other)

    assert isinstance(refused, Refused)
    assert refused.code == "authority.cancel_not_your_own"
    assert between is not None
    assert between.status == "open"
    assert cancelled.code == "handoff.cancelled"
    assert desk.actions(id_of(made))[-3:] == ["refused", "handoff_claimed", "handoff_cancelled"]


def test_a_claim_that_came_too_late_is_on_record(desk: Desk) -> None:
    """A clash like any other."""
    made = desk.do(HandOff(next="the gate"), desk.agent("claude-code", "c1"))
    desk.do(Settle(item=id_of(made), action="claim"), desk.agent("codex", "s1"))
    with pytest.raises(Clash):
        desk.do(Settle(item=id_of(made), action="claim"), desk.agent("codex", "s2"))
    last = desk.memory.events(desk.ada)[0]

    assert (last.action, last.code) == ("refused", "conflict")


def test_the_queue_has_every_request_that_is_counted(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also the one about the oldest of many items, and oldest first."""
    monkeypatch.setattr("onrecord.service.waiting._PAGE", 4)
    agent = desk.agent("codex", "s1")
    items = [
        id_of(desk.remember(f"Lamp {n} hangs in hall {n * 7}", desk.ada, distinct=True))
        for n in range(24)
    ]
    for item in (items[7], items[0]):
        desk.do(Mark(item=item, action="dispute"), agent)
    waits = desk.memory.status(desk.ada).waiting
    queue = desk.memory.queue(desk.ada, limit=waits)

    assert [waiting.item.id for waiting in queue] == [items[0], items[7]]
    assert waits == 2
