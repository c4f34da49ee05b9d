"""Steps 8 and 9: what is there already, and what a statement runs into."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from desk import id_of
from onrecord.domain.errors import IllegalTransition, NotFound
from onrecord.domain.item import Content
from onrecord.domain.outcome import Conflict, Corroborated, Created, Proposed, Refused, Updated
from onrecord.domain.time import DAY
from onrecord.service.commands import Approve, Mark, Revise, Undo

if TYPE_CHECKING:
    from desk import Desk

TEXT = "The gate runs on Go"


def active_at(desk: Desk, scope: str, key: str) -> list[str]:
    """Titles of the active items at an address."""
    with desk.store.read() as tx:
        return [item.content.title for item in tx.items.by_key(scope, key, ("active",))]


def test_a_conflict_never_loses_text(desk: Desk) -> None:
    """Stored as proposed, linked to what it clashes with, found in the queue; no retry."""
    persons = desk.remember("Deploy with blue", desk.ada, scope="repo", key="deploy")
    desk.remember("Deploy with green", desk.ada, scope="repo", key="deploy")
    agent = desk.agent()
    clash = desk.remember("Deploy with red", agent, scope="repo", key="deploy", if_version=1)
    _, links, _ = desk.memory.background(id_of(clash), desk.ada)

    assert isinstance(clash, Conflict)
    assert [(link.kind, link.target) for link in links] == [("contradicts", id_of(persons))]
    assert [waiting.item.id for waiting in desk.memory.queue(desk.ada)] == [id_of(clash)]


def test_keys_are_unique_among_active_items_and_proposals_may_share_one(desk: Desk) -> None:
    """Two agents propose for one address; approving both leaves one active."""
    one = desk.remember("Deploy with blue", desk.agent(), scope="repo", key="deploy")
    other = desk.agent("claude-code", "c1")
    two = desk.remember("Deploy with green", other, scope="repo", key="deploy")
    for made in (one, two):
        desk.do(Approve(item=id_of(made)), desk.ada_typed)

    assert id_of(one) != id_of(two)
    assert active_at(desk, "repo:github.com/acme/shop", "deploy") == ["Deploy with green"]
    assert desk.stored(id_of(one)).status == "superseded"


def test_a_blind_upsert_of_ones_own_note_updates_it(desk: Desk) -> None:
    """The caller's own unreviewed item gets a further version."""
    agent = desk.agent()
    first = desk.remember("Use port 1", agent, scope="session", key="port")
    second = desk.remember("Use port 2", agent, scope="session", key="port")

    assert isinstance(second, Updated)
    assert id_of(first) == id_of(second)


def test_a_blind_upsert_of_ones_own_proposal_words_it_anew(desk: Desk) -> None:
    """It waits on; there are not two of them."""
    agent = desk.agent()
    first = desk.remember("Deploy with blue", agent, scope="repo", key="deploy")
    second = desk.remember("Deploy with green", agent, scope="repo", key="deploy")

    assert isinstance(second, Proposed)
    assert id_of(first) == id_of(second)
    assert desk.stored(id_of(first)).status == "proposed"


def test_what_a_person_verified_an_agent_only_proposes_to_replace(desk: Desk) -> None:
    """Also where the agent wrote it first."""
    agent = desk.agent()
    made = desk.remember("Deploy with blue", agent, scope="repo", key="deploy")
    desk.do(Approve(item=id_of(made)), desk.ada_typed)
    later = desk.agent("codex", "s2")
    again = desk.remember("Deploy with green", later, scope="repo", key="deploy")

    assert isinstance(again, Proposed)
    assert again.item.replaces == id_of(made)


def test_not_read_counts_as_read_at_session_start(desk: Desk) -> None:
    """Unchanged since the session began: no conflict, a proposal as usual."""
    desk.remember("Deploy with blue", desk.ada, scope="repo", key="deploy")
    desk.clock.advance()
    late = desk.agent("codex", "late")
    answer = desk.remember("Deploy with red", late, scope="repo", key="deploy")

    assert isinstance(answer, Proposed)


def test_a_version_of_something_gone_is_a_conflict(desk: Desk) -> None:
    """What was seen at that address is not there any more; the text is kept."""
    made = desk.remember("Deploy with blue", desk.ada, scope="repo", key="deploy")
    desk.do(Mark(item=id_of(made), action="archive"), desk.ada)
    late = desk.remember("Deploy with red", desk.ada, scope="repo", key="deploy", if_version=1)

    assert isinstance(late, Conflict)
    assert late.code == "conflict.gone"
    assert late.item is not None
    assert late.item.status == "proposed"


