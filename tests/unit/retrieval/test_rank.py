"""The order of what was found, and what is folded."""

from __future__ import annotations

from typing import Any

import pytest

from library import BRANCH, REPO, candidate
from onrecord.domain.status import KINDS, VERIFICATIONS
from onrecord.domain.time import DAY
from onrecord.retrieval.rank import (
    BELIEF,
    KIND,
    WEIGHTS,
    diversify,
    in_order,
    recency,
    score,
    use,
)

NOW = 1_000 * DAY


def scored(**given: Any) -> float:
    """The score of an item that matches like any other."""
    item = candidate(recorded_at=NOW - 30 * DAY, lexical=1.0, **given)
    return score(item, fit=0.5, title=0.0, best=2.0, now=NOW)


def test_a_score_is_the_sum_of_its_named_parts() -> None:
    """Each part is at most its weight in the one table."""
    item = candidate(lexical=4.0, belief="verified", pinned=True, recorded_at=NOW, helpful=90)
    total = score(item, fit=1.0, title=1.0, best=4.0, now=NOW)

    assert total == item.score == pytest.approx(sum(item.parts.values()))
    assert set(item.parts) == set(WEIGHTS)
    assert all(item.parts[name] <= WEIGHTS[name] for name in WEIGHTS)


def test_every_belief_and_kind_has_a_value() -> None:
    """A new one would silently count as nothing."""
    assert set(BELIEF) == set(VERIFICATIONS)
    assert set(KIND) | {"handoff"} == set(KINDS)


def test_belief_orders_equal_matches() -> None:
    """Verified before corroborated before unverified; doubt goes down."""
    by_belief = [
        scored(belief=name)
        for name in ("verified", "corroborated", "unverified", "stale", "disputed")
    ]

    assert by_belief == sorted(by_belief, reverse=True)
    assert len(set(by_belief)) == 5


def test_narrower_pinned_and_used_items_come_first() -> None:
    """Scope, pin and use each move an item up among equal matches."""
    plain = scored(scope="global")

    assert scored(scope=BRANCH) > scored(scope=REPO) > plain
    assert scored(scope="global", pinned=True) > plain
    assert scored(scope="global", helpful=10) > plain


def test_no_engine_scale_matters() -> None:
    """The best match counts in full whatever its engine calls it."""
    small, large = candidate(lexical=0.001), candidate(lexical=9_000.0)
    score(small, fit=0.0, title=0.0, best=0.001, now=NOW)
    score(large, fit=0.0, title=0.0, best=9_000.0, now=NOW)

    assert small.parts["lexical"] == large.parts["lexical"] == WEIGHTS["lexical"]


def test_recency_is_mild_unless_asked_for() -> None:
    """`latest` makes the newer of two equal matches win over a better title."""
    old = candidate(recorded_at=NOW - 700 * DAY)
    new = candidate(recorded_at=NOW - DAY)
    usual = [score(i, fit=1, title=t, best=0, now=NOW) for i, t in ((old, 1), (new, 0))]
    asked = [
        score(i, fit=1, title=t, best=0, now=NOW, latest=True) for i, t in ((old, 1), (new, 0))
    ]

    assert usual[0] > usual[1]
    assert asked[0] < asked[1]


def test_recency_counts_from_when_it_became_true() -> None:
    """A value that holds since yesterday is new, however long it was planned."""
    planned = candidate(recorded_at=NOW - 300 * DAY, valid_from=NOW - DAY)
    coming = candidate(recorded_at=NOW - 300 * DAY, valid_from=NOW + DAY)

    assert recency(planned, NOW) > 0.9
    assert recency(coming, NOW) < 0.2


def test_use_is_full_in_the_end() -> None:
    """No amount of deliveries outweighs everything else."""
    assert use(candidate()) == 0.0
    assert use(candidate(delivered=100)) == 0.5
    assert use(candidate(delivered=10**6, helpful=10**6)) == 1.0


def test_equal_scores_have_one_order() -> None:
    """The newest id first, so that two runs never differ."""
    items = [candidate(id=f"01J9ZS000000000000000{n:05}") for n in range(5)]

    assert in_order(items) == in_order(items[::-1]) == items[::-1]


def test_same_key_keeps_the_narrower_and_its_place() -> None:
    """The branch's value stands where the repository's was found, and is said to."""
    wide = candidate("Retries: five", id="01J9ZS0000000000000000WWWW", scope=REPO, key="retries")
    other = candidate("Else", id="01J9ZS0000000000000000EEEE")
    narrow = candidate(
        "Retries: two", id="01J9ZS0000000000000000NNNN", scope=BRANCH, key="retries"
    )
    kept, dropped = diversify([wide, other, narrow])

    assert kept == [narrow, other]
    assert dropped == [(wide, narrow, "same key in a narrower scope")]


def test_same_title_in_two_scopes_is_one() -> None:
    """Case, accents and spaces make no difference."""
    wide = candidate("Use  PNPM", id="01J9ZS0000000000000000WWWW", body="globally")
    narrow = candidate("use pnpm", id="01J9ZS0000000000000000NNNN", scope=REPO, body="here")
    kept, dropped = diversify([wide, narrow])

    assert kept == [narrow]
    assert [why for _, _, why in dropped] == ["same title in a narrower scope"]


def test_same_title_with_other_text_in_one_scope_is_two() -> None:
    """Nothing that says something else is swallowed."""
    first = candidate("Build fails", id="01J9ZS0000000000000000AAAA", body="on Mondays")
    second = candidate("Build fails", id="01J9ZS0000000000000000BBBB", body="without a proxy")
    third = candidate("Build fails", id="01J9ZS0000000000000000CCCC", body="on mondays")
    kept, dropped = diversify([first, second, third])

    assert kept == [first, second]
    assert dropped == [(third, first, "same text")]


def test_an_unverified_note_does_not_stand_for_a_verified_statement() -> None:
    """Neither a title nor a key takes a verified word away; a verified one does."""
    approved = candidate("Use pnpm", id="01J9ZS0000000000000000AAAA", belief="verified", key="pm")
    claimed = candidate("Use pnpm", id="01J9ZS0000000000000000BBBB", scope=BRANCH)
    keyed = candidate("npm", id="01J9ZS0000000000000000CCCC", scope=BRANCH, key="pm")

    assert diversify([approved, claimed])[0] == [approved, claimed]
    assert diversify([approved, keyed])[0] == [approved, keyed]
    keyed.belief = "verified"
    assert diversify([approved, keyed])[0] == [keyed]


def test_nothing_stands_for_a_rule() -> None:
    """A rule outranks every memory, whatever its key or title."""
    rule = candidate("Ask first", id="01J9ZS0000000000000000AAAA", kind="rule", key="ask")
    note = candidate("Ask first", id="01J9ZS0000000000000000BBBB", scope=BRANCH, key="ask")

    assert diversify([rule, note])[0] == [rule, note]
