"""Which tool a file or a folder is of, by what is in it; and the reader of each format."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from itertools import islice
from typing import cast

from onrecord.capture.formats import (
    basic_memory,
    chatgpt,
    claude_mem,
    codex_memories,
    engram,
    lorekit,
    markdown,
    mem0,
    mirror,
    server_memory,
)
from onrecord.capture.formats.documents import Document, documents, whole_file
from onrecord.capture.formats.foreign import Origin, Records, Skipped
from onrecord.capture.formats.foreign_database import is_database, opened
from onrecord.capture.formats.frontmatter import fronted
from onrecord.capture.formats.strict_json import value_of
from onrecord.domain.errors import UsageError

#: format -> its reader
READERS: dict[str, Callable[[Origin], Records]] = {
    "markdown": markdown.records,
    "mirror": mirror.records,
    "server-memory": server_memory.records,
    "mem0": mem0.records,
    "lorekit": lorekit.records,
    "claude-mem": claude_mem.records,
    "basic-memory": basic_memory.records,
    "engram": engram.records,
    "codex-memories": codex_memories.records,
    "chatgpt": chatgpt.records,
}

#: What `onrecord export` writes; it has a reader of its own.
OURS = "jsonl"

FORMATS = (OURS, *READERS)

#: Notes of a folder that are looked at.
_LOOKED_AT = 50
_MAX_FILE = 128 << 20
_MAX_DEPTH = 32


def recognise(path: str) -> str:
    """The format of a file or folder; raises `UsageError` where it is none that is known."""
    if os.path.isdir(path):  # noqa: PTH112 - plain strings
        found = "chatgpt" if chatgpt.is_export(path) else _of_notes(documents(path))
    elif is_database(path):
        found = _of_database(path)
    elif path.lower().endswith((".md", ".markdown")):
        found = _of_notes(documents(path))
    else:
        found = _of_text(whole_file(path, _MAX_FILE))
    if not found:
        raise UsageError(
            "That is none of the formats that are known.",
            hint=f"Name one where it is: {', '.join(FORMATS)}.",
            details={"path": path},
        )
    return found


def _of_database(path: str) -> str:
    with opened(path) as database:
        tables = database.tables()
    if {"memory_id", "new_memory"} <= tables.get("history", frozenset()):
        return "mem0"
    columns = tables.get("observations", frozenset())
    if "topic_key" in columns or {"session_id", "content"} <= columns:
        return "engram"
    return "claude-mem" if {"project", "type"} <= columns else ""


def _of_notes(found: Iterator[Document | Skipped]) -> str:
    notes = [one for one in islice(found, _LOOKED_AT) if isinstance(one, Document)]
    if any(codex_memories.is_one(note) for note in notes):
        return "codex-memories"
    for note in notes:
        top = fronted(note.text)
        if top.word("onrecord"):
            return "mirror"
        if top.word("scope") and top.word("key"):
            return "lorekit"
        if top.word("permalink"):
            return "basic-memory"
    if any(_is_basic(note.text) for note in notes):
        return "basic-memory"
    return "markdown" if notes else ""


def _is_basic(text: str) -> bool:
    lines = text.split("\n")
    observed = sum(basic_memory.observation(line) is not None for line in lines)
    related = sum(basic_memory.relation(line) is not None for line in lines)
    return bool(observed and related)


def _of_text(raw: bytes) -> str:
    first = _value(raw.split(b"\n", 1)[0])
    line = _fields(first)
    if line.get("onrecord") == "export":
        return OURS
    if line.get("type") in ("entity", "relation"):
        return "server-memory"
    whole = first if first is not None else _value(raw)
    if chatgpt.is_one(whole):
        return "chatgpt"
    rows = _rows(whole)
    for row in rows:
        names = _fields(row).keys()
        if {"scope", "key", "value"} <= names:
            return "lorekit"
        if "memory" in names:
            return "mem0"
    return ""


def _rows(whole: object) -> list[object]:
    """The first list of a document that holds anything, or the document where it is one."""
    for value in _fields(whole).values():
        if rows := _listed(value):
            return rows
    return _listed(whole)


def _fields(value: object) -> dict[str, object]:
    return cast("dict[str, object]", value) if isinstance(value, dict) else {}


def _listed(value: object) -> list[object]:
    return cast("list[object]", value)[:_LOOKED_AT] if isinstance(value, list) else []


def _value(raw: bytes) -> object:
    try:
        return value_of(raw, max_depth=_MAX_DEPTH)
    except ValueError:
        return None
