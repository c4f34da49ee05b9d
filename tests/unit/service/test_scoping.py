"""Scopes that get another name: what moves, what still binds, and how it goes back."""

from __future__ import annotations

import pytest

from desk import OTHER_REPO, REPO, Desk, id_of, place
from onrecord.domain.errors import BadField, NotFound, UndoClash
from onrecord.domain.outcome import Refused, Updated
from onrecord.domain.scope import Place
from onrecord.service import places
from onrecord.service.commands import HandOff, MoveScope, Reject, Set, Undo

OLD = "repo:path:/src/shop"
OLD_BRANCH = "branch:path:/src/shop@feature"
BRANCH = "branch:github.com/acme/shop@feature"


def moved(desk: Desk, old: str = OLD, new: str = REPO, way: str = "rename") -> Updated:
    """Give a scope another name, as a person."""
    outcome = desk.do(MoveScope(old=old, new=new, way=way), desk.ada)
    assert isinstance(outcome, Updated)
    return outcome


def test_all_that_stands_under_a_repository_goes_along(desk: Desk) -> None:
    """Memories of any status with their versions, its branches, sessions and handoffs."""
    agent = desk.agent(repo=OLD, branch=OLD_BRANCH)
    kept = id_of(desk.remember("The gate opens at six", desk.ada, scope=OLD, key="gate"))
    branch = id_of(desk.remember("The branch renames the till", desk.ada, scope=OLD_BRANCH))
    turned = id_of(desk.remember("The queue is in Redis now", desk.ada, scope=OLD))
    desk.do(Reject(item=turned, reason="not_useful"), desk.ada)
    handoff = id_of(desk.do(HandOff(next="the till"), agent))

    outcome = moved(desk)

    assert outcome.code == "scope_moved"
    assert [desk.stored(item).scope for item in (kept, branch, turned)] == [REPO, BRANCH, REPO]
    assert desk.stored(turned).status == "rejected"
    assert desk.memory.at("gate", desk.ada).id == kept
    found = desk.memory.recall("when does the gate open", desk.agent("claude-code", "c1"))
    assert [hit.item.id for hit in found.hits] == [kept]
    assert desk.actions(kept) == ["created", "moved"]
    with desk.store.read() as tx:
        assert [s.repo for s in tx.sessions.recent(agent="codex")] == [REPO]
        assert [s.branch for s in tx.sessions.recent(agent="codex")] == [BRANCH]
        carried = tx.handoffs.get(handoff)
        assert tx.scopes.resolve(OLD) == REPO
        assert tx.scopes.resolve(OLD_BRANCH) == BRANCH
    assert carried is not None
    assert (carried.repo, carried.branch) == (REPO, BRANCH)


def test_it_goes_back_whole(desk: Desk) -> None:
    """Also what was written under the new name stays there, and nothing is undone twice."""
    desk.do(Set(name="deliver", value="off", scope=OLD), desk.ada)
    agent = desk.agent(repo=OLD, branch=OLD_BRANCH)
    kept = id_of(desk.remember("The gate opens at six", desk.ada, scope=OLD))
    before = desk.stored(kept)
    outcome = moved(desk)
    later = id_of(desk.remember("The till is new since then", desk.ada, scope=REPO))
    with desk.store.read() as tx:
        assert tx.settings.get("deliver", REPO) == "off"

    assert outcome.undo is not None
    back = desk.do(Undo(event=outcome.undo), desk.ada)

    assert back.code == "undone"
    assert desk.stored(kept) == before
    assert desk.stored(later).scope == REPO
    with desk.store.read() as tx:
        assert tx.scopes.resolve(OLD) == OLD
        assert tx.settings.get("deliver", REPO) == "on"
        session = tx.sessions.get(agent.principal.session)
        assert tx.index.check()
    assert session is not None
    assert (session.repo, session.branch) == (OLD, OLD_BRANCH)
    with pytest.raises(UndoClash):
        desk.do(Undo(event=outcome.undo), desk.ada)


def test_a_key_that_is_taken_there_is_a_persons_to_decide(desk: Desk) -> None:
    """The one that is there stays; the one that comes waits as its replacement."""
    there = id_of(desk.remember("Fares are in cents", desk.ada, scope=REPO, key="fares"))
    comes = id_of(desk.remember("Fares are in euros", desk.ada, scope=OLD, key="fares", pin=True))
    before = desk.stored(comes)
    with pytest.raises(BadField, match="already"):
        moved(desk)

    outcome = moved(desk, way="merge")

    waits = desk.stored(comes)
    assert (waits.status, waits.scope, waits.replaces) == ("proposed", REPO, there)
    assert desk.stored(there).status == "active"
    assert "1 under keys that are taken" in outcome.say
    assert outcome.undo is not None
    desk.do(Undo(event=outcome.undo), desk.ada)
    assert desk.stored(comes) == before


