"""What was acknowledged outlives a power loss at any moment."""

from __future__ import annotations

import random
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from durability.power import Disk
from durability.rounds import rounds
from durability.workload import Writer, assert_sound
from onrecord.domain.errors import OnrecordError
from onrecord.storage import sqlite
from onrecord.storage.sqlite_engine import open_sqlite

if TYPE_CHECKING:
    from onrecord.domain.item import Item

_TURNS = 12
_SCRUB = 6


def lose_power(tmp_path: Path, seed: int, *, last: int) -> tuple[Path, dict[str, Item | None]]:
    """Write until the power fails at a random step; the files left, and what they must hold."""
    chance = random.Random(seed)  # noqa: S311 - repeatable
    disk = Disk(f"forgetful-{tmp_path.name}-{seed}", fails_at=chance.randrange(last))
    path = tmp_path / f"round-{seed}" / "onrecord.db"
    acknowledged: dict[str, Item | None] = {}
    try:
        store = open_sqlite(str(path), create=True)
        writer = Writer(store, seed)
        for turn in range(_TURNS):
            if disk.lost is not None:
                break
            acknowledged = dict(writer.acknowledged)
            writer.write(turn)
            if turn == _SCRUB:
                store.scrub()
        if disk.lost is None:
            disk.fails_at = disk.steps
            disk.step()
            acknowledged = dict(writer.acknowledged)
        store.close()
    finally:
        disk.unregister()
    left = tmp_path / f"left-{seed}"
    left.mkdir(mode=0o700)
    (left / "onrecord.db.keys").write_bytes(Path(f"{path}.keys").read_bytes())
    (left / "onrecord.db.keys").chmod(0o600)
    disk.write_lost_files(left, chance)
    return left / "onrecord.db", acknowledged


def survives(path: Path, acknowledged: dict[str, Item | None]) -> bool:
    """Whether the store that is left is sound and holds everything."""
    try:
        store = open_sqlite(str(path), create=True)
        try:
            assert_sound(store, acknowledged)
        finally:
            store.close()
    except (OnrecordError, AssertionError):
        return False
    return True


@pytest.fixture(autouse=True)
def _short_log(monkeypatch: pytest.MonkeyPatch) -> None:
    """Move the log into the file often, as that is where order matters most."""
    monkeypatch.setattr(sqlite, "WRITING", (*sqlite.WRITING, ("wal_autocheckpoint", 30)))


def test_durability_power_loss_loses_nothing(tmp_path: Path) -> None:
    """Neither an acknowledged write nor the schema, at whatever step the power fails."""
    bad = [seed for seed in rounds(12) if not survives(*lose_power(tmp_path, seed, last=900))]

    assert bad == []


@pytest.mark.parametrize("weaker", ["NORMAL", "OFF"])
def test_durability_power_loss_is_noticed(
    tmp_path: Path, weaker: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With weaker syncing the same rounds lose something, so they would tell."""
    monkeypatch.setattr(sqlite, "WRITING", (*sqlite.WRITING, ("synchronous", weaker)))

    assert not all(survives(*lose_power(tmp_path, seed, last=900)) for seed in range(12))
