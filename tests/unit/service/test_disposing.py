"""What becomes of a contradiction where a person chose it for the scope beforehand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from desk import id_of
from onrecord.domain.errors import NotFound
from onrecord.domain.outcome import Conflict, Created, Refused, Updated
from onrecord.service.commands import Set, Undo
from onrecord.service.contradictions import opposed

if TYPE_CHECKING:
    from desk import Desk
    from onrecord.domain.outcome import Outcome

OLD = "Deploys go out through the blue lane"
NEW = "Deploys do not go out through the blue lane"


def choose(desk: Desk, value: str, scope: str = "repo") -> None:
    """A person sets it."""
    assert isinstance(
        desk.do(Set(name="contradiction", value=value, scope=scope), desk.ada_typed), Updated
    )


def test_only_a_person_with_a_typed_key_sets_it(desk: Desk) -> None:
    """An agent is refused, and a person without a key."""
    command = Set(name="contradiction", value="supersede", scope="repo")

    assert isinstance(desk.do(command, desk.agent()), Refused)
    assert isinstance(desk.do(command, desk.ada), Refused)


@pytest.mark.parametrize(
    ("way", "statuses", "beliefs"),
    [
        ("ask", ("active", "active"), ("verified", "verified")),
        ("supersede", ("superseded", "active"), ("verified", "verified")),
        ("coexist", ("active", "active"), ("verified", "verified")),
        ("dispute", ("active", "active"), ("disputed", "disputed")),
    ],
)
def test_a_persons_contradiction_goes_the_way_that_is_set(
    desk: Desk, way: str, statuses: tuple[str, str], beliefs: tuple[str, str]
) -> None:
    """The write is one act, and one undo takes all of it back."""
    choose(desk, way)
    old = id_of(desk.remember(OLD, desk.ada, scope="repo"))
    made = desk.remember(NEW, desk.ada, scope="repo")
    found = [desk.stored(item) for item in (old, id_of(made))]
    desk.do(Undo(event=made.undo or 0), desk.ada_typed)
    after = [desk.stored(item) for item in (old, id_of(made))]

    assert isinstance(made, Created)
    assert tuple(item.status for item in found) == statuses
    assert tuple(item.verification for item in found) == beliefs
    ended = way in ("supersede", "coexist")
    assert (found[0].content.valid_to is not None) is ended
    assert found[0].content.valid_to == found[1].content.valid_from
    assert (after[0].status, after[0].verification) == ("active", "verified")
    assert after[0].content.valid_to is None
    assert after[1].status == "archived"


@pytest.mark.parametrize("way", ["supersede", "coexist", "dispute"])
def test_a_persons_word_gives_way_to_no_agent(desk: Desk, way: str) -> None:
    """Whatever is set: the agent's statement waits, and the person's is as it was."""
    choose(desk, way)
    desk.do(Set(name="review", value="none", scope="repo"), desk.ada_typed)
    old = id_of(desk.remember(OLD, desk.ada, scope="repo"))
    before = desk.stored(old)
    said = desk.remember(NEW, desk.agent(), scope="repo")

    assert isinstance(said, Conflict)
    assert desk.stored(old) == before
    assert desk.stored(id_of(said)).status == "proposed"


def test_it_acts_on_an_agents_own_notes_and_the_agent_takes_it_back(desk: Desk) -> None:
    """In its own session; as its latest change the whole act goes back, and no second time."""
    choose(desk, "dispute", "global")
    agent = desk.agent()
    old = id_of(desk.remember(OLD, agent, scope="session"))
    made = desk.remember(NEW, agent, scope="session")
    between = desk.stored(old).verification
    with pytest.raises(NotFound):
        desk.do(Undo(event=made.undo or 0), desk.agent("claude-code", "s2"))
    done = desk.do(Undo(), agent)

    assert between == "disputed"
    assert isinstance(done, Updated)
    assert desk.stored(old).verification == "unverified"
    assert desk.stored(id_of(made)).status == "archived"


@pytest.mark.parametrize(
    ("way", "statuses", "beliefs"),
    [
        ("supersede", ("superseded", "active"), ("unverified", "unverified")),
        ("coexist", ("active", "active"), ("unverified", "unverified")),
        ("dispute", ("active", "active"), ("disputed", "disputed")),
    ],
)
def test_an_agents_own_shared_notes_go_the_way_that_is_set(
    desk: Desk, way: str, statuses: tuple[str, str], beliefs: tuple[str, str]
) -> None:
    """Where nothing waits for review: it is done, as the answer says, and a person undoes it."""
    choose(desk, way)
    desk.do(Set(name="review", value="none", scope="repo"), desk.ada_typed)
    agent = desk.agent()
    old = id_of(desk.remember(OLD, agent, scope="repo"))
    made = desk.remember(NEW, agent, scope="repo")
    found = [desk.stored(item) for item in (old, id_of(made))]
    undone = desk.do(Undo(event=made.undo or 0), desk.ada_typed)

    assert isinstance(made, Created)
    assert tuple(item.status for item in found) == statuses
    assert tuple(item.verification for item in found) == beliefs
    assert not any(item.flags for item in found)
    assert isinstance(undone, Updated)
    assert (desk.stored(old).status, desk.stored(old).verification) == ("active", "unverified")
    assert desk.stored(id_of(made)).status == "archived"


def test_where_it_speaks_against_several_a_person_is_asked(desk: Desk) -> None:
    """One statement takes the place of one other."""
    olds = [
        id_of(desk.remember(text, desk.ada, scope="repo", distinct=True))
        for text in (OLD, "All deploys go out through the blue lane")
    ]
    choose(desk, "supersede")
    made = desk.remember(NEW, desk.ada, scope="repo")

    assert isinstance(made, Created)
    assert {candidate.id for candidate in made.candidates} == set(olds)
    assert [desk.stored(item).status for item in olds] == ["active", "active"]


def test_a_period_that_cannot_be_is_not_made(desk: Desk) -> None:
    """The old one begins later than the new one: both stand, and a person is asked."""
    choose(desk, "coexist")
    now = desk.clock.now()
    old = id_of(desk.remember(OLD, desk.ada, scope="repo", valid_from=now))
    made = desk.remember(NEW, desk.ada, scope="repo", valid_from=now)

    assert "`onrecord conflicts`" in made.say
    assert desk.stored(old).content.valid_to is None


OLDS = (
    OLD,
    "All deploys go out through the blue lane",
    "Deploys must go out through the blue lane",
    "Our deploys go out through the blue lane",
    "Most deploys go out through the blue lane",
)


def set_against_several(desk: Desk, way: str) -> tuple[list[str], Outcome]:
    """Five that stand, and one that speaks against all of them."""
    olds = [id_of(desk.remember(text, desk.ada, scope="repo", distinct=True)) for text in OLDS]
    choose(desk, way)
    return olds, desk.remember(NEW, desk.ada, scope="repo")


@pytest.mark.parametrize("way", ["coexist", "dispute"])
def test_it_is_done_to_all_that_it_speaks_against_and_undone_by_one_undo(
    desk: Desk, way: str
) -> None:
    """In one act: none is left as it was, none is asked about, and all come back exactly."""
    olds, made = set_against_several(desk, way)
    new = id_of(made)
    found = [desk.stored(item) for item in olds]
    with desk.store.read() as tx:
        open_now = opposed(tx, desk.ada, now=desk.clock.now(), secrets=None)
    undone = desk.do(Undo(event=made.undo or 0), desk.ada_typed)
    after = [desk.stored(item) for item in olds]

    assert isinstance(made, Created)
    assert {candidate.id for candidate in made.candidates} == set(olds)
    assert all(f"m:{item[-6:]}" in made.say for item in olds)
    if way == "dispute":
        assert [item.verification for item in found] == ["disputed"] * len(OLDS)
    else:
        assert made.item is not None
        assert {item.content.valid_to for item in found} == {made.item.content.valid_from}
    assert open_now == []
    assert isinstance(undone, Updated)
    assert [item.content.title for item in after] == list(OLDS)
    for item in after:
        state = (item.status, item.verification, item.content.valid_to)
        assert state == ("active", "verified", None)
    assert desk.stored(new).status == "archived"


def test_an_agent_takes_its_act_against_several_back_as_one(desk: Desk) -> None:
    """A bare undo is the whole of its latest change."""
    choose(desk, "dispute", "global")
    agent = desk.agent()
    olds = [id_of(desk.remember(text, agent, scope="session", distinct=True)) for text in OLDS[:3]]
    new = id_of(desk.remember(NEW, agent, scope="session"))
    between = [desk.stored(item).verification for item in olds]
    undone = desk.do(Undo(), agent)

    assert between == ["disputed"] * 3
    assert isinstance(undone, Updated)
    assert [desk.stored(item).verification for item in olds] == ["unverified"] * 3
    assert desk.stored(new).status == "archived"


def test_where_one_of_several_cannot_end_nothing_is_done_to_any(desk: Desk) -> None:
    """All of them or none: the person is asked about each."""
    now = desk.clock.now()
    choose(desk, "coexist")
    olds = [
        id_of(desk.remember(text, desk.ada, scope="repo", distinct=True, valid_from=start))
        for text, start in ((OLDS[0], None), (OLDS[1], now))
    ]
    made = desk.remember(NEW, desk.ada, scope="repo", valid_from=now)

    assert "`onrecord conflicts`" in made.say
    assert [desk.stored(item).content.valid_to for item in olds] == [None, None]
