"""The one table of steps in an item's life."""

from __future__ import annotations

import pytest

from onrecord.domain.errors import IllegalTransition
from onrecord.domain.status import (
    REJECT_REASONS,
    STATUSES,
    TOMBSTONE_REASONS,
    TRANSITIONS,
    step,
)


@pytest.mark.parametrize("status", STATUSES)
@pytest.mark.parametrize("action", TRANSITIONS)
def test_a_step_is_in_the_table_or_refused(action: str, status: str) -> None:
    """A refusal names both ends and the statuses from which the step would be legal."""
    allowed, target = TRANSITIONS[action]
    if status in allowed:
        assert step(action, status) == (target or status)
        return
    with pytest.raises(IllegalTransition) as caught:
        step(action, status)

    assert status in caught.value.message
    assert all(each in caught.value.hint for each in allowed)
    assert caught.value.details == {"from": status, "to": target or status}


def test_the_table_knows_no_other_status() -> None:
    """Every end of every step is a status, and every status but the first is led to."""
    ends = {target for _, target in TRANSITIONS.values() if target}

    assert {status for allowed, _ in TRANSITIONS.values() for status in allowed} <= set(STATUSES)
    assert ends == set(STATUSES)


def test_what_was_forgotten_stays_forgotten() -> None:
    """No step leads out of it, and every other status leads to it."""
    assert all("forgotten" not in allowed for allowed, _ in TRANSITIONS.values())
    assert set(TRANSITIONS["forget"][0]) == set(STATUSES) - {"forgotten"}


def test_only_reasons_about_the_value_leave_a_tombstone() -> None:
    """They are among the reasons that can be given, and not all of them."""
    assert set(TOMBSTONE_REASONS) < set(REJECT_REASONS)
