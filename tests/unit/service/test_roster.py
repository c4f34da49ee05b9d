"""Agents by whatever name people and agents give them."""

from __future__ import annotations

import pytest

from onrecord.domain.errors import UsageError
from onrecord.service.roster import Roster


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ("claude-code", "claude-code"),
        ("Claude Code", "claude-code"),
        ("CLAUDE", "claude-code"),
        (" claude_code ", "claude-code"),
        ("Codex", "codex"),
        ("Gemini CLI", "gemini-cli"),
        ("VS Code", "vscode"),
        ("Aider the Great", "aider"),
        ("AIDER", "aider"),
    ],
)
def test_an_agent_is_found_by_its_name_or_its_title(given: str, name: str) -> None:
    """Case, spaces and hyphens do not matter; the person's own agents are found alike."""
    own = {"aider": {"title": "Aider the Great", "program": "aider"}, "wrong": {"bogus": 1}}

    assert Roster(own=own).named(given).name == name


@pytest.mark.parametrize("given", ["nosuch", "", " ", "claude code 2"])
def test_an_unknown_name_is_refused_with_those_that_there_are(given: str) -> None:
    """The error names every one."""
    with pytest.raises(UsageError, match="claude-code, codex"):
        Roster().named(given)
