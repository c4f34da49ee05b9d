"""The page about agents says of each what its description in the program says."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import pytest

from corpora import ROOT
from onrecord.capture import agents
from onrecord.capture.agents.configured import KEYS

if TYPE_CHECKING:
    from onrecord.capture.agents.base import AgentSpec

PAGE: Final = (ROOT / "docs" / "reference" / "agents.md").read_text(encoding="utf-8")
HEAD: Final = "| agent | name | tools |"


def rows(head: str) -> list[list[str]]:
    """The cells of the table that begins so."""
    lines = PAGE[PAGE.index(head) :].partition("\n\n")[0].splitlines()[2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def row_of(spec: AgentSpec) -> list[str]:
    """What the table has to say of an agent."""

    def yes(fact: object) -> str:
        return "yes" if fact else "no"

    hooked = {spec.canonical(hook.event): hook for hook in spec.hooks}
    given = {spec.canonical(event) for event in spec.context_events} & set(hooked)
    files = [part for file in spec.config_files("/home/ada", {}) for part in file.holds]
    after = hooked.get("post_tool")
    failures = "tool_failure" in hooked or (after and "Bash" in (after.matcher or ""))
    launched = "no"
    if spec.launch is not None:
        launched = "instructions" if spec.launch.context else "first message"
    return [
        spec.title,
        f"`{spec.name}`",
        yes("server" in files),
        yes("session_start" in given),
        yes("prompt" in given),
        yes(failures),
        yes("session_start" in hooked),
        launched,
        f"seen running, {spec.seen}" if spec.seen else "from documentation",
    ]


def test_the_table_and_the_registry_agree() -> None:
    """Each agent has its row, in the registry's order, and each cell is what the program does."""
    assert rows(HEAD) == [row_of(spec) for spec in agents.connectable()]


def test_how_each_is_started_is_what_the_program_does() -> None:
    """Words before a first message, a model's name and the id of a session that goes on."""
    started = [spec for spec in agents.connectable() if spec.launch is not None]
    found = rows("| agent | first message |")

    assert [row[0] for row in found] == [spec.title for spec in started]
    for spec, (_, prompt, model, again) in zip(started, found, strict=True):
        assert spec.launch is not None
        assert prompt == f"`{' '.join(spec.launch.prompt)} TEXT`"
        assert model.startswith(f"`{' '.join(spec.launch.model)} ")
        assert again.startswith(f"`{' '.join(spec.launch.resume)} ID`")
        assert ("with a first message" in again) is spec.launch.prompts_resumed


@pytest.mark.parametrize("spec", agents.connectable(), ids=lambda spec: spec.name)
def test_every_settings_file_is_named(spec: AgentSpec) -> None:
    """Where an agent's entries stand is on the page, as a path from the home folder."""
    for file in spec.config_files("/home/ada", {}):
        assert f"`{file.path.replace('/home/ada', '~')}`" in PAGE


def test_every_key_of_an_own_agent_is_explained() -> None:
    """The table of keys has exactly those that are read."""
    found = [re.sub("`", "", row[0]) for row in rows("| key | says |")]

    assert sorted(found) == sorted(KEYS)


def test_what_was_seen_running_is_what_tests_install() -> None:
    """Versions on the page are those of the lock file, for agents that it has."""
    lock = (ROOT / "tests" / "harness" / "npm" / "package.json").read_text(encoding="utf-8")
    packages = {
        "claude-code": "@anthropic-ai/claude-code",
        "codex": "@openai/codex",
        "gemini-cli": "@google/gemini-cli",
        "copilot-cli": "@github/copilot",
        "opencode": "opencode-linux-x64",
    }
    for name, package in packages.items():
        spec = agents.find(name)
        assert spec is not None
        assert f'"{package}": "{spec.seen}"' in lock
