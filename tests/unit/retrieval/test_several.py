"""Words that never meet, lists of things, and the names of kinds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from onrecord.retrieval.several import enumerates

if TYPE_CHECKING:
    from library import Library

STREET = "Harbour Street was renamed in all systems"
PACKAGES = "Packages arrive at the gatehouse"


def fill(library: Library) -> None:
    """So many others that a memory is not small."""
    for n in range(60):
        library.put(f"Ordinary statement number {n}", body="about the depot and the fares")


def test_words_that_never_meet_ask_for_what_is_not_there(library: Library) -> None:
    """Each word has an item, and neither item is of both; one that has both is the answer."""
    fill(library)
    library.put(STREET)
    library.put(PACKAGES)

    assert library.titles("renamed packages") == []
    library.put("The packages that were renamed in May")
    assert library.titles("renamed packages")[0] == "The packages that were renamed in May"


def test_a_word_that_nothing_has_parts_nothing(library: Library) -> None:
    """Whoever asks may call it otherwise."""
    fill(library)
    library.put(STREET)

    assert library.titles("renamed boulevard") == [STREET]


def test_parts_of_a_list_may_stand_in_items_of_their_own(library: Library) -> None:
    """What is asked for side by side need not be together."""
    fill(library)
    library.put(STREET)
    library.put(PACKAGES)

    assert set(library.titles("renamed and packages")) == {STREET, PACKAGES}


@pytest.mark.parametrize(
    ("text", "several"),
    [
        ("skew and DST", True),
        ("clock problems: skew", True),
        ("Termine oder Fristen", True),
        ("renamed packages", False),
        ("{title body} : lantern", False),
        ("title:lantern", False),
        ("renamed packages:", False),
        ("the android sandbox", False),
    ],
)
def test_what_a_list_is(text: str, *, several: bool) -> None:
    """A word or a mark between things that are asked for."""
    assert enumerates(text) is several


def test_the_name_of_a_kind_asks_for_that_kind(library: Library) -> None:
    """Of two that speak of it, the lesson answers `lessons`; other lessons do not come up."""
    fill(library)
    library.put("Kafka topics are split by station", kind="fact")
    library.put("Kafka drops messages that are too large", kind="lesson")
    library.put("Pools need a limit", kind="lesson")

    found = library.titles("kafka lessons")
    assert found[0] == "Kafka drops messages that are too large"
    assert "Pools need a limit" not in found


def test_languages_are_found_by_their_own_names(library: Library) -> None:
    """Whoever asks in English finds what is written in the language."""
    fill(library)
    library.put("日本語表示では終電と始発の表記を統一する")
    library.put("Textos en español: «transbordo»")

    assert library.titles("what about Japanese") == ["日本語表示では終電と始発の表記を統一する"]
    assert library.titles("what about Spanish") == ["Textos en español: «transbordo»"]
