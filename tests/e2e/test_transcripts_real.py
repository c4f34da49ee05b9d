"""What real clients write of a conversation is read as what was said in it, and nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.model import compaction
from machine import Machine
from onrecord.capture.transcripts import Transcript, is_of

if TYPE_CHECKING:
    from pathlib import Path

    from harness.agents import ClaudeCode, Codex
    from harness.model import ScriptedModel
    from harness.more_agents import OpenCode

RULE = "Release on Thursdays, after the harbour check"
LOOK_UP = {"tool": "mcp__onrecord__recall", "args": {"query": "when do we release"}}
SAID = [
    ("user", "When do we release?"),
    ("assistant", "one"),
    ("user", "And who checks the harbour?"),
    ("assistant", "two"),
]


def conversation(machine: Machine) -> list[tuple[str, str]]:
    """What is read of the only session, in the file that its hooks named."""
    (row,) = machine.sessions()
    assert is_of(row.agent, row.transcript, row.agent_session)
    transcript = Transcript(row.agent, row.transcript)
    found = [(message.role, message.text) for message in transcript]
    assert transcript.damaged == 0
    assert transcript.offset == machine_size(row.transcript)
    return found


def machine_size(path: str) -> int:
    """Bytes of a file."""
    with open(path, "rb") as file:  # noqa: PTH123 - a plain string
        return len(file.read())


def test_of_claude_code(
    claude_code: ClaudeCode, scripted_model: ScriptedModel, agent_home: Path, agent_repo: Path
) -> None:
    """Neither the pack nor the tool's answer, neither the summary nor the command for it."""
    machine = Machine(agent_home, agent_repo)
    machine.connect("claude-code")
    machine.remember(RULE)
    scripted_model.script(
        LOOK_UP, {"say": "one"}, {"say": "two"}, rules=[compaction("the summary")]
    )
    first = claude_code.run("When do we release?")
    session = first.events[-1]["session_id"]
    claude_code.run("/compact", resume=session)
    claude_code.run("And who checks the harbour?", resume=session)

    found = conversation(machine)

    assert [one for one in found if one[0] != "compaction"] == SAID
    assert found[2] == ("compaction", "")


def test_of_codex(
    codex: Codex, scripted_model: ScriptedModel, agent_home: Path, agent_repo: Path
) -> None:
    """Neither the pack nor the tool's answer, nor what the client puts around a prompt."""
    machine = Machine(agent_home, agent_repo)
    machine.connect("codex")
    machine.remember(RULE)
    scripted_model.script(LOOK_UP, {"say": "one"}, {"say": "two"})
    first = codex.run("When do we release?")
    codex.run("And who checks the harbour?", resume=first.events[0]["thread_id"])

    assert conversation(machine) == SAID


def test_of_opencode(
    opencode: OpenCode, scripted_model: ScriptedModel, agent_home: Path, agent_repo: Path
) -> None:
    """Out of its database: neither the pack nor the tool's answer, and the summary is none."""
    machine = Machine(agent_home, agent_repo)
    machine.connect("opencode")
    machine.remember(RULE)
    look_up = {**LOOK_UP, "tool": "*recall"}
    scripted_model.script(look_up, {"say": "one"}, {"say": "two"})
    opencode.run("When do we release?")
    (first,) = machine.sessions()
    opencode.run("And who checks the harbour?", resume=first.agent_session)

    (row,) = machine.sessions()
    assert is_of(row.agent, row.transcript, row.agent_session)
    transcript = Transcript(
        row.agent,
        row.transcript,
        session=row.agent_session,
        roots=(str(agent_home / ".local" / "share" / "opencode"),),
    )
    # it keeps the words of a command line in quotes
    found = [(message.role, message.text.strip('"')) for message in transcript]
    assert found == SAID
    assert transcript.damaged == 0
