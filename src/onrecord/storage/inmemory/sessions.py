"""Agent sessions and the joins to them, in dictionaries."""

from __future__ import annotations

from dataclasses import replace

from onrecord.domain.errors import Clash
from onrecord.domain.session import Session
from onrecord.storage.inmemory.rows import Hold, Rows, check_text


class MemorySessions:
    """The `Sessions` port."""

    def __init__(self, hold: Hold) -> None:
        self._hold = hold

    def put(self, session: Session) -> None:
        """Store it, replacing the row of the same id; `Clash` where its agent's id is taken."""
        rows = self._hold.writing()
        check_text(session)
        if session.agent_session:
            other = self.by_agent_session(session.agent, session.agent_session)
            if other is not None and other.id != session.id:
                raise Clash("Another session has that agent's id. Nothing was changed.")
        rows.sessions[session.id] = session

    def get(self, session: str) -> Session | None:
        """One session."""
        return self._hold.reading().sessions.get(session)

    def by_agent_session(self, agent: str, agent_session: str) -> Session | None:
        """The session that an agent knows by an id of its own."""
        for session in self._hold.reading().sessions.values():
            if agent_session and (session.agent, session.agent_session) == (agent, agent_session):
                return session
        return None

    def recent(
        self,
        *,
        repo: str | None = None,
        agent: str | None = None,
        open_only: bool = False,
        limit: int = 20,
    ) -> list[Session]:
        """Latest event first."""
        found = [
            session
            for session in self._hold.reading().sessions.values()
            if (repo is None or session.repo == repo)
            and (agent is None or session.agent == agent)
            and not (open_only and session.ended_at is not None)
        ]
        return sorted(found, key=lambda s: (s.last_event_at, s.id), reverse=True)[:limit]

    def note_call(self, agent: str, call: str, session: str, at: int) -> None:
        """Remember which session a tool call belongs to."""
        del at
        self._hold.writing().calls[agent, call] = session

    def session_of_call(self, agent: str, call: str) -> str | None:
        """The session of a tool call."""
        return self._hold.reading().calls.get((agent, call))

    def note_process(self, agent: str, pid: int, started: int, session: str, at: int) -> None:
        """Remember the newest session seen from a process; an older `at` is ignored."""
        processes = self._hold.writing().processes
        known = processes.get((agent, pid, started))
        if known is None or at >= known[1]:
            processes[agent, pid, started] = (session, at)

    def session_of_process(self, agent: str, pid: int, started: int) -> str | None:
        """The newest session seen from a process."""
        known = self._hold.reading().processes.get((agent, pid, started))
        return known[0] if known else None

    def note_read(self, session: str, item: str, version: int, at: int) -> None:
        """Remember that a session was shown a version."""
        del at
        reads = self._hold.writing().reads
        reads[session, item] = max(version, reads.get((session, item), 0))

    def read_version(self, session: str, item: str) -> int | None:
        """The newest version that the session was shown."""
        return self._hold.reading().reads.get((session, item))

    def link_synthetic(self, synthetic: str, real: str) -> None:
        """Point everything that a synthetic session did at the real one."""
        rows = self._hold.writing()
        _link_joins(rows, synthetic, real)
        _link_rows(rows, synthetic, real)

    def mentioning(self, text: str) -> list[Session]:
        """Sessions whose stored prompts contain the text, letter for letter."""
        found = [
            session
            for session in self._hold.reading().sessions.values()
            if text in session.first_prompt or text in session.last_prompt
        ]
        return sorted(found, key=lambda session: session.id)

    def seen_record(self, digest: bytes, at: int) -> bool:
        """Mark a spool record as taken in; says whether it was taken in before."""
        del at
        records = self._hold.writing().records
        seen = digest in records
        records.add(digest)
        return seen


def _link_joins(rows: Rows, synthetic: str, real: str) -> None:
    for call, session in rows.calls.items():
        if session == synthetic:
            rows.calls[call] = real
    for process, (session, at) in rows.processes.items():
        if session == synthetic:
            rows.processes[process] = (real, at)
    for (session, item), version in list(rows.reads.items()):
        if session == synthetic:
            del rows.reads[session, item]
            rows.reads[real, item] = max(version, rows.reads.get((real, item), 0))


def _link_rows(rows: Rows, synthetic: str, real: str) -> None:
    for (item, session), sighting in list(rows.sightings.items()):
        if session == synthetic:
            del rows.sightings[item, session]
            rows.sightings.setdefault((item, real), replace(sighting, session=real))
    for name, handoff in rows.handoffs.items():
        session, claimer = handoff.session, handoff.claimed_by
        rows.handoffs[name] = replace(
            handoff,
            session=real if session == synthetic else session,
            claimed_by=real if claimer == synthetic else claimer,
        )
    for name, evidence in rows.evidence.items():
        if evidence.session == synthetic:
            rows.evidence[name] = replace(evidence, session=real)
    for name, feedback in rows.feedback.items():
        if feedback.session == synthetic:
            rows.feedback[name] = replace(feedback, session=real)
    for name, delivery in rows.deliveries.items():
        if delivery.session == synthetic:
            rows.deliveries[name] = replace(delivery, session=real)
