"""Parameters of PostgreSQL's driver, and words that its lexical index takes as data."""

from __future__ import annotations

import json

from corpora import corpus
from onrecord.storage import queries
from onrecord.storage.dialect import SQLITE
from onrecord.storage.lexical_postgres import POSTGRES, parameters, words
from onrecord.storage.postgres import open_postgres
from onrecord.testing.builders import Maker, keep, query


def test_names_become_the_drivers_own() -> None:
    """Colons and signs of percent in quotes stay what they are."""
    text = "SELECT ':no', x % 2 FROM t WHERE a = :name AND b IN (:other_one) || ':*' || :end"

    assert parameters(text) == (
        "SELECT ':no', x %% 2 FROM t"
        " WHERE a = %(name)s AND b IN (%(other_one)s) || ':*' || %(end)s"
    )


def test_both_databases_have_the_same_queries() -> None:
    """Only the file of the lexical index is another, and none is left to fill in."""
    shared = queries.load(queries.FILES, POSTGRES)

    assert set(shared) == set(queries.load(queries.FILES, SQLITE))
    for name, text in shared.items():
        assert ":" not in text.replace("'{}'", ""), name
        assert "json_each" not in text, name


def test_terms_are_lists_of_strings() -> None:
    """A final sign marks a beginning; NUL, which the database cannot hold, is left out."""
    found = words(["s1a"], ["a b", "c*", "d\x00e", '"'])

    assert {name: json.loads(text) for name, text in found.items()} == {
        "places": ["s1a"],
        "whole": ["a b", "d e", '"'],
        "begun": ["c"],
    }


def test_hostile_strings_are_no_errors(postgres_url: str) -> None:
    """Each as a term, as a beginning, and all of them at once; what they stand beside is found."""
    lines = corpus("safety/naughty.jsonl").read_text(encoding="utf-8").splitlines()
    hostile = [str(json.loads(line)["text"]) for line in lines]
    make = Maker()
    item = make.item("kestrel")
    store = open_postgres(postgres_url, tenant="local")
    with store.write() as tx:
        keep(tx, item)

    assert len(hostile) > 100
    with store.read() as tx:
        for text in hostile:
            for term in (text, text + "*"):
                asked = query(term, "kestrel", now=make.clock.now())
                assert [c.id for c in tx.shelf.matching(asked, body_chars=9)] == [item.id]
        asked = query(*hostile, "kestrel", now=make.clock.now())
        assert [c.id for c in tx.shelf.matching(asked, body_chars=9)] == [item.id]
    store.close()
