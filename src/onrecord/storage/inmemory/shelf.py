"""Reading for recall and packs, from dictionaries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from onrecord.domain.candidate import Candidate
from onrecord.domain.candidates import candidate_of
from onrecord.domain.item import Item
from onrecord.domain.principal import Principal
from onrecord.domain.query import LexicalQuery
from onrecord.domain.session import Handoff
from onrecord.domain.time import holds_at
from onrecord.storage.inmemory.deliveries import shown
from onrecord.storage.inmemory.rows import Hold
from onrecord.storage.inmemory.words import match
from onrecord.storage.renamings import current_names


class MemoryShelf:
    """The `Shelf` port."""

    def __init__(self, hold: Hold) -> None:
        self._hold = hold

    def standing(
        self, scopes: Sequence[str], *, now: int, body_chars: int, limit: int
    ) -> list[Candidate]:
        """Active, valid and unexpired items of the scopes.

        Pinned ones, rules and preferences first, then all others; the newest first of each.
        """
        items = self._hold.reading().items.values()
        found = [item for item in items if item.scope in scopes and _live(item, now)]
        found.sort(key=lambda item: (_first(item), item.id), reverse=True)
        return [candidate_of(item, body_chars=body_chars) for item in found[:limit]]

    def matching(self, query: LexicalQuery, *, body_chars: int) -> list[Candidate]:
        """Active, valid and unexpired items with any of the terms, best match first."""
        rows = self._hold.reading()
        scopes = set(query.scopes)
        found: list[Candidate] = []
        for document in rows.documents.values():
            item = rows.items.get(document.item)
            if item is None or not document.live or document.version != item.version:
                continue
            if {document.scope, item.scope} <= scopes and _fits(item, query):
                texts = (document.title, document.body, document.tags, document.terms)
                score = match(query.terms, (*texts, document.context))
                if score:
                    found.append(candidate_of(item, body_chars=body_chars, lexical=score))
        found.sort(key=lambda candidate: (candidate.lexical, candidate.id), reverse=True)
        return found[: max(query.limit, 0)]

    def beside(
        self, items: Sequence[str], scopes: Sequence[str], *, now: int, reach: int, body_chars: int
    ) -> list[Candidate]:
        """Live items that were kept next to one of the items in its session, by id."""
        rows = self._hold.reading()
        asked = {name: rows.items[name].head.author.session for name in items}
        said: dict[str, list[str]] = {session: [] for session in asked.values() if session}
        for name in sorted(rows.items):
            session = rows.items[name].head.author.session
            if session in said:
                said[session].append(name)
        near: set[str] = set()
        for name, session in asked.items():
            row = said.get(session, [])
            at = row.index(name) if session else 0
            near.update(row[max(0, at - reach) : at + reach + 1])
        found = [rows.items[name] for name in sorted(near - set(items))]
        return [
            candidate_of(item, body_chars=body_chars)
            for item in found
            if item.scope in scopes and _live(item, now)
        ]

    def waiting(self, scopes: Sequence[str] | None, *, now: int) -> int:
        """How many proposals wait in those scopes (None: everywhere); expired ones do not."""
        items = self._hold.reading().items.values()
        wait = [item for item in items if item.status == "proposed" and not item.expired(now)]
        return sum(scopes is None or item.scope in scopes for item in wait)

    def flagged(self, starts: Sequence[str]) -> int:
        """How many active items carry a flag that starts like one of those."""
        items = self._hold.reading().items.values()
        active = [item for item in items if item.status == "active"]
        return sum(any(flag.startswith(tuple(starts)) for flag in item.flags) for item in active)

    def shown(self, session_agent: str, agent_session: str) -> dict[str, int]:
        """What was shown, by the agent's own session id."""
        rows = self._hold.reading()
        for session in rows.sessions.values():
            names = (session.agent, session.agent_session)
            if agent_session and names == (session_agent, agent_session):
                return shown(rows, session.id)
        return {}

    def printed(
        self, delivery: str
    ) -> tuple[int, int, list[tuple[str, int, int, int, str]]] | None:
        """(budget, tokens, (item, version, rank, tokens, why)s) of a pack that was printed."""
        found = self._hold.reading().deliveries.get(delivery)
        shown = [row for row in found.items if row.shown] if found and not found.session else []
        if found is None or not shown:
            return None
        shown.sort(key=lambda row: (row.rank, row.item))
        rows = [(row.item, row.version, row.rank, row.tokens, row.why) for row in shown]
        return found.budget, found.tokens, rows

    def open_handoffs(
        self, repo: str, branch: str, *, now: int, limit: int
    ) -> list[tuple[Candidate, str, str, str, str]]:
        """(item, from agent, to agent, branch, HEAD then); same branch first, newest first."""
        rows = self._hold.reading()
        found = [
            handoff
            for handoff in rows.handoffs.values()
            if handoff.repo == repo
            and _claimable(handoff, now)
            and _live(rows.items[handoff.item], now)
        ]
        alone = {session.id for session in rows.sessions.values() if session.headless}

        def order(of: Handoff) -> tuple[bool, bool, int, str]:
            by_itself = of.automatic and of.session in alone
            return of.branch == branch, not by_itself, of.created_at, of.item

        found.sort(key=order, reverse=True)
        told: list[tuple[Candidate, str, str, str, str]] = []
        for handoff in found[:limit]:
            session = rows.sessions.get(handoff.session)
            candidate = candidate_of(rows.items[handoff.item])
            source = session.agent if session else ""
            told.append((candidate, source, handoff.to_agent, handoff.branch, handoff.head))
        return told

    def reminders(
        self, scopes: Sequence[str], *, now: int, limit: int
    ) -> list[tuple[Candidate, list[str]]]:
        """(item, paths that it is about) of reminders that no session was given, oldest first."""
        rows = self._hold.reading()
        given = {
            (row.item, row.version)
            for delivery in rows.deliveries.values()
            if delivery.session
            for row in delivery.items
            if row.shown
        }
        found = [
            item
            for item in rows.items.values()
            if item.kind == "reminder" and item.scope in scopes and _live(item, now)
            if not any(name == item.id and n >= item.version for name, n in given)
        ]
        found.sort(key=lambda item: item.id)
        told: list[tuple[Candidate, list[str]]] = []
        for item in found[:limit]:
            links = [link for link in rows.links.values() if link.source == item.id]
            paths = sorted(link.target for link in links if link.kind == "file")
            told.append((candidate_of(item), paths))
        return told

    def cited(self, items: Sequence[str]) -> list[tuple[str, str, int, bytes]]:
        """(item, pointer, version, digest) of the items' citations of files, oldest first."""
        rows = [
            row
            for row in self._hold.reading().evidence.values()
            if row.item in items and row.kind == "file" and row.digest and row.stands
        ]
        rows.sort(key=lambda row: (row.at, row.id))
        return [(row.item, row.pointer, row.version, row.digest) for row in rows]

    def friction(self, session_agent: str, agent_session: str) -> tuple[int, int, bool]:
        """(failures, corrections, asked already) of a session; zeros for an unknown one."""
        for session in self._hold.reading().sessions.values():
            names = (session.agent, session.agent_session)
            if agent_session and names == (session_agent, agent_session):
                return session.failures, session.corrections, session.nudged
        return 0, 0, False

    def recent_sessions(
        self, repo: str, *, before: str, limit: int
    ) -> list[tuple[str, int, int | None, str, str, str, str, str, tuple[str, ...]]]:
        """(agent, start, end, first and last prompt, diff stat, id, agent's id, commits)s.

        The newest first.
        """
        sessions = self._hold.reading().sessions.values()
        found = [session for session in sessions if session.repo == repo and session.id < before]
        found.sort(key=lambda session: session.id, reverse=True)
        return [
            (
                *(s.agent, s.started_at, s.ended_at, s.first_prompt, s.last_prompt, s.diff_stat),
                *(s.id, s.agent_session, s.commits),
            )
            for s in found[:limit]
        ]

    def unfinished(self, repo: str, *, limit: int) -> list[tuple[str, str, int, int]]:
        """Of the latest sessions: (agent, its own id, process, start of it), newest first."""
        rows = self._hold.reading()
        latest = [session for session in rows.sessions.values() if session.repo == repo]
        latest.sort(key=lambda session: (session.last_event_at, session.id), reverse=True)
        owed = {item for kind, item, _ in rows.outbox.values() if kind == "close"}
        return [
            (s.agent, s.agent_session, s.pid if s.ended_at is None else 0, s.pid_started)
            for s in latest[:limit]
            if (s.ended_at is None and s.pid > 0) or s.id in owed
        ]

    def approvals(self, since: int, *, limit: int) -> list[tuple[str, str, str]]:
        """(item, user, way) of approvals after an instant, newest first."""
        reviews = self._hold.reading().reviews.values()
        found = [r for r in reviews if r.decision == "approve" and r.at > since]
        found.sort(key=lambda review: (review.at, review.id), reverse=True)
        return [(r.item, r.by.user, _way(r.by)) for r in found[:limit]]

    def renamed(self) -> Mapping[str, str]:
        """Every old name with the current one that it leads to."""
        return current_names(sorted(self._hold.reading().aliases.items()))

    def setting(self, name: str, scopes: Sequence[str]) -> str | None:
        """The setting of the first scope in the list that has one."""
        settings = self._hold.reading().settings
        found = (settings.get((name, scope)) for scope in scopes)
        return next((value for value in found if value is not None), None)


