"""Erasing in the file itself: what no port shows yet, and what SQL can find of a word."""

from __future__ import annotations

from typing import TYPE_CHECKING

from onrecord.storage import sqlite
from onrecord.testing.builders import Maker
from onrecord.testing.telling import WORD, tell_all, telling_item

if TYPE_CHECKING:
    import apsw

    from onrecord.storage.store import SqlStore


def test_no_column_of_no_table_holds_a_word_of_it(store: SqlStore, path: str) -> None:
    """Not even where no port shows it."""
    make = Maker()
    item, other = telling_item(make), make.item("kestrel")
    with store.write() as tx:
        tell_all(tx, make, item, other)
    connection = sqlite.connect(path)
    before = holding(connection)
    with store.write() as tx:
        tx.items.erase(item.id, 77)
    after = holding(connection)
    connection.close()

    assert {
        ("versions", "body"),
        ("links", "target"),
        ("reviews", "reason"),
        ("reviews", "seen"),
        ("feedback", "note"),
        ("handoffs", "next"),
        ("deliveries", "query"),
        ("answers", "answer"),
        ("answers", "request"),
        ("documents", "body"),
    } <= before
    assert after == set()


def holding(connection: apsw.Connection) -> set[tuple[str, str]]:
    """The columns that hold the word, by table; those of the index's own tables too."""
    tables = sqlite.rows_of(connection, "SELECT name FROM sqlite_schema WHERE type = 'table'")
    found: set[tuple[str, str]] = set()
    for (table,) in tables:
        columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
        for column in columns:
            as_text = f"instr(CAST({column!r} AS TEXT), ?)".replace("'", '"')
            sql = f"SELECT 1 FROM {table} WHERE {as_text}"  # noqa: S608 - the schema's names
            if connection.execute(sql, (WORD,)).fetchall():
                found.add((table, column))
    return found
