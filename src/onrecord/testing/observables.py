"""All that a store tells through its ports, as one value that two stores can be compared by."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from onrecord.domain.candidate import Candidate
from onrecord.domain.item import Item, ItemQuery
from onrecord.domain.ports import Transaction
from onrecord.domain.query import LexicalQuery
from onrecord.domain.session import Session
from onrecord.domain.status import STATUSES
from onrecord.domain.tombstone import Tombstone

_MANY = 1_000_000

#: Name of a look into the store -> what it shows.
Looks = dict[str, object]


def observed(tx: Transaction, *, now: int, terms: Iterable[str] = ()) -> Looks:
    """What the ports tell at `now`; each of the terms is matched, and all of them a scope.

    What a port keeps under a name that only the caller knows (a call, a key, a print) is
    told for the names that occur in what it lists.
    """
    items = tx.items.page(ItemQuery(limit=_MANY))
    scopes = sorted({item.scope for item in items} | set(tx.scopes.names()))
    sessions = tx.sessions.recent(limit=_MANY)
    return {
        **_items(tx, items, scopes),
        **_bound(tx, items),
        **_log(tx),
        **_sessions(tx, sessions, items),
        **_names(tx, scopes),
        **_shelf(tx, scopes, sessions, now),
        **_matches(tx, scopes, now, list(terms)),
    }


def row(candidate: Candidate) -> dict[str, object]:
    """Every field of a candidate but the lexical match, which each store reckons its own way."""
    names = (name for name in Candidate.__slots__ if name != "lexical")
    return {name: getattr(candidate, name) for name in names}


def in_order(stone: Tombstone) -> Tombstone:
    """The tombstone with its prints in one order; as a set they have none."""
    ordered = sorted(set(stone.prints), key=lambda each: (each.part, each.value))
    return replace(stone, prints=tuple(ordered))


def _items(tx: Transaction, items: list[Item], scopes: list[str]) -> Looks:
    ids = [item.id for item in items]
    addresses = {(item.scope, item.key) for item in items}
    prints = {v.same for name in ids for v in tx.items.history(name) if v.same}
    page = tx.items.page
    return {
        "items": items,
        "items.get": [tx.items.get(name) for name in ids],
        "items.many": tx.items.many(ids[::-2]),
        "items.history": {name: tx.items.history(name) for name in ids},
        "items.by_key": {each: tx.items.by_key(*each, STATUSES) for each in addresses},
        "items.by_key active": {each: tx.items.by_key(*each, ["active"]) for each in addresses},
        "items.by_same": {same: tx.items.by_same(same, STATUSES) for same in prints},
        "items.superseded_same": {same: tx.items.superseded_same(same) for same in prints},
        "items.ids_like": {name[-4:]: tx.items.ids_like(name[-4:]) for name in ids},
        "items.page status": {s: page(ItemQuery(statuses=(s,), limit=_MANY)) for s in STATUSES},
        "items.page scope": {s: page(ItemQuery(scopes=(s,), limit=3)) for s in scopes},
        "items.page after": {name: page(ItemQuery(after=name, limit=2)) for name in ids},
        "items.as_of": {
            at: tx.items.as_of(ids, at) for at in sorted({i.head.recorded_at for i in items})[:4]
        },
        "items.page as_of": {
            item.id: page(ItemQuery(as_of=item.created_at, limit=_MANY)) for item in items[:4]
        },
        "items.erased_since": {
            item.id: tx.items.erased_since(None, STATUSES, item.created_at) for item in items[:4]
        },
        "items.count": {s: tx.items.count(scopes, [s]) for s in STATUSES},
        "items.count all": tx.items.count(None, STATUSES),
    }


def _bound(tx: Transaction, items: list[Item]) -> Looks:
    ids = [item.id for item in items]
    port, stones = tx.provenance, {item.id: tx.tombstones.of(item.id) for item in items}
    prints = sorted({p.value for of in stones.values() for stone in of for p in stone.prints})
    links = {name: port.links_from(name) for name in ids}
    targets = {link.target for of in links.values() for link in of}
    return {
        "evidence": {name: port.evidence(name) for name in ids},
        "sightings": {name: port.sightings(name) for name in ids},
        "links_from": links,
        "links_to": {target: port.links_to(target) for target in targets},
        "reviews": {name: port.reviews(name) for name in ids},
        "feedback": {name: port.feedback(name) for name in ids},
        "tombstones.of": {name: list(map(in_order, of)) for name, of in stones.items()},
        "tombstones.with_prints": {
            value: list(map(in_order, tx.tombstones.with_prints([value]))) for value in prints
        },
        "tombstones.with_sketches": list(map(in_order, tx.tombstones.with_sketches())),
        "handoffs": {name: tx.handoffs.get(name) for name in ids},
    }


def _log(tx: Transaction) -> Looks:
    events = list(tx.events.walk())
    return {
        "events": events,
        "events.head": tx.events.head(),
        "events.get": tx.events.get(len(events)),
        "events.latest": tx.events.latest(3, before=len(events)),
        "events.of": {event.target: tx.events.of(event.target) for event in events},
    }


def _sessions(tx: Transaction, sessions: list[Session], items: list[Item]) -> Looks:
    port = tx.sessions
    pairs = [(session.id, item.id) for session in sessions for item in items]
    deliveries = tx.deliveries.recent(limit=_MANY)
    return {
        "sessions": sessions,
        "sessions.get": [port.get(session.id) for session in sessions],
        "sessions.by_agent_session": [
            port.by_agent_session(session.agent, session.agent_session) for session in sessions
        ],
        "sessions.open": port.recent(open_only=True, limit=2),
        "sessions.read_version": {pair: port.read_version(*pair) for pair in pairs},
        "handoffs.recent": tx.handoffs.recent(limit=_MANY),
        "handoffs.open": tx.handoffs.recent(statuses=["open"], limit=2),
        "deliveries": deliveries,
        "deliveries.get": [tx.deliveries.get(delivery.id) for delivery in deliveries],
        "deliveries.recent": {s.id: tx.deliveries.recent(session=s.id) for s in sessions},
        "deliveries.shown": {s.id: dict(tx.deliveries.shown(s.id)) for s in sessions},
    }


def _names(tx: Transaction, scopes: list[str]) -> Looks:
    settings = tx.settings.everything()
    spaces = tx.vectors.spaces()
    return {
        "vectors.spaces": spaces,
        "vectors.of": {(s.id, name): tx.vectors.of(s.id, name) for s in spaces for name in scopes},
        "vectors.lacking": {s.id: tx.vectors.lacking(s.id, limit=_MANY) for s in spaces},
        "vectors.count": {s.id: tx.vectors.count(s.id) for s in spaces},
        "scopes": tx.scopes.names(),
        "scopes.known": {name: tx.scopes.known(name) for name in scopes},
        "scopes.resolve": {name: tx.scopes.resolve(name) for name in scopes},
        "scopes.counts": {name: dict(of) for name, of in tx.scopes.counts().items()},
        "settings": settings,
        "settings.get": [tx.settings.get(name, scope) for name, scope, _ in settings],
        "shelf.setting": {name: tx.shelf.setting(name, scopes) for name, _, _ in settings},
    }


def _shelf(tx: Transaction, scopes: list[str], sessions: list[Session], now: int) -> Looks:
    shelf = tx.shelf
    standing = shelf.standing(scopes, now=now, body_chars=7, limit=_MANY)
    first = shelf.standing(scopes, now=now, body_chars=7, limit=2)
    repos = sorted({session.repo for session in sessions})
    places = [(repo, branch) for repo in repos for branch in ("main", "topic")]
    return {
        "shelf.standing": [row(candidate) for candidate in standing],
        "shelf.standing first": [candidate.id for candidate in first],
        "shelf.waiting": {name: shelf.waiting([name], now=0) for name in scopes},
        "shelf.waiting all": shelf.waiting(None, now=0),
        "shelf.shown": {s.id: shelf.shown(s.agent, s.agent_session) for s in sessions},
        "shelf.open_handoffs": {
            place: [
                (row(candidate), *rest)
                for candidate, *rest in shelf.open_handoffs(*place, now=now, limit=3)
            ]
            for place in places
        },
        "shelf.recent_sessions": {
            s.id: shelf.recent_sessions(s.repo, before=s.id, limit=3) for s in sessions
        },
        "shelf.unfinished": {repo: shelf.unfinished(repo, limit=4) for repo in repos},
        "shelf.approvals": shelf.approvals(0, limit=_MANY),
    }


def _matches(tx: Transaction, scopes: list[str], now: int, terms: list[str]) -> Looks:
    asked = {term: ([term], scopes) for term in terms} | {name: (terms, [name]) for name in scopes}
    looks: Looks = {}
    for name, (words, places) in asked.items():
        query = LexicalQuery(terms=words, scopes=places, now=now, limit=_MANY)
        found = tx.shelf.matching(query, body_chars=7)
        looks[f"shelf.matching {name}"] = {each.id: row(each) for each in found}
    return looks
