"""Which session an MCP call belongs to, found anew for each call; never a wrong one.

The call's own ids come first, then what the hooks recorded, then the client's transcript,
then the newest session of the server's own client process. Where nothing fits, a synthetic
session stands in and says so; it is joined to the real one as soon as that is known.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from onrecord.capture.agents.base import CallIds
from onrecord.domain.ports import Clock, Ids, Store
from onrecord.domain.principal import Principal
from onrecord.domain.scope import Place
from onrecord.domain.session import Session
from onrecord.service.caller import Caller
from onrecord.service.intake import Intake


@dataclass(frozen=True, kw_only=True, slots=True)
class Server:
    """The MCP server process that a client started."""

    #: the client's name, from the command line that `connect` wrote
    agent: str
    #: the client's own process and its start, 0 where it is unknown or serves many sessions
    pid: int = 0
    pid_started: int = 0
    user: str = ""


class Identity:
    """Resolves the callers of one MCP server."""

    def __init__(
        self,
        store: Store,
        intake: Intake,
        server: Server,
        *,
        clock: Clock,
        ids: Ids,
        in_transcript: Callable[[str], str],
    ) -> None:
        self._store = store
        self._intake = intake
        self._server = server
        self._clock = clock
        self._ids = ids
        self._in_transcript = in_transcript
        self._synthetic = ""

    def caller(self, call: CallIds, place: Callable[[str], Place]) -> Caller:
        """The caller of one call; `place` makes the place for the agent's own session id."""
        session = self._session(call)
        headless = session.headless if call.headless is None else call.headless
        return Caller(
            principal=Principal(
                writer="agent",
                channel="mcp",
                user=self._server.user,
                agent=self._server.agent,
                model=session.model,
                session=session.id,
                headless=headless,
            ),
            place=place(session.agent_session or session.id),
        )

    def _session(self, call: CallIds) -> Session:
        self._intake.drain(close=False)
        found = self._told(call) or self._recorded(call) or self._transcribed(call)
        if found is None and not call.session:
            found = self._newest()
        if found is None:
            return self._stand_in()
        if self._synthetic and self._synthetic != found.id:
            with self._store.write() as tx:
                tx.sessions.link_synthetic(self._synthetic, found.id)
            self._synthetic = ""
        return found

    def _told(self, call: CallIds) -> Session | None:
        """The call itself names the client's session."""
        if not call.session:
            return None
        agent = self._server.agent
        with self._store.read() as tx:
            row = tx.sessions.by_agent_session(agent, call.session)
        return row or self._unseen(call.session)

    def _recorded(self, call: CallIds) -> Session | None:
        """A PreToolUse hook recorded the call before it reached the server."""
        if not call.tool_use_id:
            return None
        with self._store.read() as tx:
            session = tx.sessions.session_of_call(self._server.agent, call.tool_use_id)
            return tx.sessions.get(session) if session else None

    def _transcribed(self, call: CallIds) -> Session | None:
        if not call.tool_use_id or call.session:
            return None
        agent_session = self._in_transcript(call.tool_use_id)
        if not agent_session:
            return None
        with self._store.read() as tx:
            row = tx.sessions.by_agent_session(self._server.agent, agent_session)
        return row or self._unseen(agent_session)

    def _newest(self) -> Session | None:
        """The newest hook event of any kind from the server's own client process."""
        if not self._server.pid:
            return None
        with self._store.read() as tx:
            session = tx.sessions.session_of_process(
                self._server.agent, self._server.pid, self._server.pid_started
            )
            return tx.sessions.get(session) if session else None

    def _unseen(self, agent_session: str) -> Session:
        """A session that the client names and no hook has told of yet."""
        now = self._clock.now()
        with self._store.write() as tx:
            row = tx.sessions.by_agent_session(self._server.agent, agent_session)
            if row is None:
                row = self._make(now, agent_session)
                tx.sessions.put(row)
        return row

    def _stand_in(self) -> Session:
        now = self._clock.now()
        with self._store.write() as tx:
            row = tx.sessions.get(self._synthetic) if self._synthetic else None
            if row is None:
                row = self._make(now, "")
                self._synthetic = row.id
            row = replace(row, last_event_at=max(row.last_event_at, now))
            tx.sessions.put(row)
        return row

    def _make(self, now: int, agent_session: str) -> Session:
        return Session(
            id=self._ids.new(now),
            agent=self._server.agent,
            agent_session=agent_session,
            started_at=now,
            last_event_at=now,
            synthetic=True,
            pid=self._server.pid,
            pid_started=self._server.pid_started,
        )
