"""Reading: one or many, now or as of an earlier instant; only what the caller may see."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from onrecord.domain import ulid
from onrecord.domain.errors import (
    AmbiguousId,
    Denied,
    KeyUnreadable,
    NotFound,
    StoreBusy,
    StoreFull,
    StoreReadOnly,
    UsageError,
)
from onrecord.domain.event import Event, EventQuery
from onrecord.domain.item import Item, ItemQuery, Version
from onrecord.domain.limits import ASKED
from onrecord.domain.ports import Clock, Store, Transaction
from onrecord.domain.provenance import Evidence, Link, Review
from onrecord.domain.status import stored
from onrecord.policy import authority
from onrecord.service import addresses, cited, claims, past, verdicts
from onrecord.service.answers import Hit, Recall, Status, Waiting
from onrecord.service.caller import Caller
from onrecord.service.naming import parse_scope
from onrecord.service.reading import verified
from onrecord.service.work import Secrets

if TYPE_CHECKING:
    from onrecord.retrieval.dense import Meant
    from onrecord.service.meaning import Asked, Meaning
    from onrecord.service.reminders import Reminder
    from onrecord.service.resting import Rest

#: Ids are unique starts or ends of at least this many characters.
MIN_ID = 4

#: At most this many items leave a listing or a recall at once.
MAX_LIMIT = 200


class Reads:
    """The reading verbs of the facade, over one open store.

    `as_of` is a recorded instant: what was believed then, whatever came later. `valid_at` is
    an instant in the world: what was true then, by what is believed (now, or as of `as_of`).
    Both are UTC microseconds. Without them: what is believed now to be true now; with `as_of`
    alone: what was believed then to be true then. What was erased is gone at every instant.
    """

    def __init__(
        self,
        store: Store,
        *,
        clock: Clock,
        secrets: Callable[[], Secrets],
        meaning: Meaning | None = None,
    ) -> None:
        self._store = store
        self._meaning = meaning
        self._clock = clock
        self._secrets = secrets

    # -- reading one ------------------------------------------------------------
    def get(
        self,
        item: str,
        caller: Caller,
        *,
        opened: bool = True,
        as_of: int | None = None,
        valid_at: int | None = None,
    ) -> Item:
        """An item by id or any unique start or end of it (4 characters or more).

        Reading it counts as seen by the caller's session. Raises `NotFound` where it was not
        on record `as_of`, or was not true at `valid_at` (the details then hold its interval).
        """
        with self._store.read() as tx:
            found = verified(self._key(), self._get(tx, item, caller, as_of=as_of))
            past.check_true(found, valid_at)
            cites = cited.evidence_here(tx, found, caller.place) if as_of is None else ()
        compared = cited.compared(found, cites, caller.place, cited.budget())
        found, _ = cited.as_compared(found, compared)
        session = caller.principal.session
        if as_of is not None:
            self._note_reads(caller, [found] if opened else [])
        elif opened and session:
            with self._beside_a_read(), self._store.write() as tx:
                now = self._clock.now()
                tx.items.bump([found.id], opened=1)
                tx.sessions.note_read(session, found.id, found.version, now)
                cited.note(tx, compared, now)
        return found

    def history(
        self,
        item: str,
        caller: Caller,
        *,
        as_of: int | None = None,
        valid_at: int | None = None,
    ) -> list[Version]:
        """All versions, 1 first; erased ones are empty.

        With `as_of` those that there were then, with `valid_at` those that say it of then.
        """
        with self._store.read() as tx:
            versions = tx.items.history(self._get(tx, item, caller, as_of=as_of).id)
        return past.versions(versions, as_of, valid_at)

    def background(
        self, item: str, caller: Caller, *, as_of: int | None = None
    ) -> tuple[list[Evidence], list[Link], list[Review]]:
        """What an item rests on and what was decided about it, as far as it was known then."""
        from onrecord.service import decided

        with self._store.read() as tx:
            found = self._get(tx, item, caller, as_of=as_of)
            return (
                past.evidence(tx.provenance.evidence(found.id), as_of),
                decided.links(tx, found.id, as_of),
                decided.reviews(tx, found.id, as_of),
            )

    def behind(
        self, items: Sequence[Item], *, as_of: int | None = None
    ) -> dict[str, tuple[list[Evidence], list[Link]]]:
        """The same of items that the caller was answered, by id: evidence and links of each."""
        from onrecord.service import decided

        found: dict[str, tuple[list[Evidence], list[Link]]] = {one.id: ([], []) for one in items}
        with self._store.read() as tx:
            for row in past.evidence(tx.provenance.evidence_of(list(found)), as_of):
                found[row.item][0].append(row)
            for link in tx.provenance.links_of(list(found)):
                found[link.source][1].append(link)
            return {
                name: (rows, decided.standing(tx, name, links, as_of))
                for name, (rows, links) in found.items()
            }

    def erased_since(self, query: ItemQuery, caller: Caller, *, states: tuple[str, ...]) -> int:
        """How many stood in those states as of `query.as_of` and were erased since."""
        if query.as_of is None:
            return 0
        with self._store.read() as tx:
            names = self._named(tx, query.scopes, caller)
            then = past.Then(as_of=query.as_of, valid_at=query.valid_at, now=0)
            within = None if names is None else then.names(tx, names)
            return tx.items.erased_since(within, stored(states), query.as_of)

    def takes_place_of(self, proposal: Item, caller: Caller, *, scope: str = "") -> Item | None:
        """What leaves when a proposal is approved, for that scope if one is given."""
        from onrecord.service import settling
        from onrecord.service.naming import parse_scope

        with self._store.read() as tx:
            if scope:
                scope = tx.scopes.resolve(parse_scope(scope, caller.place))
            old = settling.displaced(tx, replace(proposal, scope=scope or proposal.scope))
            return verified(self._key(), old) if old is not None and caller.sees(old) else None

    def reminders(self, items: Sequence[Item]) -> list[Reminder]:
        """How the reminders stand among items that the caller was answered, in their order."""
        from onrecord.service.reminders import standing

        with self._store.read() as tx:
            return standing(tx, items)

    def cites(self, item: str, caller: Caller) -> tuple[str, ...]:
        """What became of what an item cites: `src/app.py:3 is gone`; nothing where all holds."""
        with self._store.read() as tx:
            found = self._get(tx, item, caller)
            cites = cited.evidence_here(tx, found, caller.place)
        return cited.checked(found, cites, caller.place, cited.budget())[1]

    def looked(self, item: str, caller: Caller) -> tuple[Item, tuple[str, ...], bytes]:
        """An item, what became of what it cites, and what `Mark.seen` takes for having seen it."""
        from onrecord.service import renewing

        with self._store.read() as tx:
            found = self._get(tx, item, caller)
            cites = cited.evidence_here(tx, found, caller.place)
        compared = cited.compared(found, cites, caller.place, cited.budget())
        notes = cited.as_compared(found, compared)[1]
        return found, notes, renewing.print_of(found, compared, caller.place)

    def rests(self, item: str, caller: Caller) -> list[Rest]:
        """What an item rests on, followed back: who said it, in which session, what it cites."""
        from onrecord.service import resting

        with self._store.read() as tx:
            found = self._get(tx, item, caller)
            rests = resting.rests_of(tx, found)
        return resting.looked_up(rests, found, caller.place)

    def events(
        self,
        caller: Caller,
        *,
        item: str = "",
        limit: int = 50,
        before: int | None = None,
        query: EventQuery | None = None,
    ) -> list[Event]:
        """Lines of the audit log: about one item in order, or the latest (before one) first.

        With a query those that fit it, the latest first; its target is `item`.
        """
        with self._store.read() as tx:
            if item:
                target = self._get(tx, item, caller, erased=True).id
                if query is None:
                    return tx.events.of(target)
                query = replace(query, target=target)
                return tx.events.latest(min(limit, MAX_LIMIT), before=before, query=query)
            if not caller.principal.is_person:
                raise Denied("Only a person may read the whole log.")
            return tx.events.latest(min(limit, MAX_LIMIT), before=before, query=query)

    # -- reading many -----------------------------------------------------------
    def recall(
        self,
        query: str,
        caller: Caller,
        *,
        given: Sequence[str] = (),
        kinds: Sequence[str] = (),
        limit: int = 10,
        as_of: int | None = None,
        valid_at: int | None = None,
        mode: str = "",
    ) -> Recall:
        """What is believed and fits the words, in the caller's ladder or the given scopes.

        Where the store has meanings of its items, and the model that they were made with can be
        run, what means the same is found as well; the answer's `mode` says which it was. With
        `mode` (`answers.MODES`) it is that mode or an `EmbeddingError` or `UsageError`.

        With an instant the answer depends on nothing that was recorded after it, apart from
        what was erased since (counted in `erased`); every item in sight is then looked at.
        With `valid_at` what was replaced since is found as well.
        """
        from onrecord.retrieval.recall import recall as run_recall

        limit = max(1, min(limit, MAX_LIMIT))
        now = self._clock.now()
        then = past.Then(as_of=as_of, valid_at=valid_at, now=now)
        asked = self._asked(query, mode, past=then.asked)
        with self._store.read() as tx:
            names = self._scopes(tx, given, caller)
            unknown = tuple(
                (name, tuple(nearest(name, self._known_to(tx, caller))))
                for name in names
                if given and not tx.scopes.known(name)
            )
            shelf = past.shelf(tx, then, names, caller) if then.asked else tx.shelf
            found = run_recall(
                shelf,
                query,
                names,
                now=then.believed,
                limit=limit,
                kinds=list(kinds) or None,
                visible=claims.findable(tx, query, kinds, caller.visible),
                meant=self._near(tx, asked, names, kinds, now, alone=mode == "semantic"),
            )
            known = then.many(tx, [hit.id for hit in found.hits])
            items = {item.id: item for item in known if then.seen_by(caller, item)}
            gone = addresses.forgotten_in(tx, query, names, self._key())
            erased = then.erased(tx, names)
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
            hits = verdicts.weighed(tx, hits, until=then.believed)
            here = {
                hit.item.id: cited.evidence_here(tx, hit.item, caller.place)
                for hit in hits[:limit]
                if as_of is None
            }
        self._note_reads(caller, [hit.item for hit in hits])
        return Recall(
            mode=found.mode,
            by_words_because=asked.why if asked and found.mode == "lexical" else "",
            scopes=tuple(names),
            abstained=not hits,
            unknown_scopes=unknown,
            hits=_compared(hits[:limit], here, caller),
            forgotten_in=tuple(gone),
            corrected=tuple(found.corrected.items()),
            as_of=as_of,
            valid_at=valid_at,
            erased=erased,
        )

    def _asked(self, query: str, mode: str, *, past: bool) -> Asked | None:
        """What the query means, worked out before any transaction; None to go by words."""
        wanted = mode in ("semantic", "hybrid")
        if wanted and past:
            raise UsageError("What was believed or true earlier is found by words alone.")
        if wanted and self._meaning is None:
            raise UsageError("No model of meanings can be used here. Leave out the mode.")
        if mode == "lexical" or past or self._meaning is None:
            return None
        return self._meaning.asked(self._store, query, must=wanted)

    def _near(
        self,
        tx: Transaction,
        asked: Asked | None,
        names: Sequence[str],
        kinds: Sequence[str],
        now: int,
        *,
        alone: bool,
    ) -> Meant | None:
        if asked is None or self._meaning is None:
            return None
        return self._meaning.near(tx, asked, names, kinds=kinds or None, now=now, alone=alone)

    def at(
        self,
        key: str,
        caller: Caller,
        *,
        scope: str = "",
        as_of: int | None = None,
        valid_at: int | None = None,
    ) -> Item:
        """The active item under a key: in a scope, or in the first of the ladder that has one.

        Raises `NotFound`, whose details tell a key that was forgotten from one never written.
        """
        then = past.Then(as_of=as_of, valid_at=valid_at, now=self._clock.now())
        with self._store.read() as tx:
            names = self._scopes(tx, (scope,) if scope else (), caller)
            if then.asked:
                found = past.item_at(tx, then, key, names, caller)
            else:
                found = addresses.item_at(tx, key, names, caller, self._key())
            found = verified(self._key(), found)
        self._note_reads(caller, [found])
        return found

    def page(
        self, query: ItemQuery, caller: Caller, *, states: tuple[str, ...] | None = None
    ) -> list[Item]:
        """Items that fit, newest first; `query.scopes` None means all the caller may see.

        `states` take the place of `query.statuses`: there `expired` is one, and what expired
        is neither active nor proposed. With `query.as_of` they come as they stood then;
        `query.valid_at` keeps those that were true then.
        """
        with self._store.read() as tx:
            named = self._named(tx, query.scopes, caller)
            then = past.Then(as_of=query.as_of, valid_at=query.valid_at, now=0)
            at = self._clock.now() if query.as_of is None else query.as_of
            limit = max(1, min(query.limit, MAX_LIMIT))
            within = None if named is None else then.names(tx, named)
            asked = replace(query, scopes=within, limit=limit)
            if states is not None:
                asked = replace(asked, statuses=stored(states))
            found: list[Item] = []
            while len(found) < limit:
                page = tx.items.page(asked)
                found += [
                    item
                    for item in then.called_now(tx, page)
                    if then.seen_by(caller, item) and (states is None or item.state(at) in states)
                ]
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
                waiting=_waiting(tx, None if person else ladder, self._clock.now()),
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
            for name, of in tx.scopes.counts(now=self._clock.now()).items()
            if seen is None or name in seen
        }

    def _known_to(self, tx: Transaction, caller: Caller) -> list[str]:
        """Names of scopes that the caller may learn of: to an agent others do not exist."""
        if caller.principal.is_person:
            return tx.scopes.names()
        return [name for name in caller.place.ladder() if tx.scopes.known(name)]

    # -- inside -------------------------------------------------------------------
    def _get(
        self,
        tx: Transaction,
        part: str,
        caller: Caller,
        *,
        erased: bool = False,
        as_of: int | None = None,
    ) -> Item:
        then = past.Then(as_of=as_of, valid_at=None, now=0)
        wanted = ulid.normalise(part.removeprefix("m:"))
        if len(wanted) < MIN_ID or len(wanted) > ulid.LENGTH:
            raise NotFound(hint=f"Give at least {MIN_ID} characters of an id.")
        ids = [wanted] if ulid.is_ulid(wanted) else tx.items.ids_like(wanted)
        found = [item for item in then.many(tx, ids) if then.seen_by(caller, item)]
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

    def _key(self) -> Secrets | None:
        """The fingerprint key for checking digests; reading goes on where it is lost."""
        try:
            return self._secrets()
        except KeyUnreadable:
            return None

    def _named(
        self, tx: Transaction, given: Sequence[str] | None, caller: Caller
    ) -> Sequence[str] | None:
        """The scopes of a listing; None for all that there are."""
        if given is None:
            return None if caller.principal.is_person else caller.place.ladder()
        return self._scopes(tx, given, caller)

    def _scopes(self, tx: Transaction, given: Sequence[str], caller: Caller) -> list[str]:
        if not given:
            return caller.place.ladder()
        names: list[str] = []
        for text in given:
            name = tx.scopes.resolve(parse_scope(text, caller.place))
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


def _compared(
    hits: Sequence[Hit], evidence: Mapping[str, Sequence[Evidence]], caller: Caller
) -> tuple[Hit, ...]:
    """The hits as what they cite leaves them; it may run git, so after the transaction."""
    within = cited.budget()
    found: list[Hit] = []
    for hit in hits:
        rows = evidence.get(hit.item.id, ())
        item, notes = cited.checked(hit.item, rows, caller.place, within)
        found.append(replace(hit, item=item, reasons=(*hit.reasons, *notes), cites=notes))
    return tuple(found)


def _waiting(tx: Transaction, scopes: list[str] | None, now: int) -> int:
    """How much waits: proposals, and for a person what agents asked about what counts."""
    asked = tx.shelf.flagged(ASKED) if scopes is None else 0
    return tx.shelf.waiting(scopes, now=now) + asked


def nearest(name: str, names: Sequence[str], limit: int = 3) -> list[str]:
    """The existing scope names that look most like a given one."""
    from rapidfuzz import process

    found = process.extract(name, names, limit=limit, score_cutoff=60)
    return [str(match[0]) for match in found]
