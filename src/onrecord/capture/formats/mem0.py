"""mem0: the history beside its vectors (SQLite), or memories as its client exports them (JSON)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import cast

from onrecord.capture.formats import values
from onrecord.capture.formats.documents import whole_file
from onrecord.capture.formats.foreign import Foreign, Origin, Record, Records, Skipped
from onrecord.capture.formats.foreign_database import ForeignDatabase, is_database, opened
from onrecord.capture.formats.strict_json import value_of
from onrecord.domain.errors import BadField

MAX_FILE = 64 << 20
_MAX_DEPTH = 32
_MAX_TAG = 64

#: What a history's table has.
COLUMNS = (
    "memory_id",
    "new_memory",
    "event",
    "created_at",
    "updated_at",
    "is_deleted",
    "actor_id",
)


def records(origin: Origin) -> Records:
    """What it remembers now: the last state of each memory that was not deleted."""
    if is_database(origin.path):
        with opened(origin.path) as database:
            yield from _of_history(database)
    else:
        yield from _of_json(whole_file(origin.path, MAX_FILE))


def _of_history(database: ForeignDatabase) -> Iterator[Record]:
    if not {"memory_id", "new_memory", "event"} <= database.tables().get("history", frozenset()):
        raise BadField("The file holds no history of mem0. Nothing was imported.")
    last: dict[str, Record] = {}
    for found in database.rows("history", COLUMNS):
        if isinstance(found, Skipped):
            yield found
            continue
        number, row = found
        memory = values.word(row, "memory_id")
        if memory:
            last.pop(memory, None)
            last[memory] = _of_row(number, row, memory)
        else:
            yield Skipped(where=f"history/{number}", line=number, why="damaged")
    yield from last.values()


def _of_row(number: int, row: Mapping[str, object], memory: str) -> Record:
    where = f"history/{number}"
    if values.word(row, "event").upper() == "DELETE" or row.get("is_deleted") == 1:
        return Skipped(where=where, line=number, why="deleted")
    text = row.get("new_memory")
    if not isinstance(text, str):
        return Skipped(where=where, line=number, why="damaged")
    if not text.strip():
        return Skipped(where=where, line=number, why="empty")
    return Foreign(
        text=text,
        where=where,
        line=number,
        kind="fact",
        author=values.word(row, "actor_id"),
        claims=(
            ("id", memory),
            *values.claims(row, created="created_at", updated="updated_at"),
        ),
    )


def _of_json(raw: bytes) -> Iterator[Record]:
    try:
        found = value_of(raw, max_depth=_MAX_DEPTH)
    except ValueError:
        raise BadField("The file is no JSON in UTF-8. Nothing was imported.") from None
    if isinstance(found, dict):
        inside = cast("dict[str, object]", found)
        found = inside.get("results", inside.get("memories"))
    if not isinstance(found, list):
        raise BadField("The file holds no memories of mem0. Nothing was imported.")
    for number, row in values.objects(cast("object", found)):
        yield _of_object(number, row)


def _of_object(number: int, row: Mapping[str, object] | None) -> Record:
    where = f"memory {number}"
    if row is None or not isinstance(row.get("memory", row.get("text")), str):
        return Skipped(where=where, line=number, why="damaged")
    text = values.word(row, "memory", "text")
    if not text:
        return Skipped(where=where, line=number, why="empty")
    return Foreign(
        text=text,
        where=where,
        line=number,
        kind="fact",
        tags=tuple(tag for tag in values.words(row, "categories") if len(tag) <= _MAX_TAG),
        author=values.word(row, "actor_id", "agent_id", "user_id"),
        expires_at=values.word(row, "expiration_date"),
        claims=values.claims(
            row,
            id="id",
            user="user_id",
            agent="agent_id",
            run="run_id",
            created="created_at",
            updated="updated_at",
        ),
    )
