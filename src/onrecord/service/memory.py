"""The facade: every verb of the product, for every door.

What one verb alone needs is loaded when that verb is first used: a recall does without the
ten steps of writing, and neither needs what closes a session.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import tzinfo
from typing import TYPE_CHECKING

from onrecord.domain.erasure import Ledger
from onrecord.domain.errors import Denied, NotFound
from onrecord.domain.event import Event
from onrecord.domain.item import Item
from onrecord.domain.outcome import Outcome, Refused
from onrecord.domain.ports import Clock, Ids, Store, Transaction
from onrecord.domain.principal import Principal
from onrecord.domain.scope import Place
from onrecord.domain.session import Delivery, Handoff, Session
from onrecord.service import naming, session_names
from onrecord.service.accounts import delivered
from onrecord.service.answers import Check
from onrecord.service.caller import Caller
from onrecord.service.reads import MAX_LIMIT, Reads
from onrecord.service.work import Secrets, Work

if TYPE_CHECKING:
    from onrecord.service.commands import Command
    from onrecord.service.forgetting import Reach
    from onrecord.service.gateway import Gateway
    from onrecord.service.identity import Identity, Server
    from onrecord.service.intake import Intake
    from onrecord.service.meaning import Meaning
    from onrecord.service.packs import Pack
    from onrecord.service.sources import SourceReach


class Memory(Reads):
    """One open store. Every method is one transaction; methods may be called from threads.

    Reading sees only what the caller may see: an id outside of it answers `NotFound`, like
    an id that never was.
    """

    def __init__(
        self,
        store: Store,
        *,
        clock: Clock,
        ids: Ids,
        secrets: Callable[[], Secrets],
        zone: tzinfo | None,
        ledger: Ledger | None = None,
        meaning: Meaning | None = None,
    ) -> None:
        super().__init__(store, clock=clock, secrets=secrets, meaning=meaning)
        self._ids = ids
        self._zone = zone
        self._ledger = ledger
        self._gateway: Gateway | None = None

    # -- changing -------------------------------------------------------------
    def do(self, command: Command, caller: Caller) -> Outcome:
        """Put one command through the gateway."""
        return self._writing().handle(command, caller)

    def do_many(self, commands: Sequence[Command], caller: Caller) -> list[Outcome]:
        """Put several commands through the gateway in one transaction: all are kept, or none."""
        return self._writing().handle_many(commands, caller)

    def _writing(self) -> Gateway:
        from onrecord.service.gateway import Gateway

        if self._gateway is None:
            self._gateway = Gateway(
                self._store,
                clock=self._clock,
                ids=self._ids,
                secrets=self._secrets,
                zone=self._zone,
                ledger=self._ledger,
            )
        return self._gateway

    def reach(self, item: str, caller: Caller) -> Reach:
        """What erasing an item would take with it, as far as the caller may see it."""
        from onrecord.service import forgetting

        with self._store.read() as tx:
            found = forgetting.reach(self._work(tx, caller), self._get(tx, item, caller))
        if caller.principal.is_person:
            return found
        goes = tuple(also for also in found.goes if caller.sees(also))
        held = tuple(also for also in found.held if caller.sees(also))
        return forgetting.Reach(item=found.item, goes=goes, held=held, sessions=(), handoffs=())

    def reach_of_source(self, source: str, caller: Caller) -> SourceReach:
        """What deleting a source (see `ForgetSource`) would take with it; for a person.

        Raises `NotFound` where nothing rests on it, and `Denied` for anyone but a person.
        """
        if not caller.principal.is_person:
            raise Denied("Only a person may look at what rests on a source.")
        from onrecord.service import sources

        with self._store.read() as tx:
            return sources.reach(self._work(tx, caller), source)

    def undoable(self, caller: Caller, event: int = 0) -> Event:
        """The event that `Undo` would take back: a person's latest change, or any by number.

        Raises `NotFound` where there is none, and `Denied` for anyone but a person.
        """
        if not caller.principal.is_person:
            raise Denied("Only a person may look at changes by their number.")
        from onrecord.service import undoing
        from onrecord.service.commands import Undo

        with self._store.read() as tx:
            return undoing.event_of(self._work(tx, caller), Undo(event=event))

    # -- packs ------------------------------------------------------------------
    def pack(
        self,
        caller: Caller,
        *,
        query: str = "",
        budget: int | None = None,
        channel: str,
        occasion: str = "context",
        nonce: str = "",
    ) -> tuple[Pack, str]:
        """The context for the caller's place and query, and the id of its delivery.

        `budget` is in tokens (default: `packs.BUDGET`). An empty pack writes no delivery row,
        and its id is empty. Without a `nonce` the block is marked with that id, by which a hook
        knows it again on a command line.
        """
        from onrecord.service import packs

        name = "" if nonce else self._ids.new(self._clock.now())
        with self._store.read() as tx:
            made = packs.context_pack(
                tx.shelf,
                caller.place,
                caller.principal.agent,
                query=query,
                now=self._clock.now(),
                budget=packs.BUDGET if budget is None else budget,
                nonce=nonce or name,
            )
        if not made.text:
            return made, ""
        session = caller.principal.session
        return made, self.deliver(
            made, session=session, channel=channel, occasion=occasion, query=query, name=name
        )

    def starting_pack(self, place: Place, agent: str, *, session: str, nonce: str) -> Pack:
        """What an agent that starts at a place is given, without what its session has already."""
        from onrecord.service import packs

        with self._store.read() as tx:
            shown: Mapping[str, int] = tx.deliveries.shown(session) if session else {}
            return packs.session_pack(
                tx.shelf, place, agent, self._clock.now(), packs.BUDGET, nonce, shown=shown
            )

    def deliver(
        self,
        made: Pack,
        *,
        session: str,
        channel: str,
        occasion: str,
        query: str = "",
        name: str = "",
    ) -> str:
        """Put on record what a pack put into a session, and why; returns the delivery's id.

        `name` is that id where it is known already.

        In a store that cannot be written the pack is given all the same; the id is then of no
        delivery on record.
        """
        from onrecord.policy.redact import redact

        now = self._clock.now()
        delivery = Delivery(
            id=name or self._ids.new(now),
            session=session,
            channel=channel,
            occasion=occasion,
            at=now,
            budget=made.budget,
            tokens=made.tokens,
            query=redact(query).text[:500],
            items=delivered(made, offers=occasion == "session_start"),
        )
        with self._beside_a_read(), self._store.write() as tx:
            tx.deliveries.add(delivery)
            for item in delivery.items:
                if item.shown and session:
                    tx.sessions.note_read(session, item.item, item.version, now)
        return delivery.id

    def deliveries(self, caller: Caller, which: str = "", *, limit: int = 5) -> list[Delivery]:
        """Deliveries by id, by session (id or the agent's own), or the latest ones."""
        with self._store.read() as tx:
            one = tx.deliveries.get(which) if which else None
            if one is not None:
                found = [one]
            elif which:
                session = self._session(tx, which, caller).id
                found = tx.deliveries.recent(session=session, limit=limit)
            else:
                found = tx.deliveries.recent(limit=limit)
        if caller.principal.is_person:
            return found
        own = [d for d in found if d.session and d.session == caller.principal.session]
        if which and not own:
            raise session_names.missing()
        return own

    # -- sessions and handoffs ----------------------------------------------------
    def sessions(
        self,
        caller: Caller,
        *,
        repo: str = "",
        agent: str = "",
        since: int | None = None,
        state: str = "",
        after: str = "",
        limit: int = 20,
    ) -> list[Session]:
        """Agent sessions, latest first; an agent sees those of its own repository.

        Where there is no repository, those of its own folder. `since` is the instant of the
        latest event, `state` one of `listing.STATES`, `after` the id of the last one of the page
        before.
        """
        from onrecord.service import listing

        own = None if caller.principal.is_person else (caller.place.repo or "")
        if own is not None and repo not in ("", own):
            raise Denied("An agent may read the sessions of its own repository only.")

        def fits(session: Session) -> bool:
            known = not state or listing.state_of(session) == state
            return (
                _knows(caller, session)
                and known
                and (since is None or session.last_event_at >= since)
            )

        with self._store.read() as tx:
            return listing.page(
                tx,
                repo=repo or None if own is None else own,
                agent=agent or None,
                fits=fits,
                after=after,
                limit=min(limit, MAX_LIMIT),
            )

    def session(self, which: str, caller: Caller) -> Session:
        """One session by its id, the agent's own id, or a part of one; as `sessions` sees."""
        with self._store.read() as tx:
            return self._session(tx, which, caller)

    def session_of_process(self, agent: str, pid: int, started: int) -> str:
        """Id of the newest session that hooks saw of an agent's process; empty for none."""
        with self._store.read() as tx:
            return tx.sessions.session_of_process(agent, pid, started) or ""

    def join_session(self, principal: Principal) -> Principal:
        """An agent's principal with its own session id exchanged for that session's row.

        A session that no hook has told of gets a row that says so (`synthetic`).
        """
        if not principal.agent or not principal.session:
            return principal
        naming.require_plain(principal.agent, "agent")
        naming.require_plain(principal.session, "session")
        now = self._clock.now()
        with self._store.write() as tx:
            row = tx.sessions.by_agent_session(principal.agent, principal.session)
            if row is None:
                row = Session(
                    id=self._ids.new(now),
                    agent=principal.agent,
                    agent_session=principal.session,
                    started_at=now,
                    last_event_at=now,
                    synthetic=True,
                )
                tx.sessions.put(row)
        return replace(principal, session=row.id, headless=principal.headless or row.headless)

    def handoffs(
        self, caller: Caller, *, statuses: Sequence[str] = (), limit: int = 20
    ) -> list[tuple[Handoff, Item]]:
        """Handoffs of the caller's repository (a person: of all), newest first.

        `statuses` are some of `claims.EVERY` (default: `claims.LIVE`): one whose text waits for
        a review is `waiting`, one whose text was taken back `withdrawn`.
        """
        from onrecord.service import claims

        repo = None if caller.principal.is_person else (caller.place.repo or "")
        with self._store.read() as tx:
            return claims.listed(
                tx,
                repo=repo,
                statuses=statuses or claims.LIVE,
                fits=caller.sees,
                limit=min(limit, MAX_LIMIT),
            )

    def settle_handoff(self, action: str, item: str, caller: Caller) -> tuple[Handoff, int | None]:
        """Claim, acknowledge (`ack`) or cancel a handoff; both ends are on record.

        The handoff, and the number by which `undo` takes that back, if it can be. Raises
        `Clash` where another session has it.
        """
        from onrecord.service.commands import Settle

        with self._store.read() as tx:
            carrier = self._get(tx, item, caller)
        outcome = self.do(Settle(item=carrier.id, action=action), caller)
        if isinstance(outcome, Refused):
            raise Denied(outcome.say, details={"rule": outcome.code})
        with self._store.read() as tx:
            settled = tx.handoffs.get(carrier.id)
        if settled is None:
            raise NotFound("That memory is not a handoff.")
        return settled, outcome.undo

    def intake(self, folder: str) -> Intake:
        """What takes in the records that hooks spooled into a folder."""
        from onrecord.service.intake import Intake

        return Intake(self._store, self._writing(), folder, clock=self._clock, ids=self._ids)

    def identity(
        self, server: Server, intake: Intake, *, in_transcript: Callable[[str], str]
    ) -> Identity:
        """What resolves the callers of one MCP server."""
        from onrecord.service.identity import Identity

        return Identity(
            self._store,
            intake,
            server,
            clock=self._clock,
            ids=self._ids,
            in_transcript=in_transcript,
        )

    def renamed(self) -> Mapping[str, str]:
        """Scopes that have another name now, with the one that they have."""
        with self._store.read() as tx:
            return tx.scopes.renamed()

    # -- upkeep -------------------------------------------------------------------
    def check(self, *, head: tuple[int, bytes] | None = None, audit: bool = False) -> Check:
        """Read everything: the engine's own checks, the audit chain, every digest.

        With `audit` also whether every row stands as the log says, in codes. A sound store that
        can be written is then cleared of what erasing had to leave.
        """
        from onrecord.service import checking

        return checking.check(self._store, self._key(), head, audit=audit)

    def close(self) -> None:
        """Release the store."""
        self._store.close()

    # -- inside -------------------------------------------------------------------
    def _work(self, tx: Transaction, caller: Caller) -> Work:
        return Work(
            tx=tx,
            caller=caller,
            now=self._clock.now(),
            ids=self._ids,
            secrets=self._secrets(),
            zone=self._zone,
        )

    def _session(self, tx: Transaction, which: str, caller: Caller) -> Session:
        """The one that a text names among those that the caller may know of."""
        found = tx.sessions.get(which)
        if found is not None and _knows(caller, found):
            return found
        repo = None if caller.principal.is_person else (caller.place.repo or "")
        rows = tx.sessions.recent(repo=repo, limit=MAX_LIMIT)
        return session_names.pick([row for row in rows if _knows(caller, row)], which)


def _knows(caller: Caller, session: Session) -> bool:
    """Whether a caller may know of a session: a person, its own agent, one of the same place."""
    by, repo = caller.principal, caller.place.repo or ""
    here = bool(repo) or session.cwd == naming.kept_path(caller.place.cwd)
    return by.is_person or session.id == by.session or (session.repo == repo and here)
