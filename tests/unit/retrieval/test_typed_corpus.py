"""Floors on the typed development corpus, which the rules were tuned on: none may break.

Only undated questions are asked: a shelf answers for now. The floors leave room below what is
measured, so that they tell a break from a change of opinion.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from corpora import corpus
from library import Library
from onrecord.domain.principal import Principal
from onrecord.domain.time import from_iso
from onrecord.retrieval.failure import relevant_to_failure
from onrecord.retrieval.recall import recall, relevant_to_prompt
from onrecord.storage.sqlite_engine import open_sqlite

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

NOW = "2025-03-01"
FLOORS = {
    "identifier": 0.95,
    "stem": 0.95,
    "prefix": 0.95,
    "cjk": 0.95,
    "lang": 0.95,
    "error": 0.97,
    "version": 0.97,
    "keyword": 0.97,
    "temporal": 0.97,
    "natural": 0.88,
    "multi": 0.86,
    "typo": 0.90,
    "prompt": 0.65,
}

Json = dict[str, Any]


def lines(name: str) -> list[Json]:
    """Rows of one file of the corpus."""
    text = corpus(f"typed/dev/{name}").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines() if line.strip()]


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    """The whole corpus in one store."""
    rows = lines("items.jsonl")
    folder = tmp_path_factory.mktemp("typed")
    folder.chmod(0o700)
    store = open_sqlite(str(folder / "memory.db"), create=True)
    library = Library(store)
    with store.write() as tx:
        for row in rows:
            at = from_iso(row["created_at"])
            item = library.maker.item(
                row["title"],
                body=row["body"],
                tags=tuple(row["tags"]),
                kind=row["kind"],
                scope=scope(row["scope"]),
                # a replaced value stays true for its own days: its interval keeps it out
                status="archived" if row["status"] == "archived" else "active",
                created_at=at,
                recorded_at=at,
                author=Principal.person(row["author"]),
                valid_from=from_iso(row["valid_from"]) if row["valid_from"] else None,
                valid_to=from_iso(row["valid_to"]) if row["valid_to"] else None,
                prompted_by=row["id"],
            )
            library.add(tx, item)
    yield library
    store.close()


def scope(name: str) -> str:
    """The corpus's short scope as a canonical one."""
    kind, _, key = name.partition(":")
    if kind == "repo":
        return f"repo:example.org/fernhill/{key}"
    if kind == "branch":
        repo, _, branch = key.partition("/")
        return f"branch:example.org/fernhill/{repo}@{branch}"
    return name


def questions() -> list[Json]:
    """The undated questions."""
    return [row for row in lines("queries.jsonl") if not row["as_of"] and not row["valid_at"]]


def ask(
    library: Library, find: Callable[[Any, Json, list[str]], list[str]]
) -> dict[str, list[str]]:
    """Question -> the corpus's ids that were found."""
    with library.store.read() as tx:
        found = {
            row["id"]: find(tx.shelf, row, [scope(s) for s in row["ladder"]])
            for row in questions()
        }
        every = {item for items in found.values() for item in items}
        names = {item.id: item.content.prompted_by for item in tx.items.many(sorted(every))}
    return {asked: [names[item] for item in items] for asked, items in found.items()}


@pytest.fixture(scope="module")
def recalled(stored: Library) -> dict[str, list[str]]:
    """What a recall of ten finds."""
    now = from_iso(NOW)
    return ask(
        stored,
        lambda shelf, row, scopes: [
            hit.id for hit in recall(shelf, row["text"], scopes, now, 10).hits
        ],
    )


@pytest.mark.parametrize(("kind", "floor"), FLOORS.items())
def test_what_people_type_is_among_the_first_five(
    recalled: dict[str, list[str]], kind: str, floor: float
) -> None:
    """R@5 of a class of questions holds its floor."""
    values = [
        len(set(recalled[row["id"]][:5]) & set(row["relevant"])) / min(5, len(row["relevant"]))
        for row in questions()
        if row["class"] == kind and row["relevant"]
    ]

    assert sum(values) / len(values) >= floor


def test_nothing_forbidden_is_found(recalled: dict[str, list[str]]) -> None:
    """Other scopes, archived and outdated items never come up."""
    leaks = {
        row["id"]: sorted(set(recalled[row["id"]]) & set(row["forbidden"]))
        for row in questions()
        if set(recalled[row["id"]]) & set(row["forbidden"])
    }

    assert leaks == {}


def test_a_question_without_an_answer_gets_none(recalled: dict[str, list[str]]) -> None:
    """Most negatives are answered with nothing, and few answerable questions are."""
    plain = [row for row in questions() if row["class"] not in ("prompt", "paraphrase")]
    negatives = [not recalled[row["id"]] for row in plain if not row["relevant"]]
    others = [not recalled[row["id"]] for row in plain if row["relevant"]]

    assert sum(negatives) / len(negatives) >= 0.7
    assert sum(others) / len(others) <= 0.05


def test_unrelated_prompts_are_left_alone(stored: Library) -> None:
    """At most one in twenty prompts that need nothing gets anything; others often do."""
    now = from_iso(NOW)
    found = ask(
        stored,
        lambda shelf, row, scopes: [
            item.id for item in relevant_to_prompt(shelf, row["text"], scopes, now)
        ],
    )
    prompts = [row for row in questions() if row["class"] == "prompt"]
    noise = [bool(found[row["id"]]) for row in prompts if not row["relevant"]]
    helped = [
        bool(set(found[row["id"]]) & set(row["relevant"])) for row in prompts if row["relevant"]
    ]

    assert sum(noise) / len(noise) <= 0.05
    assert sum(helped) / len(helped) >= 0.6


def test_failures_bring_up_lessons_and_seldom_noise(stored: Library) -> None:
    """What is about none of the items brings up nothing; errors that lessons name do."""
    now = from_iso(NOW)
    found = ask(
        stored,
        lambda shelf, row, scopes: [
            item.id for item in relevant_to_failure(shelf, row["text"], scopes, now)
        ],
    )
    rows = questions()
    noise = [bool(found[row["id"]]) for row in rows if not row["relevant"]]
    lessons = {row["id"] for row in lines("items.jsonl") if row["kind"] == "lesson"}
    errors = [row for row in rows if row["class"] == "error" and set(row["relevant"]) & lessons]
    helped = [bool(set(found[row["id"]]) & set(row["relevant"])) for row in errors]

    assert sum(noise) / len(noise) <= 0.05
    assert len(helped) >= 3
    assert sum(helped) / len(helped) >= 0.6
