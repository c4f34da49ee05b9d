"""Items and their versions, in dictionaries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace

from onrecord.domain.errors import Clash, NotFound, StaleVersion
from onrecord.domain.item import MAX_KEY_BYTES, Item, ItemQuery, Version, stood
from onrecord.domain.time import holds_at
from onrecord.storage.inmemory.erasure import erase
from onrecord.storage.inmemory.rows import (
    Hold,
    Rows,
    check_new,
    check_order,
    check_size,
    check_text,
    forbidden,
    note_state,
)

_FIXED = ("id", "created_at", "delivered", "opened", "helpful", "salt", "head")


class MemoryItems:
    """The `Items` port."""

    def __init__(self, hold: Hold) -> None:
        self._hold = hold

    def add(self, item: Item) -> None:
        """Store a new item with its first version; `Clash` where the id or key is taken."""
        rows = self._hold.writing()
        check_text(item)
        check_new(item.id, rows.items)
        _check_key(rows, item)
        check_size(len(item.key.encode()), MAX_KEY_BYTES)
        _check_times(item.head)
        rows.items[item.id] = item
        rows.versions[item.id] = (item.head,)
        note_state(rows, item.id, item.head.recorded_at)

    def revise(self, item: Item) -> None:
        """Store the next version and close the one before; `StaleVersion` if it is not next."""
        rows = self._hold.writing()
        check_text(item)
        stored = rows.items.get(item.id)
        if stored is None or item.head.n != stored.head.n + 1:
            raise StaleVersion(details={"given": item.head.n})
        *earlier, last = rows.versions[item.id]
        closed = replace(last, superseded_at=item.head.recorded_at)
        _check_times(closed)
        if stored.status == "forgotten":
            raise forbidden()
        _check_times(item.head)
        rows.versions[item.id] = (*earlier, closed, item.head)
        rows.items[item.id] = replace(stored, head=item.head)
        self.change(item, at=item.head.recorded_at)

    def change(self, item: Item, *, at: int) -> None:
        """Update the item's own fields, from an instant on."""
        rows = self._hold.writing()
        check_text(item)
        stored = rows.items.get(item.id)
        if stored is None:
            raise NotFound
        if stored.status == "forgotten" != item.status:
            raise forbidden()
        _check_key(rows, item)
        check_size(len(item.key.encode()), MAX_KEY_BYTES)
        kept = {name: getattr(stored, name) for name in _FIXED}
        rows.items[item.id] = replace(item, **kept)
        note_state(rows, item.id, at)
        for space in rows.spaces:
            rows.revisions[space] += (space, item.id) in rows.vectors

    def get(self, item: str) -> Item | None:
        """The item with its head version."""
        return self._hold.reading().items.get(item)

    def many(self, items: Sequence[str]) -> list[Item]:
        """Those of the items that exist, in the order asked for."""
        rows = self._hold.reading()
        return [rows.items[name] for name in items if name in rows.items]

    def ids_like(self, part: str, limit: int = 10) -> list[str]:
        """Ids that start or end with the part, oldest first."""
        ids = sorted(self._hold.reading().items)
        return [name for name in ids if name.startswith(part) or name.endswith(part)][:limit]

    def by_key(self, scope: str, key: str, statuses: Sequence[str]) -> list[Item]:
        """Items at that address in one of the statuses, oldest first."""
        found = [item for item in self._oldest_first() if (item.scope, item.key) == (scope, key)]
        return [item for item in found if key and item.status in statuses]

    def by_same(self, same: bytes, statuses: Sequence[str]) -> list[Item]:
        """Items whose head has that statement print, oldest first."""
        found = [item for item in self._oldest_first() if item.head.same == same]
        return [item for item in found if item.status in statuses]

    def superseded_same(self, same: bytes) -> list[Version]:
        """Versions that are no longer heads and have that print, newest first."""
        earlier = [v for all_of in self._hold.reading().versions.values() for v in all_of[:-1]]
        found = [version for version in earlier if version.same == same]
        return sorted(found, key=lambda v: (v.recorded_at, v.item, v.n), reverse=True)

    def page(self, query: ItemQuery) -> list[Item]:
        """Items that fit, newest id first."""
        found = self._oldest_first()
        if query.as_of is not None:
            found = self.as_of([item.id for item in found], query.as_of)
            found = [item for item in found if item.head.erased_at is None]
        return [item for item in reversed(found) if _fits(item, query)][: query.limit]

    def as_of(self, items: Sequence[str], at: int) -> list[Item]:
        """Those of the items that there were at an instant, as they stood then."""
        found: list[Item] = []
        rows = self._hold.reading()
        for name in items:
            past = [state for since, state in rows.states.get(name, ()) if since <= at]
            if past:
                now, then = rows.items[name], past[-1]
                found.append(
                    stood(
                        replace(
                            then,
                            head=rows.versions[name][then.head.n - 1],
                            key=now.key,
                            salt=now.salt,
                            replaces=now.replaces,
                            replaces_version=now.replaces_version,
                            flags=(),
                            delivered=0,
                            opened=0,
                            helpful=0,
                        )
                    )
                )
        return found

    def erased_since(self, scopes: Sequence[str] | None, statuses: Sequence[str], at: int) -> int:
        """How many items stood so at an instant and were erased since."""
        rows = self._hold.reading()
        last = [
            [state for since, state in states if since <= at][-1:]
            for name, states in rows.states.items()
            if rows.items[name].head.erased_at is not None
        ]
        return sum(
            state.status in statuses and (scopes is None or state.scope in scopes)
            for states in last
            for state in states
        )

    def history(self, item: str) -> list[Version]:
        """All versions, 1 first."""
        return list(self._hold.reading().versions.get(item, ()))

    def count(self, scopes: Sequence[str] | None, statuses: Sequence[str]) -> int:
        """How many items there are in those scopes (None: all) and statuses."""
        wanted = None if scopes is None else set(scopes)
        items = self._hold.reading().items.values()
        return sum(
            item.status in statuses and (wanted is None or item.scope in wanted) for item in items
        )

    def bump(
        self, items: Sequence[str], *, delivered: int = 0, opened: int = 0, helpful: int = 0
    ) -> None:
        """Add to the use counters."""
        rows = self._hold.writing()
        for name in rows.items.keys() & set(items):
            was = rows.items[name]
            rows.items[name] = replace(
                was,
                delivered=was.delivered + delivered,
                opened=was.opened + opened,
                helpful=was.helpful + helpful,
            )

    def erase(self, item: str, at: int) -> None:
        """Blank everything that can carry text and belongs to the item alone."""
        erase(self._hold.writing(), item, at)

    def _oldest_first(self) -> list[Item]:
        return sorted(self._hold.reading().items.values(), key=lambda item: item.id)


