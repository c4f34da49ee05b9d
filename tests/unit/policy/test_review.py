"""Which of an agent's writes to shared scopes wait for a person."""

from __future__ import annotations

from itertools import product

import pytest

from onrecord.policy.review import DEFAULT, POLICIES, disposition


@pytest.mark.parametrize("policy", POLICIES)
def test_the_policy_decides_what_waits(policy: str) -> None:
    """All: everything. Flagged: what is flagged or not cited. None: what is flagged."""
    for flagged, cited in product((False, True), repeat=2):
        flags = ("markup.image",) if flagged else ()
        live = not flagged and (policy == "none" or (policy == "flagged" and cited))
        waits = disposition(policy, flags=flags, tainted=False, cited=cited)

        assert waits == ("active" if live else "proposed")


@pytest.mark.parametrize("policy", POLICIES)
def test_text_from_outside_always_waits(policy: str) -> None:
    """Whatever the policy, and however well it is cited."""
    assert disposition(policy, flags=(), tainted=True, cited=True) == "proposed"


def test_everything_waits_unless_a_person_said_otherwise() -> None:
    """A policy that is not known is the strictest."""
    assert DEFAULT == POLICIES[0] == "all"
    assert disposition("everything", flags=(), tainted=False, cited=True) == "proposed"
