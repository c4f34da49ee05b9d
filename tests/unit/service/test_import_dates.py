"""Relative dates in imports: dated from the day of their source, or flagged, never guessed."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from desk import SECRETS, Desk
from onrecord.capture.formats.foreign import Foreign, Origin
from onrecord.domain.item import ItemQuery
from onrecord.service.foreign_source import ForeignSource
from onrecord.service.transfer import Transfer

if TYPE_CHECKING:
    from pathlib import Path

    from onrecord.domain.item import Item
    from onrecord.service.imports import Imported


def bring(desk: Desk, folder: Path, *rows: dict[str, Any]) -> Imported:
    """Import rows as mem0 answers them, a second later."""
    desk.clock.advance()
    path = folder / "mem0.json"
    told = [{"id": f"m{n}", **row} for n, row in enumerate(rows)]
    path.write_text(json.dumps({"results": told}), encoding="utf-8")
    source = ForeignSource("mem0", Origin(path=str(path)), path.name, desk.ada.place)
    moving = Transfer(
        desk.store, clock=desk.clock, ids=desk.ids, secrets=lambda: SECRETS, zone=None
    )
    return moving.bring_in(source, desk.ada)


def the_item(desk: Desk) -> Item:
    """The only one that waits."""
    (item,) = desk.memory.page(ItemQuery(statuses=("proposed",), limit=10), desk.ada)
    return item


def test_a_date_is_worked_out_from_the_day_of_the_source(desk: Desk, tmp_path: Path) -> None:
    """Not from today; and once, however often it is imported."""
    row = {"memory": "The kiln was lit yesterday", "created_at": "2026-03-10T12:00:00+00:00"}

    assert bring(desk, tmp_path, row).tally.outcomes == {"proposed": 1}

    item = the_item(desk)
    assert item.content.title == "The kiln was lit yesterday (2026-03-09)"
    assert item.flags == ()
    before = desk.actions(item.id)
    assert bring(desk, tmp_path, row).tally.outcomes == {"corroborated": 1}
    # what is left as it is gets no line of its own
    assert desk.actions(item.id) == before


@pytest.mark.parametrize(
    "row",
    [
        {"memory": "The kiln was lit yesterday"},
        {"memory": "The kiln was lit yesterday", "created_at": "in spring"},
        # said on one of two days, and nobody knows which
        {
            "memory": "The kiln was lit yesterday",
            "created_at": "2026-03-10T12:00:00+00:00",
            "updated_at": "2026-05-10T12:00:00+00:00",
        },
        {"memory": "The kiln is lit soon", "created_at": "2026-03-10T12:00:00+00:00"},
        {"memory": "Der Ofen brennt seit gestern", "created_at": "2026-03-10T12:00:00+00:00"},
    ],
)
def test_what_cannot_be_told_is_flagged(desk: Desk, tmp_path: Path, row: dict[str, Any]) -> None:
    """Its words stay as they are, and what stands beside it comes in as well."""
    done = bring(desk, tmp_path, row, {"memory": "The quay has nine lamps"})

    assert done.tally.outcomes == {"proposed": 2}
    (item,) = [
        one
        for one in desk.memory.page(ItemQuery(statuses=("proposed",), limit=10), desk.ada)
        if one.content.title == row["memory"]
    ]
    assert item.flags == ("dates.unclear",)
    assert bring(desk, tmp_path, row).tally.outcomes == {"corroborated": 1}


def test_what_is_here_with_these_words_stays_as_it_is(desk: Desk, tmp_path: Path) -> None:
    """A person kept them as they are; a copy of it does not come back with a date."""
    kept = desk.remember("The kiln was lit yesterday", desk.ada, dates_as_written=True).item
    assert kept is not None

    done = bring(
        desk,
        tmp_path,
        {"memory": "The kiln was lit yesterday", "created_at": "2026-03-10T12:00:00+00:00"},
    )

    assert done.tally.outcomes == {"corroborated": 1}


def test_a_day_without_an_hour_is_that_day_everywhere() -> None:
    """What only names a day is not moved by a time zone; two times of one day are that day."""
    assert Foreign(text="a", where="b", claims=(("created", "2026-03-10"),)).said() == "2026-03-10"
    both = (("created", "2026-03-10T01:00:00Z"), ("updated", "2026-03-10T09:00:00Z"))
    assert Foreign(text="a", where="b", claims=both).said() == "2026-03-10T01:00:00Z"
    assert Foreign(text="a", where="b", claims=(("id", "7"),)).said() == ""
