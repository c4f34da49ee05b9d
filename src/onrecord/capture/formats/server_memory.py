"""The knowledge graph of the reference MCP memory server: one entity or relation a line."""

from __future__ import annotations

import io
from collections.abc import Iterator

from onrecord.capture.formats import values
from onrecord.capture.formats.documents import whole_file
from onrecord.capture.formats.foreign import Foreign, Origin, Record, Records, Skipped
from onrecord.capture.formats.strict_json import Json, parsed

#: Bounds: bytes of the file and of one line, levels of nesting.
MAX_FILE = 64 << 20
MAX_LINE = 1 << 20
_MAX_DEPTH = 32
_MAX_TAG = 64


def records(origin: Origin) -> Records:
    """Each observation about an entity, and each relation."""
    for number, raw in enumerate(io.BytesIO(whole_file(origin.path, MAX_FILE)), 1):
        if not raw.strip():
            continue
        line = _object(raw)
        if line is None:
            yield Skipped(where=f"line {number}", line=number, why="damaged")
        elif line.get("type") == "entity":
            yield from _entity(line, number)
        elif line.get("type") == "relation":
            yield _relation(line, number)
        else:
            yield Skipped(where=f"line {number}", line=number, why="damaged")


def _object(raw: bytes) -> Json | None:
    if len(raw) > MAX_LINE:
        return None
    try:
        return parsed(raw, max_depth=_MAX_DEPTH)
    except ValueError:
        return None


def _entity(line: Json, number: int) -> Iterator[Record]:
    name = values.word(line, "name").strip()
    said = values.words(line, "observations")
    if not name or not isinstance(line.get("observations"), list):
        yield Skipped(where=f"line {number}", line=number, why="damaged")
    elif not said:
        yield Skipped(where=f"line {number}", line=number, why="empty")
    sort = values.word(line, "entityType").strip()
    for one in said if name else ():
        named = one.casefold().startswith(name.casefold())
        yield Foreign(
            text=one if named else f"{name}: {one}",
            bare=() if named else (one,),
            where=f"line {number}",
            line=number,
            kind="fact",
            tags=(sort,) if sort and len(sort) <= _MAX_TAG else (),
            claims=(("entity", name), ("type", sort)),
        )


def _relation(line: Json, number: int) -> Record:
    parts = [values.word(line, name).strip() for name in ("from", "relationType", "to")]
    if not all(parts):
        return Skipped(where=f"line {number}", line=number, why="damaged")
    parts[1] = parts[1].replace("_", " ")
    return Foreign(
        text=" ".join(parts),
        where=f"line {number}",
        line=number,
        kind="fact",
        claims=(("relation", parts[1]),),
    )
