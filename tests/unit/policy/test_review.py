"""What each review policy makes of an agent's write to a shared scope."""

from __future__ import annotations

from itertools import product

import pytest

from onrecord.policy.review import DEFAULT, POLICIES, first_status

CASES = list(product(POLICIES, [(), ("markup.image",)], [False, True], [False, True]))


@pytest.mark.parametrize(("policy", "flags", "tainted", "cited"), CASES)
def test_the_whole_table(
    policy: str, flags: tuple[str, ...], *, tainted: bool, cited: bool
) -> None:
    """Active only: unflagged, untainted, and `none`, or `flagged` with a citation that holds."""
    answer = first_status(policy, flags=flags, tainted=tainted, cited=cited)
    clean = not flags and not tainted
    expected = clean and (policy == "none" or (policy == "flagged" and cited))

    assert answer == ("active" if expected else "proposed")


def test_the_default_lets_everything_wait() -> None:
    """Nobody asked means that a person looks."""
    assert DEFAULT == "all"
    assert first_status(DEFAULT, flags=(), tainted=False, cited=True) == "proposed"