def test_replacing_one_item_at_the_address_of_a_third_is_a_conflict(desk: Desk) -> None:
    """Nobody's item leaves its address unasked."""
    old = desk.remember("Deploy by hand", desk.ada, scope="repo")
    desk.remember("Deploy with blue", desk.ada, scope="repo", key="deploy")
    clash = desk.remember(
        "Deploy with red", desk.ada, scope="repo", key="deploy", replaces=id_of(old)
    )

    assert isinstance(clash, Conflict)
    assert clash.code == "conflict.key_taken"
    assert len(clash.candidates) == 2
    assert desk.stored(id_of(old)).status == "active"


def test_replacing_closes_the_old_ones_validity_where_the_new_ones_begins(desk: Desk) -> None:
    """`valid_to` of the old is `valid_from` of the new, in a version of its own."""
    old = desk.remember(TEXT, desk.ada, scope="repo")
    new = desk.remember("The gate runs on Kotlin", desk.ada, scope="repo", replaces=id_of(old))
    closed, fresh = desk.stored(id_of(old)), desk.stored(id_of(new))
    _, links, _ = desk.memory.background(id_of(new), desk.ada)

    assert closed.status == "superseded"
    assert closed.content.valid_to == fresh.content.valid_from
    assert closed.version == 2
    assert [(link.kind, link.target) for link in links if link.kind == "supersedes"] == [
        ("supersedes", closed.id)
    ]


def test_an_end_that_was_known_is_not_put_off_by_a_replacement(desk: Desk) -> None:
    """It held until then and no longer."""
    start = desk.clock.now()
    old = desk.remember(
        "The freeze holds", desk.ada, scope="repo", valid_from=start, valid_to=start + 5
    )
    desk.remember("The freeze is over", desk.ada, scope="repo", replaces=id_of(old))

    assert desk.stored(id_of(old)).content.valid_to == start + 5


def test_replacing_what_is_put_away_is_an_error_that_names_both_states(desk: Desk) -> None:
    """Archived items have no place to take."""
    old = desk.remember(TEXT, desk.ada, scope="repo")
    desk.do(Mark(item=id_of(old), action="archive"), desk.ada)

    with pytest.raises(IllegalTransition) as caught:
        desk.remember("The gate runs on Kotlin", desk.ada, scope="repo", replaces=id_of(old))

    assert caught.value.details["from"] == "archived"


def test_replacing_what_the_caller_cannot_see_is_not_found(desk: Desk) -> None:
    """The answer is that of an id that never was."""
    hidden = desk.remember(TEXT, desk.elsewhere(), scope="session")

    with pytest.raises(NotFound):
        desk.remember("The gate runs on Kotlin", desk.agent(), replaces=id_of(hidden))


def test_a_replaced_text_is_proposed_with_the_day_and_never_corroborated(desk: Desk) -> None:
    """Also with `distinct`, which skips the search for equal items alone."""
    old = desk.remember(TEXT, desk.ada, scope="repo")
    desk.remember("The gate runs on Kotlin", desk.ada, scope="repo", replaces=id_of(old))
    plain = desk.remember(TEXT, desk.agent(), scope="session")
    distinct = desk.remember(TEXT, desk.agent(), scope="session", distinct=True)

    assert isinstance(plain, Proposed)
    assert plain.code == "sameness.superseded"
    assert "replaced on 2026-01-01" in plain.say
    assert isinstance(distinct, Proposed)


@pytest.mark.parametrize(
    ("title", "body"),
    [("The gate runs on Go", "As decided."), ("Gate", "The gate runs on Go.")],
)
def test_a_replaced_text_under_a_heading_or_as_one_waits_too(
    desk: Desk, title: str, body: str
) -> None:
    """An agent or a file that says it so says it again; a person may mean more by it."""
    old = desk.remember(TEXT, desk.ada, scope="repo")
    desk.remember("The gate runs on Kotlin", desk.ada, scope="repo", replaces=id_of(old))
    said = desk.remember(title, desk.agent(), scope="session", body=body)
    meant = desk.remember(title, desk.ada, scope="repo", body=f"{body} Since May.")

    assert isinstance(said, Proposed)
    assert said.code == "sameness.superseded"
    assert isinstance(meant, Created)


