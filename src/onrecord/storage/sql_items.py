"""Items and their versions, in SQL."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

from onrecord.domain.errors import NotFound, StaleVersion
from onrecord.domain.item import Item, ItemQuery, Version, stood
from onrecord.domain.status import STATUSES
from onrecord.storage import rows
from onrecord.storage.queries import json_list
from onrecord.storage.runner import Runner

#: Above so many pairs of scope and status, one walk over everything is the cheaper search.
_MAX_PAIRS = 64
_BEYOND = "\U0010ffff"
#: Characters of the ends of ids that there is an index of.
_LAST = 4


class SqlItems:
    """The `Items` port."""

    def __init__(self, runner: Runner) -> None:
        self._runner = runner

    def add(self, item: Item) -> None:
        """Store a new item with its first version; `Clash` where the id or key is taken."""
        self._runner.run("item_add", **rows.item_values(item))
        self._runner.run("version_add", **rows.version_values(item.head))
        self._runner.run("state_add", id=item.id, at=item.head.recorded_at)

    def revise(self, item: Item) -> None:
        """Store the next version and close the one before; `StaleVersion` if it is not next."""
        n = item.head.n
        if not self._runner.run("item_advance", id=item.id, n=n, before=n - 1):
            raise StaleVersion(details={"given": n})
        self._runner.run("version_close", item=item.id, n=n - 1, at=item.head.recorded_at)
        self._runner.run("version_add", **rows.version_values(item.head))
        self.change(item, at=item.head.recorded_at)

    def change(self, item: Item, *, at: int) -> None:
        """Update the item's own fields, from an instant on."""
        if not self._runner.run("item_change", **rows.item_values(item)):
            raise NotFound
        self._runner.run("state_add", id=item.id, at=at)
        self._runner.run("spaces_changed_by", item=item.id)

    def get(self, item: str) -> Item | None:
        """The item with its head version."""
        return rows.first(rows.item, self._runner.row("item_get", id=item))

    def many(self, items: Sequence[str]) -> list[Item]:
        """Those of the items that exist, in the order asked for."""
        if not items:
            return []
        found = rows.read(rows.item, self._runner.rows("items_of", ids=json_list(items)))
        by_id = {item.id: item for item in found}
        return [by_id[name] for name in items if name in by_id]

    def ids_like(self, part: str, limit: int = 10) -> list[str]:
        """Ids that start or end with the part, oldest first."""
        starts = self._runner.rows(
            "items_with_start", part=part, beyond=part + _BEYOND, limit=limit
        )
        if len(part) < _LAST:
            ends = self._runner.rows("items_with_short_end", part=part, limit=limit)
        else:
            last = part[-_LAST:]
            ends = self._runner.rows("items_with_end", part=part, last=last, limit=limit)
        return sorted({row[0] for row in (*starts, *ends)})[:limit]

    def by_key(self, scope: str, key: str, statuses: Sequence[str]) -> list[Item]:
        """Items at that address in one of the statuses, oldest first."""
        return self._all("items_by_key", scope=scope, key=key, statuses=json_list(statuses))

    def by_same(self, same: bytes, statuses: Sequence[str]) -> list[Item]:
        """Items whose head has that statement print, oldest first."""
        return self._all("items_by_same", same=same, statuses=json_list(statuses))

    def superseded_same(self, same: bytes) -> list[Version]:
        """Versions that are no longer heads and have that print, newest first."""
        return rows.read(rows.version, self._runner.rows("versions_once_same", same=same))

    def page(self, query: ItemQuery) -> list[Item]:
        """Items that fit, newest id first."""
        given: dict[str, Any] = {
            "scopes": _listed(query.scopes),
            "statuses": _listed(query.statuses),
            "kinds": _listed(query.kinds),
            "tags": _listed(query.tags),
            "since": query.since,
            "until": query.until,
            "now": query.unexpired_at,
            "valid_at": query.valid_at,
            "after": query.after,
            "limit": query.limit,
        }
        if query.as_of is not None:
            stood = self._runner.rows("page_stood", **given, as_of=query.as_of)
            return self.as_of([row[0] for row in stood], query.as_of)
        found: set[str] = set()
        for name, place in _walks(query):
            found.update(row[0] for row in self._runner.rows(name, **given, **place))
        return self.many(sorted(found, reverse=True)[: query.limit])

    def as_of(self, items: Sequence[str], at: int) -> list[Item]:
        """Those of the items that there were at an instant, as they stood then."""
        if not items:
            return []
        found = self._runner.rows("items_stood", ids=json_list(items), as_of=at)
        by_id = {item.id: stood(item) for item in rows.read(rows.item, found)}
        return [by_id[name] for name in items if name in by_id]

    def erased_since(self, scopes: Sequence[str] | None, statuses: Sequence[str], at: int) -> int:
        """How many items stood so at an instant and were erased since."""
        row = self._runner.row(
            "stood_erased", scopes=_listed(scopes), statuses=json_list(statuses), as_of=at
        )
        return int(row[0]) if row else 0

    def history(self, item: str) -> list[Version]:
        """All versions, 1 first."""
        return rows.read(rows.version, self._runner.rows("versions_of", item=item))

    def count(self, scopes: Sequence[str] | None, statuses: Sequence[str]) -> int:
        """How many items there are in those scopes (None: all) and statuses."""
        wanted = json_list(statuses)
        if scopes is None:
            row = self._runner.row("items_count", statuses=wanted)
        else:
            row = self._runner.row("items_count_in", scopes=json_list(scopes), statuses=wanted)
        return int(row[0]) if row else 0

    def bump(
        self, items: Sequence[str], *, delivered: int = 0, opened: int = 0, helpful: int = 0
    ) -> None:
        """Add to the use counters."""
        self._runner.run(
            "items_bump",
            ids=json_list(items),
            delivered=delivered,
            opened=opened,
            helpful=helpful,
        )

    def erase(self, item: str, at: int) -> None:
        """Blank everything that can carry text and belongs to the item alone."""
        self._runner.run("erase_item", item=item, none=b"")
        self._runner.run("erase_versions", item=item, at=at, none=b"")
        for name in ("evidence", "reviews", "answers"):
            self._runner.run("erase_" + name, item=item, none=b"")
        for name in ("links", "feedback", "handoff", "deliveries"):
            self._runner.run("erase_" + name, item=item)
        self._runner.run("documents_drop", item=item)
        self._runner.run("spaces_changed_by", item=item)
        self._runner.run("erase_vectors", item=item)
        self._runner.run("state_add", id=item, at=at)

    def _all(self, name: str, /, **given: Any) -> list[Item]:
        return self.many([row[0] for row in self._runner.rows(name, **given)])


def _listed(words: Sequence[str] | None) -> str | None:
    return None if words is None else json_list(words)


def _walks(query: ItemQuery) -> list[tuple[str, dict[str, Any]]]:
    """The indices to walk: each gives its newest, and the newest of those are the page."""
    scopes = None if query.scopes is None else list(dict.fromkeys(query.scopes))
    if scopes is None and query.statuses is not None:
        return [("page_of_status", {"status": status}) for status in dict.fromkeys(query.statuses)]
    statuses = list(dict.fromkeys(query.statuses if query.statuses is not None else STATUSES))
    if scopes is None or len(scopes) * len(statuses) > _MAX_PAIRS:
        return [("page", {})]
    pairs = product(scopes, statuses)
    return [("page_of_scope", {"scope": scope, "status": status}) for scope, status in pairs]
