"""A real session of Claude Code is summarised by itself, from what its client wrote of it."""

from __future__ import annotations

import json
import select
import sys
from typing import TYPE_CHECKING

from harness.model import compaction
from machine import Machine

if TYPE_CHECKING:
    from pathlib import Path

    from harness.agents import ClaudeCode
    from harness.model import ScriptedModel
    from onrecord.domain.item import Item

RULE = "Release on Thursdays, after the harbour check"

#: Keeps what it was sent, and suggests one statement for each.
PROGRAM = """
import json, sys
said = sys.stdin.read()
with open({sent!r}, "a", encoding="utf-8") as file:
    file.write(json.dumps(said) + chr(10))
with open({sent!r}, encoding="utf-8") as file:
    number = len(file.readlines())
title = f"Part {{number}} was about the harbour and its bells"
item = {{"kind": "lesson", "title": title, "body": "", "messages": [1]}}
print(json.dumps({{"summary": None, "items": [item]}}))
"""


def suggested(machine: Machine) -> list[Item]:
    """What a summariser suggested, oldest first."""
    with machine.memory() as memory:
        waiting = [entry.item for entry in memory.queue(machine.caller)]
    return [item for item in waiting if item.head.author.channel == "summariser"]


def wait_for(machine: Machine, count: int) -> list[Item]:
    """The suggestions, once there are so many."""
    for _ in range(600):
        found = suggested(machine)
        if len(found) >= count:
            return found
        select.select([], [], [], 0.1)
    message = f"{len(suggested(machine))} of {count} suggestions came within a minute"
    raise AssertionError(message)


def test_of_claude_code(
    claude_code: ClaudeCode, scripted_model: ScriptedModel, agent_home: Path, agent_repo: Path
) -> None:
    """After its end and after a compaction: only what was said, each part once."""
    machine = Machine(agent_home, agent_repo)
    machine.connect("claude-code")
    machine.remember(RULE)
    sent = agent_home / "sent"
    words = [sys.executable, "-c", PROGRAM.format(sent=str(sent))]
    config = agent_home / ".config" / "onrecord" / "config.toml"
    config.parent.mkdir(parents=True, exist_ok=True)
    config.write_text(
        f'[summaries]\nautomatic = true\nrepositories = ["*"]\ncommand = {json.dumps(words)}\n',
        encoding="utf-8",
    )
    look_up = {"tool": "mcp__onrecord__recall", "args": {"query": "when do we release"}}
    scripted_model.script(
        look_up, {"say": "one"}, {"say": "two"}, rules=[compaction("the short of it")]
    )

    first = claude_code.run("When do we release?")
    (item,) = wait_for(machine, 1)
    session = first.events[-1]["session_id"]
    claude_code.run("/compact", resume=session)
    claude_code.run("And who checks the harbour?", resume=session)
    both = wait_for(machine, 2)

    assert [one.status for one in both] == ["proposed", "proposed"]
    assert item.tainted
    assert len(both) == 2
    prompts = [json.loads(line) for line in sent.read_text(encoding="utf-8").splitlines()]
    assert len(prompts) == 2
    assert "[1] user:\nWhen do we release?" in prompts[0]
    assert "[2] assistant:\none" in prompts[0]
    assert "[1] user:\nAnd who checks the harbour?" in prompts[1]
    assert all(RULE not in prompt for prompt in prompts)
    assert "the short of it" not in prompts[1]
    assert machine.faults == ""
