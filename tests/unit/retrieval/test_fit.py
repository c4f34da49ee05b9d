"""How well a text answers what a query asks for."""

from __future__ import annotations

import pytest

from onrecord.retrieval.fit import (
    DERIVED,
    Probe,
    Text,
    evidence,
    kinship,
    plain,
    presence,
    share,
    stem,
    telling,
    weights,
)
from onrecord.retrieval.terms import read_units


def found(query: str, text: str) -> list[float]:
    """The presence of each unit of a query."""
    return [presence(Probe(unit), Text(text)) for unit in read_units(query + " ")]


@pytest.mark.parametrize(
    ("query", "text", "wanted"),
    [
        ("unit", "Run unit tests", 1.0),
        ("rotating", "Certificates rotate", 1.0),
        ("stories", "The story so far", 1.0),
        ("pinned", "The scribe pins it", 1.0),
        ("Wartung", "Ladesäulenwartung am Mittwoch", 0.8),
        ("Stoerung", "Eine Störung", 1.0),
        ("Störungen", "Eine Störung", 1.0),
        ("льготного", "Льготный проездной", 1.0),
        ("go", "It is going well", 0.0),
        ("2", "room 22", 0.0),
        ("repo", "Crash reports", 0.0),
        ("validateTapToken", "calls validate_tap_token once", 1.0),
        ("stop_board", "hook useStopBoard", 1.0),
        ("loop", "CrashLoopBackOff", 1.0),
        ("src/nav/linking.ts", "see linking.ts there", 0.9),
        ("validateTapToken", "validate the other token", 0.5 * 2 / 3),
        ("1.23.1", "Go 1.23.1", 1.0),
        ("1.23.1", "Go 1.23.10", 0.0),
        ("終電", "最後の終電です", 1.0),
        ("🚋", "Use 🚋 for trams", 1.0),
        ("🚋", "Use a tram", 0.0),
    ],
)
def test_presence_of_one_unit(query: str, text: str, wanted: float) -> None:
    """A unit is there whole, in another form, in part, or not."""
    assert found(query, text) == [pytest.approx(wanted)]


def test_an_unfinished_word_is_found_by_its_beginning() -> None:
    """As typed so far, `catastr` is in `catastrophic`."""
    (unit,) = read_units("catastr")

    assert presence(Probe(unit), Text("Catastrophic backtracking")) == 1.0


def test_a_run_is_found_in_part() -> None:
    """Pairs of an unspaced sentence that the text has count."""
    (value,) = found("充电桩什么时候可以升级固件", "充电桩固件升级必须在白天进行")

    assert 0.4 < value < 1.0


def test_forms_of_a_word_are_one_and_what_is_made_of_it_is_near() -> None:
    """Endings of number and tense make no other word; other endings do; some words are strange."""
    for left, right in (
        ("studying", "study"),
        ("umsteigeverbindungen", "umsteigeverbindung"),
        ("stopped", "stops"),
        ("caches", "cache"),
        ("renamed", "renames"),
    ):
        assert kinship(left, right) == kinship(right, left) == 1.0
    for left, right in (("weekly", "week"), ("differs", "diff"), ("payments", "pay")):
        assert kinship(left, right) == kinship(right, left) == DERIVED
    assert kinship("port", "portal") == 0.0
    assert kinship("cluster", "clutter") == 0.0


def test_stem_leaves_numbers_and_short_words() -> None:
    """Nothing is cut from what is no word."""
    assert stem("1380s") == "1380s"
    assert stem("bus") == "bus"


def test_rare_units_weigh_more_than_common_ones() -> None:
    """What every text has tells nothing apart; what none has is what was asked for."""
    units = read_units("gantry lantern ")
    common, absent = weights(units, [[1.0, 0.0]] * 40)

    assert absent > common


def test_weak_words_weigh_little() -> None:
    """`file` in a query says less than `lantern`."""
    weak, strong = weights(read_units("file lantern "), [[0.0, 0.0]])

    assert weak < strong / 2


def test_share_of_nothing_is_nothing() -> None:
    """No unit, no share."""
    assert share([], []) == 0.0
    assert share([1.0, 3.0], [1.0, 0.0]) == 0.25


def test_telling_units_are_particular() -> None:
    """A long identifier decides; a number, a date or a short name does not."""
    units = read_units("CKR_SESSION_HANDLE_INVALID 2024-01-17 gk_x plain ")

    assert [telling(unit) for unit in units] == [True, False, False, False]


def test_everyday_words_with_a_hyphen_are_no_identifier() -> None:
    """`power-cut` weighs what a word does; `tap-writer` and `coldStart` are names."""
    hyphen, name, cased = read_units("power-cut tap-writer coldStart ")

    assert [plain(unit) for unit in (hyphen, name, cased)] == [True, False, False]
    assert not telling(hyphen)
    assert telling(name)
    assert weights([hyphen], [[0.0]]) < weights([name], [[0.0]])


def test_what_is_made_of_an_idle_word_is_not_it() -> None:
    """A builder is no build, while weekly is nearly of week in a word that says something."""
    assert presence(Probe(read_units("build gate")[0]), Text("by agent/builder")) == 0.0
    assert presence(Probe(read_units("fortnight gate")[0]), Text("fortnightly rota")) > 0.0


def evidence_for(query: str, title: str, body: str) -> float:
    """What speaks for an item under a query."""
    units = read_units(query)
    whole, head = Text(f"{title} {body}"), Text(title)
    probes = [Probe(unit) for unit in units]
    here = [presence(probe, whole) for probe in probes]
    there = [presence(probe, head) for probe in probes]
    return evidence(units, weights(units, [here]), here, there, whole)


def test_forms_of_one_word_are_one_piece_of_evidence() -> None:
    """A prompt that says charger and chargers does not speak twice."""
    once = evidence_for("the charger is off, see the lamp of it there now.", "Charger", "")
    twice = evidence_for("the charger is off, see chargers of it there now.", "Charger", "")

    assert twice == pytest.approx(once)


def test_a_title_is_better_evidence_than_a_body() -> None:
    """What stands in the title is what the item is about."""
    query = "why does the lantern of the gantry fall off"

    assert evidence_for(query, "Lantern", "x") > evidence_for(query, "x", "Lantern")


def test_a_long_text_needs_more() -> None:
    """Chance overlaps grow with the text."""
    query = "why does the lantern of the gantry fall off"
    long = " ".join(f"word{n}" for n in range(300))

    assert evidence_for(query, "Lantern", long) < evidence_for(query, "Lantern", "short") / 2
