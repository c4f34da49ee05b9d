"""Bringing a database's schema up to what this installation knows: forward only."""

from __future__ import annotations

from typing import Any, LiteralString

import psycopg

from onrecord.domain.errors import StoreError
from onrecord.storage import sqlite
from onrecord.storage.migrate import scripts, text_of

#: The newest schema number that this installation knows; every number has a pair of scripts.
SCHEMA = sqlite.SCHEMA

_ENCODING: LiteralString = "SELECT current_setting('server_encoding')"
_LOCK: LiteralString = "SELECT pg_advisory_xact_lock(hashtextextended('onrecord schema', 0))"
_THERE: LiteralString = "SELECT to_regclass('meta') IS NOT NULL"
_HAVE: LiteralString = "SELECT value FROM meta WHERE name = 'schema'"
_SET: LiteralString = "UPDATE meta SET value = %s WHERE name = 'schema'"


def migrate(connection: psycopg.Connection[tuple[Any, ...]]) -> None:
    """Bring the database up to the newest schema, one transaction a step.

    Safe with others at the same time: they take turns, and each looks again when it is its own.
    """
    if connection.execute(_ENCODING).fetchone() != ("UTF8",):
        raise StoreError("The database's encoding is not UTF8, so it cannot hold every text.")
    if _schema_of(connection) >= SCHEMA:
        return
    for number, script in scripts("postgres"):
        with connection.transaction():
            connection.execute(_LOCK)
            if _schema_of(connection) < number:
                connection.execute(text_of(script))
                connection.execute(_SET, (str(number),))


def _schema_of(connection: psycopg.Connection[tuple[Any, ...]]) -> int:
    if connection.execute(_THERE).fetchone() != (True,):
        return 0
    found = connection.execute(_HAVE).fetchone()
    return int(found[0]) if found else 0
