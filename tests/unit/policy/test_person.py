"""Who counts as a person, over everything that can be seen."""

from __future__ import annotations

import itertools

import pytest

from onrecord.policy.person import VERDICTS, judge

#: (an agent among the ancestors, agents' variables, a terminal) -> verdict
TABLE = {
    (False, False, True): "person",
    (False, True, True): "ask",
    (False, True, False): "agent",
    (False, False, False): "script",
    (True, False, True): "agent",
    (True, False, False): "agent",
    (True, True, True): "agent",
    (True, True, False): "agent",
}


@pytest.mark.parametrize("seen", sorted(TABLE))
def test_each_evidence_has_its_verdict(seen: tuple[bool, bool, bool]) -> None:
    """An ancestor settles it; variables with a terminal are asked; no terminal is no person."""
    ancestor, variables, terminal = seen
    verdict = judge(
        ancestor="codex" if ancestor else None,
        variables=("CODEX_CI",) if variables else (),
        terminal=terminal,
    )

    assert verdict == TABLE[seen]


def test_the_table_is_whole() -> None:
    """Every combination has a verdict, and every verdict is reached."""
    assert set(TABLE) == set(itertools.product((False, True), repeat=3))
    assert set(TABLE.values()) == set(VERDICTS)
