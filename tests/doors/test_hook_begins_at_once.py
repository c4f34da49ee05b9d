"""A client that runs its start's hook beside that of its only prompt gets its pack once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from commandline import CommandLine
from mcp_client import AgentProcess, Cli, environment

if TYPE_CHECKING:
    from pathlib import Path

RULE = "Release on Thursdays, after the harbour check"
PROMPT = "Do we release on Thursdays after the harbour check?"
COPILOT = Cli(program="copilot", client="copilot-cli", variables={"COPILOT_CLI": "1"})


@pytest.mark.parametrize(
    ("arguments", "brings"),
    [(("-p", PROMPT), False), (("-p", PROMPT, "--resume=a"), True), ((), True)],
    ids=["by itself", "goes on", "person"],
)
def test_the_only_prompt_leaves_it_to_the_start(
    tmp_path: Path, arguments: tuple[str, ...], *, brings: bool
) -> None:
    """Whichever of both is looked at first; else the prompt brings up what it is about."""
    lines = CommandLine(tmp_path)
    lines.remember(RULE, "--scope", "repo")
    env = environment(lines.home, lines.store)
    with AgentProcess(COPILOT, cwd=lines.repo, env=env, arguments=arguments) as agent:
        told = agent.hook("UserPromptSubmit", "a", prompt=PROMPT)
        begun = agent.hook("SessionStart", "a", source="new")

    assert (RULE in told) is brings
    assert RULE in begun
    assert lines.run("sessions", "--json").json["sessions"][0]["prompts"] == 1
