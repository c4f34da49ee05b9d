"""What a session makes of a memory that it was given: what counts, and where it shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from desk import id_of
from onrecord.domain.errors import BadField
from onrecord.domain.outcome import Proposed, Refused, Updated
from onrecord.service import verdicts
from onrecord.service.commands import Feedback, Set

if TYPE_CHECKING:
    from desk import Desk
    from onrecord.service.caller import Caller

GATE = "The harbour gate answers on channel {} of the gate radio"


def say(desk: Desk, item: str, verdict: str, caller: Caller) -> object:
    """One verdict."""
    return desk.do(Feedback(item=item, verdict=verdict), caller)


def order(desk: Desk) -> list[str]:
    """What a recall finds, best first."""
    return [hit.item.id for hit in desk.memory.recall("harbour gate radio channel", desk.ada).hits]


def two(desk: Desk) -> tuple[str, str]:
    """Two memories that fit the words alike; the newer one stands first."""
    older = id_of(desk.remember(GATE.format("twelve"), desk.ada, scope="repo", distinct=True))
    newer = id_of(desk.remember(GATE.format("thirteen"), desk.ada, scope="repo", distinct=True))
    assert order(desk) == [newer, older]
    return older, newer


def test_what_did_not_belong_there_comes_later_and_is_no_less_believed(desk: Desk) -> None:
    """A session's `not_relevant` moves the order of a recall, never belief; it says why."""
    older, newer = two(desk)
    say(desk, newer, "not_relevant", desk.agent())
    hits = desk.memory.recall("harbour gate radio channel", desk.ada).hits

    assert [hit.item.id for hit in hits] == [older, newer]
    assert hits[1].parts["feedback"] < 0
    assert "called not relevant" in hits[1].reasons
    assert desk.stored(newer).verification == "verified"


def test_what_helped_others_makes_up_for_it(desk: Desk) -> None:
    """One session's word against another's: the order is as before, but for the help."""
    _, newer = two(desk)
    say(desk, newer, "not_relevant", desk.agent())
    say(desk, newer, "helpful", desk.agent("claude-code", "s2"))

    assert order(desk)[0] == newer


def test_the_last_word_of_a_session_counts_and_counts_once(desk: Desk) -> None:
    """Ten times helpful by one session is one; who thinks again is taken at that."""
    _, newer = two(desk)
    agent = desk.agent()
    for verdict in ("not_relevant", "helpful", "helpful", "helpful"):
        say(desk, newer, verdict, agent)
    with desk.store.read() as tx:
        rows = tx.provenance.feedback(newer)

    assert desk.stored(newer).helpful == 1
    assert len(rows) == 4
    assert verdicts.unwanted(rows) == 0
    say(desk, newer, "helpful", desk.agent("codex", "another"))
    assert desk.stored(newer).helpful == 2


def test_a_recall_of_an_earlier_instant_knows_no_later_verdict(desk: Desk) -> None:
    """What was believed then, in the order of then."""
    older, newer = two(desk)
    then = desk.clock.now()
    for n in range(3):
        say(desk, newer, "not_relevant", desk.agent("codex", f"s{n}"))
    found = desk.memory.recall("harbour gate radio channel", desk.ada, as_of=then).hits

    assert order(desk) == [older, newer]
    assert "feedback" not in {name for hit in found for name in hit.parts}


def test_an_agents_own_note_is_disputed_at_once_and_a_persons_is_asked_about(desk: Desk) -> None:
    """`wrong` and `stale` change belief where the caller may, and ask for a look elsewhere."""
    agent = desk.agent()
    own = id_of(desk.remember("The pilot boat is yellow", agent, scope="session"))
    persons = id_of(desk.remember("The pilot boat is fast", desk.ada, scope="repo"))
    done = [say(desk, own, "wrong", agent), say(desk, persons, "wrong", agent)]
    again = say(desk, persons, "wrong", agent)

    assert isinstance(done[0], Updated)
    assert isinstance(done[1], Proposed)
    assert isinstance(again, Proposed)
    assert desk.stored(own).verification == "disputed"
    assert desk.stored(persons).verification == "verified"
    assert desk.stored(persons).flags == ("dispute:codex",)


def test_saving_off_and_an_unknown_verdict(desk: Desk) -> None:
    """Nothing is learned with saving off; a word that is none names those that are."""
    _, newer = two(desk)
    with pytest.raises(BadField, match="verdict"):
        say(desk, newer, "great", desk.ada)
    desk.do(Set(name="saving", value="off"), desk.ada)

    assert isinstance(say(desk, newer, "helpful", desk.agent()), Refused)
    assert desk.stored(newer).helpful == 0
