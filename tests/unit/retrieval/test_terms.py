"""From text to terms, on both sides of the index."""

from __future__ import annotations

import pytest

from onrecord.retrieval.terms import MAX_TERM, index_terms, read_units, terms_of


def query_terms(text: str, limit: int = 12) -> list[str]:
    """The terms that a query of a text looks for."""
    return terms_of(read_units(text), limit)


def all_terms(text: str) -> list[str]:
    """Every term of a query, however many."""
    return query_terms(text, 100)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("validateTapToken ", ["validateTapToken", "validate_tap_token", "validate", "token"]),
        ("validate_tap_token ", ["validate_tap_token", "validatetaptoken"]),
        ("stop-board ", ["stop-board", "stopboard"]),
        ("internal/ledger/replay.go ", ["internal/ledger/replay.go", "replay.go", "ledger"]),
        ("--dry-settle ", ["dry-settle", "drysettle", "settle"]),
        ("GK_HSM_SLOT ", ["GK_HSM_SLOT", "hsm"]),
        ("v1.2.3 ", ["v1.2.3", "1.2.3"]),
        ("2,400 ", ["2,400", "2400"]),
        ("ORA-00942 ", ["ORA-00942"]),
        ("c++ ", ["cpp"]),
        ("🚋", ["u1f68b"]),
        ("終電の表記", ["終電", "表記"]),
        ("배터리 예열 ", ["배터", "터리", "예열"]),
        ("駅", ["駅*"]),
        ("Störung ", ["storung", "stoerung"]),
        ("Straße ", ["strasse"]),
    ],
)
def test_what_people_type_becomes_terms(text: str, wanted: list[str]) -> None:
    """Identifiers stay whole and are split, scripts without spaces become pairs."""
    assert set(wanted) <= set(all_terms(text))


@pytest.mark.parametrize(
    "text",
    [
        "how do I and what is the",
        "wie kann ich das und warum",
        "comment est-ce que je le",
        "como se hace eso y por que",
        "",
        "   ",
        "?!",
    ],
)
def test_words_without_a_topic_are_no_query(text: str) -> None:
    """Question words, articles and signs alone look for nothing."""
    assert query_terms(text + " ") == []


def test_question_words_leave_the_topic() -> None:
    """What remains of a question is what it is about."""
    assert query_terms("how do I run the unit tests here?")[:3] == ["run", "unit", "tests"]


@pytest.mark.parametrize(
    ("text", "beginning"),
    [
        ("bloom fil", "fil*"),
        ("catastr", "catastr*"),
        ("node 20.1", "20.1*"),
        ("gk_hsm", "gk_hsm*"),
        ("validateT", "validateT*"),
    ],
)
def test_a_last_word_may_be_unfinished(text: str, beginning: str) -> None:
    """As typed so far, the last word is a beginning, too."""
    assert beginning in all_terms(text)
    assert beginning not in all_terms(text + " ")
    assert beginning not in all_terms(text + "?")


def test_a_short_last_word_is_no_beginning() -> None:
    """Two letters begin too much."""
    assert not any(term.endswith("*") for term in all_terms("deep li"))


def test_a_whole_prompt_has_no_unfinished_word() -> None:
    """Prose is skimmed; its last word is a word."""
    prose = (
        "the gate closes slowly whenever lanes report battery voltage below normal charge level"
    )

    assert "level*" not in all_terms(prose)


def test_the_most_telling_terms_come_first() -> None:
    """What is dropped from a long query are words that say little."""
    text = (
        "please add a new file to show the list of users when CKR_SESSION_HANDLE_INVALID returns"
    )
    terms = query_terms(text, 3)

    assert terms[0] == "CKR_SESSION_HANDLE_INVALID"
    assert not {"file", "new", "show", "list"} & set(terms)


def test_a_repeated_word_of_a_prompt_comes_before_others() -> None:
    """What a prompt says twice it is about."""
    words = "lantern hedge pebble anvil trellis goblet thimble rivet saddle kettle"

    assert query_terms(f"{words} gantry gantry.", 1) == ["gantry"]


@pytest.mark.parametrize("limit", [0, 1, 3, 12, 40])
def test_the_limit_holds(limit: int) -> None:
    """Never more terms than asked for."""
    text = "validateTapToken internal/ledger/replay.go " + " ".join(f"word{n}x" for n in range(50))

    assert len(query_terms(text, limit)) == min(limit, len(query_terms(text, 1000)))


def test_terms_are_told_apart_by_what_an_engine_makes_of_them() -> None:
    """`GK_HSM` and `gk-hsm` are one phrase to an engine."""
    terms = all_terms("GK_HSM gk-hsm ")

    assert len({term.lower().replace("-", "_") for term in terms}) == len(terms)


def test_long_words_are_cut_to_a_beginning() -> None:
    """A key of a thousand letters still finds what begins like it."""
    (term,) = query_terms("q" * 1000 + " ")

    assert len(term) <= MAX_TERM
    assert term.endswith("*")


def test_units_say_how_often_they_were_seen() -> None:
    """One thing that is named twice is one unit."""
    units = read_units("Kafka, kafka and the ledger. ")

    assert [(unit.key, unit.seen) for unit in units] == [("kafka", 2), ("ledger", 1)]


def test_index_terms_split_and_join() -> None:
    """The index holds what a query may ask for and the text does not spell so."""
    terms = index_terms("useStopBoard and stop-board", "fare_cap 2,400 v1.2 250ms phase2").split()

    assert {"use", "stop", "board", "stopboard", "farecap", "2400", "1.2", "ms"} <= set(terms)


def test_index_terms_keep_the_order_of_parts() -> None:
    """A phrase of parts meets them in a row."""
    assert "validate tap token" in index_terms("validateTapToken", "")


def test_index_terms_hold_pairs_and_the_last_character() -> None:
    """A single character is found wherever it stands in a run."""
    assert index_terms("終電前", "").split() == ["終電", "電前", "前"]


def test_index_terms_name_author_and_date() -> None:
    """Who wrote it and when can be asked for."""
    terms = index_terms("Use pnpm", "", "mira.okafor", "2026-11-30").split()

    assert {"mira.okafor", "2026-11-30", "November"} <= set(terms)


def test_index_terms_of_plain_words_are_nothing() -> None:
    """What the engine finds by itself is not stored twice."""
    assert index_terms("Use pnpm in this café", "The lock file is kept.") == ""


def test_index_terms_have_an_end() -> None:
    """The longest body does not make an index entry without bounds."""
    body = " ".join(f"partOne{n}Two" for n in range(8_000))

    assert len(index_terms("t", body)) < 200_000
