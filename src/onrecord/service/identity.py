"""Which session an MCP call belongs to, found anew for each call; never a wrong one.

The call's own ids come first, then what the hooks recorded of it, then the client's
transcript, then the newest session of the server's own client process. Where nothing fits, a
synthetic session stands in and says so; it is joined to the real one once the calls that it
stood in for are known to be that session's.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from onrecord.capture.agents.base import CallIds
from onrecord.domain.errors import StoreError
from onrecord.domain.ports import Clock, Ids, Store
from onrecord.domain.principal import Principal
from onrecord.domain.scope import Place
from onrecord.domain.session import Session
from onrecord.service.caller import Caller
from onrecord.service.intake import Intake
from onrecord.service.naming import kept, kept_id, kept_path

#: Calls whose session is still looked for, at most; older ones stay where they are.
MAX_UNPLACED = 8


@dataclass(frozen=True, kw_only=True, slots=True)
class Server:
    """The MCP server process that a client started."""

    #: the client's name, from the command line that `connect` wrote
    agent: str
    #: the client's own process and its start, 0 where it is unknown
    pid: int = 0
    pid_started: int = 0
    #: each call names its session, so that one which does not belongs to nobody known; such
    #: a client's process may hold many sessions at once
    named_by_calls: bool = False
    #: nobody sits at the client, as far as its process tells
    headless: bool = False
    user: str = ""


@dataclass(kw_only=True, slots=True)
class _StandIn:
    """A synthetic session, and the calls in a row that it stood in for."""

    session: str
    calls: list[str]
    #: every call had an id, so that all of them can be found again
    whole: bool = True

    def note(self, call: str) -> None:
        """One more call."""
        self.whole = self.whole and bool(call) and len(self.calls) < MAX_UNPLACED
        if self.whole:
            self.calls.append(call)


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
        self._place: Callable[[str], Place] = lambda _: Place()
        self._hooked = False
        self._standing: _StandIn | None = None
        self._unplaced: list[_StandIn] = []

    def caller(self, call: CallIds, place: Callable[[str], Place]) -> Caller:
        """The caller of one call; `place` makes the place for the agent's own session id.

        In a store that cannot be written, the caller of an unknown session has none.
        """
        self._place = place
        call = CallIds(
            session=kept(call.session),
            thread=call.thread,
            tool_use_id=kept_id(call.tool_use_id),
            headless=call.headless,
        )
        session = self._session(call)
        # Whoever says that nobody sits there is believed; a call alone proves no person.
        headless = session.headless or self._server.headless or call.headless is True
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

    def settle(self) -> None:
        """Join stand-ins to the sessions that their calls turned out to belong to."""
        if self._standing is not None:
            self._set_aside()
        for stand_in in list(self._unplaced):
            found = [self._placed(call) for call in stand_in.calls]
            if not all(found):
                continue
            self._unplaced.remove(stand_in)
            if len(set(found)) == 1:
                self._join(stand_in.session, found[0])

    # -- finding ----------------------------------------------------------------------
    def _session(self, call: CallIds) -> Session:
        try:
            self._intake.drain(close=False)
            found = self._find(call)
            if found is None:
                return self._stand_in(call)
            self.settle()
        except StoreError:
            # Reading goes on in a store that is full, busy or read-only; writes will say why.
            return self._known(call) or self._nobody()
        return found

    def _find(self, call: CallIds) -> Session | None:
        if call.session:
            return self._of_agent(call.session) or self._unseen(call.session)
        if self._server.named_by_calls:
            return None
        return self._recorded(call) or self._transcribed(call) or self._newest(call)

    def _known(self, call: CallIds) -> Session | None:
        """The session as far as it is on record; writes nothing."""
        if call.session:
            return self._of_agent(call.session)
        if self._server.named_by_calls:
            return None
        return self._recorded(call) or self._newest(call)

    def _recorded(self, call: CallIds) -> Session | None:
        """A PreToolUse hook recorded the call before it reached the server."""
        if not call.tool_use_id:
            return None
        with self._store.read() as tx:
            session = tx.sessions.session_of_call(self._server.agent, call.tool_use_id)
            found = tx.sessions.get(session) if session else None
        self._hooked = self._hooked or found is not None
        return found

    def _transcribed(self, call: CallIds) -> Session | None:
        """The client wrote the call into its transcript before it made it."""
        name = self._in_transcript(call.tool_use_id) if call.tool_use_id else ""
        return (self._of_agent(name) or self._unseen(name)) if name else None

    def _newest(self, call: CallIds) -> Session | None:
        """The newest hook event of any kind from the server's own client process.

        Where the hooks recorded an earlier call and not this one, they no longer run, and what
        they saw last may be another session.
        """
        if not self._server.pid or (self._hooked and call.tool_use_id):
            return None
        with self._store.read() as tx:
            session = tx.sessions.session_of_process(
                self._server.agent, self._server.pid, self._server.pid_started
            )
            return tx.sessions.get(session) if session else None

    def _of_agent(self, agent_session: str) -> Session | None:
        with self._store.read() as tx:
            return tx.sessions.by_agent_session(self._server.agent, agent_session)

    def _placed(self, call: str) -> str:
        """The session that a call which had none turned out to belong to; empty for none yet."""
        ids = CallIds(tool_use_id=call)
        found = self._recorded(ids) or self._transcribed(ids)
        return found.id if found else ""

    # -- making -----------------------------------------------------------------------
    def _unseen(self, agent_session: str) -> Session:
        """A session that the client names and no hook has told of yet."""
        now = self._clock.now()
        with self._store.write() as tx:
            row = tx.sessions.by_agent_session(self._server.agent, agent_session)
            if row is None:
                row = self._make(now, agent_session)
                tx.sessions.put(row)
        return row

    def _stand_in(self, call: CallIds) -> Session:
        now = self._clock.now()
        with self._store.write() as tx:
            row = tx.sessions.get(self._standing.session) if self._standing else None
            row = replace(row, last_event_at=now) if row else self._make(now, "")
            tx.sessions.put(row)
        if self._standing is None or self._standing.session != row.id:
            self._standing = _StandIn(session=row.id, calls=[])
        self._standing.note(call.tool_use_id)
        return row

    def _set_aside(self) -> None:
        """The next call without a session gets a stand-in of its own: it may be another's."""
        if self._standing is not None and self._standing.whole:
            self._unplaced.append(self._standing)
        self._standing = None
        while sum(len(stand_in.calls) for stand_in in self._unplaced) > MAX_UNPLACED:
            del self._unplaced[0]

    def _join(self, synthetic: str, real: str) -> None:
        now = self._clock.now()
        with self._store.write() as tx:
            tx.sessions.link_synthetic(synthetic, real)
            row = tx.sessions.get(synthetic)
            if row is not None:
                tx.sessions.put(replace(row, parent=real, ended_at=now, end_reason="joined"))

    def _make(self, now: int, agent_session: str) -> Session:
        where = self._place("")
        return Session(
            id=self._ids.new(now),
            agent=self._server.agent,
            agent_session=agent_session,
            cwd=kept_path(where.cwd),
            repo=where.repo or "",
            branch=where.branch or "",
            started_at=now,
            last_event_at=now,
            headless=self._server.headless,
            synthetic=True,
            pid=self._server.pid,
            pid_started=self._server.pid_started,
        )

    def _nobody(self) -> Session:
        return replace(self._make(self._clock.now(), ""), id="")
