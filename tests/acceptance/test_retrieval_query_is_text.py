"""retrieval.query_is_text: no character of a query is syntax, in any door or engine."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

import pytest

from corpora import corpus
from library import Library
from onrecord.storage.inmemory import InMemoryStore
from recalling import Doors, text_of

if TYPE_CHECKING:
    from pathlib import Path

#: What operators would find if they acted, and what the texts themselves name.
ITEMS: Final = (
    ("Robert wrote the item table", "drop nothing"),
    ("Secrets live in the sealed store", "body text about a secret"),
    ("passwd and shadow are not read here", "etc passwd shadow"),
    ("windows win.ini is ignored", "system"),
    ("café on floor three", "coffee"),
    ("straße is spelled with ß", "STRASSE"),
    ("select is a word", "fullwidth"),
    ("abc comes before def", "letters"),
    ("Use 💻 for remote work", "emoji"),
    ("The script alert is on", "svg onload"),
    ("NEAR is a keyword elsewhere", "near AND or NOT"),
    ("admin logs in with a key", "INFO"),
    ("The lantern of the gantry is green", "nothing of the above"),
)
#: Texts that look like operators of some engine, and the plain words that they must mean.
OPERATORS: Final = (
    ('"lantern', "lantern "),
    ("lantern*", "lantern "),
    ("title:lantern", "title lantern "),
    ("{title body} : lantern", "title body lantern "),
    ("lantern NOT gantry", "lantern gantry "),
    ("lantern -gantry", "lantern gantry "),
    ("^lantern", "lantern "),
    ("NEAR(lantern gantry, 1)", "near lantern gantry 1 "),
    ("lantern') OR 1=1 --", "lantern 1 "),
    ("lantern:* & !gantry", "lantern gantry "),
)


def hostile() -> list[str]:
    """The corpus's texts."""
    lines = corpus("safety/naughty.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line)["text"] for line in lines]


@pytest.fixture(scope="module")
def doors(tmp_path_factory: pytest.TempPathFactory) -> Doors:
    """A store with the items."""
    folder: Path = tmp_path_factory.mktemp("text")
    made = Doors(folder)
    made.seed(ITEMS)
    return made


@pytest.fixture(scope="module")
def reference() -> Library:
    """The same items in a store that has no query language at all."""
    library = Library(InMemoryStore())
    for title, body in ITEMS:
        library.put(title, body=body, verification="verified")
    return library


def test_retrieval_query_is_text_in_the_library(doors: Doors, reference: Library) -> None:
    """Each hostile text finds, without an error, what the reference finds."""
    texts = hostile()
    answers = doors.library("recall", texts, limit=20)
    found = [{hit["item"]["title"] for hit in answer["hits"]} for answer in answers]
    wanted = [set(reference.titles(text, scopes=["global"], limit=20)) for text in texts]

    assert len(texts) >= 100
    assert [(t, f, w) for t, f, w in zip(texts, found, wanted, strict=True) if f != w] == []
    assert sum(bool(titles) for titles in found) >= 10


def test_retrieval_query_is_text_in_the_server(doors: Doors) -> None:
    """Each hostile text gets an answer from the tool, never a failure of its own."""
    texts = [text for text in hostile() if text.strip()]
    results = doors.server("recall", texts, limit=5)

    assert len(results) == len(texts)
    assert all(text_of(result) for result in results)
    failed = [t for t, r in zip(texts, results, strict=True) if "went wrong" in text_of(r)]
    assert failed == []


def test_retrieval_query_is_text_in_the_command(doors: Doors) -> None:
    """An argument that looks like syntax is words; it may even look like an option."""
    texts = [text for text in hostile() if text.strip() and "\0" not in text][::12]
    for text in texts:
        answer = doors.command("recall", "--json", "--", text)
        assert "hits" in answer, text


def test_retrieval_query_is_text_where_operators_would_act(doors: Doors) -> None:
    """Quotes, stars, column filters, NOT, NEAR: the same answer as their words alone."""
    asked = doors.library("recall", [text for text, _ in OPERATORS], limit=20)
    plain = doors.library("recall", [text for _, text in OPERATORS], limit=20)

    for (text, _), found, wanted in zip(OPERATORS, asked, plain, strict=True):
        titles = [hit["item"]["title"] for hit in found["hits"]]
        assert titles == [hit["item"]["title"] for hit in wanted["hits"]], text
        assert titles[0] == "The lantern of the gantry is green", text
