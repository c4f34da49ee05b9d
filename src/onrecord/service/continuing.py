"""Taking work on in another agent, or in an agent's own earlier session: what it is told.

An agent that starts anew gets the pack of the place, with the handoff for it first. One that
goes back to its own session gets only what came since its last turn there.
"""

from __future__ import annotations

from dataclasses import dataclass

from onrecord.capture import process
from onrecord.domain.errors import NotFound, UsageError
from onrecord.domain.outcome import Outcome, Refused
from onrecord.domain.scope import Place
from onrecord.domain.session import Session
from onrecord.service.caller import Caller
from onrecord.service.closing import Facts
from onrecord.service.commands import HandOff
from onrecord.service.listing import ago, counted
from onrecord.service.memory import Memory
from onrecord.service.packs import Pack
from onrecord.service.session_names import shown

#: What a session that goes on is asked where a person says nothing.
GO_ON = "Go on from there."

#: Sessions of a repository that are looked through.
_LOOK_BACK = 100


@dataclass(frozen=True, kw_only=True, slots=True)
class Continuation:
    """What is to be started, and what it is told."""

    agent: str
    #: the session that goes on; None for a new one
    session: Session | None
    #: the session whose work is taken on; None where nothing is on record here
    source: Session | None
    pack: Pack
    #: what stands before the pack: who worked here, and how long ago
    opening: str

    @property
    def text(self) -> str:
        """The opening and the pack; empty where there is nothing to tell."""
        return f"{self.opening}\n\n{self.pack.text}" if self.pack.text else ""

    def message(self, prompt: str) -> str:
        """The first message of a session that goes on."""
        asked = f"{self.opening} {prompt or GO_ON}" if self.pack.text else prompt
        return f"{asked}\n\n{self.pack.text}" if self.pack.text else asked

    @property
    def running(self) -> bool:
        """Whether the agent of the session that goes on still runs."""
        return self.session is not None and is_running(self.session)


def is_running(session: Session) -> bool:
    """Whether a session's own agent process is there and in that session."""
    return session.ended_at is None and process.alive(session.pid, session.pid_started)


def sessions_here(memory: Memory, caller: Caller) -> list[Session]:
    """The repository's sessions that hooks told of, latest first; raises where there is none."""
    repo = caller.place.repo
    if not repo:
        raise UsageError(
            "Work is handed on inside a repository, and here is none.",
            hint="Run it in the checkout that the work is in.",
        )
    found = memory.sessions(caller, repo=repo, limit=_LOOK_BACK)
    return [session for session in found if not session.synthetic]


def own_session(sessions: list[Session], agent: str, place: Place) -> Session | None:
    """The latest session of an agent in this checkout that somebody sat at."""
    for session in sessions:
        below = (session.cwd + "/").startswith((place.root or place.cwd) + "/")
        if session.agent == agent and below and not session.headless and session.agent_session:
            return session
    return None


def hand_over(memory: Memory, command: HandOff, caller: Caller, source: Session | None) -> Outcome:
    """Write the handoff for an agent: what the person said, else what is seen of the work.

    Raises `NotFound` where nobody worked here and nothing was said.
    """
    if not any((command.done, command.state, command.next, command.questions)):
        found = Facts(source).handoff() if source is not None else None
        if found is None:
            raise NotFound(
                "There is no work on record here that could be handed on.",
                hint="Say what comes next: --next TEXT",
            )
        asked = [f"Go on with what was asked last: {found.asked[-1]}"] if found.asked else []
        asked += [f"What was asked first: {first}" for first in found.asked[:-1]]
        command = HandOff(
            done=found.done,
            state=found.state,
            next="\n".join(asked),
            to_agent=command.to_agent,
            head=found.head or command.head,
            dirty=found.dirty or command.dirty,
        )
    return memory.do(command, caller)


def needs_handoff(memory: Memory, caller: Caller, agent: str, source: Session | None) -> bool:
    """Whether nothing is handed on yet: the source runs still, or left nothing that is open."""
    if source is not None and source.agent == agent:
        return False
    rows = [row for row, _ in memory.handoffs(caller, statuses=("open",), limit=_LOOK_BACK)]
    mine = [row for row in rows if row.repo == caller.place.repo and row.to_agent in ("", agent)]
    return not any(
        source is None or row.session == source.id or row.to_agent == agent for row in mine
    )


def continuation(
    memory: Memory,
    place: Place,
    agent: str,
    *,
    session: Session | None,
    sessions: list[Session],
    now: int,
    nonce: str,
) -> Continuation:
    """What an agent is told; `place` is the agent's, with its session where one goes on."""
    others = [one for one in sessions if session is None or one.id != session.id]
    source = others[0] if others else None
    pack = memory.starting_pack(place, agent, session=session.id if session else "", nonce=nonce)
    if session is None:
        opening = _from(source, now)
    else:
        opening = f"Since your last turn here, {ago(now - session.last_event_at)}: "
        opening += _since([one for one in others if one.last_event_at > session.last_event_at])
    return Continuation(agent=agent, session=session, source=source, pack=pack, opening=opening)


def _from(source: Session | None, now: int) -> str:
    if source is None:
        return "What is on record here:"
    how = "still open" if is_running(source) else f"last seen {ago(now - source.last_event_at)}"
    return f"Continuing from {source.agent}, session {shown(source)}, {how}."


def _since(others: list[Session]) -> str:
    if not others:
        return "nobody else worked here."
    told = [f"{one.agent} worked here ({counted(one.prompts, 'prompt')})" for one in others[:3]]
    return "; ".join(told) + "."


def refused(outcome: Outcome) -> bool:
    """Whether a handoff was not kept, so that nothing is to be started."""
    return isinstance(outcome, Refused)
