"""Recall is measured on corpora of three formats, kept and asked as any door does it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from corpora import corpus as given
from onrecord.domain.errors import UsageError
from onrecord.evals import corpus, measures, retrieval
from onrecord.evals.corpus import Question

if TYPE_CHECKING:
    from pathlib import Path

GATE: dict[str, Any] = {
    "id": "gate",
    "scope": "repo:gate",
    "kind": "fact",
    "title": "The gate opens at six in the morning",
    "body": "",
    "tags": [],
    "author": "ada",
    "created_at": "2024-01-01",
    "valid_from": None,
    "valid_to": None,
    "status": "active",
    "supersedes": None,
}
ITEMS = (
    GATE,
    {**GATE, "id": "old", "title": "The gate opens at seven in the morning", "status": "archived"},
    {**GATE, "id": "far", "title": "The gate opens at eight in the morning", "scope": "repo:far"},
    {**GATE, "id": "bus", "title": "Buses charge at the depot overnight"},
    {**GATE, "id": "new", "title": "Fares are kept in cents", "created_at": "2024-06-01"},
    {
        **GATE,
        "id": "ended",
        "title": "Parking at the depot is free",
        "valid_from": "2024-01-01",
        "valid_to": "2024-03-01",
    },
)
ASKED: dict[str, Any] = {
    "class": "keyword",
    "ladder": ["repo:gate", "global"],
    "as_of": None,
    "valid_at": None,
    "forbidden": [],
    "note": "",
}
QUERIES = (
    {**ASKED, "id": "1", "text": "when does the gate open", "relevant": {"gate": 2}},
    {**ASKED, "id": "2", "text": "fares in cents", "relevant": {"new": 2}},
    {**ASKED, "id": "3", "text": "fares in cents", "as_of": "2024-02-01", "relevant": {}},
    {**ASKED, "id": "4", "text": "parking", "valid_at": "2024-02-01", "relevant": {"ended": 2}},
    {**ASKED, "id": "5", "text": "parking", "relevant": {}, "class": "negative"},
)


def typed(folder: Path) -> Path:
    """A small typed corpus."""
    for name, rows in (("items", ITEMS), ("queries", QUERIES)):
        lines = "".join(json.dumps(row) + "\n" for row in rows)
        (folder / f"{name}.jsonl").write_text(lines, encoding="utf-8")
    return folder


def test_a_typed_corpus_is_asked_in_its_ladder_on_its_days(tmp_path: Path) -> None:
    """What was known, true, live and in scope on that day is found, and nothing else."""
    found = retrieval.evaluate(corpus.read(str(typed(tmp_path))))

    assert {row["id"]: row["got"] for row in found.questions} == {
        "1": ["gate"],
        "2": ["new"],
        "3": [],
        "4": ["ended"],
        "5": [],
    }
    assert found.overall["recall_at_5"] == 1.0
    assert found.overall["forbidden"] == 0
    assert found.abstention == {"precision": 1.0, "recall": 1.0, "f1": 1.0}
    assert found.classes["negative"] == {"questions": 1, "forbidden": 0, "empty": 1}


def test_a_hidden_item_that_is_found_counts_as_forbidden(tmp_path: Path) -> None:
    """The corpus's rule of visibility is asked of every answer, not only the tempting ones."""
    read = corpus.read(str(typed(tmp_path)))
    first, third = read.questions[0], read.questions[2]

    assert measures.measure(first, ["gate", "far"], 10)["forbidden"] == ["far"]
    assert measures.measure(third, ["new"], 10)["forbidden"] == ["new"]


def test_conversations_are_kept_turn_by_turn(tmp_path: Path) -> None:
    """Each turn is its speaker's, in its conversation's scope, and sessions are counted too."""
    turns = [
        {"speaker": "Ann", "dia_id": "D1:1", "text": "I adopted a tortoise called Herman."},
        {"speaker": "Bob", "dia_id": "D1:2", "text": "We repainted the veranda."},
    ]
    conversation = {"session_1_date_time": "1:56 pm on 8 May, 2023", "session_1": turns}
    asked = [
        {"question": "What is the tortoise called?", "evidence": ["D1:1"], "category": 4},
        {"question": "Who repainted the veranda?", "evidence": ["D1:2; D9:9"], "category": 1},
        {"question": "Never said", "evidence": ["D1:2"], "category": 5},
    ]
    path = tmp_path / "locomo.json"
    path.write_text(json.dumps([{"conversation": conversation, "qa": asked}]), encoding="utf-8")

    found = retrieval.evaluate(corpus.read(str(path)))

    assert [row["got"] for row in found.questions] == [["1-D1:1"], ["1-D1:2"]]
    assert found.abstention is None
    assert found.units == {"recall_at_10": 1.0, "hit_at_10": 1.0}


