"""The page about the schema names every table, and the limits that the tables have."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from onrecord.domain.item import MAX_KEY_BYTES, MAX_LINK_BYTES, MAX_REQUEST_KEY
from onrecord.storage import migrate, migrate_postgres, sqlite

if TYPE_CHECKING:
    from onrecord.storage.store import SqlStore

_PAGE = Path(__file__).parents[3] / "docs" / "reference" / "schema.md"
#: The engine's own, and those that hold the full-text index.
_INNER = ("sqlite_", "document_index_")


def told() -> dict[str, str]:
    """Table -> how the page says that it is guarded."""
    lines = _PAGE.read_text(encoding="utf-8").splitlines()
    cells = [line.split(" | ") for line in lines if line.startswith("| `")]
    return {row[0].strip("|` "): row[2].strip("| ") for row in cells}


def test_every_table_of_a_file_is_on_the_page(store: SqlStore, path: str) -> None:
    """And no table that is gone."""
    assert store
    connection = sqlite.connect(path)
    rows = sqlite.rows_of(connection, "SELECT name FROM sqlite_schema WHERE type = 'table'")
    connection.close()
    tables = {str(row[0]) for row in rows if not str(row[0]).startswith(_INNER)}

    assert set(told()) == tables


def test_the_server_has_the_same_tables() -> None:
    """But for the index, which is columns of its documents there."""
    found: list[set[str]] = []
    for module in (migrate, migrate_postgres):
        texts = [Path(path).read_text(encoding="utf-8") for _, path in module.scripts()]
        made = re.findall(r"CREATE (?:VIRTUAL )?TABLE (\w+)", "".join(texts))
        found.append(set(made) - {"document_index"})

    assert found[0] == found[1]


def test_what_is_never_changed_has_triggers_that_say_so(store: SqlStore, path: str) -> None:
    """A table that the page says is never deleted has a trigger before deleting and changing."""
    assert store
    connection = sqlite.connect(path)
    rows = sqlite.rows_of(
        connection, "SELECT tbl_name, sql FROM sqlite_schema WHERE type = 'trigger'"
    )
    connection.close()
    guarded = {
        str(table)
        for table, sql in rows
        if "BEFORE DELETE" in str(sql)
        and any(other == table and "BEFORE UPDATE" in str(text) for other, text in rows)
    }

    assert guarded == {
        table for table, how in told().items() if "never" in how and "deleted" in how
    }


@pytest.mark.parametrize(
    ("table", "limit"),
    [("items", MAX_KEY_BYTES), ("links", MAX_LINK_BYTES), ("answers", MAX_REQUEST_KEY)],
)
def test_limits_are_those_of_the_schema(table: str, limit: int) -> None:
    """The page, both scripts and the domain agree."""
    assert f"at most {limit:,}" in told()[table]
    for module in (migrate, migrate_postgres):
        (script,) = [path for number, path in module.scripts() if number == 1]
        assert f"<= {limit})" in Path(script).read_text(encoding="utf-8")
