"""Reading for recall and packs: plain rows at little cost, on either database (light)."""

from __future__ import annotations

import apsw

from onrecord.domain.candidate import Candidate
from onrecord.storage import queries, sqlite
from onrecord.storage.dialect import SQLITE
from onrecord.storage.queries import json_list
from onrecord.storage.renamings import current_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, Protocol, TypeAlias

    from onrecord.domain.query import LexicalQuery
    from onrecord.storage.dialect import Dialect

    Row: TypeAlias = Sequence[Any]

    class Reader(Protocol):
        """What the shelf needs of a database."""

        @property
        def dialect(self) -> Dialect:
            """How this database spells things."""
            ...

        def rows(self, name: str, /, **parameters: Any) -> Sequence[Row]:
            """All rows of a query."""
            ...


#: How many more documents than asked for the first round of a match ranks: one in so many …
_SPARE = 4
#: … and so many; a later round ranks so many times as many.
_LEAST = 6
_FURTHER = 8
#: A share is large from one in so many on.
_LARGE = 4
#: From so many documents on it pays to count what has a term before ranking it.
_MANY = 400
#: Where each term of a query that has a bound is in more documents, so many are ranked.
_RANKED = 20_000
#: Where there are so many times as many documents and more, twice that many stand for all.
_SAMPLE = 5_000
_SAMPLED = 10


