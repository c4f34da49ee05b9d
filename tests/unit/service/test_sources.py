"""Deleting a source reaches what was made from it; its siblings stay."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from desk import Desk, id_of
from onrecord.domain.errors import NotFound
from onrecord.domain.outcome import Proposed, Refused, Updated
from onrecord.domain.principal import Principal
from onrecord.domain.provenance import Link
from onrecord.service import sources
from onrecord.service.commands import Approve, Claim, ForgetSource, HandOff

if TYPE_CHECKING:
    from onrecord.domain.ports import Provenance, Sessions
    from onrecord.domain.provenance import Evidence
    from onrecord.domain.session import Session
    from onrecord.service.caller import Caller

ASKED = "Why does the harbour horn drift by an hour in October"


def summariser(desk: Desk, session: Caller) -> Caller:
    """Who proposes what a model made of a session."""
    by = Principal(writer="summariser", channel="summariser", session=session.principal.session)
    return replace(desk.ada, principal=by)


def message(agent: str, session: str, number: int) -> Claim:
    """What a summary rests on."""
    return Claim(kind="message", pointer=f"{agent}:{session}#u{number}", quote=f"{ASKED} {number}")


def test_a_session_takes_what_was_made_from_it(desk: Desk) -> None:
    """Its notes, its handoff, what was summarised from it and its prompts; nothing of others."""
    agent, other = desk.agent(), desk.agent("claude-code", "c2")
    note = id_of(desk.remember("The horn drifts in the October tests", agent, scope="repo"))
    handed = id_of(desk.do(HandOff(next="Look at the drifting horn tests"), agent))
    made = id_of(
        desk.remember(
            "The drift comes from the time zone table",
            summariser(desk, agent),
            scope="repo",
            evidence=(message("codex", "s1", 1),),
        )
    )
    quoting = id_of(
        desk.remember(
            "Ask about October before each release",
            desk.ada,
            scope="repo",
            evidence=(message("codex", "s1", 1),),
        )
    )
    sibling = id_of(
        desk.remember("Kiosk screens go dark after ninety seconds", other, scope="repo")
    )
    with desk.store.write() as tx:
        row = tx.sessions.get(agent.principal.session)
        assert row is not None
        tx.sessions.put(replace(row, first_prompt=ASKED, transcript="/t.jsonl", commits=("c0",)))
    done = desk.do(ForgetSource(source=agent.principal.session), desk.ada_typed)
    with desk.store.read() as tx:
        session = tx.sessions.get(agent.principal.session)
        quotes = [row.quote for row in tx.provenance.evidence(quoting)]

    assert isinstance(done, Updated)
    states = [desk.stored(item).status for item in (note, handed, made, quoting, sibling)]
    assert states == ["forgotten", "forgotten", "forgotten", "active", "proposed"]
    assert quotes == [""]
    assert session is not None
    assert (session.first_prompt, session.transcript, session.commits) == ("", "", ())
    assert desk.memory.check().sound


def test_a_forgotten_handoff_is_nobodys_to_take_over(desk: Desk) -> None:
    """Gone with its session: it is listed neither as open nor among those that are over."""
    agent = desk.agent()
    handed = id_of(desk.do(HandOff(next="Look at the drifting horn tests"), agent))
    other = id_of(
        desk.do(HandOff(next="Order new horns for the pier"), desk.agent("claude-code", "c2"))
    )
    every = ("open", "claimed", "cancelled", "replaced", "acknowledged", "expired")
    before = {row.item for row, _ in desk.memory.handoffs(desk.ada)}
    desk.do(ForgetSource(source=agent.principal.session), desk.ada_typed)
    with desk.store.read() as tx:
        row = tx.handoffs.get(handed)

    assert before == {handed, other}
    assert row is not None
    assert row.status == "cancelled"
    for statuses in (every[:2], every):
        found = desk.memory.handoffs(desk.ada, statuses=statuses)
        assert [(row.item, row.status) for row, _ in found] == [(other, "open")]


def test_a_message_goes_with_what_rests_on_it_alone(desk: Desk) -> None:
    """What rests on another message as well is held, without the quote of the one that is gone."""
    agent = desk.agent()
    by = summariser(desk, agent)
    alone = id_of(
        desk.remember(
            "The drift comes from the time zone table",
            by,
            scope="repo",
            evidence=(message("codex", "s1", 1),),
        )
    )
    both = id_of(
        desk.remember(
            "The archive is answered for by Ilse",
            by,
            scope="repo",
            evidence=(message("codex", "s1", 1), message("codex", "s1", 2)),
        )
    )
    later = id_of(
        desk.remember(
            "Receipts are printed on thermal paper",
            by,
            scope="repo",
            evidence=(message("codex", "s1", 12),),
        )
    )
    desk.do(ForgetSource(source="codex:s1#u1"), desk.ada_typed)
    with desk.store.read() as tx:
        quotes = [row.quote for row in tx.provenance.evidence(both)]

    assert desk.stored(alone).status == "forgotten"
    assert (desk.stored(both).status, desk.stored(both).flags) == (
        "proposed",
        ("source_forgotten",),
    )
    assert quotes == ["", f"{ASKED} 2"]
    assert desk.stored(later).status == "proposed"
    assert desk.stored(later).flags == ()


def test_what_a_person_approved_is_held(desk: Desk) -> None:
    """It is the person's decision now; it waits again, and nobody recalls it meanwhile."""
    agent = desk.agent()
    made = id_of(
        desk.remember(
            "The drift comes from the time zone table",
            summariser(desk, agent),
            scope="repo",
            evidence=(message("codex", "s9", 1),),
        )
    )
    desk.do(Approve(item=made), desk.ada_typed)
    desk.do(ForgetSource(source="codex:s9"), desk.ada_typed)
    held = desk.stored(made)

    assert (held.status, held.flags) == ("proposed", ("source_forgotten",))
    assert held.content.title


