"""Terms that find nothing which the others do not are left out."""

from __future__ import annotations

import pytest

from onrecord.retrieval import terms
from onrecord.retrieval.spare import without_spare


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        (["quay_loader", "quayloader", "loader"], ["quayloader", "loader"]),
        (["quayLoader", "quay_loader"], ["quayLoader"]),
        (["src/quay_loader.py", "quay_loader.py", "quay_loader"], ["quay_loader"]),
        (["v7.4.6", "7.4.6", "held"], ["7.4.6", "held"]),
        (["v7.4.6", "v7.4"], ["v7.4"]),
        (["quayLoader", "src/quayLoader.py", "quay_loader"], ["quayLoader"]),
    ],
)
def test_a_phrase_beside_a_term_that_finds_as_much_is_left_out(
    given: list[str], kept: list[str]
) -> None:
    """What is indexed in one word is not looked for as a row of words as well."""
    assert without_spare(given) == kept


@pytest.mark.parametrize(
    "given",
    [
        ["stop-board", "stopboard"],
        ["quay_loader", "loader"],
        ["quay_loader*", "quayloader"],
        ["depot", "queue"],
        [],
    ],
)
def test_what_finds_more_stays(given: list[str]) -> None:
    """Prose writes `stop board` in two words, and one common word stands for no phrase."""
    assert without_spare(given) == given


def test_a_statement_keeps_a_term_of_each_name() -> None:
    """Of every identifier, path and version one term is left that finds it."""
    said = "quay_loader calls berthGuard in src/gate/watch_tower.py since v7.4.6"
    kept = without_spare(terms.terms_of(terms.read_units(said), 40))
    assert {"quayloader", "berthGuard", "watch_tower.py", "7.4.6"} <= set(kept)
    assert not {"quay_loader", "berth_guard", "v7.4.6", "src/gate/watch_tower.py"} & set(kept)
