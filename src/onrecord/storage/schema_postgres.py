"""Whether a PostgreSQL database has what the migrations make, seen beside a fresh one."""

from __future__ import annotations

from typing import Any, LiteralString

import psycopg

from onrecord.storage import migrate_postgres, schema
from onrecord.storage.migrate import scripts, text_of

_FRESH: LiteralString = (
    "CREATE SCHEMA onrecord_fresh; SET LOCAL search_path TO onrecord_fresh, public"
)
_HERE: LiteralString = "SELECT current_schema()"
#: Kind, name, table and definition of every part of one schema.
_PARTS: LiteralString = """
SELECT 'column', c.relname || '.' || a.attname, c.relname,
  format_type(a.atttypid, a.atttypmod) || ' ' || a.attnotnull || ' ' ||
  a.attidentity::text || ' ' || coalesce(pg_get_expr(d.adbin, d.adrelid), '')
FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
  LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
WHERE c.relnamespace = %(space)s::regnamespace AND c.relkind = 'r' AND a.attnum > 0
  AND NOT a.attisdropped
UNION ALL
SELECT 'index', c.relname, t.relname, pg_get_indexdef(i.indexrelid)
FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_class t ON t.oid = i.indrelid
WHERE c.relnamespace = %(space)s::regnamespace
UNION ALL
SELECT 'constraint', t.relname || '.' || o.conname, t.relname, pg_get_constraintdef(o.oid)
FROM pg_constraint o JOIN pg_class t ON t.oid = o.conrelid
WHERE o.connamespace = %(space)s::regnamespace AND o.contype <> 'n'
UNION ALL
SELECT 'trigger', t.relname || '.' || g.tgname, t.relname,
  g.tgenabled::text || ' ' || pg_get_triggerdef(g.oid)
FROM pg_trigger g JOIN pg_class t ON t.oid = g.tgrelid
WHERE t.relnamespace = %(space)s::regnamespace AND NOT g.tgisinternal
UNION ALL
SELECT 'function', p.proname, '', pg_get_functiondef(p.oid)
FROM pg_proc p WHERE p.pronamespace = %(space)s::regnamespace AND p.prokind = 'f'
  AND NOT EXISTS (SELECT 1 FROM pg_depend x WHERE x.objid = p.oid AND x.deptype = 'e')
"""

Connection = psycopg.Connection[tuple[Any, ...]]


def differences(connection: Connection) -> list[tuple[str, str]]:
    """(missing, changed or extra; name), like `schema.differences`.

    A schema is made afresh beside the one in use, in a transaction that is undone, so the role
    has to be one that may make a schema.
    """
    with connection.transaction(force_rollback=True):
        here = connection.execute(_HERE).fetchone()
        there = _parts(connection, str(here[0]) if here else "public")
        connection.execute(_FRESH)
        for number, script in scripts("postgres"):
            if number <= migrate_postgres.SCHEMA:
                connection.execute(text_of(script))
        return schema.differences(there, _parts(connection, "onrecord_fresh"))


def _parts(connection: Connection, space: str) -> list[schema.Part]:
    rows = connection.execute(_PARTS, {"space": space}).fetchall()
    return [(*row[:3], _plain(str(row[3]), space)) for row in rows]


def _plain(made: str, space: str) -> str:
    """A definition without the name of its schema."""
    return made.replace(f"{space}.", "").replace(f"'{space}'", "''")
