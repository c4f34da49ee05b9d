"""The row that recall works on is made from an item in one place."""

from __future__ import annotations

from dataclasses import replace

from onrecord.domain.candidate import Candidate
from onrecord.domain.candidates import candidate_of
from onrecord.testing.builders import Maker


def told(row: Candidate) -> dict[str, object]:
    """Everything that a row says."""
    return {name: getattr(row, name) for name in Candidate.__slots__}


def test_a_row_says_what_the_item_does() -> None:
    """The whole text unless it is cut, and always how long it is."""
    item = Maker().item("kestrel", body="A long body", tags=("a", "b"), pinned=True, key="k")
    whole, cut = candidate_of(item), candidate_of(item, body_chars=6, lexical=2.5)

    assert (whole.title, whole.body, whole.tags) == ("kestrel", "A long body", "a b")
    assert (whole.scope, whole.key, whole.version) == (item.scope, "k", 1)
    assert (whole.pinned, whole.recorded_at) == (True, item.head.recorded_at)
    assert (cut.body, cut.body_chars, cut.lexical) == ("A long", 11, 2.5)


def test_a_row_of_the_past_has_no_counts() -> None:
    """What was counted since says nothing of then; everything else is the same."""
    item = replace(Maker().item("kestrel"), delivered=7, helpful=3)
    now, then = told(candidate_of(item)), told(candidate_of(item, counted=False))

    assert (now["delivered"], now["helpful"]) == (7, 3)
    assert then == now | {"delivered": 0, "helpful": 0}
