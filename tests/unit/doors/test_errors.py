"""One table for every error and outcome."""

from __future__ import annotations

import pytest

from onrecord.domain import errors as tree
from onrecord.domain.errors import OnrecordError
from onrecord.domain.outcome import Conflict, Refused, Updated
from onrecord.doors import errors


def classes(root: type[OnrecordError] = OnrecordError) -> list[type[OnrecordError]]:
    """Every error of the tree."""
    found = [root]
    for below in root.__subclasses__():
        if below.__module__ == tree.__name__:
            found += classes(below)
    return found


@pytest.mark.parametrize("kind", classes(), ids=lambda kind: kind.code)
def test_every_error_has_a_row(kind: type[OnrecordError]) -> None:
    """No error of the tree falls back to the row of faults inside onrecord."""
    internal = kind is OnrecordError

    assert (errors.row(kind()) == errors.TABLE["internal"]) == internal


def test_codes_are_their_own() -> None:
    """Two errors never share a code."""
    codes = [kind.code for kind in classes()]

    assert sorted(codes) == sorted(set(codes))
    assert len(codes) > 20


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (tree.BadScope(), 2),
        (tree.AmbiguousId(), 2),
        (tree.NotFound(), 1),
        (tree.Denied(), 1),
        (tree.Declined(), 1),
        (tree.OutputLost(), 1),
        (tree.ConfigUnsafe(), 1),
        (tree.UndoClash(), 3),
        (tree.NeedsPerson(), 4),
        (tree.StoreNewer(), 5),
        (tree.KeyUnreadable(), 5),
        (OnrecordError(), 5),
    ],
)
def test_exit_statuses_follow_the_table(error: OnrecordError, status: int) -> None:
    """0 done, 1 refused or not found, 2 usage, 3 conflict, 4 needs a person, 5 store unusable."""
    assert errors.row(error)[0] == status


def test_outcomes_have_exit_statuses() -> None:
    """A refusal that a person can lift is told apart from one that nobody can."""
    assert errors.exit_status(Updated(code="set", say="", item=None)) == 0
    assert errors.exit_status(Refused(code="shape.kind", say="")) == 1
    assert errors.exit_status(Conflict(code="conflict.version", say="")) == 3
    assert errors.exit_status(Refused(code="authority.approve_needs_person", say="")) == 4
    assert errors.exit_status(Refused(code="authority.rule_needs_key", say="")) == 4
