"""Takes in what hooks spooled: sessions, calls, deliveries; then closes what has ended.

Whoever drains acts as the hook channel of the agent that was seen, never as more: a record
can make sessions, deliveries and handoffs, and nothing else.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace

from onrecord.capture import process, spool
from onrecord.domain import time
from onrecord.domain.errors import (
    OnrecordError,
    StoreBusy,
    StoreCorrupt,
    StoreFull,
    StoreReadOnly,
)
from onrecord.domain.limits import MAX_PROMPT
from onrecord.domain.ports import Clock, Ids, Store, Transaction
from onrecord.domain.principal import Principal
from onrecord.domain.scope import Place
from onrecord.domain.session import Delivered, Delivery, Session
from onrecord.service import claims, lifecycle, observations
from onrecord.service.blanking import CLOSE
from onrecord.service.caller import Caller
from onrecord.service.closing import Closing
from onrecord.service.commands import Sweep
from onrecord.service.friction import corrects
from onrecord.service.gateway import Gateway
from onrecord.service.observations import Observation
from onrecord.service.observed import prompt_told

#: Records of one transaction.
BATCH = 200

#: A session whose process cannot be watched counts as over after this silence.
SILENCE = 24 * time.HOUR

#: Faults of the store and not of a record: what was not taken in waits for the next time.
_STORE_FAULTS = (StoreBusy, StoreCorrupt, StoreFull, StoreReadOnly)

#: event -> whether a turn is under way after it
_TURNS = {
    "session_start": False,
    "prompt": True,
    "pre_tool": True,
    "post_tool": True,
    "stop": False,
    "interrupt": False,
    "session_end": False,
}

#: The reason of a stop at which an agent was asked whether something is worth keeping.
ASKED = "nudge"

_Found = tuple[str, Observation]


class Intake:
    """Drains the spool beside one store."""

    def __init__(
        self, store: Store, gateway: Gateway, folder: str, *, clock: Clock, ids: Ids
    ) -> None:
        self._store = store
        self._folder = folder
        self._clock = clock
        self._ids = ids
        self._gateway = gateway
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
            spool.tidy(self._folder, now_s=self._clock.now() / 1_000_000)
            self._end_the_gone()
            self._closing.run()
            self._sweep()
        return taken

    def _sweep(self) -> None:
        """Proposals and tasks whose time is over lapse, on record."""
        with self._store.read() as tx:
            is_due = any(lifecycle.due(tx, self._clock.now()))
        if is_due:
            itself = Principal(writer="system", channel="system")
            self._gateway.handle(Sweep(), Caller(principal=itself, place=Place()))

    def waiting(self) -> int:
        """How many records wait."""
        return len(spool.names(self._folder))

    def _take(self, names: list[str]) -> int:
        now = self._clock.now()
        found: list[_Found] = []
        for name in names:
            text = spool.read(self._folder, name)
            seen = observations.read(text, now=now) if text is not None else None
            if seen is not None:
                found.append((name, seen))
            elif os.path.lexists(os.path.join(self._folder, name)):  # noqa: PTH118 - a name
                spool.set_aside(self._folder, name)
        if not found:
            return 0
        try:
            taken = self._together(found, now)
        except _STORE_FAULTS:
            raise
        except (OnrecordError, ValueError, OverflowError):
            return self._one_by_one(found, now)
        for name, _ in found:
            spool.drop(self._folder, name)
        return taken

    def _together(self, found: Sequence[_Found], now: int) -> int:
        """All in one transaction; none of them where one cannot be."""
        taken = 0
        with self._store.write() as tx:
            for _, seen in found:
                if not tx.sessions.seen_record(seen.digest, now):
                    self._apply(tx, seen)
                    taken += 1
        return taken

    def _one_by_one(self, found: Sequence[_Found], now: int) -> int:
        """Each by itself, so that one that cannot be taken in holds up no other."""
        taken = 0
        for one in found:
            try:
                taken += self._together([one], now)
            except _STORE_FAULTS:
                raise
            except (OnrecordError, ValueError, OverflowError):
                spool.set_aside(self._folder, one[0])
            else:
                spool.drop(self._folder, one[0])
        return taken

    def _apply(self, tx: Transaction, seen: Observation) -> None:
        before = tx.sessions.by_agent_session(seen.client, seen.session)
        if before is None and seen.event in ("session_end", "delivery"):
            return  # of a session that nothing else was seen of: there was none
        former = self._leave_former(tx, seen)
        session = _updated(before or self._new(seen), seen)
        # a conversation that begins inside a process goes on from the one before it
        if not session.parent and seen.source not in ("startup", "resume", "compact"):
            goes_on = seen.event == "session_start" or before is None
            session = replace(session, parent=former if goes_on else "")
        if session.last_prompt and seen.event == "prompt":
            session = self._gateway.without_turned_down(tx, session)
        tx.sessions.put(session)
        if seen.pid and not seen.agent_id and seen.event != "session_end":
            tx.sessions.note_process(seen.client, seen.pid, seen.pid_started, session.id, seen.at)
        if seen.tool_use_id:
            tx.sessions.note_call(seen.client, seen.tool_use_id, session.id, seen.at)
        if seen.event == "delivery":
            self._deliver(tx, session, seen)
        elif seen.event == "session_start" and seen.source == "compact":
            tx.deliveries.forget_shown(session.id, seen.at)
        elif seen.event == "prompt" and seen.human and not seen.alone:
            claims.claim_offered(tx, session, seen.at)
        elif before is not None and before.ended_at is None and session.ended_at is not None:
            tx.outbox.add(CLOSE, session.id, 0, seen.at)

    def _leave_former(self, tx: Transaction, seen: Observation) -> str:
        """The session that the process was in before this one, which thereby ended; or none."""
        if not seen.pid or seen.agent_id or seen.event in ("session_end", "delivery"):
            return ""
        name = tx.sessions.session_of_process(seen.client, seen.pid, seen.pid_started) or ""
        former = tx.sessions.get(name) if name else None
        if former is None or former.agent_session in ("", seen.session):
            return ""
        if former.ended_at is None and former.last_event_at <= seen.at:
            tx.sessions.put(replace(former, ended_at=former.last_event_at, end_reason="left"))
            tx.outbox.add(CLOSE, former.id, 0, seen.at)
        return former.id

    def _new(self, seen: Observation) -> Session:
        """A session seen for the first time."""
        return Session(
            id=self._ids.new(seen.at),
            agent=seen.client,
            agent_session=seen.session,
            started_at=seen.at,
            last_event_at=seen.at,
        )

    def _deliver(self, tx: Transaction, session: Session, seen: Observation) -> None:
        rows = [
            replace(row, why=claims.OFFERED if row.item == seen.handoff else "")
            for row in seen.shown
            if tx.items.get(row.item) is not None
        ]
        known = {row.item for row in rows}
        rows += [
            Delivered(item=item, version=0, rank=0, shown=False, why=why)
            for item, why in dict(seen.withheld).items()
            if item not in known and tx.items.get(item) is not None
        ]
        occasion = seen.occasion or "prompt"
        tx.deliveries.add(
            Delivery(
                id=self._ids.new(seen.at),
                session=session.id,
                channel="hook",
                occasion=occasion,
                at=seen.at,
                budget=seen.budget,
                tokens=seen.tokens,
                query=session.last_prompt if occasion == "prompt" else "",
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
            for session in reversed(running)
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
    """The session's row after one more event; of one that was forgotten, no text."""
    if session.forgotten:
        seen = replace(seen, prompt="", transcript="", head="")
    at = max(session.last_event_at, seen.at)
    new = replace(
        session,
        last_event_at=at,
        synthetic=False,
        model=seen.model or session.model,
        transcript=seen.transcript or session.transcript,
        cwd=session.cwd or seen.cwd,
        repo=session.repo or seen.repo,
        scopes=_been_in(session, seen),
        branch=seen.branch or session.branch,
        head_start=session.head_start or seen.head,
        headless=session.headless if seen.headless is None else seen.headless,
        deliver=session.deliver and not seen.withhold,
    )
    if seen.pid and not seen.agent_id:
        new = replace(new, pid=seen.pid, pid_started=seen.pid_started)
    new = _counted(new, seen)
    if seen.event == "session_start" and not session.start_reason:
        new = replace(new, start_reason=seen.source, started_at=min(session.started_at, seen.at))
    if seen.event in _TURNS and not seen.agent_id and seen.source != "compact" and seen.at == at:
        new = replace(new, busy=_TURNS[seen.event])
    if seen.event == "session_end":
        # one that was resumed and left again without a word ended when it did before
        over = session.ended_at is not None
        return new if over else replace(new, ended_at=at, end_reason=seen.reason or "other")
    if seen.event in ("prompt", "pre_tool", "post_tool") and seen.at == at:
        new = replace(new, ended_at=None, end_reason="")
    if seen.event == "prompt" and seen.human:
        prompt = prompt_told(seen.prompt)[:MAX_PROMPT]
        new = replace(
            new,
            prompts=session.prompts + 1,
            first_prompt=session.first_prompt or prompt,
            last_prompt=prompt or session.last_prompt,
        )
    return new


def _been_in(session: Session, seen: Observation) -> tuple[str, ...]:
    """The repositories that a session was in, `global` for a folder of none."""
    here = seen.repo or ("global" if seen.cwd else "")
    return (*session.scopes, here) if here and here not in session.scopes else session.scopes


def _counted(session: Session, seen: Observation) -> Session:
    """What went against the session so far, and what its context lost."""
    if seen.event == "tool_failure":
        return replace(session, failures=session.failures + 1)
    if seen.event == "session_start" and seen.source == "compact":
        return replace(session, compactions=session.compactions + 1)
    if seen.event == "prompt" and seen.human and corrects(seen.prompt):
        return replace(session, corrections=session.corrections + 1)
    if seen.event == "stop" and seen.reason == ASKED:
        return replace(session, nudged=True)
    return session