def test_what_a_session_wrote_and_a_person_approved_is_held(desk: Desk) -> None:
    """A person's decision is not taken back with the session; what nobody decided on goes."""
    agent = desk.agent()
    approved = id_of(desk.remember("Receipts are kept for ten years", agent, scope="repo"))
    waiting = id_of(desk.remember("Kiosk screens go dark after a while", agent, scope="repo"))
    desk.do(Approve(item=approved), desk.ada_typed)

    desk.do(ForgetSource(source=agent.principal.session), desk.ada_typed)

    held = desk.stored(approved)
    assert (held.status, held.content.title) == ("proposed", "Receipts are kept for ten years")
    assert desk.stored(waiting).status == "forgotten"


def test_a_path_is_that_of_the_repository(desk: Desk) -> None:
    """The same path elsewhere is another file."""
    here = id_of(
        desk.remember(
            "Fares are read from one table",
            desk.agent(),
            scope="repo",
            evidence=(Claim(kind="file", pointer="src/fares.py:3"),),
        )
    )
    there = id_of(
        desk.remember(
            "The depot keeps its own fares",
            desk.elsewhere(),
            scope="repo",
            evidence=(Claim(kind="file", pointer="src/fares.py:9"),),
        )
    )
    desk.do(ForgetSource(source="src/fares.py"), desk.ada_typed)

    assert desk.stored(here).flags == ("source_forgotten",)
    assert desk.stored(there).flags == ()


def test_nobody_but_a_person_with_a_key_deletes_a_source(desk: Desk) -> None:
    """A script and an untyped command are refused, and nothing changes."""
    agent = desk.agent()
    note = id_of(desk.remember("The horn drifts in the October tests", agent, scope="repo"))
    source = ForgetSource(source=agent.principal.session)
    answer = desk.do(source, desk.ada)

    assert isinstance(answer, Refused)
    assert desk.stored(note).status == "proposed"
    assert desk.stored(note).flags == ()


