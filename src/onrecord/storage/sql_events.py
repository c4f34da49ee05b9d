"""The audit log, in SQL."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from onrecord.domain.event import GENESIS, Event, EventQuery, chain
from onrecord.storage import rows
from onrecord.storage.queries import json_list
from onrecord.storage.runner import Runner

#: Lines held in memory at once by a walk.
_BLOCK = 500
_LAST = 2**63 - 1
_LINE = rows.Flat(Event)


class SqlEvents:
    """The `Events` port."""

    def __init__(self, runner: Runner) -> None:
        self._runner = runner

    def append(self, event: Event) -> Event:
        """Chain and store the event; returns it with its seq and hashes."""
        seq, prev_hash = self.head()
        # hashed in the form in which it will be read back
        settled = replace(event, change=rows.mapping(rows.to_map(event.change)))
        placed = chain(settled, seq + 1, prev_hash)
        self._runner.run("event_add", **_LINE.values(placed))
        return placed

    def head(self) -> tuple[int, bytes]:
        """(seq, hash) of the last line; (0, GENESIS) of an empty log."""
        row = self._runner.row("events_head")
        return (row[0], row[1]) if row else (0, GENESIS)

    def get(self, seq: int) -> Event | None:
        """One line."""
        found = rows.first(_LINE.build, self._runner.row("events_from", start=seq, limit=1))
        return found if found and found.seq == seq else None

    def walk(self, start: int = 1) -> Iterator[Event]:
        """All lines from `start`, in order, in bounded memory."""
        while True:
            lines = self._runner.rows("events_from", start=start, limit=_BLOCK)
            yield from rows.read(_LINE.build, lines)
            if len(lines) < _BLOCK:
                return
            start = lines[-1][0] + 1

    def of(self, target: str) -> list[Event]:
        """The lines about one target, in order."""
        return rows.read(_LINE.build, self._runner.rows("events_of", target=target))

    def latest(
        self, limit: int = 50, *, before: int | None = None, query: EventQuery | None = None
    ) -> list[Event]:
        """Newest first; with a query those that fit it."""
        edge = _LAST if before is None else before
        if query is None:
            lines = self._runner.rows("events_before", before=edge, limit=limit)
        else:
            lines = self._runner.rows("events_fitting", before=edge, limit=limit, **_given(query))
        return rows.read(_LINE.build, lines)

    def count_refusal(self, party: str, rule: str, minute: int) -> int:
        """Count one refusal of that party and rule in that minute; returns the count so far."""
        self._runner.run("refusal_count", party=party, rule=rule, minute=minute)
        row = self._runner.row("refusal_get", party=party, rule=rule, minute=minute)
        return int(row[0]) if row else 0

    def due_refusals(self, minute: int) -> list[tuple[str, str, int, int]]:
        """(party, rule, minute, count) above one, of earlier minutes; forgets them."""
        due = [(row[0], row[1], row[2], row[3]) for row in self._due(minute)]
        self._runner.run("refusals_drop", minute=minute)
        return due

    def _due(self, minute: int) -> list[rows.Row]:
        return list(self._runner.rows("refusals_due", minute=minute))


def _given(query: EventQuery) -> dict[str, Any]:
    lists = {
        "parties": query.parties,
        "agents": query.agents,
        "actions": query.actions,
        "codes": query.codes,
        "scopes": query.scopes,
    }
    named = {name: None if words is None else json_list(words) for name, words in lists.items()}
    return named | {"target": query.target, "since": query.since, "until": query.until}
