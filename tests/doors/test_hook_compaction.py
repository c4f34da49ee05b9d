"""Clients that start nothing after a compaction are given their pack again by the next prompt."""

from __future__ import annotations

from typing import TYPE_CHECKING

from commandline import CommandLine
from mcp_client import AgentProcess, Cli, environment

if TYPE_CHECKING:
    from pathlib import Path

RULE = "Release on Thursdays"
COPILOT = Cli(program="copilot", client="copilot-cli", variables={"COPILOT_CLI": "1"})
GEMINI = Cli(program="gemini", client="gemini-cli", variables={"GEMINI_SESSION_ID": "g-1"})


def test_the_next_prompt_brings_it_and_no_other(tmp_path: Path) -> None:
    """Once for each compaction, answered with silence; what is not on record is not given."""
    lines = CommandLine(tmp_path)
    env = environment(lines.home, lines.store)
    with AgentProcess(COPILOT, cwd=lines.repo, env=env) as agent:
        agent.start("a", source="new")
        bare = agent.hook("UserPromptSubmit", "a", prompt="Hello there")
    lines.remember(RULE, "--scope", "repo")
    with AgentProcess(COPILOT, cwd=lines.repo, env=env) as agent:
        begun = agent.hook("SessionStart", "b", source="new")
        before = agent.hook("UserPromptSubmit", "b", prompt="Hello there")
        silent = agent.hook("PreCompact", "b", trigger="auto")
        after = agent.hook("UserPromptSubmit", "b", prompt="And now?")
        again = agent.hook("UserPromptSubmit", "b", prompt="And then?")

    assert bare == ""
    assert [RULE in answer for answer in (begun, before, after, again)] == [
        True,
        False,
        True,
        False,
    ]
    assert silent == ""
    row = lines.run("sessions", "--agent", "copilot", "--json").json["sessions"][0]
    assert row["prompts"] == 3


def test_what_comes_before_every_turn_is_no_compaction(tmp_path: Path) -> None:
    """Gemini CLI says `auto` of each; only the one that was asked for counts."""
    lines = CommandLine(tmp_path)
    env = environment(lines.home, lines.store)
    lines.remember(RULE, "--scope", "repo")
    with AgentProcess(GEMINI, cwd=lines.repo, env=env) as agent:
        agent.hook("SessionStart", "a", source="startup")
        agent.hook("PreCompress", "a", trigger="auto")
        auto = agent.hook("BeforeAgent", "a", prompt="And now?")
        agent.hook("PreCompress", "a", trigger="manual")
        asked = agent.hook("BeforeAgent", "a", prompt="And then?")

    assert RULE not in auto
    assert RULE in asked
