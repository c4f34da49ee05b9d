"""Fingerprints of rejected and forgotten values, in dictionaries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from onrecord.domain.tombstone import Lift, Tombstone
from onrecord.storage.inmemory.rows import Hold, check_new, check_text


class MemoryTombstones:
    """The `Tombstones` port."""

    def __init__(self, hold: Hold) -> None:
        self._hold = hold

    def add(self, tombstone: Tombstone) -> None:
        """Store it."""
        rows = self._hold.writing()
        check_text(tombstone)
        check_new(tombstone.id, rows.tombstones)
        prints = sorted(set(tombstone.prints), key=lambda each: (each.value, each.part))
        lifts = sorted(tombstone.lifts, key=_by_time)
        rows.tombstones[tombstone.id] = replace(
            tombstone, prints=tuple(prints), lifts=tuple(lifts)
        )

    def with_prints(self, values: Sequence[bytes]) -> list[Tombstone]:
        """Tombstones (lifted ones too) that hold any of the prints, oldest first."""
        wanted = set(values)
        return [s for s in self._oldest_first() if any(p.value in wanted for p in s.prints)]

    def with_sketches(self) -> list[Tombstone]:
        """Tombstones not lifted that carry a sketch."""
        return [s for s in self._oldest_first() if s.sketch and s.lifted_at is None]

    def of(self, item: str) -> list[Tombstone]:
        """The item's tombstones, oldest first."""
        return [stone for stone in self._oldest_first() if stone.item == item]

    def lift(self, tombstone: str, at: int, by: str, *, scope: str | None = None) -> None:
        """Note that a person's override lifted it, as a whole or for one scope."""
        rows = self._hold.writing()
        check_text((by, scope))
        stone = rows.tombstones.get(tombstone)
        if stone is None:
            return
        if scope is not None:
            if all(lift.scope != scope for lift in stone.lifts):
                lifts = [*stone.lifts, Lift(scope=scope, at=at, by=by)]
                stone = replace(stone, lifts=tuple(sorted(lifts, key=_by_time)))
        elif stone.lifted_at is None:
            stone = replace(stone, lifted_at=at, lifted_by=by)
        rows.tombstones[tombstone] = stone

    def note_erased_key(self, value: bytes, at: int) -> None:
        """Keep that a (scope, key) pair was once used and erased."""
        del at
        self._hold.writing().erased_keys.add(value)

    def erased_key(self, value: bytes) -> bool:
        """Whether the pair was once used and erased."""
        return value in self._hold.reading().erased_keys

    def _oldest_first(self) -> list[Tombstone]:
        return sorted(self._hold.reading().tombstones.values(), key=lambda s: (s.at, s.id))


def _by_time(lift: Lift) -> tuple[int, str]:
    return lift.at, lift.scope
