"""Recall on a real store: what is found, in which order, and when nothing is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from library import BRANCH, LADDER, REPO
from onrecord.domain.principal import Principal
from onrecord.domain.time import DAY
from onrecord.retrieval.recall import recall, relevant_to_prompt

if TYPE_CHECKING:
    from library import Library

PROMPT = (
    "The pods restarted during the last failover of the appliance and all of them became unready "
    "at the same moment, which closed the gates for six minutes. Review our health endpoints and "
    "separate liveness from readiness properly. Also handle the invalid session handle that the "
    "library returned in that minute, instead of crashing. Show me the plan before the code."
)
UNRELATED = (
    "Write a haiku about a bus that dreams of the sea, and then two more in the same mood for the "
    "farewell card of our colleague who retires in May after thirty-one years as a driver. They "
    "should be warm but not sentimental, and one of them should have the word lantern in it."
)


@pytest.fixture
def shop(library: Library) -> Library:
    """A small shop's memory."""
    library.put("validateTapToken lives in two places", body="`pkg/token` and `offline/token.go`.")
    library.put("GK_HSM_SLOT selects the signing key", body="Slot 7 is production.", scope=REPO)
    library.put("Gatekeeper builds with Go 1.23.1", scope=REPO)
    library.put("Package `offline` was renamed `graceledger`", scope=BRANCH)
    library.put("Gate certificates rotate every 45 days", scope=REPO)
    library.put("Störungsmeldung statt Fehlermeldung", scope=REPO)
    library.put("日本語表示では終電と始発の表記を統一する", scope=REPO)
    library.put("한국어 번역에서 정류장과 역을 구분한다", scope=REPO)
    library.put("Use 🚋 for trams and 🚌 for buses", scope=REPO)
    library.put("Retry budget: three attempts", body="A third one locks.", scope=REPO)
    library.put(
        "CKR_SESSION_HANDLE_INVALID after HSM failover",
        body="The appliance drops sessions when it fails over. Reopen the session, retry once.",
        scope=REPO,
        kind="lesson",
    )
    library.put(
        "Readiness probe must not call the HSM",
        body="When the appliance failed over, all pods went unready at once.",
        scope=REPO,
        kind="lesson",
    )
    return library


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("validate_tap_token", "validateTapToken lives in two places"),
        ("validatetaptoken", "validateTapToken lives in two places"),
        ("tap token", "validateTapToken lives in two places"),
        ("gk_hsm", "GK_HSM_SLOT selects the signing key"),
        ("gkHsmSlot", "GK_HSM_SLOT selects the signing key"),
        ("offline/token.go", "validateTapToken lives in two places"),
        ("go 1.23.1", "Gatekeeper builds with Go 1.23.1"),
        ("rotating certificates", "Gate certificates rotate every 45 days"),
        ("certificate rotati", "Gate certificates rotate every 45 days"),
        ("stoerungsmeldung", "Störungsmeldung statt Fehlermeldung"),
        ("Störungsmeldungen", "Störungsmeldung statt Fehlermeldung"),
        ("終電の表記", "日本語表示では終電と始発の表記を統一する"),
        ("정류장 번역", "한국어 번역에서 정류장과 역을 구분한다"),
        ("🚋", "Use 🚋 for trams and 🚌 for buses"),
        ("retry bud", "Retry budget: three attempts"),
        ("which graceledger?", "Package `offline` was renamed `graceledger`"),
    ],
)
def test_what_people_type_is_found_first(shop: Library, text: str, title: str) -> None:
    """Identifiers, versions, stems, beginnings, accents and scripts without spaces."""
    assert shop.titles(text)[:1] == [title]


@pytest.mark.parametrize(
    "text",
    [
        "cryptocurrency wallet seed",
        "parental leave policy",
        "EXC_BAD_ACCESS",
        "始発列車時刻表",
        "?",
    ],
)
def test_nothing_relevant_is_nothing(shop: Library, text: str) -> None:
    """A recall that has no answer says so instead of giving the least bad one."""
    found = shop.recall(text)

    assert found.hits == []
    assert found.abstained
    assert found.mode == "lexical"


