"""A copy with bytes flipped anywhere is refused, or the text it gives back is right.

Text is held by keyed digests. Figures and marks beside it are held by the engine's own checks
alone, as in the store itself.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import Final

import pytest

from durability.rounds import rounds
from onrecord import wiring
from onrecord.domain import errors
from onrecord.domain.item import Content, ItemQuery
from onrecord.domain.principal import Principal
from onrecord.domain.scope import Place
from onrecord.service.caller import Caller
from onrecord.service.commands import Remember

ADA: Final = Caller(
    principal=Principal.person("ada", channel="terminal", confirmed=True), place=Place()
)
#: What may keep a copy from being used; anything else is a fault of ours.
REFUSALS: Final = (
    errors.StoreCorrupt,
    errors.StoreUnsafe,
    errors.StoreNewer,
    errors.KeyUnreadable,
)


def texts(path: str) -> dict[str, Content]:
    """What every item of a store says."""
    memory = wiring.open_memory(path, create=False)
    found = {item.id: item.content for item in memory.page(ItemQuery(limit=200), ADA)}
    memory.close()
    return found


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, dict[str, Content]]:
    """A copy of a store with forty memories, and what is in it."""
    path = str(tmp_path_factory.mktemp("copies") / "home" / "memory.db")
    memory = wiring.open_memory(path)
    for n in range(40):
        content = Content(title=f"Fare table {n} is on shelf {n}", body="kestrel " * (n * 9))
        memory.do(Remember(content=content), ADA)
    memory.close()
    return wiring.open_copies(path).back_up(ADA).path, texts(path)


def damaged(whole: bytes, seed: int) -> bytes:
    """Seeded flips, or a cut; one seed in a hundred leaves it whole."""
    chance = random.Random(seed)  # noqa: S311 - repeatable
    raw = bytearray(whole)
    if seed % 10 == 0:
        del raw[chance.randrange(len(raw)) :]
    for _ in range(0 if seed % 100 == 1 else chance.choice((1, 1, 8))):
        raw[chance.randrange(len(raw))] ^= 1 << chance.randrange(8)
    return bytes(raw)


def test_safety_damaged_copies(tmp_path: Path, copy: tuple[str, dict[str, Content]]) -> None:
    """The store that is there stays as it is, or says exactly what the copy said."""
    source, wanted = copy
    whole = Path(source).read_bytes()
    keys = Path(f"{source}.keys").read_bytes()
    place = str(tmp_path / "home" / "memory.db")
    outcomes = {"refused": 0, "right": 0}
    for seed in rounds(40):
        file, beside = tmp_path / f"{seed}.db", tmp_path / f"{seed}.db.keys"
        file.write_bytes(damaged(whole, seed))
        beside.write_bytes(keys)
        try:
            wiring.open_copies(place).restore(str(file), ADA)
        except REFUSALS:
            outcomes["refused"] += 1
        else:
            outcomes["right"] += 1
        if outcomes["right"]:
            assert texts(place) == wanted, seed
        file.unlink()

    assert outcomes["refused"] > 0
    assert outcomes["right"] > 0
