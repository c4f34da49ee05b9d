"""What packs put into sessions, in a dictionary."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from onrecord.domain.errors import Clash
from onrecord.domain.session import Delivery
from onrecord.storage.inmemory.items import MemoryItems
from onrecord.storage.inmemory.rows import Hold, Rows, check_new, check_text


class MemoryDeliveries:
    """The `Deliveries` port."""

    def __init__(self, hold: Hold) -> None:
        self._hold = hold

    def add(self, delivery: Delivery) -> None:
        """Store it with its items, and count the shown ones as delivered into a session."""
        rows = self._hold.writing()
        check_text(delivery)
        check_new(delivery.id, rows.deliveries)
        if len({each.item for each in delivery.items}) < len(delivery.items):
            raise Clash("A delivery names an item twice. Nothing was changed.")
        rows.deliveries[delivery.id] = delivery
        shown = [each.item for each in delivery.items if each.shown]
        if delivery.session:
            MemoryItems(self._hold).bump(shown, delivered=1)

    def get(self, delivery: str) -> Delivery | None:
        """One delivery with its items, in their order."""
        return self._hold.reading().deliveries.get(delivery)

    def given(self, items: Sequence[str]) -> Mapping[str, tuple[int, int]]:
        """Item -> (newest version that sessions were given, when the first one was)."""
        found: dict[str, tuple[int, int]] = {}
        for delivery in self._hold.reading().deliveries.values():
            for each in delivery.items if delivery.session else ():
                if each.shown and each.item in items:
                    version, at = found.get(each.item, (0, 0))
                    if each.version > version or (each.version == version and delivery.at < at):
                        found[each.item] = (each.version, delivery.at)
        return found

    def recent(self, *, session: str | None = None, limit: int = 20) -> list[Delivery]:
        """Newest first."""
        found = [
            delivery
            for delivery in self._hold.reading().deliveries.values()
            if session is None or delivery.session == session
        ]
        return sorted(found, key=lambda each: each.id, reverse=True)[:limit]

    def shown(self, session: str) -> Mapping[str, int]:
        """Item -> newest version shown since the session started or was last compacted."""
        return shown(self._hold.reading(), session)

    def queries(self) -> list[tuple[str, str]]:
        """(id, query) of the deliveries that have one, by id."""
        found = self._hold.reading().deliveries.values()
        return sorted((each.id, each.query) for each in found if each.query)

    def blank(self, deliveries: Sequence[str]) -> int:
        """Blank the queries of those deliveries; says how many had one."""
        rows = self._hold.writing().deliveries
        had = [name for name in dict.fromkeys(deliveries) if name in rows and rows[name].query]
        for name in had:
            rows[name] = replace(rows[name], query="")
        return len(had)

    def blank_queries(self, text: str, *, session: str | None = None) -> int:
        """Blank the queries that contain the text, letter for letter; says how many."""
        deliveries = self._hold.writing().deliveries
        found = [
            each
            for each in deliveries.values()
            if each.query and text in each.query and session in (None, each.session)
        ]
        for delivery in found:
            deliveries[delivery.id] = replace(delivery, query="")
        return len(found)

    def forget_shown(self, session: str, at: int) -> None:
        """From `at` on, what was shown before no longer counts."""
        rows = self._hold.writing()
        if session in rows.sessions:
            rows.compacted[session] = at


def shown(rows: Rows, session: str) -> dict[str, int]:
    """Item -> newest version shown in the session and not forgotten since."""
    since = rows.compacted.get(session, 0)
    newest: dict[str, int] = {}
    for delivery in rows.deliveries.values():
        if delivery.session == session and delivery.at >= since:
            for each in delivery.items:
                if each.shown:
                    newest[each.item] = max(each.version, newest.get(each.item, 0))
    return newest
