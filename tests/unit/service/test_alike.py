"""What stands around a statement is found in its own scope, however much stands elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from desk import id_of
from onrecord.domain.outcome import Corroborated, Created

if TYPE_CHECKING:
    from desk import Desk

PLACES = "depot harbour kiosk ledger turnstile platform ferry tram bakery castle".split()
FARES = "Fares are rounded up at the gate"


def crowd(desk: Desk, many: int) -> None:
    """Statements of the broader scope that share more of its words than their own."""
    for n in range(many):
        text = f"Fares rounded up gate {PLACES[n % len(PLACES)]} {n}"
        desk.remember(text, desk.ada, scope="global", distinct=True)


@pytest.mark.parametrize("many", [0, 60])
def test_a_contradiction_is_told_however_much_is_like_it_elsewhere(desk: Desk, many: int) -> None:
    """What a broader scope has takes no place away from the statement's own."""
    kept = id_of(desk.remember(FARES, desk.ada, scope="repo"))
    crowd(desk, many)
    said = desk.remember("Fares are not rounded up at the gate", desk.ada, scope="repo")

    assert f"may contradict m:{kept[-6:]}" in said.say
    _, links, _ = desk.memory.background(id_of(said), desk.ada)
    assert [(link.kind, link.target) for link in links] == [("contradicts", kept)]


@pytest.mark.parametrize("many", [0, 60])
def test_the_same_is_known_again_however_much_is_like_it_elsewhere(desk: Desk, many: int) -> None:
    """In other words too; what is something else is kept beside it."""
    kept = id_of(desk.remember(FARES, desk.ada, scope="repo"))
    crowd(desk, many)
    same = desk.remember("At the gate, fares are rounded up", desk.agent(), scope="repo")
    other = desk.remember("Fares are paid in coins at the gate", desk.ada, scope="repo")

    assert isinstance(same, Corroborated)
    assert id_of(same) == kept
    assert isinstance(other, Created)
