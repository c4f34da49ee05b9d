"""Handoffs, and what packs put into sessions, in SQL."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from onrecord.domain.errors import NotFound
from onrecord.domain.session import Delivered, Delivery, Handoff
from onrecord.storage import rows
from onrecord.storage.queries import json_list
from onrecord.storage.runner import Runner

_HANDOFF = rows.Flat(Handoff)
_DELIVERY = rows.Flat(Delivery, without=("items",))
_DELIVERED = rows.Flat(Delivered)


class SqlHandoffs:
    """The `Handoffs` port."""

    def __init__(self, runner: Runner) -> None:
        self._runner = runner

    def add(self, handoff: Handoff) -> None:
        """Store it; the item of the same id is there already."""
        self._runner.run("handoff_add", **_HANDOFF.values(handoff))

    def get(self, item: str) -> Handoff | None:
        """One handoff."""
        return rows.first(_HANDOFF.build, self._runner.row("handoff_get", item=item))

    def change(self, handoff: Handoff) -> None:
        """Store every field anew."""
        if not self._runner.run("handoff_change", **_HANDOFF.values(handoff)):
            raise NotFound

    def recent(
        self,
        *,
        repo: str | None = None,
        branch: str | None = None,
        statuses: Sequence[str] | None = None,
        limit: int = 20,
    ) -> list[Handoff]:
        """Newest first."""
        found = self._runner.rows(
            "handoffs_recent",
            repo=repo,
            branch=branch,
            statuses=None if statuses is None else json_list(statuses),
            limit=limit,
        )
        return rows.read(_HANDOFF.build, found)

    def mentioning(self, text: str) -> list[Handoff]:
        """Handoffs whose own fields contain the text, letter for letter."""
        return rows.read(_HANDOFF.build, self._runner.rows("handoffs_mentioning", text=text))


class SqlDeliveries:
    """The `Deliveries` port."""

    def __init__(self, runner: Runner) -> None:
        self._runner = runner

    def add(self, delivery: Delivery) -> None:
        """Store it with its items, and count the shown ones as delivered into a session."""
        self._runner.run("delivery_add", **_DELIVERY.values(delivery))
        for item in delivery.items:
            values = _DELIVERED.values(item)
            self._runner.run("delivery_item_add", delivery=delivery.id, **values)
        shown = [item.item for item in delivery.items if item.shown]
        if shown and delivery.session:
            self._runner.run("items_bump", ids=json_list(shown), delivered=1, opened=0, helpful=0)

    def get(self, delivery: str) -> Delivery | None:
        """One delivery."""
        found = self._all(self._runner.rows("delivery_get", id=delivery))
        return found[0] if found else None

    def given(self, items: Sequence[str]) -> Mapping[str, tuple[int, int]]:
        """Item -> (newest version that sessions were given, when the first one was)."""
        found = self._runner.rows("deliveries_given", ids=json_list(items))
        return {row[0]: (row[1], row[2]) for row in found}

    def recent(self, *, session: str | None = None, limit: int = 20) -> list[Delivery]:
        """Newest first."""
        if session is None:
            return self._all(self._runner.rows("deliveries_recent", limit=limit))
        return self._all(self._runner.rows("deliveries_recent_in", session=session, limit=limit))

    def shown(self, session: str) -> Mapping[str, int]:
        """Item -> newest version shown in the session since it was last compacted."""
        return {row[0]: row[1] for row in self._runner.rows("deliveries_shown", session=session)}

    def queries(self) -> list[tuple[str, str]]:
        """(id, query) of the deliveries that have one, by id."""
        return [(str(name), str(query)) for name, query in self._runner.rows("deliveries_queries")]

    def blank(self, deliveries: Sequence[str]) -> int:
        """Blank the queries of those deliveries; says how many had one."""
        if not deliveries:
            return 0
        return self._runner.run("deliveries_blank_some", ids=json_list(deliveries))

    def blank_queries(self, text: str, *, session: str | None = None) -> int:
        """Blank the queries that contain the text, letter for letter; says how many."""
        return self._runner.run("deliveries_blank", text=text, session=session)

    def forget_shown(self, session: str, at: int) -> None:
        """From `at` on, what was shown before no longer counts."""
        self._runner.run("session_compact", session=session, at=at)

    def _all(self, found: Sequence[rows.Row]) -> list[Delivery]:
        if not found:
            return []
        items: dict[str, list[Delivered]] = {row[0]: [] for row in found}
        for row in self._runner.rows("delivery_items_of", ids=json_list(items)):
            items[row[0]] += rows.read(_DELIVERED.build, [row[1:]])
        return rows.read(lambda row: _DELIVERY.build(row, items=tuple(items[row[0]])), found)