def test_what_was_turned_down_under_the_old_name_stays_turned_down(desk: Desk) -> None:
    """The tombstone binds the new name; elsewhere the same words are free."""
    words = "Always deploy straight from the main branch"
    wrong = id_of(desk.remember(words, desk.ada, scope=OLD))
    desk.do(Reject(item=wrong, reason="wrong"), desk.ada)
    moved(desk)

    again = desk.remember(words, desk.ada, scope=REPO)
    elsewhere = desk.remember(words, desk.ada, scope=OTHER_REPO)

    assert isinstance(again, Refused)
    assert again.code == "tombstone.equal"
    assert not isinstance(elsewhere, Refused)


def test_a_write_to_the_old_name_goes_to_the_new_one(desk: Desk) -> None:
    """A checkout that still has the old origin stands in the same place."""
    desk.remember("The gate opens at six", desk.ada, scope="repo:old.example/acme/shop")
    moved(desk, old="repo:old.example/acme/shop")
    late = desk.remember("The till closes at nine", desk.ada, scope="repo:old.example/acme/shop")
    with desk.store.read() as tx:
        renamed = tx.scopes.renamed()
    here = places.rename(
        place(repo="repo:old.example/acme/shop", branch="branch:old.example/acme/shop@x"), renamed
    )

    assert desk.stored(id_of(late)).scope == REPO
    assert (here.repo, here.branch) == (REPO, "branch:github.com/acme/shop@x")
    assert here.former == ("repo:old.example/acme/shop",)


def test_an_agents_own_notes_are_still_seen(desk: Desk) -> None:
    """What it noted in the repository under its old name was noted there."""
    agent = desk.agent(repo=OLD, branch=OLD_BRANCH)
    note = id_of(desk.remember("The fixtures live in spec", agent, scope="agent"))
    moved(desk)
    with desk.store.read() as tx:
        renamed = tx.scopes.renamed()
    stands = desk.agent()
    hidden = stands.sees(desk.stored(note))
    places.rename(stands.place, renamed)

    assert not hidden
    assert stands.sees(desk.stored(note))


@pytest.mark.parametrize(
    ("old", "new", "way", "error"),
    [
        ("project:a", "repo:github.com/a/b", "rename", BadField),
        ("global", "global", "rename", BadField),
        ("session:codex:1", "session:codex:2", "rename", BadField),
        ("agent:codex", "agent:claude-code", "merge", BadField),
        (REPO, REPO, "rename", BadField),
        (REPO, OTHER_REPO, "alias", BadField),
        (REPO, OTHER_REPO, "swallow", BadField),
        ("project:never", "project:new", "rename", NotFound),
    ],
)
def test_what_cannot_be_renamed_is_told(
    desk: Desk, old: str, new: str, way: str, error: type[Exception]
) -> None:
    """And nothing changes."""
    item = id_of(desk.remember("The gate opens at six", desk.ada, scope=REPO))
    with pytest.raises(error):
        desk.do(MoveScope(old=old, new=new, way=way), desk.ada)

    assert desk.stored(item).scope == REPO
    with desk.store.read() as tx:
        assert dict(tx.scopes.renamed()) == {}


def test_only_a_person_renames(desk: Desk) -> None:
    """An agent is refused, and a person's undo of it is not an agent's either."""
    item = id_of(desk.remember("The gate opens at six", desk.ada, scope=OLD))
    refused = desk.do(MoveScope(old=OLD, new=REPO), desk.agent())
    outcome = moved(desk)
    assert outcome.undo is not None
    with pytest.raises(NotFound):
        desk.do(Undo(event=outcome.undo), desk.agent())

    assert isinstance(refused, Refused)
    assert refused.code == "authority.scope_needs_person"
    assert desk.stored(item).scope == REPO


def test_a_name_without_memories_can_lead_to_another(desk: Desk) -> None:
    """What is written to it lands there, until that is undone."""
    outcome = moved(desk, old="project:fare", new="project:fares", way="alias")
    first = id_of(desk.remember("Zones are rings", desk.ada, scope="project:fare"))
    assert outcome.undo is not None
    desk.do(Undo(event=outcome.undo), desk.ada)
    second = id_of(desk.remember("Rings are zones", desk.ada, scope="project:fare"))

    assert desk.stored(first).scope == "project:fares"
    assert desk.stored(second).scope == "project:fare"


def test_a_place_without_renamings_is_as_it_was() -> None:
    """Nothing is looked up for it."""
    here = Place(repo=REPO, branch=BRANCH)

    assert places.rename(here, {}) is here
    assert (here.repo, here.branch, here.former) == (REPO, BRANCH, ())
