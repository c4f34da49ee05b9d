"""Who counts as the same party."""

from __future__ import annotations

from dataclasses import replace

import pytest

from onrecord.domain.principal import Principal

ADA, BOB = Principal.person("ada", channel="terminal"), Principal.person("bob")
CODEX = Principal.for_agent("codex", session="s1", user="ada")
IMPORT = Principal(writer="import", channel="import")


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (ADA, Principal.person("ada", channel="dashboard", confirmed=True), True),
        (ADA, BOB, False),
        (ADA, CODEX, False),
        (CODEX, Principal.for_agent("codex", session="s2", channel="mcp"), True),
        (CODEX, Principal.for_agent("claude-code", session="s1", user="ada"), False),
        (CODEX, replace(CODEX, writer="summariser"), False),
        (IMPORT, IMPORT, True),
        (IMPORT, Principal(writer="webhook", channel="webhook"), False),
        (Principal.person(""), Principal(writer="agent", channel="python"), False),
    ],
)
def test_a_user_is_not_their_agent(one: Principal, other: Principal, *, same: bool) -> None:
    """A person is known by name, an agent by its name whatever its session."""
    assert one.same_party(other) is same
    assert other.same_party(one) is same


def test_messages_name_the_acting_party() -> None:
    """The agent and not the account it works for; the kind of writer where there is no name."""
    assert (ADA.name, CODEX.name, IMPORT.name) == ("ada", "codex", "import")
    assert (ADA.is_person, CODEX.is_person, IMPORT.is_person) == (True, False, False)
