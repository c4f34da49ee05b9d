"""engram: observations that agents saved, with their topics (SQLite)."""

from __future__ import annotations

from collections.abc import Mapping

from onrecord.capture.formats import values
from onrecord.capture.formats.foreign import Foreign, Origin, Record, Records, Skipped
from onrecord.capture.formats.foreign_database import opened
from onrecord.domain.errors import BadField

_KINDS = {
    "decision": "decision",
    "architecture": "decision",
    "bugfix": "lesson",
    "learning": "lesson",
    "pattern": "lesson",
    "preference": "preference",
    "config": "fact",
    "discovery": "fact",
    "session_summary": "summary",
}

_COLUMNS = (
    "sync_id",
    "session_id",
    "type",
    "title",
    "content",
    "tool_name",
    "project",
    "scope",
    "topic_key",
    "created_at",
    "updated_at",
    "deleted_at",
)


def records(origin: Origin) -> Records:
    """Every observation that was not deleted."""
    with opened(origin.path) as database:
        if not {"title", "content", "type"} <= database.tables().get("observations", frozenset()):
            raise BadField("The file holds no observations of engram. Nothing was imported.")
        for found in database.rows("observations", _COLUMNS):
            yield found if isinstance(found, Skipped) else _observation(*found)


def _observation(number: int, row: Mapping[str, object]) -> Record:
    where = f"observations/{number}"
    if values.word(row, "deleted_at"):
        return Skipped(where=where, line=number, why="deleted")
    title, text = values.word(row, "title").strip(), values.word(row, "content").strip()
    if not (title or text):
        return Skipped(where=where, line=number, why="empty")
    personal = values.word(row, "scope") == "personal"
    return Foreign(
        title=title,
        text=text,
        where=where,
        line=number,
        kind=_KINDS.get(values.word(row, "type"), "note"),
        key=values.word(row, "topic_key"),
        scope="global" if personal else "",
        project="" if personal else values.word(row, "project"),
        claims=values.claims(
            row,
            id="sync_id",
            session="session_id",
            type="type",
            project="project",
            created="created_at",
            updated="updated_at",
        ),
    )
