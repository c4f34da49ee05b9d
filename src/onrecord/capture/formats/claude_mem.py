"""claude-mem: observations, summaries of sessions and standing directives (SQLite)."""

from __future__ import annotations

from collections.abc import Mapping

from onrecord.capture.formats import values
from onrecord.capture.formats.foreign import Foreign, Origin, Record, Records, Skipped
from onrecord.capture.formats.foreign_database import opened
from onrecord.domain.errors import BadField

_KINDS = {"decision": "decision", "bugfix": "lesson", "discovery": "fact"}
_MAX_TAG = 64
_MAX_LINKS = 16

_DATED = ("project", "merged_into_project", "memory_session_id", "created_at", "created_at_epoch")
_OBSERVED = (
    *_DATED,
    "text",
    "type",
    "title",
    "subtitle",
    "facts",
    "narrative",
    "concepts",
    "files_modified",
    "agent_type",
    "generated_by_model",
)
_PARTS = ("investigated", "learned", "completed", "next_steps", "notes")


def records(origin: Origin) -> Records:
    """What it observed and summed up; prompts and queues are left where they are."""
    with opened(origin.path) as database:
        tables = database.tables()
        if not {"type", "project"} <= tables.get("observations", frozenset()):
            raise BadField("The file holds no observations of claude-mem. Nothing was imported.")
        for table, columns, read in (
            ("observations", _OBSERVED, _observation),
            ("session_summaries", (*_DATED, "request", *_PARTS), _summary),
            ("directives", ("project", "scope", "content", "status", "created_at"), _directive),
        ):
            for found in database.rows(table, columns) if table in tables else ():
                yield found if isinstance(found, Skipped) else read(table, *found)


def _observation(table: str, number: int, row: Mapping[str, object]) -> Record:
    facts = values.words(row, "facts")
    parts = [values.word(row, name).strip() for name in ("subtitle", "narrative", "text")]
    parts.append("\n".join(f"- {fact}" for fact in facts))
    body = "\n\n".join(part for part in parts if part)
    title = values.word(row, "title").strip()
    if not (title or body):
        return Skipped(where=f"{table}/{number}", line=number, why="empty")
    return Foreign(
        title=title,
        text=body,
        where=f"{table}/{number}",
        line=number,
        kind=_KINDS.get(values.word(row, "type"), "note"),
        tags=tuple(tag for tag in values.words(row, "concepts") if len(tag) <= _MAX_TAG),
        project=values.word(row, "merged_into_project", "project"),
        links=_relative(values.words(row, "files_modified")),
        author=values.word(row, "agent_type"),
        claims=_claims(number, row),
    )


def _summary(table: str, number: int, row: Mapping[str, object]) -> Record:
    parts = [
        f"{name.replace('_', ' ').capitalize()}: {text}"
        for name in _PARTS
        if (text := values.word(row, name).strip())
    ]
    title = values.word(row, "request").strip()
    if not parts:
        return Skipped(where=f"{table}/{number}", line=number, why="empty")
    return Foreign(
        title=title,
        text="\n\n".join(parts),
        where=f"{table}/{number}",
        line=number,
        kind="summary",
        project=values.word(row, "merged_into_project", "project"),
        claims=_claims(number, row),
    )


def _directive(table: str, number: int, row: Mapping[str, object]) -> Record:
    text = values.word(row, "content")
    if values.word(row, "status") not in ("", "active"):
        return Skipped(where=f"{table}/{number}", line=number, why="archived")
    if not text:
        return Skipped(where=f"{table}/{number}", line=number, why="empty")
    return Foreign(
        text=text,
        where=f"{table}/{number}",
        line=number,
        kind="preference",
        scope="global" if values.word(row, "scope") == "global" else "",
        project=values.word(row, "project"),
        claims=_claims(number, row),
    )


def _relative(paths: tuple[str, ...]) -> tuple[str, ...]:
    """Paths inside of a repository; others name a place on the machine that it was."""
    inside = [path for path in paths if not path.startswith(("/", "~", "..")) and "\\" not in path]
    return tuple(inside[:_MAX_LINKS])


def _claims(number: int, row: Mapping[str, object]) -> tuple[tuple[str, str], ...]:
    created = values.word(row, "created_at") or values.moment_of_ms(row.get("created_at_epoch"))
    named = values.claims(
        row,
        project="project",
        session="memory_session_id",
        model="generated_by_model",
        type="type",
    )
    return (("id", str(number)), ("created", created), *named)