class SqlShelf:
    """The `Shelf` port."""

    __slots__ = ("_reader",)

    def __init__(self, reader: Reader) -> None:
        self._reader = reader

    def standing(
        self, scopes: Sequence[str], *, now: int, body_chars: int, limit: int
    ) -> list[Candidate]:
        """Active, valid and unexpired items of the scopes.

        Pinned ones, rules and preferences first, then all others; the newest first of each.
        """
        found: list[str] = []
        for name in ("shelf_first", "shelf_standing"):
            wanted = limit - len(found)
            if wanted > 0:
                ids: list[str] = []
                for scope in set(scopes):
                    rows = self._reader.rows(name, scope=scope, now=now, limit=wanted)
                    ids.extend([row[0] for row in rows])
                ids.sort(reverse=True)
                found += ids[:wanted]
        return self._candidates(found, body_chars)

    def matching(self, query: LexicalQuery, *, body_chars: int) -> list[Candidate]:
        """Active, valid and unexpired items with any of the terms, best match first."""
        places = [
            f"s{row[0]}a"
            for name in query.scopes
            for row in self._reader.rows("shelf_scope", name=name)
        ]
        if not places or query.limit <= 0:
            return []
        within, ranked, sight, every = self._searched(places, query.limit)
        terms, since = query.terms, 0
        if query.most and sight > max(_MANY, query.most):
            terms, having = self._telling(within, terms, query.most, sight, every)
            if having > max(_RANKED, query.most):
                # even the rarest is common: of so many only the newest are ranked
                since = every - every * _RANKED // having
        asked = self._reader.dialect.words(within, terms)
        more = {"since": since} if since else {}
        best_of = "lexical_best_since" if since else "lexical_best"
        kinds = None if query.kinds is None else json_list(query.kinds)
        scopes = json_list(query.scopes)
        while True:
            best = self._reader.rows(best_of, **asked, **more, limit=ranked)
            rows = self._reader.rows(
                "shelf_documents",
                docs=json_list([str(row[0]) for row in best]),
                places=json_list(places),
                scopes=scopes,
                kinds=kinds,
                now=query.now,
                body_chars=body_chars,
            )
            if len(rows) >= query.limit:
                break
            if len(best) >= ranked:
                # what was withheld took places away: look further down
                ranked *= _FURTHER
            elif more:
                # the scopes' own may be older than what is newest of all: look at everything
                best_of, more = "lexical_best", {}
            else:
                break
        worth = {row[0]: row[1] for row in best}
        found = [_candidate(row) for row in rows]
        for candidate, row in zip(found, rows, strict=True):
            candidate.lexical = worth[row[-1]]
        found.sort(key=lambda candidate: (-candidate.lexical, candidate.id))
        return found[: query.limit]

    def _searched(self, places: list[str], limit: int) -> tuple[list[str], int, int, int]:
        """The places to name in the match; how many documents to rank at first, are in sight, are.

        Ranking also costs by the documents in each place that is named, so a share of the
        whole that is large is cheaper to pick out of what was ranked.
        """
        enough = limit + limit // _SPARE + _LEAST
        if not self._reader.dialect.sampled:
            return places, enough, 0, 0
        ((seen, inside, every),) = self._reader.rows("lexical_share", places=json_list(places))
        sight = every * inside // max(seen, 1)
        if inside * _LARGE < seen or not inside:
            return places, enough, sight, every
        return [], enough * seen // inside, sight, every

    def _telling(
        self, places: list[str], terms: list[str], most: int, sight: int, every: int
    ) -> tuple[list[str], int]:
        """The terms that few documents have, while no more than so many have one of them.

        Also how many that is; more where the rarest alone has more.
        """
        spread = (
            self._sampled(terms, sight, every)
            if every > _SAMPLED * _SAMPLE
            else self._counted(places, terms)
        )
        kept: list[str] = []
        total = 0
        for having, at in sorted(spread):
            if kept and total + having > most:
                break
            if having:
                kept.append(terms[at])
                total += having
        return kept or terms, total

    def _counted(self, places: list[str], terms: list[str]) -> list[tuple[int, int]]:
        """(documents in the places, which term). To count takes a tenth of ranking."""
        words = self._reader.dialect.words
        matches = json_list([words(places, [term])["match"] for term in terms])
        rows = self._reader.rows("lexical_counts", matches=matches)
        return [(int(row[0]), int(row[1])) for row in rows]

    def _sampled(self, terms: list[str], sight: int, every: int) -> list[tuple[int, int]]:
        """The same, about: by what documents in the middle and the newest ones have."""
        words = self._reader.dialect.words
        middle = every // 2
        rows = self._reader.rows(
            "lexical_sample",
            matches=json_list([words([], [term])["match"] for term in terms]),
            middle=middle,
            after=middle + _SAMPLE,
            newest=every - _SAMPLE,
        )
        # what none of those has is rare, and may be had by some
        return [(max(int(row[0]) * sight // (2 * _SAMPLE), 1), int(row[1])) for row in rows]

    def beside(
        self, items: Sequence[str], scopes: Sequence[str], *, now: int, reach: int, body_chars: int
    ) -> list[Candidate]:
        """Live items that were kept next to one of the items in its session, by id."""
        if not items or reach <= 0:
            return []
        rows = self._reader.rows(
            "shelf_beside",
            ids=json_list(items),
            scopes=json_list(scopes),
            now=now,
            reach=reach,
            body_chars=body_chars,
        )
        asked = set(items)
        return [_candidate(row) for row in rows if row[0] not in asked]

    def waiting(self, scopes: Sequence[str] | None, *, now: int) -> int:
        """How many proposals wait in those scopes (None: everywhere); expired ones do not."""
        if scopes is None:
            return int(self._reader.rows("shelf_waiting", now=now)[0][0])
        rows = self._reader.rows("shelf_waiting_in", scopes=json_list(scopes), now=now)
        return int(rows[0][0])

    def flagged(self, starts: Sequence[str]) -> int:
        """How many active items carry a flag that starts like one of those."""
        quoted = json_list([f'"{start}' for start in starts])
        return int(self._reader.rows("shelf_flagged", starts=quoted)[0][0])

    def shown(self, session_agent: str, agent_session: str) -> dict[str, int]:
        """Item -> newest version shown, by the agent's own session id."""
        rows = self._reader.rows("shelf_shown", agent=session_agent, agent_session=agent_session)
        return {row[0]: row[1] for row in rows}

    def printed(
        self, delivery: str
    ) -> tuple[int, int, list[tuple[str, int, int, int, str]]] | None:
        """(budget, tokens, (item, version, rank, tokens, why)s) of a pack that was printed."""
        rows = self._reader.rows("shelf_printed", delivery=delivery)
        if not rows:
            return None
        return rows[0][0], rows[0][1], [(row[2], row[3], row[4], row[5], row[6]) for row in rows]

    def open_handoffs(
        self, repo: str, branch: str, *, now: int, limit: int
    ) -> list[tuple[Candidate, str, str, str, str]]:
        """(item, from agent, to agent, branch, HEAD then); same branch first, newest first."""
        rows = self._reader.rows("shelf_handoffs", repo=repo, branch=branch, now=now, limit=limit)
        items = self._candidates([row[0] for row in rows], _WHOLE)
        both = zip(items, rows, strict=True)
        return [(item, row[1], row[2], row[3], row[4]) for item, row in both]

    def reminders(
        self, scopes: Sequence[str], *, now: int, limit: int
    ) -> list[tuple[Candidate, list[str]]]:
        """(item, paths that it is about) of reminders that no session was given, oldest first."""
        rows = self._reader.rows("shelf_reminders", scopes=json_list(scopes), now=now, limit=limit)
        ids = [row[0] for row in rows]
        if not ids:
            return []
        paths: dict[str, list[str]] = {}
        for source, target in self._reader.rows("shelf_paths", ids=json_list(ids)):
            paths.setdefault(source, []).append(target)
        return [(item, paths.get(item.id, [])) for item in self._candidates(ids, _WHOLE)]

    def cited(self, items: Sequence[str]) -> list[tuple[str, str, int, bytes]]:
        """(item, pointer, version, digest) of the items' citations of files, oldest first."""
        rows = self._reader.rows("shelf_cited", ids=json_list(items))
        return [(row[0], row[1], row[2], bytes(row[3])) for row in rows]

    def friction(self, session_agent: str, agent_session: str) -> tuple[int, int, bool]:
        """(failures, corrections, asked already) of a session; zeros for an unknown one."""
        for row in self._reader.rows(
            "shelf_friction", agent=session_agent, agent_session=agent_session
        ):
            return row[0], row[1], row[2] == 1
        return 0, 0, False

    def recent_sessions(
        self, repo: str, *, before: str, limit: int
    ) -> list[tuple[str, int, int | None, str, str, str, str, str, tuple[str, ...]]]:
        """(agent, start, end, first and last prompt, diff stat, id, agent's id, commits)s.

        The newest first.
        """
        rows = self._reader.rows(
            "shelf_sessions", repo=repo, before=before, limit=limit, line="\n"
        )
        return [
            (*(row[0], row[1], row[2], row[3], row[4]), *(row[5], row[6], row[7]), _lines(row[8]))
            for row in rows
        ]

    def unfinished(self, repo: str, *, limit: int) -> list[tuple[str, str, int, int]]:
        """Of the latest sessions: (agent, its own id, process, start of it), newest first."""
        rows = self._reader.rows("shelf_unfinished", repo=repo, limit=limit)
        return [(row[0], row[1], row[2], row[3]) for row in rows]

    def approvals(self, since: int, *, limit: int) -> list[tuple[str, str, str]]:
        """(item, user, way) of approvals after an instant, newest first."""
        rows = self._reader.rows("shelf_approvals", since=since, limit=limit)
        return [(row[0], row[1], _way(row[2], row[3])) for row in rows]

    def setting(self, name: str, scopes: Sequence[str]) -> str | None:
        """The setting of the first scope in the list that has one."""
        for scope in scopes:
            for row in self._reader.rows("shelf_setting", name=name, scope=scope):
                return str(row[0])
        return None

    def renamed(self) -> dict[str, str]:
        """Every old name with the current one that it leads to."""
        return current_names(self._reader.rows("aliases"))

    def _candidates(self, ids: Sequence[str], body_chars: int) -> list[Candidate]:
        """The rows of items in the order of their ids; every one of them exists."""
        return candidates(self._reader, ids, body_chars)


def candidates(reader: Reader, ids: Sequence[str], body_chars: int) -> list[Candidate]:
    """The rows of those items that exist, in the order of their ids."""
    if not ids:
        return []
    rows = reader.rows("shelf_rows", ids=json_list(ids), body_chars=body_chars)
    found = {row[0]: _candidate(row) for row in rows}
    return [found[name] for name in ids if name in found]


def open_shelf(path: str, *, busy_ms: int = 50, tenant: str = "local") -> OpenShelf:
    """The shelf of the store in a file, for one short reading; `close` it.

    It sees one unchanging state. Nothing is made, changed or brought up to date. Raises
    `StoreMissing`, `StoreBusy`, `StoreNewer`, `StoreUnsafe`, `StoreCorrupt` …
    """
    connection = sqlite.connect(path, readonly=True, busy_ms=busy_ms)
    try:
        sqlite.rows_of(connection, "BEGIN")
        # the first statement fixes the state that is seen
        sqlite.check_schema(connection, "reader")
    except apsw.Error as error:
        connection.close()
        raise sqlite.told(error) from None
    except BaseException:
        connection.close()
        raise
    texts = queries.load(("shelf", SQLITE.lexical), SQLITE)
    return OpenShelf(sqlite.SqliteRunner(connection, texts, tenant=tenant), connection.close)


class OpenShelf(SqlShelf):
    """A shelf with the connection that it reads from, which sees one unchanging state."""

    __slots__ = ("_close", "_settings")

    def __init__(self, reader: Reader, close: Callable[[], None]) -> None:
        super().__init__(reader)
        self._close: Callable[[], None] = close
        self._settings: dict[tuple[str, str], str] | None = None

    def setting(self, name: str, scopes: Sequence[str]) -> str | None:
        """As of any shelf; all settings, which are few, are read at once."""
        if self._settings is None:
            rows = self._reader.rows("shelf_settings")
            self._settings = {(row[0], row[1]): row[2] for row in rows}
        known = self._settings
        return next((known[name, scope] for scope in scopes if (name, scope) in known), None)

    def close(self) -> None:
        """Let go of the file; the shelf is not used again."""
        self._close()


#: More characters than a body can have.
_WHOLE = 1 << 20


def _candidate(row: Row) -> Candidate:
    return Candidate(
        id=row[0],
        version=row[1],
        scope=row[2],
        kind=row[3],
        title=row[4],
        body=row[5],
        body_chars=row[6],
        key=row[7],
        summary=row[8],
        tags=_spaced(row[9]),
        belief=row[10],
        pinned=row[11] == 1,
        tainted=row[12] == 1,
        user=row[13],
        agent=row[14],
        session=row[15],
        repo=row[16],
        recorded_at=row[17],
        created_at=row[18],
        valid_from=row[19],
        valid_to=row[20],
        delivered=row[21],
        helpful=row[22],
    )


def _way(channel: str, proof: str) -> str:
    """What proved the person; `proof` is the stored map, in which quotes are escaped."""
    if channel != "terminal":
        return channel
    _, found, value = proof.partition('"variables":"')
    seen = found and not value.startswith('"')
    return "at a terminal with agent variables" if seen else "at a terminal"


def _spaced(tags: str) -> str:
    """A stored list of tags with spaces between them."""
    if "\\" not in tags:
        return " ".join(tags[2:-2].split('","'))
    import json  # noqa: PLC0415 - quotes and backslashes in tags are rare

    return " ".join(json.loads(tags))


def _lines(text: str | None) -> tuple[str, ...]:
    return tuple(text.split("\n")) if text else ()