def test_an_agent_goes_on_under_the_title_that_it_began_with(desk: Desk) -> None:
    """Its own note is no replaced text, however often what stands below the title changes."""
    agent = desk.agent()
    item = id_of(desk.remember(TEXT, agent, scope="session"))
    for body in ("It builds in a minute.", "It builds in two."):
        done = desk.do(Revise(item=item, content=Content(title=TEXT, body=body)), agent)
        assert isinstance(done, Updated)

    assert desk.stored(item).status == "active"


def test_what_held_once_and_holds_again_counts_again(desk: Desk) -> None:
    """A person's word of now is no restatement of what ended, with a period or without one."""
    now = desk.clock.now()
    over = desk.remember(
        TEXT, desk.ada, scope="repo", valid_from=now - 9 * DAY, valid_to=now - DAY
    )
    known = desk.remember(
        TEXT, desk.ada, scope="repo", valid_from=now - 9 * DAY, valid_to=now - DAY
    )
    again = desk.remember(TEXT, desk.ada, scope="repo")
    twice = desk.remember(TEXT, desk.ada, scope="repo")
    was = "The gate ran on C"
    desk.remember(was, desk.ada, scope="repo", valid_to=now - DAY)
    dated = desk.remember(was, desk.ada, scope="repo", valid_from=now)

    assert id_of(known) == id_of(over)
    assert isinstance(again, Created)
    assert desk.stored(id_of(again)).content.valid_to is None
    assert isinstance(twice, Corroborated)
    assert id_of(twice) == id_of(again)
    assert isinstance(dated, Created)


