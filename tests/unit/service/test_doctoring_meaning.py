"""The doctor tells what recall finds by, what is owed, and where texts go."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from meanings import Letters
from onrecord.domain.embedding import Spec
from onrecord.domain.errors import ModelMissing, StoreMissing
from onrecord.service.doctoring import Finding
from onrecord.service.doctoring_meaning import examine_meaning
from onrecord.service.meaning import Meaning
from onrecord.service.reindexing import Coverage

if TYPE_CHECKING:
    from onrecord.domain.embedding import Embedder


def findings(
    table: dict[str, object] | None = None,
    *,
    here: Embedder | None = None,
    **given: Any,
) -> list[Finding]:
    """What the doctor says of a store that stands so."""

    def opened(_name: str) -> Embedder:
        if here is None:
            raise ModelMissing(hint="pip install 'onrecord[semantic]'")
        return here

    some: dict[str, Any] = {"model": "", "spec": None, "active": 3, "having": 0, "owed": 0}
    standing = Coverage(**{**some, "building": (), **given})
    found = list(examine_meaning(table or {}, lambda: standing, lambda: Meaning(opened)))
    assert all(one.say for one in found)
    return found


def codes(*args: Any, **given: Any) -> list[tuple[str, str]]:
    """(code, level) of each finding."""
    return [(one.code, one.level) for one in findings(*args, **given)]


def spec(model: Letters) -> Spec:
    """What its vectors are kept as."""
    return model.spec


def test_a_model_in_use_says_what_it_has_read_and_what_is_owed() -> None:
    """And where the texts go."""
    model = Letters()
    whole: dict[str, Any] = {"model": "letters", "spec": spec(model), "having": 3}

    assert codes(here=model, **whole) == [("meaning.used", "ok")]
    assert codes({"model": "minilm"}, here=model, **whole)[1:] == [("meaning.other", "note")]
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
    half: dict[str, Any] = {"building": ("letters",), "built": (1,)}
    assert codes(here=Letters(), **half) == [("meaning.unfinished", "warn")]
    assert codes({"model": "none"}, here=Letters()) == [("meaning.off", "note")]
    assert codes({"model": 3}) == [("usage", "fail")]


def test_what_was_broken_off_says_how_far_and_what_goes_on() -> None:
    """Beside a model in use as well, by the name that it goes on under."""
    model = Letters()
    used: dict[str, Any] = {"model": "letters", "spec": spec(model), "having": 3}
    table: dict[str, object] = {
        "model": "letters",
        "models": {"letters": {"onnx": "/m", "tokenizer": "/t"}},
    }

    again, *rest = findings(table, here=model, **used, building=("letters",), built=(2,))
    assert [one.code for one in rest] == ["meaning.used"]
    assert "letters was not finished: 2 of 3" in again.say
    assert "goes on with letters" in again.say
    assert again.fix == "onrecord reindex goes on where it was"

    other, _ = findings(table, here=model, **used, building=("mine",), built=(0,))
    assert other.fix == "onrecord reindex --model mine goes on where it was"

    first = findings(here=model, building=("mine",), built=(0,))
    assert [one.code for one in first] == ["meaning.unfinished"]
    assert "goes by words" in first[0].say
    assert "--drop gives it up" in first[0].fix


def test_a_model_in_use_that_is_no_longer_the_wanted_one_is_told() -> None:
    """With what is owed under its own name; unless the wanted one is being read already."""
    model = Letters()
    used: dict[str, Any] = {"model": "letters", "spec": spec(model), "having": 1}
    table: dict[str, object] = {
        "model": "mine",
        "models": {"mine": {"onnx": "/m", "tokenizer": "/t"}},
    }

    _, owed, other = findings(table, here=model, **used)
    assert (owed.code, owed.fix) == ("meaning.owed", "onrecord reindex --model letters")
    assert (other.code, other.level) == ("meaning.other", "note")
    assert "mine" in other.say
    begun = codes(table, here=model, **used, building=("mine",), built=(1,))
    assert [code for code, _ in begun] == ["meaning.unfinished", "meaning.used", "meaning.owed"]


def test_meanings_that_nobody_wants_any_more_are_told() -> None:
    """They stay until they are dropped."""
    (none,) = findings({"model": "none"})
    (kept,) = findings({"model": "none"}, model="letters", having=3, spec=spec(Letters()))

    assert (none.code, none.fix) == (kept.code, "") == ("meaning.off", "")
    assert kept.fix == "onrecord reindex --drop takes it away"
    assert "letters" in kept.say


def test_a_missing_store_is_told_elsewhere() -> None:
    """Not twice."""

    def missing() -> Coverage:
        raise StoreMissing

    assert list(examine_meaning({}, missing, lambda: Meaning(lambda _name: Letters()))) == []
