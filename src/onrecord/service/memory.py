"""The facade: every verb of the product, for every door.

What one verb alone needs is loaded when that verb is first used: a recall does without the
ten steps of writing, and neither needs what closes a session.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import replace
from datetime import tzinfo
from typing import TYPE_CHECKING

from onrecord.domain import scope as scopes
from onrecord.domain import ulid
from onrecord.domain.erasure import Ledger
from onrecord.domain.errors import (
    AmbiguousId,
    Denied,
    KeyUnreadable,
    NotFound,
    StoreBusy,
    StoreFull,
    StoreReadOnly,
)
from onrecord.domain.event import Event
from onrecord.domain.item import Item, ItemQuery, Version
from onrecord.domain.outcome import Outcome, Refused
from onrecord.domain.ports import Clock, Ids, Store, Transaction
from onrecord.domain.principal import Principal
from onrecord.domain.provenance import Evidence, Link, Review
from onrecord.domain.session import Delivery, Handoff, Session
from onrecord.policy import authority
from onrecord.service import addresses
from onrecord.service.accounts import delivered
from onrecord.service.answers import Check, Hit, Recall, Status, Waiting
from onrecord.service.caller import Caller
from onrecord.service.reading import verified
from onrecord.service.work import Secrets, Work

if TYPE_CHECKING:
    from onrecord.service.commands import Command
    from onrecord.service.forgetting import Reach
    from onrecord.service.gateway import Gateway
    from onrecord.service.identity import Identity, Server
    from onrecord.service.intake import Intake
    from onrecord.service.packs import Pack

#: Ids are unique starts or ends of at least this many characters.
MIN_ID = 4

#: At most this many items leave a listing or a recall at once.
MAX_LIMIT = 200

_NO_DELIVERY = "There is no session or delivery under that id."


class Memory:
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
    ) -> None:
        self._store = store
        self._clock = clock
        self._ids = ids
        self._secrets = secrets
        self._zone = zone
        self._ledger = ledger
        self._gateway: Gateway | None = None

    # -- changing -------------------------------------------------------------
    def do(self, command: Command, caller: Caller) -> Outcome:
        """Put one command through the gateway."""
        return self._writing().handle(command, caller)

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

    # -- reading one ------------------------------------------------------------
    def get(self, item: str, caller: Caller, *, opened: bool = True) -> Item:
        """An item by id or any unique start or end of it (4 characters or more).

        Reading it counts as seen by the caller's session.
        """
        with self._store.read() as tx:
            found = verified(self._key(), self._get(tx, item, caller))
        session = caller.principal.session
        if opened and session:
            with self._beside_a_read(), self._store.write() as tx:
                tx.items.bump([found.id], opened=1)
                tx.sessions.note_read(session, found.id, found.version, self._clock.now())
        return found

    def history(self, item: str, caller: Caller) -> list[Version]:
        """All versions, 1 first; erased ones are empty."""
        with self._store.read() as tx:
            return tx.items.history(self._get(tx, item, caller).id)

    def background(
        self, item: str, caller: Caller
    ) -> tuple[list[Evidence], list[Link], list[Review]]:
        """What an item rests on and what was decided about it."""
        with self._store.read() as tx:
            found = self._get(tx, item, caller)
            return (
                tx.provenance.evidence(found.id),
                tx.provenance.links_from(found.id),
                tx.provenance.reviews(found.id),
            )

    def events(
        self, caller: Caller, *, item: str = "", limit: int = 50, before: int | None = None
    ) -> list[Event]:
        """Lines of the audit log: about one item in order, or the latest (before one) first."""
        with self._store.read() as tx:
            if item:
                return tx.events.of(self._get(tx, item, caller, erased=True).id)
            if not caller.principal.is_person:
                raise Denied("Only a person may read the whole log.")
            return tx.events.latest(min(limit, MAX_LIMIT), before=before)

    # -- reading many -----------------------------------------------------------
    def recall(
        self,
        query: str,
        caller: Caller,
        *,
        given: Sequence[str] = (),
        kinds: Sequence[str] = (),
        limit: int = 10,
    ) -> Recall:
        """What is believed now and fits the words, in the caller's ladder or the given scopes."""
        from onrecord.retrieval.recall import recall as run_recall

        limit = max(1, min(limit, MAX_LIMIT))
        with self._store.read() as tx:
            names = self._scopes(tx, given, caller)
            unknown = tuple(
                (name, tuple(nearest(name, self._known_to(tx, caller))))
                for name in names
                if given and not tx.scopes.known(name)
            )
            found = run_recall(
                tx.shelf,
                query,
                names,
                now=self._clock.now(),
                limit=limit,
                kinds=list(kinds) or None,
                visible=caller.visible,
            )
            known = tx.items.many([hit.id for hit in found.hits])
            items = {item.id: item for item in known if caller.sees(item)}
            gone = addresses.forgotten_in(tx, query, names, self._key())
            hits = tuple(
                Hit(
                    item=verified(self._key(), items[hit.id]),
                    score=hit.score,
                    reasons=tuple(hit.reasons),
                    parts=dict(hit.parts),
                )
                for hit in found.hits
                if hit.id in items
            )
        self._note_reads(caller, [hit.item for hit in hits])
        return Recall(
            mode=found.mode,
            scopes=tuple(names),
            abstained=not hits,
            unknown_scopes=unknown,
            hits=hits[:limit],
            forgotten_in=tuple(gone),
        )

    def at(self, key: str, caller: Caller, *, scope: str = "") -> Item:
        """The active item under a key: in a scope, or in the first of the ladder that has one.

        Raises `NotFound`, whose details tell a key that was forgotten from one never written.
        """
        with self._store.read() as tx:
            names = self._scopes(tx, (scope,) if scope else (), caller)
            found = addresses.item_at(tx, key, names, caller, self._key())
            found = verified(self._key(), found)
        self._note_reads(caller, [found])
        return found

    def page(self, query: ItemQuery, caller: Caller) -> list[Item]:
        """Items that fit, newest first; `query.scopes` None means all the caller may see."""
        with self._store.read() as tx:
            named = query.scopes
            if named is None and not caller.principal.is_person:
                named = tuple(caller.place.ladder())
            elif named is not None:
                named = tuple(self._scopes(tx, named, caller))
            limit = max(1, min(query.limit, MAX_LIMIT))
            asked = replace(query, scopes=named, limit=limit)
            found: list[Item] = []
            while len(found) < limit:
                page = tx.items.page(asked)
                found += [item for item in page if caller.sees(item)]
                if len(page) < limit:
                    break
                asked = replace(asked, after=page[-1].id)
            return [verified(self._key(), item) for item in found[:limit]]

    def queue(self, caller: Caller, *, limit: int = MAX_LIMIT) -> list[Waiting]:
        """What waits for a person: what several sessions said first, then oldest first."""
        from onrecord.service import waiting

        with self._store.read() as tx:
            now, key = self._clock.now(), self._key()
            return waiting.queue(tx, caller, now=now, key=key, limit=min(limit, MAX_LIMIT))

    def status(self, caller: Caller) -> Status:
        """Counts, what waits, and every switch, as far as the caller sees."""
        with self._store.read() as tx:
            counts: dict[str, int] = {}
            for by_status in self._counts(tx, caller).values():
                for status, n in by_status.items():
                    counts[status] = counts.get(status, 0) + n
            person, ladder = caller.principal.is_person, caller.place.ladder()
            return Status(
                saving=tx.settings.get("saving") != "off",
                items=counts,
                waiting=tx.shelf.waiting(None if person else ladder),
                settings=tuple(
                    row for row in tx.settings.everything() if person or row[1] in ladder
                ),
            )

    def scope_counts(self, caller: Caller) -> dict[str, dict[str, int]]:
        """Items by scope and status; an agent's own scopes only."""
        with self._store.read() as tx:
            return self._counts(tx, caller)

    def _counts(self, tx: Transaction, caller: Caller) -> dict[str, dict[str, int]]:
        seen = None if caller.principal.is_person else set(caller.place.ladder())
        return {
            name: dict(of)
            for name, of in tx.scopes.counts().items()
            if seen is None or name in seen
        }

    def _known_to(self, tx: Transaction, caller: Caller) -> list[str]:
        """Names of scopes that the caller may learn of: to an agent others do not exist."""
        if caller.principal.is_person:
            return tx.scopes.names()
        return [name for name in caller.place.ladder() if tx.scopes.known(name)]

    # -- packs ------------------------------------------------------------------
    def pack(
        self,
        caller: Caller,
        *,
        query: str = "",
        budget: int | None = None,
        channel: str,
        occasion: str = "context",
        nonce: str,
    ) -> tuple[Pack, str]:
        """The context for the caller's place and query, and the id of its delivery.

        `budget` is in tokens (default: `packs.BUDGET`). An empty pack writes no delivery row,
        and its id is empty.
        """
        from onrecord.service import packs

        with self._store.read() as tx:
            made = packs.context_pack(
                tx.shelf,
                caller.place,
                caller.principal.agent,
                query=query,
                now=self._clock.now(),
                budget=packs.BUDGET if budget is None else budget,
                nonce=nonce,
            )
        if not made.text:
            return made, ""
        return made, self.deliver(
            made, session=caller.principal.session, channel=channel, occasion=occasion, query=query
        )

    def deliver(
        self, made: Pack, *, session: str, channel: str, occasion: str, query: str = ""
    ) -> str:
        """Put on record what a pack put into a session, and why; returns the delivery's id.

        In a store that cannot be written the pack is given all the same; the id is then of no
        delivery on record.
        """
        from onrecord.policy.redact import redact

        now = self._clock.now()
        delivery = Delivery(
            id=self._ids.new(now),
            session=session,
            channel=channel,
            occasion=occasion,
            at=now,
            budget=made.budget,
            tokens=made.tokens,
            query=redact(query).text[:500],
            items=delivered(made),
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
                session = self._session(tx, which).id
                found = tx.deliveries.recent(session=session, limit=limit)
            else:
                found = tx.deliveries.recent(limit=limit)
        if caller.principal.is_person:
            return found
        own = [d for d in found if d.session and d.session == caller.principal.session]
        if which and not own:
            raise NotFound(_NO_DELIVERY)
        return own

    # -- sessions and handoffs ----------------------------------------------------
    def sessions(
        self, caller: Caller, *, repo: str = "", agent: str = "", limit: int = 20
    ) -> list[Session]:
        """Agent sessions, latest first; an agent sees those of its own repository.

        Where there is no repository, those of its own folder.
        """
        limit = min(limit, MAX_LIMIT)
        with self._store.read() as tx:
            if caller.principal.is_person:
                return tx.sessions.recent(repo=repo or None, agent=agent or None, limit=limit)
            own = caller.place.repo or ""
            if repo not in ("", own):
                raise Denied("An agent may read the sessions of its own repository only.")
            found = tx.sessions.recent(
                repo=own, agent=agent or None, limit=limit if own else MAX_LIMIT
            )
            here = [s for s in found if own or s.cwd == caller.place.cwd]
            return here[:limit]

    def join_session(self, principal: Principal) -> Principal:
        """An agent's principal with its own session id exchanged for that session's row.

        A session that no hook has told of gets a row that says so (`synthetic`).
        """
        if not principal.agent or not principal.session:
            return principal
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
        self, caller: Caller, *, statuses: Sequence[str] = ("open", "claimed"), limit: int = 20
    ) -> list[tuple[Handoff, Item]]:
        """Handoffs of the caller's repository (a person: of all), newest first."""
        with self._store.read() as tx:
            repo = None if caller.principal.is_person else (caller.place.repo or "")
            rows = tx.handoffs.recent(repo=repo, statuses=statuses, limit=min(limit, MAX_LIMIT))
            both = [(row, tx.items.get(row.item)) for row in rows]
            return [(row, item) for row, item in both if item is not None and caller.sees(item)]

    def settle_handoff(self, action: str, item: str, caller: Caller) -> Handoff:
        """Claim, acknowledge (`ack`) or cancel a handoff; both ends are on record.

        Raises `Clash` where another session has it.
        """
        from onrecord.service.commands import Settle

        with self._store.read() as tx:
            carrier = self._get(tx, item, caller)
        outcome = self.do(Settle(item=carrier.id, action=action), caller)
        if isinstance(outcome, Refused):
            raise Denied(outcome.say)
        with self._store.read() as tx:
            settled = tx.handoffs.get(carrier.id)
        if settled is None:
            raise NotFound("That memory is not a handoff.")
        return settled

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

    # -- upkeep -------------------------------------------------------------------
    def check(self, *, head: tuple[int, bytes] | None = None) -> Check:
        """Read everything: the engine's own checks, the audit chain, every digest.

        A sound store that can be written is then cleared of what erasing had to leave.
        """
        from onrecord.service import checking

        return checking.check(self._store, self._key(), head)

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

    def _key(self) -> Secrets | None:
        """The fingerprint key for checking digests; reading goes on where it is lost."""
        try:
            return self._secrets()
        except KeyUnreadable:
            return None

    def _get(self, tx: Transaction, part: str, caller: Caller, *, erased: bool = False) -> Item:
        wanted = ulid.normalise(part.removeprefix("m:"))
        if len(wanted) < MIN_ID or len(wanted) > ulid.LENGTH:
            raise NotFound(hint=f"Give at least {MIN_ID} characters of an id.")
        ids = [wanted] if ulid.is_ulid(wanted) else tx.items.ids_like(wanted)
        found = [item for item in tx.items.many(ids) if caller.sees(item)]
        gone = [item for item in found if item.status == "forgotten"]
        if gone and len(gone) == len(found) and not erased:
            raise NotFound(addresses.FORGOTTEN, details={"forgotten": True})
        found = [item for item in found if erased or item.status != "forgotten"]
        if len(found) > 1:
            raise AmbiguousId(
                hint="It fits " + ", ".join(item.id for item in found[:5]),
                details={"candidates": [item.id for item in found]},
            )
        if not found:
            raise NotFound
        return found[0]

    def _session(self, tx: Transaction, which: str) -> Session:
        found = tx.sessions.get(which)
        if found is not None:
            return found
        for session in tx.sessions.recent(limit=MAX_LIMIT):
            if which in (session.agent_session, session.id[-6:], session.id):
                return session
            if len(which) >= MIN_ID and session.agent_session.startswith(which):
                return session
        raise NotFound(_NO_DELIVERY)

    def _scopes(self, tx: Transaction, given: Sequence[str], caller: Caller) -> list[str]:
        if not given:
            return caller.place.ladder()
        names: list[str] = []
        for text in given:
            name = tx.scopes.resolve(scopes.parse(text, caller.place))
            ruling = authority.rule_on_scope(name, caller.principal, caller.place)
            outside = not caller.principal.is_person and name not in caller.place.ladder()
            if ruling.verdict == "refuse" or outside:
                raise Denied(
                    ruling.say or "That scope is not one of this session's.",
                    hint="Leave the scope out, or use one of: " + ", ".join(caller.place.ladder()),
                )
            names.append(name)
        return list(dict.fromkeys(names))

    def _note_reads(self, caller: Caller, items: Sequence[Item]) -> None:
        if not caller.principal.session or not items:
            return
        with self._beside_a_read(), self._store.write() as tx:
            for item in items:
                tx.sessions.note_read(
                    caller.principal.session, item.id, item.version, self._clock.now()
                )

    def _beside_a_read(self) -> AbstractContextManager[None]:
        """Around what is noted of a read: a full or read-only store is read without it."""
        return suppress(StoreReadOnly, StoreFull, StoreBusy)


def nearest(name: str, names: Sequence[str], limit: int = 3) -> list[str]:
    """The existing scope names that look most like a given one."""
    from rapidfuzz import process

    found = process.extract(name, names, limit=limit, score_cutoff=60)
    return [str(match[0]) for match in found]