def fitting(
    items: Sequence[Item],
    *,
    scopes: Sequence[str],
    kinds: Sequence[str] | None,
    now: int,
    body_chars: int,
) -> list[Candidate]:
    """Those of the items that may be found now, in the scopes and of the kinds."""
    return [
        candidate_of(item, body_chars=body_chars)
        for item in items
        if item.scope in scopes and _live(item, now) and (kinds is None or item.kind in kinds)
    ]


def _first(item: Item) -> bool:
    return item.pinned or item.kind in ("rule", "preference")


def _way(by: Principal) -> str:
    if by.channel != "terminal":
        return by.channel
    return "at a terminal with agent variables" if by.proof.get("variables") else "at a terminal"


def _claimable(handoff: Handoff, now: int) -> bool:
    lapsed_lease = handoff.lease_until is not None and handoff.lease_until <= now
    free = handoff.status == "open" or (handoff.status == "claimed" and lapsed_lease)
    return free and handoff.lapses_at > now


def _live(item: Item, now: int) -> bool:
    valid = holds_at(item.content.valid_from, item.content.valid_to, now)
    return item.status == "active" and valid and not item.expired(now)


def _fits(item: Item, query: LexicalQuery) -> bool:
    return _live(item, query.now) and (query.kinds is None or item.kind in query.kinds)
