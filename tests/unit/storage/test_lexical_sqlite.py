"""The match of a lexical query: inert words, and stems for beginnings."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import apsw
import pytest

from corpora import corpus
from onrecord.storage.lexical_sqlite import words
from onrecord.testing.builders import Maker, keep, query

if TYPE_CHECKING:
    from onrecord.storage.store import SqlStore


def test_every_word_is_a_string_inside_the_match() -> None:
    """Places and words are quoted, and quotes inside them are doubled."""
    found = words(["s3a", "s5a"], ['say "hi"', "AND", "con*"])["match"]

    assert found.startswith('{place}: ("s3a" OR "s5a") AND {title body tags terms context}: (')
    assert '"say ""hi""" OR "AND" OR "con"*' in found


def test_without_a_place_only_words_are_asked_for() -> None:
    """Without a word nothing is."""
    assert words([], ["a"])["match"] == '{title body tags terms context}: ("a")'
    assert words(["s1a"], [])["match"] == words(["s1a"], ["*"])["match"] == '""'


@pytest.mark.parametrize(
    ("beginning", "stem"),
    [
        ("migrati", "migrat"),
        ("configurati", "configur"),
        ("runn", "run"),
        ("runni", "run"),
        ("policie", "polici"),
        ("generalizat", "gener"),
        ("hopefuln", "hope"),
    ],
)
def test_a_beginning_longer_than_a_stem_looks_for_the_stem(beginning: str, stem: str) -> None:
    """What is left of a beginning without that of an English ending is looked for whole."""
    assert f'"{stem}"' in words([], [beginning + "*"])["match"]


@pytest.mark.parametrize("beginning", ["xyloz", "port 84", "8443", "東京", "form"])
def test_a_beginning_without_an_ending_is_only_itself(beginning: str) -> None:
    """Nothing else is looked for."""
    assert words([], [beginning + "*"])["match"].endswith(f': ("{beginning}"*)')


def test_the_words_of_the_index_are_its_stems(store: SqlStore, path: str) -> None:
    """A word is found by its other forms."""
    make = Maker()
    item = make.item("we were migrating the databases")
    with store.write() as tx:
        keep(tx, item)

    with store.read() as tx:
        for word in ("migration", "migrate", "database", "migrated"):
            asked = query(word, now=make.clock.now())
            assert [c.id for c in tx.shelf.matching(asked, body_chars=9)] == [item.id]
    assert apsw.Connection(path).execute("SELECT count(*) FROM documents").fetchall() == [(1,)]


def test_hostile_strings_are_no_errors(store: SqlStore) -> None:
    """Each as a term, as a beginning, and all of them at once; what they stand beside is found."""
    lines = corpus("safety/naughty.jsonl").read_text(encoding="utf-8").splitlines()
    hostile = [str(json.loads(line)["text"]) for line in lines]
    make = Maker()
    item = make.item("kestrel")
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
