"""Fingerprints of rejected and forgotten values, in SQL."""

from __future__ import annotations

from collections.abc import Sequence

from onrecord.domain.tombstone import Lift, Print, Tombstone
from onrecord.storage import rows
from onrecord.storage.queries import json_list
from onrecord.storage.runner import Runner

_STONE = rows.Flat(Tombstone, without=("prints", "lifts"))


class SqlTombstones:
    """The `Tombstones` port."""

    def __init__(self, runner: Runner) -> None:
        self._runner = runner

    def add(self, tombstone: Tombstone) -> None:
        """Store it with its prints and lifts."""
        self._runner.run("tombstone_add", **_STONE.values(tombstone))
        for mark in tombstone.prints:
            self._runner.run(
                "tombstone_print_add", tombstone=tombstone.id, part=mark.part, value=mark.value
            )
        for lift in tombstone.lifts:
            self.lift(tombstone.id, lift.at, lift.by, scope=lift.scope)

    def with_prints(self, values: Sequence[bytes]) -> list[Tombstone]:
        """Tombstones that hold any of the prints, oldest first."""
        if not values:
            return []
        return self._all(
            self._runner.rows("tombstones_with", values=json_list(v.hex() for v in values))
        )

    def with_sketches(self) -> list[Tombstone]:
        """Tombstones not lifted that carry a sketch, oldest first."""
        return self._all(self._runner.rows("tombstones_with_sketches"))

    def of(self, item: str) -> list[Tombstone]:
        """Tombstones of an item, oldest first."""
        return self._all(self._runner.rows("tombstones_of", item=item))

    def lift(self, tombstone: str, at: int, by: str, *, scope: str | None = None) -> None:
        """Note when and by whom it was lifted, as a whole or for one scope."""
        if scope is None:
            self._runner.run("tombstone_lift", id=tombstone, at=at, by=by)
        else:
            self._runner.run("tombstone_lift_for", id=tombstone, at=at, by=by, scope=scope)

    def note_erased_key(self, value: bytes, at: int) -> None:
        """Keep that a (scope, key) pair, known by its print only, was once used and erased."""
        self._runner.run("erased_key_add", value=value, at=at)

    def erased_key(self, value: bytes) -> bool:
        """Whether it was."""
        return self._runner.row("erased_key_get", value=value) is not None

    def _all(self, found: Sequence[rows.Row]) -> list[Tombstone]:
        if not found:
            return []
        ids = json_list(row[0] for row in found)
        prints: dict[str, list[Print]] = {row[0]: [] for row in found}
        for name, part, value in self._runner.rows("prints_of", ids=ids):
            prints[name].append(Print(part=part, value=value))
        lifts: dict[str, list[Lift]] = {row[0]: [] for row in found}
        for name, scope, at, by in self._runner.rows("lifts_of", ids=ids):
            lifts[name].append(Lift(scope=scope, at=at, by=by))
        return rows.read(
            lambda row: _STONE.build(
                row, prints=tuple(prints[row[0]]), lifts=tuple(lifts[row[0]])
            ),
            found,
        )
