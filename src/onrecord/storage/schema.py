"""Whether a database has the tables, indices and triggers that the migrations make."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import closing
from typing import LiteralString

import apsw

from onrecord.storage import migrate, sqlite

#: One table, index or trigger: type, name, table, how it was made.
Part = tuple[object, ...]

_PARTS: LiteralString = """
SELECT type, name, tbl_name, sql FROM sqlite_schema
WHERE name NOT LIKE 'sqlite!_%' ESCAPE '!' ORDER BY type, name
"""


def parts(connection: apsw.Connection) -> list[Part]:
    """What a file has, without what the engine makes for itself."""
    return sqlite.rows_of(connection, _PARTS)


def declared(number: int = sqlite.SCHEMA) -> list[Part]:
    """What this installation makes up to a schema number."""
    with closing(apsw.Connection(":memory:")) as made:
        for n, script in migrate.scripts():
            if n <= number:
                sqlite.rows_of(made, migrate.text_of(script))
        return parts(made)


def differences(there: Iterable[Part], wanted: Iterable[Part]) -> list[tuple[str, str]]:
    """(missing, changed or extra; name) of every part that is not as it should be, by name."""
    has, should = ({(part[0], part[1]): part for part in each} for each in (there, wanted))
    found: list[tuple[str, str]] = []
    for key in sorted(has.keys() | should.keys(), key=lambda each: (str(each[1]), str(each[0]))):
        if key not in has:
            found.append(("missing", str(key[1])))
        elif key not in should:
            found.append(("extra", str(key[1])))
        elif has[key] != should[key]:
            found.append(("changed", str(key[1])))
    return found