def test_units_are_ranked_by_several_of_their_documents() -> None:
    """The best one counts whole, the next three a little, whatever the rank of the rest."""
    units = {
        "a": "one",
        "b": "two",
        "c": "two",
        "d": "three",
        **{f"e{n}": "two" for n in range(9)},
    }

    assert measures.in_units([], units) == []
    assert measures.in_units([("a", 1.0), ("b", 0.9), ("c", 0.5), ("d", 0.8)], units) == [
        "two",
        "one",
        "three",
    ]
    many = [("a", 2.0), *((f"e{n}", 1.0) for n in range(9))]
    assert measures.in_units(many, units) == ["one", "two"]


def test_measures_are_what_their_names_say() -> None:
    """Recall counts what fits, rank the first, gain the grades."""
    question = Question(
        id="q", kind="k", text="t", scopes=("global",), now=0, relevant={"a": 2, "b": 1}
    )
    row = measures.measure(question, ["x", "a"], 10)

    assert (row["recall_at_1"], row["recall_at_5"], row["mrr"]) == (0.0, 0.5, 0.5)
    assert row["ndcg_at_10"] == pytest.approx((3 / 1.58496) / (3 + 1 / 1.58496), abs=1e-4)
    assert measures.measure(question, ["a", "b"], 10)["ndcg_at_10"] == 1.0
    assert measures.abstention([{"empty": True, "answerable": True}])["precision"] == 0.0


@pytest.mark.parametrize("text", ["", "{", "[]", '{"a": 1}', "[1]", '[{"conversation": {}}]'])
def test_what_is_no_corpus_is_told(tmp_path: Path, text: str) -> None:
    """As a usage error that shows nothing of the file."""
    path = tmp_path / "locomo.json"
    path.write_text(text, encoding="utf-8")
    for form in ("", "locomo", "precisionmembench", "nothing"):
        with pytest.raises(UsageError):
            corpus.read(str(path), form)
    with pytest.raises(UsageError):
        corpus.read(str(tmp_path / "absent"))


def test_nothing_forbidden_is_found_in_the_typed_corpus() -> None:
    """On the half that is tuned on; and most of what should be found is."""
    found = retrieval.evaluate(corpus.read(str(given("typed/dev/items.jsonl").parent)))

    assert found.overall["forbidden"] == 0
    assert found.overall["recall_at_5"] > 0.85
    exact = ("identifier", "prefix", "cjk", "lang", "error", "version", "keyword", "temporal")
    assert {name: found.classes[name]["recall_at_5"] for name in exact} == dict.fromkeys(exact, 1)


def test_superseded_and_foreign_beliefs_are_never_found() -> None:
    """Of every case about them, in the third format."""
    seed = given("precisionmembench/fixtures/beliefs.seed.json")
    found = retrieval.evaluate(corpus.read(str(seed.parent)))

    kinds = ("Supersession chain exclusion", "Cross-user isolation", "Scope disambiguation")
    assert {kind: found.classes[kind]["forbidden"] for kind in kinds} == dict.fromkeys(kinds, 0)
    assert found.classes["Scope disambiguation"]["recall_at_5"] == 1.0
    assert found.overall["forbidden"] == 0


def test_what_a_case_wants_in_one_section_is_not_forbidden_by_another() -> None:
    """Recall has one list; what was resolved is over, and forbidden where a case says so."""
    seed = given("precisionmembench/fixtures/beliefs.seed.json")
    read = corpus.read(str(seed.parent))
    forbidden = {one.id: one.forbidden for one in read.questions}

    over = {one.id for one in read.documents if one.archived}
    assert over == {"b-hosting-resolved", "b-pinned-resolved-interaction"}
    assert "b-auth-open-q" not in forbidden["type-isolation-open-question-not-in-relevant"]
    assert "b-hosting-resolved" in forbidden["filter-resolved-at-excluded"]
