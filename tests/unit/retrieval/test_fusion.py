"""Words and meanings together: who is chosen, in which order, and when nobody is."""

from __future__ import annotations

import pytest

from onrecord.domain.candidate import Candidate
from onrecord.retrieval import fit, fusion
from onrecord.retrieval.dense import Meant
from onrecord.retrieval.found import Read, Recalled
from onrecord.retrieval.terms import read_units, terms_of


def item(name: str, title: str) -> Candidate:
    """A row of a store."""
    return Candidate(id=name, version=1, scope="global", kind="fact", title=title, body="")


class Query:
    """A text that was read, and a shelf of titles."""

    def __init__(self, text: str, *titles: str) -> None:
        self.text = text
        units = read_units(text)
        self.recalled = Recalled(terms_of(units, 12), units)
        self.probes = [fit.Probe(unit) for unit in units]
        self.items = [item(f"i{n}", title) for n, title in enumerate(titles)]

    def fuse(
        self,
        cosines: dict[str, float],
        chosen: dict[str, float] | None = None,
        *,
        count: int = 100,
        alone: bool = False,
        hidden: str = "",
    ) -> list[str]:
        """Ids of those that are chosen; `chosen` are those that words chose, with their share."""
        read = [Read(one, self.probes) for one in self.items]
        by_words: list[Read] = []
        for one in read:
            one.share = (chosen or {}).get(one.item.id, 0.0)
            if one.share:
                by_words.append(one)
        near = [(one, cosines[one.id]) for one in self.items if one.id in cosines]
        near.sort(key=lambda pair: -pair[1])
        found = fusion.fuse(
            self.recalled,
            self.text,
            read,
            by_words,
            Meant(near, mean=0.1, count=count, alone=alone),
            self.probes,
            (lambda one: one.id != hidden) if hidden else None,
        )
        return [one.item.id for one in found]


ASKED = "how do crooks cheat us mostly"
PROMPT = (
    "The chargers from Voltara disconnect when the yard is quiet, mostly at noon. The log has "
    "connection reset and then a reconnect. I suspect a proxy. Make the socket layer robust: "
    "sensible timeouts, a metric that counts reconnects, and the adapter selection unchanged."
)


def test_a_sentence_is_answered_by_what_means_the_same() -> None:
    """The nearest and those a little further; what is far is not."""
    query = Query(ASKED, "Fraud", "Stolen cards", "Tabs")

    assert query.fuse({"i0": 0.40, "i1": 0.25, "i2": 0.05}) == ["i0", "i1"]
    assert query.recalled.mode == "hybrid"
    assert query.recalled.near["i0"] > query.recalled.near["i1"] > (0.0, 0.0)


@pytest.mark.parametrize(
    ("text", "cosine", "answered"),
    [
        (ASKED, 0.26, True),
        (ASKED, 0.20, False),
        ("weekly capping", 0.40, False),
        ("weekly capping", 0.60, True),
        ("how do we configure the Redis cluster?", 0.38, False),
        ("how do we configure the cluster at home?", 0.38, True),
        ("GK_HSM_SLOT", 0.45, False),
    ],
)
def test_the_fewer_words_the_nearer_it_must_be(
    text: str, cosine: float, *, answered: bool
) -> None:
    """And a short question for a name that nothing has is not answered by what is like it."""
    assert bool(Query(text, "Something else").fuse({"i0": cosine})) is answered


def test_a_prompt_needs_more_than_a_question() -> None:
    """It talks of much; only what is quite near is what it is about."""
    prompt = " ".join(f"word{chr(97 + n)} thing{chr(97 + n)}" for n in range(12))

    assert Query(prompt, "a").fuse({"i0": 0.40}) == []
    assert Query(prompt, "a").fuse({"i0": 0.50}) == ["i0"]


