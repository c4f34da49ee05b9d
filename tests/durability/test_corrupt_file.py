"""A damaged file gives an error or right data: no crash, no other row, nothing overwritten."""

from __future__ import annotations

import os
import random
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from durability.rounds import rounds
from onrecord.domain.errors import OnrecordError
from onrecord.domain.item import ItemQuery
from onrecord.storage.sqlite_engine import open_sqlite
from onrecord.testing.builders import Maker, digest, keep

if TYPE_CHECKING:
    from onrecord.domain.item import Item


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, dict[str, Item]]:
    """The bytes of a store, and the items in it."""
    path = tmp_path_factory.mktemp("made") / "home" / "onrecord.db"
    store = open_sqlite(str(path), create=True)
    make = Maker()
    items = [make.item(f"kestrel {n}", body=f"osprey {n} " * 30, tags=("a",)) for n in range(60)]
    with store.write() as tx:
        keep(tx, *items)
    store.scrub()
    store.close()
    return path.read_bytes(), {item.id: item for item in items}


def read_all(path: Path, items: dict[str, Item]) -> str:
    """What reading gives: `right`, `told`, or what is wrong with it."""
    try:
        store = open_sqlite(str(path), create=False)
        with store.read() as tx:
            listed = tx.items.page(ItemQuery(limit=100))
            got = [tx.items.get(name) for name in items]
        store.close()
    except OnrecordError:
        return "told"
    found = [item for item in [*listed, *got] if item is not None]
    for item in found:
        # the content's own digest is what its reader checks
        if item.head.digest == digest(repr(item.content)) and (
            item.id not in items or item.content != items[item.id].content
        ):
            return f"other content under {item.id}"
    return "right"


def test_durability_corrupt_file(tmp_path: Path, made: tuple[bytes, dict[str, Item]]) -> None:
    """Flipped bytes, cut files and logs of another store, each in a process that may not crash."""
    content, items = made
    outcomes: dict[str, int] = {}
    for seed in rounds(120):
        chance = random.Random(seed)  # noqa: S311 - repeatable
        damaged = bytearray(content)
        for _ in range(chance.choice((1, 1, 4, 64))):
            damaged[chance.randrange(len(damaged))] ^= chance.randrange(1, 256)
        if seed % 8 == 0:
            del damaged[chance.randrange(len(damaged)) :]
        path = tmp_path / f"{seed}" / "onrecord.db"
        path.parent.mkdir(mode=0o700)
        path.write_bytes(damaged)
        path.chmod(0o600)
        if seed % 8 == 1:
            log = Path(f"{path}-wal")
            log.write_bytes(bytes(chance.randrange(256) for _ in range(9_000)))
            log.chmod(0o600)
        outcome = in_child(path, items)
        outcomes[outcome] = outcomes.get(outcome, 0) + 1
        assert outcome in ("right", "told"), seed

    assert set(outcomes) == {"right", "told"}


def in_child(path: Path, items: dict[str, Item]) -> str:
    """The outcome of reading in a process of its own, which a crash would end."""
    heard, told = os.pipe()
    pid = os.fork()
    if not pid:
        try:
            os.write(told, read_all(path, items).encode())
        finally:
            os._exit(0)
    os.close(told)
    with os.fdopen(heard, encoding="utf-8") as answer:
        outcome = answer.read()
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    return outcome or f"nothing, with code {code}"
