"""Typed corpora: memories of coding work and queries by what people type.

A folder with `items.jsonl` and `queries.jsonl`. What may be found at all is decided here by
scope, day and state, so that whatever else is found counts as forbidden.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from onrecord.domain import time
from onrecord.evals.corpus import Corpus, Document, Question, read_lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

#: The day on which an undated query is asked: the corpus names none, so the last day that
#: anything in it was written is taken, if `now` is not beside the items.
_NOW = {"dev": "2025-03-01", "heldout": "2025-11-01"}


def fits(path: Path) -> bool:
    """Whether a path looks like such a folder."""
    return (path / "items.jsonl").is_file() and (path / "queries.jsonl").is_file()


def scope(name: str) -> str:
    """A corpus's short scope as a canonical one."""
    kind, _, key = name.partition(":")
    if kind == "repo":
        return f"repo:probe.example/corpus/{key}"
    if kind == "branch":
        repo, _, branch = key.partition("/")
        return f"branch:probe.example/corpus/{repo}@{branch}"
    return name


def read(path: Path) -> Corpus:
    """The corpus in a folder."""
    rows = read_lines(path / "items.jsonl")
    last = max((str(row["created_at"]) for row in rows), default="2025-01-01")
    now = _NOW.get(path.name, last)
    return Corpus(
        name=f"typed/{path.name}",
        documents=tuple(document(row) for row in rows),
        questions=tuple(
            question(row, now, _hidden(row, rows, now))
            for row in read_lines(path / "queries.jsonl")
        ),
    )


def document(row: Mapping[str, Any]) -> Document:
    """One line of `items.jsonl`."""
    return Document(
        id=row["id"],
        scope=scope(row["scope"]),
        title=row["title"],
        body=row["body"],
        kind=row["kind"],
        tags=tuple(row["tags"]),
        author=row["author"],
        at=time.from_iso(row["created_at"]),
        valid_from=_at(row["valid_from"]),
        valid_to=_at(row["valid_to"]),
        archived=row["status"] == "archived",
    )


def question(row: Mapping[str, Any], now: str, hidden: Iterable[str] = ()) -> Question:
    """One line of `queries.jsonl`, or what a caller would know of it; asked on the day `now`."""
    return Question(
        id=row["id"],
        kind=row.get("class", ""),
        text=row["text"],
        scopes=tuple(scope(name) for name in row["ladder"]),
        now=time.from_iso(now),
        as_of=_at(row.get("as_of")),
        valid_at=_at(row.get("valid_at")),
        relevant=row.get("relevant", {}),
        forbidden=frozenset(row.get("forbidden", ())) | frozenset(hidden),
    )


def _hidden(row: Mapping[str, Any], rows: list[dict[str, Any]], now: str) -> set[str]:
    return {item["id"] for item in rows if not _visible(item, row, now)}


def _at(day: str | None) -> int | None:
    return time.from_iso(day) if day else None


def _visible(item: Mapping[str, Any], query: Mapping[str, Any], now: str) -> bool:
    """In the ladder, live, known by then, and true on that day (the corpus's own rule)."""
    day = query["valid_at"] or query["as_of"] or now
    return (
        item["scope"] in query["ladder"]
        and item["status"] != "archived"
        and item["created_at"] <= (query["as_of"] or now)
        and not (item["valid_from"] and day < item["valid_from"])
        and not (item["valid_to"] and day >= item["valid_to"])
    )
