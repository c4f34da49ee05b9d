"""PrecisionMemBench's format: what must surface, and what must not.

A folder with `beliefs.seed.json` and `retrieval.cases.json` (or one that has it as
`fixtures`). A belief is kept as an item in a project of its user and domain, its aliases as
tags; one that another belief superseded is replaced by it, and one that was resolved is
archived. A case forbids whatever it names as excluded, another user's or domain's beliefs, and
every superseded one. Recall gives one list, so what a case wants in one of its sections is not
forbidden by being wrong in another. Its cases over several turns want beliefs that a model
extracts meanwhile, and are left out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from onrecord.domain import time
from onrecord.domain.item import split
from onrecord.evals.corpus import Corpus, Document, Question, read_json

if TYPE_CHECKING:
    from pathlib import Path

_USER = "test-user"
_KINDS = {"preference": "preference", "decision": "decision", "entity": "fact"}


def fits(path: Path) -> bool:
    """Whether a path looks like such a folder."""
    return (_folder(path) / "retrieval.cases.json").is_file()


def read(path: Path) -> Corpus:
    """The corpus in a folder."""
    beliefs = read_json(_folder(path) / "beliefs.seed.json")
    cases = read_json(_folder(path) / "retrieval.cases.json")
    replaced = {one["superseded_by"]: one["_id"] for one in beliefs if one["superseded_by"]}
    documents = [_document(one, replaced) for one in _in_order(beliefs)]
    now = 1 + max(one.at for one in documents)
    return Corpus(
        name="precisionmembench",
        documents=tuple(documents),
        questions=tuple(_question(case, beliefs, now) for case in cases),
        abstains=False,
    )


def _folder(path: Path) -> Path:
    return path / "fixtures" if (path / "fixtures").is_dir() else path


def _in_order(beliefs: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Each after the one that it takes the place of."""
    follows = {one["_id"]: one["superseded_by"] for one in beliefs}

    def after(name: str | None) -> int:
        return 0 if name is None else 1 + after(follows[name])

    return sorted(beliefs, key=lambda one: -after(one["_id"]))


def _scope(user: str, domain: str) -> str:
    return f"project:{user}-{domain.replace(':', '-')}"


def _document(row: dict[str, Any], replaced: dict[str, str]) -> Document:
    title, body = split(row["content"])
    return Document(
        id=row["_id"],
        scope=_scope(row["user_id"], row["scope"][0]),
        title=title,
        body=body,
        kind=_KINDS.get(row["type"], "note"),
        tags=(row["canonical_name"].replace("_", " "), *row["aliases"]),
        author=row["user_id"],
        at=time.from_iso(row["created_at"]),
        pinned=row["pinned"] and not row["superseded_by"],
        archived=row["resolved_at"] is not None,
        replaces=replaced.get(row["_id"], ""),
    )


def _question(case: dict[str, Any], beliefs: list[dict[str, Any]], now: int) -> Question:
    user = case.get("userId", _USER)
    expected = case["expect"]
    relevant = set(expected.get("relevantBeliefs", {}).get("shouldOnlyInclude", ()))
    parts: list[Any] = [part for part in expected.values() if isinstance(part, dict)]
    excluded: set[str] = {name for part in parts for name in part.get("mustExclude", ())}
    excluded -= {name for part in parts for name in part.get("mustInclude", ())}
    for one in beliefs:
        elsewhere = one["user_id"] != user or not set(one["scope"]) & set(case["scope"])
        if elsewhere or one["superseded_by"]:
            excluded.add(one["_id"])
    return Question(
        id=case["caseId"],
        kind=case["category"],
        text=case["query"],
        scopes=tuple(_scope(user, domain) for domain in case["scope"]),
        now=now,
        relevant=dict.fromkeys(relevant - excluded, 2),
        forbidden=frozenset(excluded),
    )
