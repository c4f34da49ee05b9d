"""Takes in what hooks spooled: sessions, calls, deliveries; then closes what has ended.

Whoever drains acts as the hook channel of the agent that was seen, never as more: a record
can make sessions, deliveries and handoffs, and nothing else.
"""

from __future__ import annotations

import os
from dataclasses import replace

from onrecord.capture import process, spool
from onrecord.domain import scope as scopes
from onrecord.domain import time
from onrecord.domain.errors import BadScope
from onrecord.domain.limits import MAX_PROMPT
from onrecord.domain.ports import Clock, Ids, Store, Transaction
from onrecord.domain.session import Delivered, Delivery, Session
from onrecord.policy.redact import redact
from onrecord.service import claims, observations
from onrecord.service.closing import CLOSE, Closing
from onrecord.service.gateway import Gateway
from onrecord.service.observations import Observation

#: Records of one transaction.
BATCH = 200

#: A session whose process cannot be watched counts as over after this silence.
SILENCE = 24 * time.HOUR


class Intake:
    """Drains the spool beside one store."""

    def __init__(
        self, store: Store, gateway: Gateway, folder: str, *, clock: Clock, ids: Ids
    ) -> None:
        self._store = store
        self._folder = folder
        self._clock = clock
        self._ids = ids
        self._closing = Closing(store, gateway, clock=clock)

    def drain(self, *, close: bool = True) -> int:
        """Take in every waiting record; says how many were new.

        With `close`, sessions that ended or whose agent is gone get what belongs to their
        end: commits, diff stat and the automatic handoff. Running it twice, or in two
        processes at once, does nothing twice.
        """
        taken = 0
        names = spool.names(self._folder)
        for start in range(0, len(names), BATCH):
            taken += self._take(names[start : start + BATCH])
        if close:
            self._end_the_gone()
            self._closing.run()
        return taken

    def waiting(self) -> int:
        """How many records wait."""
        return len(spool.names(self._folder))

    def _take(self, names: list[str]) -> int:
        now = self._clock.now()
        found: list[tuple[str, Observation]] = []
        for name in names:
            text = spool.read(self._folder, name)
            seen = observations.read(text, now=now) if text is not None else None
            if seen is not None:
                found.append((name, seen))
            elif os.path.lexists(os.path.join(self._folder, name)):  # noqa: PTH118 - a name
                spool.set_aside(self._folder, name)
        taken = 0
        if found:
            with self._store.write() as tx:
                for _, seen in found:
                    if not tx.sessions.seen_record(seen.digest, now):
                        self._apply(tx, seen)
                        taken += 1
        for name, _ in found:
            spool.drop(self._folder, name)
        return taken

    def _apply(self, tx: Transaction, seen: Observation) -> None:
        session = tx.sessions.by_agent_session(seen.client, seen.session)
        if session is None:
            if seen.event == "session_end":
                return
            session = self._new(tx, seen)
        session = _updated(session, seen)
        tx.sessions.put(session)
        if seen.pid and not seen.agent_id:
            tx.sessions.note_process(seen.client, seen.pid, seen.pid_started, session.id, seen.at)
        if seen.tool_use_id:
            tx.sessions.note_call(seen.client, seen.tool_use_id, session.id, seen.at)
        if seen.event == "delivery":
            self._deliver(tx, session, seen)
        elif seen.event == "session_start" and seen.source == "compact":
            tx.deliveries.forget_shown(session.id, seen.at)
        elif seen.event == "prompt" and seen.human and not session.headless:
            claims.claim_delivered(tx, session, seen.at)
        elif seen.event == "session_end":
            tx.outbox.add(CLOSE, session.id, 0, seen.at)

    def _new(self, tx: Transaction, seen: Observation) -> Session:
        """A session seen for the first time; it comes from the one its process was in before."""
        parent = ""
        fresh = seen.event == "session_start" and seen.source not in ("clear", "fork")
        if seen.pid and not fresh:
            parent = tx.sessions.session_of_process(seen.client, seen.pid, seen.pid_started) or ""
        return Session(
            id=self._ids.new(seen.at),
            agent=seen.client,
            agent_session=seen.session,
            parent=parent,
            started_at=seen.at,
            last_event_at=seen.at,
            start_reason=seen.source if seen.event == "session_start" else "",
        )

    def _deliver(self, tx: Transaction, session: Session, seen: Observation) -> None:
        rows = [
            Delivered(item=item, version=version, rank=rank, score=score, tokens=tokens)
            for item, version, rank, score, tokens in seen.shown
            if tx.items.get(item) is not None
        ]
        known = {row.item for row in rows}
        rows += [
            Delivered(item=item, version=0, rank=0, shown=False, why=why)
            for item, why in dict(seen.withheld).items()
            if item not in known and tx.items.get(item) is not None
        ]
        tx.deliveries.add(
            Delivery(
                id=self._ids.new(seen.at),
                session=session.id,
                channel="hook",
                occasion=seen.occasion or "prompt",
                at=seen.at,
                budget=seen.budget,
                tokens=seen.tokens,
                query=redact(seen.prompt).text,
                items=tuple(rows),
            )
        )
        for row in rows:
            if row.shown:
                tx.sessions.note_read(session.id, row.item, row.version, seen.at)

    def _end_the_gone(self) -> None:
        """Sessions whose agent's process is no more have ended without saying so."""
        now = self._clock.now()
        with self._store.read() as tx:
            running = tx.sessions.recent(open_only=True, limit=200)
        gone = [
            session
            for session in running
            if (session.pid and not process.alive(session.pid, session.pid_started))
            or (not session.pid and session.last_event_at < now - SILENCE)
        ]
        if not gone:
            return
        with self._store.write() as tx:
            for session in gone:
                current = tx.sessions.get(session.id)
                if current is None or current.ended_at is not None:
                    continue
                if current.last_event_at != session.last_event_at:
                    continue
                tx.sessions.put(
                    replace(current, ended_at=current.last_event_at, end_reason="gone")
                )
                tx.outbox.add(CLOSE, session.id, 0, now)


def _updated(session: Session, seen: Observation) -> Session:
    """The session's row after one more event."""
    at = max(session.last_event_at, seen.at)
    new = replace(
        session,
        last_event_at=at,
        synthetic=False,
        model=seen.model or session.model,
        transcript=seen.transcript or session.transcript,
        cwd=session.cwd or seen.cwd,
        repo=session.repo or _scope(seen.repo),
        branch=_scope(seen.branch) or session.branch,
        head_start=session.head_start or seen.head,
        headless=session.headless if seen.headless is None else seen.headless,
    )
    if seen.pid and not seen.agent_id:
        new = replace(new, pid=seen.pid, pid_started=seen.pid_started)
    if seen.event == "session_end":
        return replace(new, ended_at=at, end_reason=seen.reason or "other")
    if seen.event in ("session_start", "prompt") and session.ended_at is not None:
        new = replace(new, ended_at=None, end_reason="")
    if seen.event == "prompt" and seen.human:
        prompt = redact(seen.prompt).text[:MAX_PROMPT]
        new = replace(
            new,
            prompts=session.prompts + 1,
            first_prompt=session.first_prompt or prompt,
            last_prompt=prompt,
        )
    return new


def _scope(name: str) -> str:
    """A record's scope in canonical form; empty for anything that is not one."""
    try:
        return scopes.parse(name) if name else ""
    except BadScope:
        return ""