def _check_times(version: Version) -> None:
    check_order(version.recorded_at, version.superseded_at)
    check_order(version.content.valid_from, version.content.valid_to)


def _check_key(rows: Rows, item: Item) -> None:
    if not item.key or item.status != "active":
        return
    for other in rows.items.values():
        address = (other.scope, other.key, other.status)
        if other.id != item.id and address == (item.scope, item.key, "active"):
            raise Clash("Another active item has that key. Nothing was changed.")


def _fits(item: Item, query: ItemQuery) -> bool:
    """Whether every field that was given fits; the names of those that do not are counted."""
    at = item.head.recorded_at
    fits = {
        "scopes": query.scopes is None or item.scope in query.scopes,
        "statuses": query.statuses is None or item.status in query.statuses,
        "kinds": query.kinds is None or item.kind in query.kinds,
        "tags": query.tags is None or not set(query.tags).isdisjoint(item.content.tags),
        "since": query.since is None or at >= query.since,
        "until": query.until is None or at < query.until,
        "unexpired_at": query.unexpired_at is None or not item.expired(query.unexpired_at),
        "after": query.after is None or item.id < query.after,
        "valid_at": query.valid_at is None
        or holds_at(item.content.valid_from, item.content.valid_to, query.valid_at),
    }
    if fits.keys() != {each.name for each in fields(ItemQuery)} - {"limit", "as_of"}:
        raise AssertionError("a field of ItemQuery has no meaning here yet")
    return all(fits.values())
