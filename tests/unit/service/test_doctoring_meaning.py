"""The doctor tells what recall finds by, what is owed, and where texts go."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from meanings import Letters
from onrecord.domain.embedding import Spec
from onrecord.domain.errors import ModelMissing, StoreMissing
from onrecord.service.doctoring_meaning import examine_meaning
from onrecord.service.meaning import Meaning
from onrecord.service.reindexing import Coverage

if TYPE_CHECKING:
    from onrecord.domain.embedding import Embedder


def codes(
    table: dict[str, object] | None = None,
    *,
    here: Embedder | None = None,
    **given: Any,
) -> list[tuple[str, str]]:
    """(code, level) of each finding."""

    def opened(_name: str) -> Embedder:
        if here is None:
            raise ModelMissing(hint="pip install 'onrecord[semantic]'")
        return here

    some: dict[str, Any] = {"model": "", "spec": None, "active": 3, "having": 0, "owed": 0}
    standing = Coverage(**{**some, "building": (), **given})
    found = list(examine_meaning(table or {}, lambda: standing, lambda: Meaning(opened)))
    assert all(one.say for one in found)
    return [(one.code, one.level) for one in found]


def spec(model: Letters) -> Spec:
    """What its vectors are kept as."""
    return model.spec


def test_a_model_in_use_says_what_it_has_read_and_what_is_owed() -> None:
    """And where the texts go."""
    model = Letters()
    whole: dict[str, Any] = {"model": "letters", "spec": spec(model), "having": 3}

    assert codes(here=model, **whole) == [("meaning.used", "ok")]
    assert codes(here=model, **{**whole, "having": 1}) == [
        ("meaning.used", "ok"),
        ("meaning.owed", "note"),
    ]


def test_a_model_that_is_gone_or_changed_is_a_warning() -> None:
    """Recall goes by words meanwhile."""
    kept: dict[str, Any] = {"model": "letters", "spec": spec(Letters()), "having": 3}

    assert codes(**kept) == [("embedding.missing", "warn")]
    assert codes(here=Letters(salt="x"), **kept) == [("embedding.mismatch", "warn")]


def test_without_meanings_the_way_there_is_told() -> None:
    """Whether the model is here or not, half-made, or not wanted."""
    assert codes() == [("meaning.none", "note")]
    assert codes(here=Letters()) == [("meaning.possible", "note")]
    assert codes(here=Letters(), building=("letters",)) == [("meaning.unfinished", "warn")]
    assert codes({"model": "none"}, here=Letters()) == [("meaning.off", "note")]
    assert codes({"model": 3}) == [("usage", "fail")]


def test_a_missing_store_is_told_elsewhere() -> None:
    """Not twice."""

    def missing() -> Coverage:
        raise StoreMissing

    assert list(examine_meaning({}, missing, lambda: Meaning(lambda _name: Letters()))) == []