def test_an_agent_forgets_its_own_of_a_source_and_asks_for_the_rest(desk: Desk) -> None:
    """Own private notes go, the user is asked about shared ones; a person's own words stay."""
    agent, other = desk.agent(), desk.agent("claude-code", "c2")
    address = "https://wiki.example.org/fares"
    rests = (Claim(kind="url", pointer=address),)
    made = (Claim(kind="command", pointer="make fares"),)
    own = id_of(desk.remember("Fares are made by make", agent, scope="agent", evidence=made))
    shared = id_of(desk.remember("Fares come from make", agent, scope="repo", evidence=made))
    persons = id_of(desk.remember("Fares are Rune's", desk.ada, scope="repo", evidence=made))
    hidden = id_of(desk.remember("Fares are odd", other, scope="agent", evidence=made))
    page = id_of(desk.remember("The wiki has fares", agent, scope="agent", evidence=rests))
    done = desk.do(ForgetSource(source="make fares"), agent)

    assert done.code == "forgotten"
    assert done.say.startswith("Forgotten: 1 memory of your own that rested on that source;")
    assert done.say.endswith("the user is asked about 1 memory.")
    states = [desk.stored(item).status for item in (own, shared, persons, hidden, page)]
    assert states == ["forgotten", "proposed", "active", "active", "proposed"]
    flags = [desk.stored(item).flags for item in (shared, persons, hidden)]
    assert flags == [("forget:codex",), (), ()]
    assert desk.memory.check().sound


def test_an_agent_keeps_what_only_names_a_source(desk: Desk) -> None:
    """The user is asked about a note of its own that has the address in its words."""
    agent = desk.agent()
    address = "https://wiki.example.org/fares"
    note = id_of(desk.remember(f"Look at {address} for fares", agent, scope="agent"))
    done = desk.do(ForgetSource(source=address), agent)

    assert isinstance(done, Proposed)
    assert desk.stored(note).status == "active"
    assert desk.stored(note).flags == ("forget:codex",)


def test_an_agent_learns_of_no_source_that_others_keep_to_themselves(desk: Desk) -> None:
    """The answer is that of a source that was never there, and no prompt of a session goes."""
    agent, other = desk.agent(), desk.agent("claude-code", "c2")
    made = (Claim(kind="command", pointer="make fares"),)
    hidden = id_of(desk.remember("Fares are odd", other, scope="agent", evidence=made))
    told: list[str] = []
    for source in ("make fares", "make nothing", other.principal.session):
        with pytest.raises(NotFound) as error:
            desk.do(ForgetSource(source=source), agent)
        told.append(error.value.message)

    assert len(set(told)) == 1
    assert desk.stored(hidden).status == "active"


def test_a_source_that_nothing_rests_on_is_told(desk: Desk) -> None:
    """Also one that is only the beginning of another's name."""
    desk.remember(
        "Fares are kept in cents",
        desk.ada,
        evidence=(Claim(kind="url", pointer="https://wiki.example.org/fares"),),
    )
    for source in ("https://wiki.example.org/far", "nothing"):
        with pytest.raises(NotFound):
            desk.do(ForgetSource(source=source), desk.ada_typed)