def test_a_misspelt_word_is_mended_and_said_so(shop: Library) -> None:
    """`certifcates rotatoin` finds the certificates, and the answer tells how."""
    found = shop.recall("certifcates rotatoin")

    assert found.hits[0].title == "Gate certificates rotate every 45 days"
    assert found.corrected["certifcates"] == "certificates"
    assert "`certifcates` taken for `certificates`" in found.hits[0].reasons


@pytest.mark.parametrize("typed", ["xertificates", "gertificats"])
def test_a_wrong_first_letter_is_mended_inside_the_scopes(shop: Library, typed: str) -> None:
    """And said so; a scope that lacks the word mends nothing."""
    found = shop.recall(f"{typed} rotate")

    assert found.hits[0].title == "Gate certificates rotate every 45 days"
    assert found.corrected == {typed: "certificates"}
    assert shop.recall(typed, scopes=["global"]).corrected == {}


def test_only_the_scopes_asked_for_are_searched(shop: Library) -> None:
    """The branch's own item is not in the repository's answer."""
    assert shop.titles("graceledger") != []
    assert shop.titles("graceledger", scopes=[REPO, "global"]) == []
    assert shop.titles("graceledger", scopes=[]) == []


def test_only_what_is_live_is_found(library: Library) -> None:
    """Proposed, archived, expired and outdated items stay out; the live one is found."""
    now = library.now
    library.put("Lantern one", status="proposed")
    library.put("Lantern two", status="archived")
    library.put("Lantern three", expires_at=now - DAY)
    library.put("Lantern four", valid_to=now - DAY)
    library.put("Lantern five", valid_from=now + 30 * DAY)
    library.put("Lantern six", valid_from=now - 9 * DAY, valid_to=now + 30 * DAY)

    assert library.titles("lantern") == ["Lantern six"]


def test_kinds_narrow_a_recall(shop: Library) -> None:
    """Only lessons, when lessons are asked for."""
    found = shop.recall("HSM", kinds=["lesson"])

    assert {hit.kind for hit in found.hits} == {"lesson"}
    assert len(shop.recall("HSM").hits) > len(found.hits)


@pytest.mark.parametrize("limit", [-1, 0, 1, 2, 5, 30])
def test_the_limit_is_an_upper_bound(library: Library, limit: int) -> None:
    """Never more than asked for, however much matches."""
    for n in range(20):
        library.put(f"Lantern {n} of the gantry", body=f"number {n}")

    assert len(library.recall("lantern gantry", limit=limit).hits) == min(max(limit, 0), 20)


def test_the_narrower_of_two_with_one_key_is_the_answer(library: Library) -> None:
    """The branch overrides the repository, and the reasons say so."""
    library.put("Retries: five attempts", scope=REPO, key="retries")
    library.put("Retries: two attempts", scope=BRANCH, key="retries")
    found = library.recall("retries attempts")

    assert [hit.title for hit in found.hits] == ["Retries: two attempts"]
    assert any("same key in a narrower scope" in reason for reason in found.hits[0].reasons)


def test_doubt_is_pushed_down_and_told(library: Library) -> None:
    """A disputed item comes after an equal one that is not, and says that it is."""
    library.put("Lantern costs nine", verification="disputed")
    library.put("Lantern costs eight", verification="unverified")
    hits = library.recall("lantern costs").hits

    assert [hit.belief for hit in hits] == ["unverified", "disputed"]
    assert "disputed: check before relying on it" in hits[1].reasons


def test_reasons_tell_what_matched(shop: Library) -> None:
    """Words for people: which of the words, where, in which scope."""
    (hit, *_) = shop.recall("retry budget lantern").hits

    assert hit.reasons[0] == "matches 2 of 3: retry, budget"
    assert hit.reasons[1] == "in the title: retry, budget"
    assert "repo scope" in hit.reasons


