"""The audit log's lines: what their hash binds, and where a chain is broken."""

from __future__ import annotations

from dataclasses import fields, replace
from itertools import pairwise
from typing import Any

import pytest

from onrecord.domain.event import GENESIS, Event, broken_at, chain, hash_of
from onrecord.domain.principal import Principal
from onrecord.testing.builders import Maker, digest
from onrecord.testing.rich import rich_event

#: A letter that only Unicode 15 assigned: older interpreters do not call it printable.
NEW = "\U0001fae8"


def log(length: int = 5) -> list[Event]:
    """A whole chain."""
    make = Maker()
    lines: list[Event] = []
    for seq in range(1, length + 1):
        before = lines[-1].hash if lines else GENESIS
        lines.append(chain(make.event("created", f"item {seq}"), seq, before))
    return lines


def other(value: Any) -> Any:
    """A value of the same kind that is not the same."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, dict):
        return {"more": ("a", "b")}
    return value + (1 if isinstance(value, int) else value[:1])


@pytest.mark.parametrize("name", [f.name for f in fields(Event) if f.name not in ("hash", "by")])
def test_a_hash_binds_every_field(name: str) -> None:
    """No field of a line can be changed without its hash changing."""
    event = chain(rich_event(Maker(), "item"), 7, digest("before"))
    changed = replace(event, **{name: other(getattr(event, name))})

    assert hash_of(changed) != hash_of(event)


@pytest.mark.parametrize("name", [field.name for field in fields(Principal)])
def test_a_hash_binds_all_that_is_known_of_the_party(name: str) -> None:
    """Who did it, through which channel and by what proof cannot be changed either."""
    event = chain(rich_event(Maker(), "item"), 7, digest("before"))
    by = replace(event.by, **{name: other(getattr(event.by, name))})

    assert hash_of(replace(event, by=by)) != hash_of(event)


def test_a_hash_tells_where_one_field_ends() -> None:
    """Letters moved from one field to the next make another line."""
    event = Maker().event("created", "item")

    assert hash_of(replace(event, action="createdi", target="tem")) != hash_of(event)


def test_a_hash_is_the_same_on_every_interpreter() -> None:
    """A log outlives the Python that wrote it, whatever that one knew of Unicode."""
    event = Event(
        seq=1,
        at=1_767_225_600_000_000,
        by=Principal.person("ada", channel="terminal"),
        action="renamed",
        target=f"project:{NEW}",
        change={"name": (NEW, "é")},
        prev_hash=GENESIS,
    )

    assert hash_of(event).hex() == (
        "2df6c8f0b508534ff560e15dffabc1a7906a2ed7572d3b92a478513fb89b3462"
    )


def test_a_whole_chain_is_whole() -> None:
    """Nothing is broken in it, nor in an empty one, and it holds its own head."""
    lines = log()

    assert broken_at([]) is None
    assert broken_at([], (0, GENESIS)) is None
    assert broken_at(lines) is None
    for line in lines:
        assert broken_at(lines, (line.seq, line.hash)) is None


def test_a_changed_line_is_found() -> None:
    """Where it stands, even when its own hash was made anew."""
    lines = log()
    forged = replace(lines[2], target="another")
    hashed = replace(forged, hash=hash_of(forged))

    assert broken_at([*lines[:2], forged, *lines[3:]]) == 3
    assert broken_at([*lines[:2], hashed, *lines[3:]]) == 4


def test_lines_that_are_missing_moved_or_told_twice_are_found() -> None:
    """The first line that is out of place is named."""
    lines = log()

    assert broken_at(lines[1:]) == 1
    assert broken_at([*lines[:2], *lines[3:]]) == 3
    assert broken_at([lines[0], lines[2], lines[1], *lines[3:]]) == 2
    assert broken_at([*lines[:3], lines[2], *lines[3:]]) == 4


def test_a_log_that_was_cut_lacks_its_exported_head() -> None:
    """The chain before the cut is whole, so only a head that was kept elsewhere tells."""
    lines = log()
    head = (lines[-1].seq, lines[-1].hash)

    assert broken_at(lines[:3]) is None
    assert broken_at(lines[:3], head) == 4
    assert broken_at([], head) == 1


def test_a_log_that_was_written_anew_lacks_its_exported_head() -> None:
    """Whoever owns the file can chain it again, but not to the hash that was exported."""
    lines = log()
    anew: list[Event] = []
    for line in lines:
        told = replace(line, action="forged") if line.seq == 2 else line
        anew.append(chain(told, line.seq, anew[-1].hash if anew else GENESIS))

    assert broken_at(anew) is None
    assert broken_at(anew, (4, lines[3].hash)) == 4
    assert all(earlier.hash != later.hash for earlier, later in pairwise(anew))
