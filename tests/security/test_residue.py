"""What was erased is in no byte of the store; what was kept is."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from onrecord.storage import backups
from onrecord.storage.sqlite_engine import open_sqlite
from onrecord.testing.builders import REPO, Maker, document, keep, keep_revised

_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def words(chance: random.Random, count: int) -> list[str]:
    """Words that occur nowhere else, with no common beginnings or stems."""
    return ["zq" + "".join(chance.choices(_LETTERS, k=12)) for _ in range(count)]


def bytes_of(folder: Path) -> bytes:
    """Every byte of every file, letters folded as the index folds them."""
    return b"".join(file.read_bytes() for file in folder.rglob("*") if file.is_file()).lower()


@pytest.mark.parametrize("seed", range(4))
def test_erased_text_is_nowhere(tmp_path: Path, seed: int) -> None:
    """Sixty words in every kind of field: the erased half is gone, the other half is there."""
    chance = random.Random(seed)  # noqa: S311 - repeatable
    path = tmp_path / "home" / "onrecord.db"
    store = open_sqlite(str(path), create=True)
    make = Maker()
    planted = {}
    for n in range(30):
        title, body = words(chance, 2)
        item = make.item(title, body=f"{body} " * chance.choice((1, 3, 900)), scope=REPO)
        planted[item.id] = (title, body)
        with store.write() as tx:
            keep(tx, item)
            tx.provenance.add_evidence(make.evidence(item.id, quote=body, pointer=title))
            tx.provenance.add_link(make.link(item.id, f"src/{title}.py", "file"))
            if n % 3 == 0:
                revised = make.revised(item, f"now {title}", body=body, reason=body)
                keep_revised(tx, revised)
                tx.index.put(document(revised, terms=f"{title} {body}", context=body))
    erased = list(planted)[::2]
    for name in erased:
        with store.write() as tx:
            tx.items.erase(name, make.tick())

    assert store.scrub() is True
    backups.copy(str(path), f"{path}.backups/after.db")
    left = bytes_of(path.parent)
    for name, both in planted.items():
        for word in both:
            found = word.encode() in left
            assert found == (name not in erased), (word, name)
            # the index keeps words from each other's beginnings on: look for their ends too
            assert (word[5:].encode() in left) == (name not in erased), word
    store.close()
    assert list(store_faults(path)) == []


def store_faults(path: Path) -> list[str]:
    """What is wrong with the store afterwards."""
    store = open_sqlite(str(path), create=False)
    try:
        return list(store.faults())
    finally:
        store.close()
