"""A schema that is not the one of the migrations is told, part by part."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING, Final

import apsw
import pytest

if TYPE_CHECKING:
    from onrecord.storage.store import SqlStore

CHANGES: Final = {
    "a trigger is gone": ("DROP TRIGGER events_keep", ("missing", "events_keep")),
    "an index is gone": ("DROP INDEX events_by_target", ("missing", "events_by_target")),
    "a trigger more": (
        "CREATE TRIGGER mine AFTER INSERT ON items BEGIN SELECT 1; END",
        ("extra", "mine"),
    ),
    "a table more": ("CREATE TABLE notes (a)", ("extra", "notes")),
    "a column more": ("ALTER TABLE items ADD COLUMN mine TEXT", ("changed", "items")),
}


@pytest.mark.parametrize("change", sorted(CHANGES))
def test_a_changed_schema_is_told(store: SqlStore, path: str, change: str) -> None:
    """The part is named; nothing else is."""
    statement, found = CHANGES[change]
    assert store.schema_faults() == []
    with closing(apsw.Connection(path)) as file:
        file.execute(statement)

    assert store.schema_faults() == [found]


def test_a_trigger_that_does_nothing_any_more_is_told(store: SqlStore, path: str) -> None:
    """Under the same name, with other words."""
    with closing(apsw.Connection(path)) as file:
        file.execute("DROP TRIGGER events_keep")
        file.execute("CREATE TRIGGER events_keep BEFORE UPDATE ON events BEGIN SELECT 1; END")

    assert store.schema_faults() == [("changed", "events_keep")]
