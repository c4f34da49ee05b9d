"""An index that is wrong or damaged is cleared and filled again like a sound one."""

from __future__ import annotations

from typing import TYPE_CHECKING, LiteralString

import apsw
import pytest

from onrecord.storage import sqlite
from onrecord.testing.builders import Maker, document, keep, query

if TYPE_CHECKING:
    from onrecord.storage.store import SqlStore

_WRONG: LiteralString = """
INSERT INTO document_index (document_index, rowid, place, title, body, tags, terms, context)
VALUES ('delete', 5, 's1a', 'never', 'there', '', '', '');
INSERT INTO document_index (rowid, place, title, body, tags, terms, context)
VALUES (7, 's1a', 'ghost', 'osprey', '', '', '')
"""
_DAMAGED: LiteralString = """
UPDATE document_index_data SET block = zeroblob(length(block)) WHERE id > 10
"""
_EMPTIED: LiteralString = "DELETE FROM document_index_data WHERE id > 10"


@pytest.mark.parametrize("harm", [_WRONG, _DAMAGED, _EMPTIED])
def test_a_harmed_index_is_made_anew(store: SqlStore, path: str, harm: LiteralString) -> None:
    """Told by a check before; sound, complete and without ghosts after."""
    make = Maker()
    items = [make.item(f"kestrel {n}", body="merlin " * 40) for n in range(60)]
    with store.write() as tx:
        keep(tx, *items)
    connection = sqlite.connect(path)
    connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 0)
    sqlite.rows_of(connection, harm)
    connection.close()
    assert list(store.faults()) != []

    with store.write() as tx:
        tx.index.clear()
        for item in items:
            tx.index.put(document(item))

    assert list(store.faults()) == []
    with store.read() as tx:
        asked = query("kestrel", now=make.clock.now(), limit=100)
        assert len(tx.shelf.matching(asked, body_chars=1)) == len(items)
        ghosts = query("osprey", now=make.clock.now(), limit=100)
        assert tx.shelf.matching(ghosts, body_chars=1) == []