def test_quotes_are_looked_through_once_however_much_goes(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Many memories of many lines: one look to see what goes, and none again to let it go."""
    agent = desk.agent()
    lines = "\n".join(f"Line {n} of what was said about the horn" for n in range(30))
    own = [
        id_of(desk.remember(f"Remark number {n} on the horn", agent, scope="repo", body=lines))
        for n in (1, 2, 3)
    ]
    quote = "They said: Line 7 of what was said about the horn, twice"
    evidence = (Claim(kind="message", pointer="codex:other#u1", quote=quote),)
    quoting = id_of(
        desk.remember("Horns are tested on Sundays", desk.ada, scope="repo", evidence=evidence)
    )
    asked: list[str] = []
    with desk.store.read() as tx:
        port = type(tx.provenance)
    looked = port.quoting

    def counted(self: Provenance, text: str) -> list[Evidence]:
        asked.append(text)
        return looked(self, text)

    monkeypatch.setattr(port, "quoting", counted)
    done = desk.do(ForgetSource(source=agent.principal.session), desk.ada_typed)

    assert len(asked) == 1
    assert isinstance(done, Updated)
    assert "3 memories" in done.say
    assert [desk.stored(item).status for item in own] == ["forgotten"] * 3
    assert desk.stored(quoting).status == "active"
    with desk.store.read() as tx:
        assert [row.quote for row in tx.provenance.evidence(quoting)] == [""]


def test_what_is_held_with_a_source_is_held_once(desk: Desk) -> None:
    """However many memories that go it was derived from."""
    agent = desk.agent()
    own = [id_of(desk.remember(f"Remark {n} on the horn", agent, scope="repo")) for n in (1, 2)]
    rests = id_of(desk.remember("Horns are tested on Sundays", desk.ada, scope="repo"))
    with desk.store.write() as tx:
        for item in own:
            tx.provenance.add_link(
                Link(source=rests, kind="derived_from", target=item, at=desk.clock.now())
            )
    desk.do(ForgetSource(source=agent.principal.session), desk.ada_typed)

    assert desk.actions(rests).count("held") == 1


def many(desk: Desk, caller: Caller, count: int, **more: object) -> list[str]:
    """So many memories of a caller that rest on one command."""
    made = (Claim(kind="command", pointer="make fares"),)
    says = "Fare {0} of line {0} is {1} cents at gate {0}"
    return [
        id_of(desk.remember(says.format(n, 7 * n), caller, evidence=made, distinct=True, **more))
        for n in range(count)
    ]


def test_an_agent_forgets_all_of_its_own_however_much_of_others_there_is(desk: Desk) -> None:
    """What is not its to change takes no place, and nothing of its own is left unsaid."""
    agent = desk.agent()
    persons = many(desk, desk.ada, 51, scope="repo")
    own = many(desk, agent, 55, scope="agent")
    done = desk.do(ForgetSource(source="make fares"), agent)

    assert done.say == "Forgotten: 55 memories of your own that rested on that source."
    assert {desk.stored(item).status for item in own} == {"forgotten"}
    assert {desk.stored(item).status for item in persons} == {"active"}
    assert desk.memory.check().sound


def test_what_an_agent_did_not_get_to_is_told_and_comes_next(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of its own and of what a person is asked about; asking again goes on from there."""
    monkeypatch.setattr(sources, "_MOST_ERASED", 3)
    monkeypatch.setattr(sources, "_MOST_ASKED", 2)
    agent = desk.agent()
    many(desk, agent, 4, scope="agent")
    shared = many(desk, agent, 4, scope="repo")
    first = desk.do(ForgetSource(source="make fares"), agent)
    second = desk.do(ForgetSource(source="make fares"), agent)

    assert first.say.startswith("Forgotten: 3 memories of your own")
    assert first.say.endswith("about 2 memories. 3 more of it are left: ask again.")
    assert second.say.startswith("Forgotten: 1 memory of your own")
    assert [desk.stored(item).flags for item in shared] == [("forget:codex",)] * 4


def test_an_agents_forgetting_looks_through_sessions_once_however_much_goes(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One look for all of its own, and one at the last few for what packs tell of them."""
    agent = desk.agent()
    own = many(desk, agent, 5, scope="agent")
    asked: list[int] = []
    with desk.store.read() as tx:
        port = type(tx.sessions)
    looked = port.recent

    def counted(self: Sessions, **how: Any) -> list[Session]:
        asked.append(1)
        return looked(self, **how)

    monkeypatch.setattr(port, "recent", counted)
    desk.do(ForgetSource(source="make fares"), agent)

    assert len(asked) == 2
    assert {desk.stored(item).status for item in own} == {"forgotten"}


@pytest.mark.parametrize("text", ["Fares are in cents, says {}", "Fares are in cents at the gate"])
def test_what_is_said_to_rest_on_an_address_goes_with_it_whatever_it_says(
    desk: Desk, text: str
) -> None:
    """Naming it in the words as well makes it no passing mention."""
    address = "https://wiki.example.org/fares"
    agent = desk.agent()
    given = (Claim(kind="url", pointer=address),)
    note = desk.remember(text.format(address), agent, scope="agent", evidence=given)
    desk.do(ForgetSource(source=address), agent)

    assert desk.stored(id_of(note)).status == "forgotten"
