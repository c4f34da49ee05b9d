"""Bringing a file's schema up to what this installation knows: forward only, backup first."""

from __future__ import annotations

import os
from contextlib import closing
from typing import LiteralString

import apsw

from onrecord.domain.errors import StoreReadOnly
from onrecord.storage import backups, keyring, sqlite

_FOLDER = os.path.join(os.path.dirname(__file__), "migrations")  # noqa: PTH118, PTH120


def scripts(database: str = "sqlite") -> list[tuple[int, str]]:
    """(number, path) of every migration of a database, 1 first."""
    folder = os.path.join(_FOLDER, database)  # noqa: PTH118
    names = sorted(name for name in os.listdir(folder) if name.endswith(".sql"))  # noqa: PTH208
    return [(int(name[:4]), os.path.join(folder, name)) for name in names]  # noqa: PTH118


def migrate(path: str) -> None:
    """Bring the file at the path up to the newest schema; safe with others at the same time.

    Every migration is one transaction, so a process that is killed leaves the schema before
    it or after it, and the next run goes on from there. A file that has data is copied to the
    folder `<path>.backups` first.
    """
    try:
        connection = sqlite.connect(path, busy_ms=30_000)
    except StoreReadOnly:
        # nothing can be done about its schema; a reader may still know it
        with closing(sqlite.connect(path, readonly=True)) as reader:
            sqlite.check_schema(reader, "reader")
        return
    with closing(connection):
        if sqlite.schema_of(connection) >= sqlite.SCHEMA:
            return
        try:
            sqlite.set_pragma(connection, "journal_mode", "wal")
            for number, script in scripts():
                _apply(connection, path, number, script)
        except apsw.Error as error:
            raise sqlite.told(error, connection) from None


def _apply(connection: apsw.Connection, path: str, number: int, script: str) -> None:
    sqlite.rows_of(connection, "BEGIN IMMEDIATE")
    try:
        have = sqlite.schema_of(connection)
        if have < number:
            if have == 0:
                keyring.make(keyring.path_of(path))
            else:
                backups.before_schema(path, number)
            sqlite.rows_of(connection, text_of(script))
            sqlite.set_pragma(connection, "user_version", number)
        sqlite.rows_of(connection, "COMMIT")
    finally:
        if connection.in_transaction:
            sqlite.rows_of(connection, "ROLLBACK")


def text_of(script: str) -> LiteralString:
    """The statements of a migration."""
    with open(script, encoding="utf-8") as source:  # noqa: PTH123
        return source.read()  # pyright: ignore[reportReturnType] - a file of this package