def test_what_ended_and_is_said_again_by_an_agent_waits_with_the_day(desk: Desk) -> None:
    """It may know no better; a period of its own says that it does."""
    end = desk.clock.now() - DAY
    over = desk.remember(TEXT, desk.ada, scope="repo", valid_to=end)
    agent = desk.agent()
    again = desk.remember(TEXT, agent, scope="session")
    more = desk.remember(TEXT, desk.agent("claude-code", "s2"), scope="repo")
    was = "The gate ran on C"
    desk.remember(was, desk.ada, scope="repo", valid_to=end)
    dated = desk.remember(was, agent, scope="agent", valid_from=end + DAY // 2)

    assert isinstance(again, Proposed)
    assert again.code == "sameness.ended"
    assert "held until 2025-12-31" in again.say
    assert [candidate.id for candidate in again.candidates] == [id_of(over)]
    assert more.item is not None
    assert more.item.status == "proposed"
    assert isinstance(dated, Created)


def test_an_agent_does_not_edit_a_replaced_text_back_in(desk: Desk) -> None:
    """Revising its own note to what a person had replaced waits as well."""
    old = desk.remember(TEXT, desk.ada, scope="repo")
    desk.remember("The gate runs on Kotlin", desk.ada, scope="repo", replaces=id_of(old))
    agent = desk.agent()
    note = desk.remember("The gate runs on Rust", agent, scope="session")
    content = replace(desk.stored(id_of(note)).content, title=TEXT)
    answer = desk.do(Revise(item=id_of(note), content=content), agent)

    assert isinstance(answer, Proposed)
    assert desk.stored(id_of(note)).content.title == "The gate runs on Rust"


def test_the_same_words_at_two_addresses_are_two_items(desk: Desk) -> None:
    """And an older version of one of them is no reason to hold the other."""
    one = desk.remember("Port 8080", desk.ada, scope="repo", key="api", tags=("a",))
    desk.remember("Port 8080", desk.ada, scope="repo", key="api", tags=("b",))
    two = desk.remember("Port 8080", desk.ada, scope="repo", key="web")

    assert isinstance(two, Created)
    assert id_of(one) != id_of(two)


def test_a_broader_item_that_says_the_same_is_corroborated(desk: Desk) -> None:
    """What holds everywhere holds here; a narrower one says nothing of a broader place."""
    everywhere = desk.remember("Commit in the imperative", desk.ada, scope="global")
    here = desk.remember("Commit in the imperative", desk.agent(), scope="repo")
    note = desk.remember("Use the fake clock", desk.agent(), scope="session")
    shared = desk.remember("Use the fake clock", desk.agent(), scope="repo")

    assert isinstance(here, Corroborated)
    assert id_of(here) == id_of(everywhere)
    assert isinstance(shared, Proposed)
    assert id_of(shared) != id_of(note)


def test_an_expired_item_is_not_corroborated(desk: Desk) -> None:
    """It is over; saying it again says it anew."""
    desk.remember(TEXT, desk.ada, scope="repo", ttl=1)
    desk.clock.advance(5_000_000)
    again = desk.remember(TEXT, desk.ada, scope="repo")

    assert isinstance(again, Created)


def test_a_revision_of_a_keyed_item_that_changed_is_a_conflict(desk: Desk) -> None:
    """Another session of the same agent was here in between."""
    first = desk.agent("codex", "s1")
    made = desk.remember("Use port 1", first, scope="agent", key="port")
    second = desk.agent("codex", "s2")
    desk.memory.get(id_of(made), second)
    desk.remember("Use port 2", first, scope="agent", key="port")
    content = replace(desk.stored(id_of(made)).content, title="Use port 3")
    late = desk.do(Revise(item=id_of(made), content=content), second)

    assert isinstance(late, Conflict)
    assert desk.stored(id_of(made)).content.title == "Use port 2"
    assert late.item is not None
    assert late.item.content.title == "Use port 3"


@pytest.mark.parametrize("scope", ["repo:github.com/acme/depot", "project:other", "org:acme"])
def test_an_agents_scope_argument_only_narrows(desk: Desk, scope: str) -> None:
    """A scope outside of its place is refused by name; its own calls go on working."""
    agent = desk.agent()
    outside = desk.remember(TEXT, agent, scope=scope)
    inside = desk.remember(TEXT, agent, scope="repo")

    assert isinstance(outside, Refused)
    assert outside.code == "authority.outside_scope"
    assert isinstance(inside, Proposed)


LANE = "Deploys go out through the blue lane"
NO_LANE = "Deploys do not go out through the blue lane"


@pytest.mark.parametrize("agents", [True, False])
def test_what_was_saved_takes_the_others_place_when_it_is_said_again_so(
    desk: Desk, *, agents: bool
) -> None:
    """The way out that the answer named works, and one undo takes it back."""
    who, scope = (desk.agent(), "session") if agents else (desk.ada, "repo")
    old = id_of(desk.remember(LANE, who, scope=scope))
    new = id_of(desk.remember(NO_LANE, who, scope=scope))
    again = desk.remember(NO_LANE, who, scope=scope, replaces=old)
    placed = [desk.stored(item) for item in (old, new)]
    desk.do(Undo(), who)

    assert isinstance(again, Updated)
    assert id_of(again) == new
    assert [item.status for item in placed] == ["superseded", "active"]
    assert placed[0].content.valid_to == placed[1].content.valid_from
    assert [desk.stored(item).status for item in (old, new)] == ["active", "active"]
    assert desk.stored(new).content.valid_from is None


def test_saying_it_again_puts_nothing_in_the_place_of_a_persons_word(desk: Desk) -> None:
    """An agent's own note is no reason to put away what a person stands for."""
    persons = id_of(desk.remember(LANE, desk.ada, scope="repo"))
    agent = desk.agent()
    desk.remember(NO_LANE, agent, scope="session")
    desk.remember(NO_LANE, agent, scope="session", replaces=persons)

    assert desk.stored(persons).status == "active"


def test_each_door_is_told_its_own_way_out(desk: Desk) -> None:
    """A person at a terminal the command; an agent over MCP the argument."""
    desk.remember(LANE, desk.ada, scope="repo")
    person = desk.remember(NO_LANE, desk.ada, scope="repo")
    agent = desk.agent()
    desk.remember("Kiosks reboot at night", agent, scope="session")
    told = desk.remember("Kiosks do not reboot at night", agent, scope="session")

    assert "`onrecord conflicts`" in person.say
    assert "replaces" not in person.say
    assert "replaces=" in told.say


def test_what_is_over_already_is_kept_and_told_so(desk: Desk) -> None:
    """Found for its own time alone; what still holds is told nothing of the kind."""
    end = desk.clock.now() - 1
    over = desk.remember("The winter rate holds", desk.ada, scope="repo", valid_to=end)
    holds = desk.remember("The summer rate holds", desk.ada, scope="repo", valid_to=end + 10**12)

    assert "It held until" in over.say
    assert "It held until" not in holds.say
    assert not [
        hit
        for hit in desk.memory.recall("winter rate", desk.ada).hits
        if hit.item.id == id_of(over)
    ]
    then = desk.memory.recall("winter rate", desk.ada, valid_at=end - 1).hits
    assert id_of(over) in {hit.item.id for hit in then}
