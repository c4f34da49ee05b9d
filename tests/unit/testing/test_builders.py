"""Objects for tests repeat from run to run and fill in what is not given."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from onrecord.domain import ulid
from onrecord.testing.builders import AGENT, START, FixedClock, Maker, SeededIds, document
from onrecord.testing.rich import rich_item, unset

if TYPE_CHECKING:
    from onrecord.domain.ports import Clock, Ids


def test_a_fixed_clock_moves_only_when_told() -> None:
    """It can go backwards too."""
    clock = FixedClock()
    port: Clock = clock

    assert [port.now(), port.now()] == [START, START]
    assert clock.advance(5) == START + 5
    assert clock.advance(-10) == START - 5


def test_ids_grow_even_when_the_clock_goes_back() -> None:
    """Each is a ULID, greater than all before, and of its instant where that is later."""
    ids: Ids = SeededIds()
    given = [ids.new(at) for at in (START, START, START - 10**9, START + 10**6)]

    assert given == sorted(set(given))
    assert all(ulid.is_ulid(each) for each in given)
    assert given[3][:10] == ulid.encode(START + 10**6, bytes(10))[:10]


def test_a_seed_gives_the_same_ids_and_salts() -> None:
    """Another seed gives others."""
    one, same, other = SeededIds(1), SeededIds(1), SeededIds(2)

    assert [one.new(START), one.salt()] == [same.new(START), same.salt()]
    assert one.new(START) != other.new(START)
    assert len(one.salt()) == 16


def test_two_makers_make_the_same() -> None:
    """Object for object, whatever is made."""

    def made() -> list[object]:
        make = Maker()
        item = make.item("x", body="y")
        return [item, make.revised(item, "z"), make.session(), make.delivery("s", shown=[item])]

    assert made() == made()


def test_fields_find_their_place() -> None:
    """Fields of the item, of its version and of its content are given alike."""
    item = Maker().item("x", key="k", reason="r", tags=("t",))

    assert (item.key, item.head.reason, item.content.tags) == ("k", "r", ("t",))
    assert (item.head.author, item.head.item, item.version) == (AGENT, item.id, 1)


def test_a_misspelt_field_is_an_error() -> None:
    """A test that sets nothing would test nothing."""
    with pytest.raises(TypeError):
        Maker().item("x", staus="active")


def test_a_revision_keeps_what_is_not_given() -> None:
    """The next version has its own number, time and prints."""
    make = Maker()
    item = make.item("x", body="y", tags=("t",))
    revised = make.revised(item, body="z", pinned=True)

    assert (revised.version, revised.content.title, revised.content.tags) == (2, "x", ("t",))
    assert revised.head.recorded_at > item.head.recorded_at
    assert revised.head.same != item.head.same
    assert revised.pinned


def test_a_document_says_what_the_item_says() -> None:
    """Only an active item's is live."""
    make = Maker()
    doc = document(make.item("x", tags=("a", "b"), status="proposed"))

    assert (doc.title, doc.tags, doc.live) == ("x", "a b", False)


def test_unset_names_empty_fields() -> None:
    """A rich item has none, a bare one has many."""
    make = Maker()

    assert unset(rich_item(make)) == set()
    assert {"key", "flags", "expires_at"} <= unset(make.item())
