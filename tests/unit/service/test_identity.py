"""Stand-in sessions: when they are made, joined, and left alone; and who counts as headless."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from desk import place
from onrecord.capture.agents.base import CallIds
from onrecord.service.identity import MAX_UNPLACED, Identity, Server

if TYPE_CHECKING:
    from pathlib import Path

    from desk import Desk
    from onrecord.domain.session import Session
    from onrecord.service.caller import Caller

AGENT = "claude-code"


class Calls:
    """One server's calls, with transcripts that a test writes by hand."""

    def __init__(self, desk: Desk, folder: Path, server: Server | None = None) -> None:
        self.desk = desk
        self.transcripts: dict[str, str] = {}
        self.identity: Identity = desk.memory.identity(
            server or Server(agent=AGENT, user="ada"),
            desk.memory.intake(str(folder / "spool")),
            in_transcript=lambda call: self.transcripts.get(call, ""),
        )

    def caller(self, ids: CallIds) -> Caller:
        """The caller of one call."""
        self.desk.clock.advance()
        return self.identity.caller(ids, lambda session: place(AGENT, session))

    def session(self, call: str = "", *, session: str = "") -> Session:
        """The session of one call, as the store has it."""
        return self.row(self.caller(CallIds(tool_use_id=call, session=session)).principal.session)

    def row(self, session: str) -> Session:
        """A session of the store."""
        with self.desk.store.read() as tx:
            found = tx.sessions.get(session)
        assert found is not None
        return found

    def record(self, call: str, session: str) -> Session:
        """What a hook noted of a call."""
        caller = self.desk.agent(AGENT, session)
        with self.desk.store.write() as tx:
            tx.sessions.note_call(AGENT, call, caller.principal.session, self.desk.clock.now())
        return self.row(caller.principal.session)


@pytest.fixture
def calls(desk: Desk, tmp_path: Path) -> Calls:
    """A server that no client is known of."""
    return Calls(desk, tmp_path)


def test_a_stand_in_says_what_it_is(calls: Calls) -> None:
    """It is synthetic, belongs to the agent, and stands where the caller does."""
    row = calls.session("t1")

    assert (row.synthetic, row.agent, row.agent_session) == (True, AGENT, "")
    assert (row.cwd, row.repo) == ("/src/shop", "repo:github.com/acme/shop")


def test_calls_in_a_row_share_a_stand_in_and_later_ones_do_not(calls: Calls) -> None:
    """After a call that was placed, the next unknown one may be another session's."""
    first, second = calls.session("t1"), calls.session("t2")
    calls.record("t3", "s1")
    placed, third = calls.session("t3"), calls.session("t4")

    assert first.id == second.id
    assert placed.agent_session == "s1"
    assert third.id not in (first.id, placed.id)


def test_a_stand_in_is_joined_when_all_its_calls_are_one_sessions(calls: Calls) -> None:
    """What it read and did is the session's then, and the row says where it went."""
    caller = calls.caller(CallIds(tool_use_id="t1"))
    stand_in = caller.principal.session
    written = calls.desk.remember("The gate opens at six", caller, scope="agent").item
    assert written is not None
    calls.session("t2")
    real = calls.record("t1", "s1")
    calls.identity.settle()
    assert calls.row(stand_in).parent == ""
    calls.record("t2", "s1")
    calls.identity.settle()
    with calls.desk.store.read() as tx:
        sightings = tx.provenance.sightings(written.id)
        read = tx.sessions.read_version(real.id, written.id)

    row = calls.row(stand_in)
    assert (row.parent, row.end_reason) == (real.id, "joined")
    assert row.ended_at is not None
    assert [sighting.session for sighting in sightings] == [real.id]
    assert read == 1


def test_a_stand_in_for_two_sessions_is_left_alone(calls: Calls) -> None:
    """Nothing that it did can be told apart any more."""
    stand_in = calls.session("t1")
    calls.session("t2")
    calls.record("t1", "s1")
    calls.record("t2", "s2")
    calls.identity.settle()

    assert calls.row(stand_in.id).parent == ""
    assert calls.row(stand_in.id).ended_at is None


def test_a_stand_in_for_a_call_without_an_id_is_left_alone(calls: Calls) -> None:
    """Such a call can never be found again."""
    stand_in = calls.session("t1")
    assert calls.session("").id == stand_in.id
    calls.record("t1", "s1")
    calls.identity.settle()

    assert calls.row(stand_in.id).parent == ""


def test_a_stand_in_for_very_many_calls_is_left_alone(calls: Calls) -> None:
    """The search for calls does not grow with a session that no hook tells of."""
    stand_in = calls.session("t0")
    for n in range(1, MAX_UNPLACED + 2):
        calls.session(f"t{n}")
    for n in range(MAX_UNPLACED + 2):
        calls.record(f"t{n}", "s1")
    calls.identity.settle()

    assert calls.row(stand_in.id).parent == ""


def test_the_transcript_places_a_call_that_no_hook_told_of(calls: Calls) -> None:
    """The session is on record under its own name, and says that no hook told of it."""
    calls.transcripts["t1"] = "s9"
    row = calls.session("t1")

    assert (row.agent_session, row.synthetic) == ("s9", True)
    assert calls.session("t1").id == row.id


def test_a_named_session_is_taken_at_its_word(desk: Desk, tmp_path: Path) -> None:
    """Where calls name their session, neither record nor transcript nor process is asked."""
    named = Calls(desk, tmp_path, Server(agent=AGENT, named_by_calls=True, pid=1, pid_started=1))
    named.transcripts["t1"] = "s9"
    named.record("t1", "s8")
    with desk.store.write() as tx:
        other = tx.sessions.by_agent_session(AGENT, "s8")
        assert other is not None
        tx.sessions.note_process(AGENT, 1, 1, other.id, desk.clock.now())

    assert named.session("t1", session="s1").agent_session == "s1"
    assert named.session("t1").agent_session == ""


@pytest.mark.parametrize(
    ("server", "call", "hooks", "headless"),
    [
        (False, None, False, False),
        (False, False, False, False),
        (True, None, False, True),
        (False, True, False, True),
        (False, None, True, True),
        (False, False, True, True),
        (True, False, False, True),
    ],
)
def test_whoever_says_that_nobody_sits_there_is_believed(
    desk: Desk,
    tmp_path: Path,
    *,
    server: bool,
    call: bool | None,
    hooks: bool,
    headless: bool,
) -> None:
    """The process, the call or the hooks: one is enough, and a call alone proves no person."""
    calls = Calls(desk, tmp_path, Server(agent=AGENT, headless=server))
    desk.agent(AGENT, "s1", headless=hooks)
    caller = calls.caller(CallIds(session="s1", headless=call))

    assert caller.principal.headless is headless
