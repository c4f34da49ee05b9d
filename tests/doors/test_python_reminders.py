"""Reminders from the Python library, by the rule that every door has."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from harness.agents import repository
from onrecord import Memory, Principal
from onrecord.domain.errors import BadField, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

TEXT = "Renew the TLS certificate"


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    """A store that an agent uses in a repository."""
    agent = Principal.agent("codex", session="s-1")
    repo = repository(tmp_path / "repo")
    with Memory.open(tmp_path / "memory.db", principal=agent, cwd=repo) as opened:
        yield opened


@pytest.mark.parametrize(
    "at",
    ["2031-01-15", datetime(2031, 1, 15, tzinfo=UTC)],
)
def test_a_reminder_is_set_with_its_day_and_its_paths(memory: Memory, at: str | datetime) -> None:
    """A day as text or as a moment."""
    made = memory.remember(TEXT, kind="reminder", scope="agent", at=at, paths=["deploy/**"])
    again = memory.remember(TEXT, kind="reminder", scope="agent", at=at, paths=["deploy/**"])
    other = memory.remember(TEXT, kind="reminder", scope="agent", at=at)

    assert made.item is not None
    assert again.item is not None
    assert other.item is not None
    assert made.item.content.valid_from == 1_926_201_600_000_000
    assert again.item.id == made.item.id != other.item.id


def test_a_day_that_is_past_or_none_is_sent_back(memory: Memory) -> None:
    """And one for what is no reminder."""
    with pytest.raises(BadField, match="is past"):
        memory.remember(TEXT, kind="reminder", at="2020-01-01")
    with pytest.raises(UsageError):
        memory.remember(TEXT, kind="reminder", at="some day")
    with pytest.raises(BadField):
        memory.remember(TEXT, at="2031-01-15")
    with pytest.raises(BadField):
        memory.remember(TEXT, paths=["src/"])

    assert memory.list() == []