def test_the_latest_is_the_newer(library: Library) -> None:
    """`latest` prefers what was recorded last."""
    library.put("Turnstile firmware in the field: 4.8.2", body="firmware firmware turnstile")
    library.maker.tick(400 * DAY)
    library.put("Turnstile firmware in the field: 5.0.3")

    assert library.titles("latest turnstile firmware")[0].endswith("5.0.3")


def test_a_whole_prompt_can_be_searched_with(shop: Library) -> None:
    """Long text is judged by what speaks for an item, not by the share that it answers."""
    titles = shop.titles(PROMPT)

    assert set(titles[:2]) == {
        "CKR_SESSION_HANDLE_INVALID after HSM failover",
        "Readiness probe must not call the HSM",
    }
    assert set(titles[2:]) <= {"Gate certificates rotate every 45 days"}
    assert shop.titles(UNRELATED) == []


def test_a_prompt_brings_up_what_it_is_about(shop: Library) -> None:
    """Unasked, only what much speaks for; at most the limit."""
    with shop.shelf() as shelf:
        found = relevant_to_prompt(shelf, PROMPT, LADDER, shop.now)
        one = relevant_to_prompt(shelf, PROMPT, LADDER, shop.now, 1)
        none = relevant_to_prompt(shelf, PROMPT, LADDER, shop.now, 0)

    assert "CKR_SESSION_HANDLE_INVALID after HSM failover" in [item.title for item in found]
    assert len(one) == 1
    assert none == []


@pytest.mark.parametrize(
    "prompt", [UNRELATED, "yes", "go on", "fix it", "run the tests", "", "thanks!"]
)
def test_an_unrelated_prompt_brings_up_nothing(shop: Library, prompt: str) -> None:
    """Silence is the usual answer."""
    with shop.shelf() as shelf:
        assert relevant_to_prompt(shelf, prompt, LADDER, shop.now) == []


def test_an_identifier_in_a_prompt_is_enough(shop: Library) -> None:
    """A pasted error code names its lesson."""
    with shop.shelf() as shelf:
        found = relevant_to_prompt(
            shelf, "I get CKR_SESSION_HANDLE_INVALID since today, why?", LADDER, shop.now
        )

    assert [item.title for item in found] == ["CKR_SESSION_HANDLE_INVALID after HSM failover"]


def test_recall_takes_any_shelf_view(shop: Library) -> None:
    """The same view gives the same answer twice."""
    with shop.shelf() as shelf:
        first = recall(shelf, "HSM failover", LADDER, shop.now, 5)
        second = recall(shelf, "HSM failover", LADDER, shop.now, 5)

    assert [hit.id for hit in first.hits] == [hit.id for hit in second.hits]
    assert first.terms == second.terms


def test_what_somebody_said_comes_before_what_was_said_to_them(library: Library) -> None:
    """A question that names an author is answered by what they wrote."""
    library.put("Grace, the fares are in cents", author=Principal.person("ada"))
    library.put("The fares are counted in whole coins", author=Principal.person("grace"))

    assert library.titles("what did Grace say about fares")[0].startswith("The fares are counted")


def test_a_word_that_many_have_is_no_answer_to_a_question_that_asks_for_more(
    library: Library,
) -> None:
    """One word of two answers where a single item has it, not where several do."""
    for n in range(60):
        library.put(f"Ordinary statement number {n}", body="about the depot and the fares")
    library.put("The graceledger keeps taps offline")
    for place in ("north", "south", "west"):
        library.put(f"The validator in the {place} hall was replaced")

    assert library.titles("graceledger wallpaper") == ["The graceledger keeps taps offline"]
    assert library.titles("validator wallpaper") == []
    assert len(library.titles("validator hall")) == 3


def test_naming_much_of_a_title_is_asking_for_it(library: Library) -> None:
    """However long the question goes on about what nothing has."""
    for n in range(60):
        library.put(f"Ordinary statement number {n}", body="about the depot and the fares")
    library.put("First week for newcomers")

    asked = "what should a freshly hired colleague do in their first week"
    assert library.titles(asked) == ["First week for newcomers"]
    assert library.titles("what should a freshly hired colleague do in a week") == []
