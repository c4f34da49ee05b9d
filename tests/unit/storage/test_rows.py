"""Rows that cannot be objects are damage, and what was hashed reads back the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from onrecord.domain.errors import StoreCorrupt
from onrecord.domain.event import hash_of
from onrecord.storage import rows, sqlite
from onrecord.testing.builders import Maker, keep

if TYPE_CHECKING:
    from onrecord.storage.store import SqlStore


def test_damage_is_told_and_never_guessed(store: SqlStore, path: str) -> None:
    """A list that is none, a text that is no UTF-8: each an error, not an odd object."""
    make = Maker()
    item = make.item("kestrel")
    with store.write() as tx:
        keep(tx, item)
    connection = sqlite.connect(path)
    for off in ("UPDATE items SET flags = '['", "UPDATE items SET flags = CAST(x'5bff' AS TEXT)"):
        connection.execute(off)
        with pytest.raises(StoreCorrupt), store.read() as tx:
            tx.items.get(item.id)
    connection.close()


def test_an_event_is_hashed_as_it_will_be_read(store: SqlStore) -> None:
    """Lists inside a change come back as tuples, and were hashed as such."""
    make = Maker()
    event = make.event(change={"flags": (["a", ["b"]], ("c",)), "pinned": (False, None)})
    with store.write() as tx:
        kept = tx.events.append(event)

    with store.read() as tx:
        found = tx.events.get(1)
    assert found == kept
    assert found is not None
    assert found.hash == hash_of(found)
    assert found.change["flags"] == (("a", ("b",)), ("c",))


def test_stored_maps_cannot_be_changed() -> None:
    """They belong to frozen objects."""
    with pytest.raises(TypeError):
        rows.mapping('{"a":1}')["a"] = 2  # type: ignore[index]
