"""The audit log, in a list."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from onrecord.domain.event import GENESIS, Event, EventQuery, chain
from onrecord.storage.inmemory.rows import Hold, Rows, check_text


class MemoryEvents:
    """The `Events` port."""

    def __init__(self, hold: Hold) -> None:
        self._hold = hold

    def append(self, event: Event) -> Event:
        """Chain and store the event; returns it with its seq and hashes."""
        rows = self._hold.writing()
        check_text(event)
        seq, prev_hash = self.head()
        # hashed in the form in which it is kept
        settled = replace(event, change={name: _kept(pair) for name, pair in event.change.items()})
        placed = chain(settled, seq + 1, prev_hash)
        rows.events.append(placed)
        return placed

    def head(self) -> tuple[int, bytes]:
        """(seq, hash) of the last line; (0, GENESIS) of an empty log."""
        events = self._hold.reading().events
        return (events[-1].seq, events[-1].hash) if events else (0, GENESIS)

    def get(self, seq: int) -> Event | None:
        """One line."""
        events = self._hold.reading().events
        return events[seq - 1] if 1 <= seq <= len(events) else None

    def walk(self, start: int = 1) -> Iterator[Event]:
        """All lines from `start`, in order."""
        return iter(self._hold.reading().events[max(start, 1) - 1 :])

    def of(self, target: str) -> list[Event]:
        """The lines about one target, in order."""
        return [event for event in self._hold.reading().events if event.target == target]

    def latest(
        self, limit: int = 50, *, before: int | None = None, query: EventQuery | None = None
    ) -> list[Event]:
        """Newest first; with a query those that fit it."""
        held = self._hold.reading()
        newest_first = reversed(held.events)
        found = [event for event in newest_first if before is None or event.seq < before]
        if query is not None:
            found = [event for event in found if _fits(event, query, held)]
        return found[:limit]

    def count_refusal(self, party: str, rule: str, minute: int) -> int:
        """Count one refusal of that party and rule in that minute; returns the count so far."""
        refusals = self._hold.writing().refusals
        key = (party, rule, minute)
        refusals[key] = refusals.get(key, 0) + 1
        return refusals[key]

    def due_refusals(self, minute: int) -> list[tuple[str, str, int, int]]:
        """(party, rule, minute, count) above one, of earlier minutes; forgets them."""
        refusals = self._hold.writing().refusals
        past = {key: n for key, n in refusals.items() if key[2] < minute}
        for key in past:
            del refusals[key]
        due = [(*key, n) for key, n in past.items() if n > 1]
        return sorted(due, key=lambda each: (each[2], each[0], each[1]))


def _fits(event: Event, query: EventQuery, held: Rows) -> bool:
    by = event.by
    names = {by.writer, by.agent, "" if by.agent else by.user}
    return (
        (query.parties is None or bool(names & set(query.parties)))
        and (query.agents is None or by.agent in query.agents)
        and (query.actions is None or event.action in query.actions)
        and (query.codes is None or event.code in query.codes)
        and (query.target is None or event.target == query.target)
        and (query.since is None or event.at >= query.since)
        and (query.until is None or event.at < query.until)
        and (query.scopes is None or _is_in(event.target, query.scopes, held))
    )


def _is_in(target: str, scopes: tuple[str, ...], held: Rows) -> bool:
    item = held.items.get(target)
    if item is not None and item.scope in scopes:
        return True
    return any(target == scope or target.endswith(f"@{scope}") for scope in scopes)


def _kept(value: Any) -> Any:
    """The value with lists, which could be changed later, as tuples."""
    if isinstance(value, (list, tuple)):
        return tuple(_kept(part) for part in value)  # pyright: ignore[reportUnknownVariableType]
    return value
