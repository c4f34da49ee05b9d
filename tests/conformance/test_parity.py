"""Both databases answer the queries of a corpus with the same relevant items.

Engines stem and weigh in their own ways, so that orders differ where it hardly matters; what
answers a query must be there with either, and what must not come up with neither.
"""

from __future__ import annotations

import json
from collections import defaultdict
from typing import TYPE_CHECKING, Any, Final

import pytest

from corpora import corpus
from onrecord.domain.query import Document
from onrecord.domain.time import from_iso
from onrecord.retrieval.recall import recall
from onrecord.retrieval.terms import index_terms
from onrecord.storage.postgres import open_postgres
from onrecord.storage.sqlite_engine import open_sqlite
from onrecord.testing.builders import Maker

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping
    from pathlib import Path

    from harness.postgres import Databases
    from onrecord.domain.ports import Store

    #: class -> query -> those of its relevant items that come first
    Found = dict[str, dict[str, frozenset[str]]]

#: So many hits are looked at.
FIRST: Final = 5
#: The share of a class's queries whose relevant items may differ.
APART: Final = 0.03
_NOW: Final = from_iso("2026-06-01")


def rows(name: str) -> list[dict[str, Any]]:
    """The lines of a file of the corpus."""
    lines = corpus(f"typed/dev/{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def kept(store: Store) -> dict[str, str]:
    """The corpus's items in a store; its id of each by ours."""
    make = Maker()
    names: dict[str, str] = {}
    with store.write() as tx:
        for row in rows("items"):
            bounds = {
                name: from_iso(row[name]) for name in ("valid_from", "valid_to") if row[name]
            }
            status = row["status"] if row["status"] in ("active", "archived") else "archived"
            item = make.item(
                row["title"],
                body=row["body"],
                tags=tuple(row["tags"]),
                scope=row["scope"],
                kind=row["kind"],
                status=status,
                **bounds,
            )
            names[item.id] = row["id"]
            tx.scopes.note(item.scope, item.created_at)
            tx.items.add(item)
            tx.index.put(
                Document(
                    item=item.id,
                    version=1,
                    scope=item.scope,
                    live=status == "active",
                    kind=item.kind,
                    title=row["title"],
                    body=row["body"],
                    tags=" ".join(row["tags"]),
                    terms=index_terms(row["title"], row["body"], row["author"]),
                )
            )
    return names


def answers(store: Store) -> tuple[Found, list[str]]:
    """What each query finds of what is relevant to it, and what it should not have found."""
    names, wrong = kept(store), list[str]()
    found: Found = defaultdict(dict)
    with store.read() as tx:
        for row in rows("queries"):
            if row["as_of"] or row["valid_at"]:
                continue
            hits = recall(tx.shelf, row["text"], row["ladder"], _NOW, FIRST).hits
            first = {names[hit.id] for hit in hits}
            found[row["class"]][row["id"]] = frozenset(first & set(row["relevant"]))
            wrong += [row["id"] for one in row["forbidden"] if one in first]
    return found, wrong


@pytest.fixture
def sqlite(tmp_path: Path) -> Generator[Store]:
    """A fresh store in a file."""
    (tmp_path / "data").mkdir(mode=0o700)
    store = open_sqlite(str(tmp_path / "data" / "memory.db"), create=True)
    yield store
    store.close()


@pytest.fixture
def postgres(postgres_server: Databases) -> Generator[Store]:
    """A fresh store on a server."""
    template = postgres_server.template(
        "parity", lambda url: open_postgres(url, tenant="local").close()
    )
    with postgres_server.fresh(template) as url:
        store = open_postgres(url, tenant="local")
        yield store
        store.close()


def test_the_same_relevant_items_answer(sqlite: Store, postgres: Store) -> None:
    """Identifiers, errors, versions, slips, beginnings, accents, other scripts, prompts."""
    (one, wrong_one), (other, wrong_other) = answers(sqlite), answers(postgres)

    assert (wrong_one, wrong_other) == ([], [])
    assert set(one) >= {"identifier", "error", "version", "typo", "cjk", "prefix", "lang"}
    assert {name: part for name in one if (part := apart(one[name], other[name]))} == {}


def apart(one: Mapping[str, frozenset[str]], other: Mapping[str, frozenset[str]]) -> list[str]:
    """The queries that are answered otherwise, where they are more than may be."""
    differing = [name for name in one if one[name] != other[name]]
    return differing if len(differing) > max(1, APART * len(one)) else []
