"""The finder shows a few hits for the letters typed so far."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from desk import id_of
from onrecord.service.finding import MOST, find

if TYPE_CHECKING:
    from desk import Desk

#: On a store without stems, as on any: a beginning is a beginning.
TITLE = "The kiosk certificates rotate"


@pytest.fixture
def kept(desk: Desk) -> str:
    """The id of one of two items."""
    wanted = id_of(desk.remember(TITLE, desk.ada, scope="repo"))
    desk.remember("Fares are rounded half up", desk.ada, scope="repo")
    return wanted


@pytest.mark.parametrize("end", range(len("kiosk cert"), len("kiosk certificates") + 1))
def test_every_further_letter_keeps_the_hit(desk: Desk, kept: str, end: int) -> None:
    """From the first letters of the second word to its last."""
    found = find(desk.memory, "kiosk certificates"[:end], desk.ada)

    assert [hit.item.id for hit in found] == [kept]


@pytest.mark.parametrize(
    ("typed", "found"),
    [("", 0), ("  ", 0), ("k", 0), ("ki", 0), ("k-i", 0), ("kio", 1), ("KIO", 1), ("kio ", 1)],
)
def test_two_letters_are_too_few(desk: Desk, kept: str, typed: str, found: int) -> None:
    """From three on there is a list."""
    assert len(find(desk.memory, typed, desk.ada)) == found
    assert kept


def test_one_sign_of_another_script_is_enough(desk: Desk) -> None:
    """A script without spaces, or a symbol, says as much with one as others with three."""
    trams = id_of(desk.remember("Use 🚋 for trams", desk.ada, scope="repo"))
    words = id_of(desk.remember("終電の表記を統一する", desk.ada, scope="repo"))

    assert [hit.item.id for hit in find(desk.memory, "🚋", desk.ada)] == [trams]
    assert [hit.item.id for hit in find(desk.memory, "終", desk.ada)] == [words]


@pytest.mark.parametrize("name", ["parse_invoice_line", "parseInvoiceLine", "billing/parse.py"])
def test_every_letter_of_a_name_keeps_the_hit(desk: Desk, name: str) -> None:
    """Also those that begin a further part of it, which by themselves begin very much."""
    wanted = id_of(desk.remember(f"Run {name} first", desk.ada, scope="repo"))
    desk.remember("Fares are rounded half up", desk.ada, scope="repo")

    for end in range(3, len(name) + 1):
        found = find(desk.memory, name[:end], desk.ada)
        assert [hit.item.id for hit in found] == [wanted], name[:end]


@pytest.mark.parametrize(
    ("typed", "name"),
    [("iPh", "iPhone"), ("eBa", "eBay"), ("ab-c", "ab-cart"), ("ki-o", "ki-osk")],
)
def test_what_is_left_of_a_name_still_says_enough(desk: Desk, typed: str, name: str) -> None:
    """Its first letter alone would bring up whatever begins with that."""
    for text in (
        "An inn imports ice",
        "Each evening ends early",
        "Abbots able to",
        "Kites in kits",
    ):
        desk.remember(text, desk.ada, scope="repo", distinct=True)

    assert find(desk.memory, typed, desk.ada) == ()
    wanted = id_of(desk.remember(f"The {name} is charged", desk.ada, scope="repo"))
    assert [hit.item.id for hit in find(desk.memory, typed, desk.ada)] == [wanted]


def test_a_version_is_looked_for_as_it_stands(desk: Desk) -> None:
    """Its numbers are short, and each says something."""
    wanted = id_of(desk.remember("The ledger runs on 16.4", desk.ada, scope="repo"))
    desk.remember("The kiosk runs on 16.2", desk.ada, scope="repo")

    assert find(desk.memory, "runs on 16.4", desk.ada)[0].item.id == wanted


def test_eight_hits_are_the_most(desk: Desk) -> None:
    """And fewer where fewer are asked for."""
    for n in ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"):
        desk.remember(f"Lantern {n} of the {n} gantry", desk.ada, scope="repo", distinct=True)

    assert len(find(desk.memory, "lant", desk.ada)) == MOST
    assert len(find(desk.memory, "lant", desk.ada, limit=3)) == 3
    assert len(find(desk.memory, "lant", desk.ada, limit=99)) == MOST
    assert find(desk.memory, "lant", desk.ada, limit=0) == ()


def test_an_agent_finds_what_it_may_see(desk: Desk, kept: str) -> None:
    """The finder is a recall like any other: scopes and states hold."""
    hidden = id_of(desk.remember("The kiosk password is changed", desk.ada, scope="agent:claude"))

    found = [hit.item.id for hit in find(desk.memory, "kiosk", desk.agent())]

    assert found == [kept]
    assert hidden not in found
