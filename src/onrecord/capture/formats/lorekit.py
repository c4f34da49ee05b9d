"""LoreKit: its folder of Markdown entries, or the rows that its API answers with (JSON)."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import cast

from onrecord.capture.formats import values
from onrecord.capture.formats.documents import Document, documents, whole_file
from onrecord.capture.formats.foreign import Foreign, Origin, Record, Records, Skipped
from onrecord.capture.formats.frontmatter import fronted
from onrecord.capture.formats.strict_json import value_of
from onrecord.domain.errors import BadField

MAX_FILE = 64 << 20
_MAX_DEPTH = 32
_MAX_TAG = 64

_LISTS = ("memories", "entries", "items", "results", "data")


def records(origin: Origin) -> Records:
    """Every entry that is not archived."""
    path = origin.path
    if os.path.isdir(path) or path.lower().endswith(".md"):  # noqa: PTH112 - plain strings
        for found in documents(path):
            yield found if isinstance(found, Skipped) else _of_document(found)
    else:
        yield from _of_json(whole_file(path, MAX_FILE))


def _of_document(document: Document) -> Record:
    top = fronted(document.text)
    if top.broken or not (top.word("key") and top.word("scope")):
        return Skipped(where=document.name, line=1, why="damaged")
    names = ("scope", "key", "source_agent", "trigger", "created", "updated", "archived_at")
    row: dict[str, object] = {name: top.word(name) for name in (*names, "expires_at")}
    for name in ("origin_repo", "origin_branch", "origin_commit", "origin_pr"):
        row[name] = top.word(name)
    row |= {"tags": list(top.words("tags")), "value": top.body.strip("\n")}
    return _of_row(row, document.name, 1)


def _of_json(raw: bytes) -> Iterator[Record]:
    try:
        found = value_of(raw, max_depth=_MAX_DEPTH)
    except ValueError:
        raise BadField("The file is no JSON in UTF-8. Nothing was imported.") from None
    if isinstance(found, dict):
        inside = cast("dict[str, object]", found)
        found = next((inside[name] for name in _LISTS if name in inside), None)
    if not isinstance(found, list):
        raise BadField("The file holds no entries of LoreKit. Nothing was imported.")
    for number, row in values.objects(cast("object", found)):
        where = f"entry {number}"
        if row is None:
            yield Skipped(where=where, line=number, why="damaged")
        else:
            yield _of_row(row, where, number)


def _of_row(row: Mapping[str, object], where: str, line: int) -> Record:
    key, value = values.word(row, "key"), row.get("value")
    if not key or not isinstance(value, str):
        return Skipped(where=where, line=line, why="damaged")
    if not value.strip():
        return Skipped(where=where, line=line, why="empty")
    if values.word(row, "archived_at"):
        return Skipped(where=where, line=line, why="archived")
    return Foreign(
        text=value,
        where=where,
        line=line,
        kind="lesson",
        key=key,
        tags=tuple(tag for tag in values.words(row, "tags") if len(tag) <= _MAX_TAG),
        scope=scope_of(values.word(row, "scope")),
        author=values.word(row, "source_agent"),
        prompted_by=values.word(row, "trigger"),
        expires_at=values.word(row, "expires_at"),
        claims=(
            *values.claims(row, id="id", scope="scope", key="key"),
            ("created", values.word(row, "created", "created_at")),
            ("updated", values.word(row, "updated", "updated_at")),
            *values.claims(row, repository="origin_repo", commit="origin_commit", pr="origin_pr"),
        ),
    )


def scope_of(theirs: str) -> str:
    """A scope of LoreKit as ours; its repositories are those of GitHub, without the host."""
    kind, _, key = theirs.partition("::")
    if kind == "repo" and key.count("/") == 1:
        return f"repo:github.com/{key}"
    if kind == "branch":
        repo, _, branch = key.partition("::")
        if repo.count("/") == 1 and branch:
            return f"branch:github.com/{repo}@{branch}"
    if kind == "project" and key:
        return f"project:{key}"
    return "global" if theirs == "global" else ""