def test_words_that_decide_on_little_are_not_far_from_what_is_meant() -> None:
    """Where much is in sight: a chance word is left out, a whole match and a name are not."""
    query = Query("windows build agents", "Agents keep notes", "Build on Tuesdays")

    assert query.fuse({"i0": 0.20, "i1": 0.1}, {"i0": 0.4}) == []
    assert query.fuse({"i0": 0.31, "i1": 0.1}, {"i0": 0.4})[:1] == ["i0"]
    assert query.fuse({"i0": 0.20, "i1": 0.1}, {"i0": 0.9}) == ["i0"]
    assert query.fuse({"i0": 0.20, "i1": 0.1}, {"i0": 0.4}, count=20) == ["i0"]
    named = Query("secrets config of GHA", "GHA runs on push")
    assert named.fuse({"i0": 0.1}, {"i0": 0.3}) == ["i0"]


def test_what_a_caller_may_not_see_displaces_nothing() -> None:
    """It is as if it were not there, also as the nearest."""
    query = Query(ASKED, "Hidden", "Seen")

    assert query.fuse({"i0": 0.9, "i1": 0.3}, hidden="i0") == ["i1"]


def test_by_meaning_alone_words_count_for_nothing() -> None:
    """What words chose is left out unless it is near."""
    query = Query(ASKED, "Crooks cheat", "Fraud")

    assert query.fuse({"i1": 0.4}, {"i0": 1.0}, alone=True) == ["i1"]
    assert query.recalled.mode == "semantic"


def test_nearness_is_a_named_part_of_the_score() -> None:
    """Added to what words gave, with that of what stands around it."""
    one, other = item("a", "x"), item("b", "y")
    one.score = other.score = 0.5

    fusion.put_near([one, other], {"a": (0.25, 0.125)})

    assert (one.score, one.parts) == (0.875, {"meaning": 0.25, "meaning_around": 0.125})
    assert (other.score, other.parts["meaning"]) == (0.5, 0.0)


def test_in_a_prompt_what_meaning_brings_is_weighed_as_what_words_bring() -> None:
    """By what speaks for it: a share of so long a text would be next to nothing."""
    query = Query(PROMPT, "The chargers", "The heartbeat of chargers")
    read = [Read(one, query.probes) for one in query.items]
    for one, worth in zip(read, (6.0, 2.0), strict=True):
        one.worth = worth
        one.share = 0.05
    near = [(query.items[1], 0.6), (query.items[0], 0.5)]
    found = fusion.fuse(
        query.recalled,
        PROMPT,
        read,
        read[:1],
        Meant(near, mean=0.1, count=100),
        query.probes,
        None,
    )

    assert {one.item.id: round(one.share, 2) for one in found} == {"i0": 0.6, "i1": 0.33}


@pytest.mark.parametrize(("text", "weight"), [(ASKED, 0.8), ("crooks and mostly cheats", 0.5)])
def test_nearness_to_a_list_counts_for_less(text: str, weight: float) -> None:
    """As a whole it means none of the things that it asks for."""
    query = Query(text, "Crooks cheat", "Tabs")

    assert query.fuse({"i0": 0.6}, {"i0": 0.9}) == ["i0"]
    near, around = query.recalled.near["i0"]
    assert near == pytest.approx(weight)
    assert around == 0


@pytest.mark.parametrize(("nearer", "kept"), [(5, True), (15, False)])
def test_a_prompts_words_hold_where_meaning_has_them_among_its_nearest(
    nearer: int, *, kept: bool
) -> None:
    """However far all of it is; where much else is nearer, little evidence is a chance."""
    query = Query(PROMPT, "The chargers", *(f"Other {n}" for n in range(20)))
    cosines = {f"i{n}": 0.29 for n in range(1, nearer + 1)} | {"i0": 0.25}
    read = [Read(query.items[0], query.probes)]
    read[0].worth = 4.1
    near = sorted(((query.items[int(n[1:])], c) for n, c in cosines.items()), key=lambda p: -p[1])
    found = fusion.fuse(
        query.recalled, PROMPT, read, read, Meant(near, mean=0.1, count=100), query.probes, None
    )

    assert (read[0] in found) is kept
