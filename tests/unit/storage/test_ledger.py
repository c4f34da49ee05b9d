"""The list of erasures: private, only growing, whole after a crash, and without any text."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from onrecord.domain import errors
from onrecord.domain.erasure import Erasure
from onrecord.storage.ledger import FileLedger, path_of
from onrecord.testing.builders import Maker


@pytest.fixture
def ledger(tmp_path: Path) -> FileLedger:
    """One that nothing was added to yet."""
    folder = tmp_path / "data"
    folder.mkdir(mode=0o700)
    return FileLedger(path_of(str(folder / "memory.db")))


def erased(make: Maker, item: str = "") -> Erasure:
    """An erasure with one tombstone."""
    name = item or make.id()
    stone = make.tombstone(name, "the whole", "a sentence", reason="forgotten", sketch=b"\x01")
    return Erasure(item=name, at=make.tick(), stones=(stone,))


def test_what_was_added_is_read_again(ledger: FileLedger) -> None:
    """Ids, prints and sketches come back exactly; nothing is there before the first."""
    make = Maker()
    first, second = erased(make), erased(make)
    assert ledger.read() == []
    ledger.add([])
    assert not Path(ledger.path).exists()
    ledger.add([first])
    ledger.add([second])

    assert ledger.read() == [first, second]
    assert stat.S_IMODE(Path(ledger.path).stat().st_mode) == 0o600


def test_an_item_that_is_erased_again_is_one_erasure(ledger: FileLedger) -> None:
    """After a restored copy it is erased anew, and leaves tombstones of its own."""
    make = Maker()
    first = erased(make)
    again = erased(make, first.item)
    ledger.add([first, again, first])

    (found,) = ledger.read()
    assert found.at == first.at
    assert found.stones == (*first.stones, *again.stones)


@pytest.mark.parametrize("cut", [1, 20, 60])
def test_a_line_that_was_cut_off_hides_no_other(ledger: FileLedger, cut: int) -> None:
    """Neither while it is the last one nor once others follow."""
    make = Maker()
    first, lost, third = (erased(make) for _ in range(3))
    ledger.add([first, lost])
    path = Path(ledger.path)
    whole = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(whole[0] + whole[1][:cut])

    assert ledger.read() == [first]
    ledger.add([third])
    assert ledger.read() == [first, third]


@pytest.mark.parametrize(
    "line",
    [
        "garbage",
        "[]",
        '{"form": 2, "item": "X", "at": 1, "stones": []}',
        '{"form": 1, "item": "X", "at": 1, "stones": [{}]}',
        "[" * 10_000,
    ],
)
def test_a_whole_line_that_cannot_be_read_is_an_error(ledger: FileLedger, line: str) -> None:
    """Passing it over would let something erased come back."""
    ledger.add([erased(Maker())])
    with Path(ledger.path).open("a", encoding="utf-8") as file:
        file.write(f"{line}\n")

    with pytest.raises(errors.StoreCorrupt):
        ledger.read()


def test_nobody_elses_file_is_used(ledger: FileLedger, tmp_path: Path) -> None:
    """A planted link is neither followed nor read."""
    target = tmp_path / "precious"
    target.write_bytes(b"precious")
    Path(ledger.path).symlink_to(target)

    with pytest.raises(errors.StoreUnsafe):
        ledger.add([erased(Maker())])
    with pytest.raises(errors.StoreUnsafe):
        ledger.read()
    assert target.read_bytes() == b"precious"
