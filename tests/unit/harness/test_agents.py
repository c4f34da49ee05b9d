"""The drivers run the real agent CLIs: hooks, MCP tools, resuming, compaction, the terminal."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from harness import agent as base
from harness.agents import ClaudeCode
from harness.model import compaction

if TYPE_CHECKING:
    from collections.abc import Sequence

    from harness.agent import Agent
    from harness.agents import Codex
    from harness.model import ScriptedModel

HERE = Path(__file__).parent
CLAUDE_EVENTS = [
    *("SessionStart", "UserPromptSubmit", "PostToolUse"),
    *("PreCompact", "Stop", "SessionEnd"),
]
CODEX_EVENTS = [*CLAUDE_EVENTS, "PostCompact"]
LOOK_UP = {"tool": "mcp__words__lookup", "args": {"word": "harbour"}}


def hooks(agent: Agent, events: Sequence[str]) -> dict[str, Any]:
    """The logging hook on these events, in the form that both agents read."""
    script, log = str(HERE / "logging_hook.py"), str(agent.home / "hooks.log")
    command = shlex.join([sys.executable, script, log])
    entry = [{"hooks": [{"type": "command", "command": command, "timeout": 3}]}]
    return {"hooks": dict.fromkeys(events, entry)}


def log(agent: Agent, name: str) -> list[dict[str, Any]]:
    """The lines of a log in the agent's home."""
    path = agent.home / name
    return (
        [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        if path.exists()
        else []
    )


def events(agent: Agent) -> list[str]:
    """The hook events so far, each with its source where it has one."""
    seen = log(agent, "hooks.log")
    return [" ".join((p["hook_event_name"], p.get("source", ""))).strip() for p in seen]


def server(agent: Agent) -> list[str]:
    """The command of the logging MCP server."""
    return [sys.executable, str(HERE / "logging_server.py"), str(agent.home / "calls.log")]


@pytest.fixture
def claude(claude_code: ClaudeCode) -> ClaudeCode:
    """Claude Code with the logging hook and server."""
    settings = {**hooks(claude_code, CLAUDE_EVENTS), "permissions": {"allow": ["mcp__words"]}}
    claude_code.settings.write_text(json.dumps(settings), encoding="utf-8")
    added = claude_code.command("mcp", "add", "words", "-s", "user", "--", *server(claude_code))
    assert added.exit_code == 0, added
    (claude_code.home / "hooks.log").unlink(missing_ok=True)
    return claude_code


@pytest.fixture
def codex_with_parts(codex: Codex) -> Codex:
    """Codex with the logging hook and server."""
    (codex.folder / "hooks.json").write_text(
        json.dumps(hooks(codex, CODEX_EVENTS)), encoding="utf-8"
    )
    added = codex.command("mcp", "add", "words", "--", *server(codex))
    assert added.exit_code == 0, added
    return codex


def test_claude_code_runs_a_turn(claude: ClaudeCode, scripted_model: ScriptedModel) -> None:
    """The answer is printed, hook context and tool result reach the model, events come."""
    scripted_model.script(LOOK_UP, {"say": "It is where ships lie."})
    turn = claude.run("What is a harbour?")

    assert turn.exit_code == 0
    assert turn.events[-1]["result"] == "It is where ships lie."
    assert len(turn.requests) == 2
    assert "context of SessionStart startup" in turn.requests[0].text
    assert "context of UserPromptSubmit itself" in turn.requests[0].text
    assert "meaning of harbour" in turn.requests[1].last
    assert turn.reached("context of PostToolUse itself")
    assert not turn.reached("context of SessionStart resume")
    assert [call["arguments"] for call in log(claude, "calls.log")] == [{"word": "harbour"}]
    assert events(claude)[0] == "SessionStart startup"
    assert {"Stop", "SessionEnd"} <= set(events(claude))


def test_claude_code_continues_and_compacts(
    claude: ClaudeCode, scripted_model: ScriptedModel
) -> None:
    """A session is continued, compacted, and resumed by id, each with its own hook context."""
    scripted_model.script(
        {"say": "one"}, {"say": "two"}, {"say": "three"}, rules=[compaction("the summary")]
    )
    first = claude.run("first prompt")
    second = claude.run("second prompt", continue_=True)
    compacted = claude.run("/compact", continue_=True)
    third = claude.run("third prompt", resume=first.events[-1]["session_id"])

    assert [turn.exit_code for turn in (first, second, compacted, third)] == [0, 0, 0, 0]
    assert second.reached("first prompt")
    assert second.reached("context of SessionStart resume")
    assert {"PreCompact", "SessionStart compact"} <= set(events(claude))
    assert third.reached("the summary")
    assert third.reached("context of SessionStart compact")
    assert third.events[-1]["result"] == "three"


def test_claude_code_on_a_terminal_clears(
    claude: ClaudeCode, scripted_model: ScriptedModel
) -> None:
    """On a person's terminal a prompt is answered, and /clear begins a new session."""
    scripted_model.script({"say": "a harbour answer"}, {"say": "a clear answer"})
    with claude.tui() as terminal:
        terminal.enter("What is a harbour?")
        terminal.see("a harbour answer")
        terminal.enter("/clear")
        terminal.see_gone("a harbour answer")
        terminal.enter("And now?")
        terminal.see("a clear answer")
        terminal.enter("/exit")
        ended = terminal.wait()
    sessions = {p["session_id"] for p in log(claude, "hooks.log")}

    assert ended.exit_code == 0
    assert "SessionStart clear" in events(claude)
    assert len(sessions) == 2
    assert "a harbour answer" not in scripted_model.requests[-1].text
    assert scripted_model.reached("context of SessionStart clear")


def test_claude_code_is_interrupted(claude: ClaudeCode, scripted_model: ScriptedModel) -> None:
    """A turn that is interrupted while the model thinks has no Stop event."""
    scripted_model.script([{"sleep": 30}, {"say": "too late"}])
    running = claude.begin("Take your time")
    running.wait_for_requests(1)
    running.interrupt()
    turn = running.end()

    assert "too late" not in turn.printed
    assert "Stop" not in events(claude)
    assert "UserPromptSubmit" in events(claude)


def test_codex_runs_a_turn(codex_with_parts: Codex, scripted_model: ScriptedModel) -> None:
    """The answer is printed, hook context and tool result reach the model, events come."""
    scripted_model.script(LOOK_UP, {"say": "It is where ships lie."})
    turn = codex_with_parts.run("What is a harbour?")
    calls = log(codex_with_parts, "calls.log")

    assert turn.exit_code == 0
    assert "It is where ships lie." in turn.printed
    assert "context of SessionStart startup" in turn.requests[0].text
    assert "context of UserPromptSubmit itself" in turn.requests[0].text
    assert "meaning of harbour" in turn.requests[1].last
    assert turn.reached("context of PostToolUse itself")
    assert [call["arguments"] for call in calls] == [{"word": "harbour"}]
    assert calls[0]["_meta"]["sessionId"] == turn.events[0]["thread_id"]
    assert {"Stop", "SessionEnd"} <= set(events(codex_with_parts))


def test_codex_resumes_and_compacts(
    codex_with_parts: Codex, scripted_model: ScriptedModel
) -> None:
    """A session is resumed by id and as the newest, and compacts when its context is full."""
    full = {"usage": {"input_tokens": 250_000}}
    scripted_model.script(
        {"say": "one"},
        [LOOK_UP, full],
        {"say": "two"},
        {"say": "three"},
        rules=[compaction("the summary")],
    )
    first = codex_with_parts.run("first prompt")
    second = codex_with_parts.run("second prompt", resume=first.events[0]["thread_id"])
    third = codex_with_parts.run("third prompt", continue_=True)

    assert [turn.exit_code for turn in (first, second, third)] == [0, 0, 0]
    assert second.requests[0].text.count("first prompt") == 1
    assert second.reached("context of SessionStart resume")
    assert {"PreCompact", "PostCompact", "SessionStart compact"} <= set(events(codex_with_parts))
    assert second.reached("the summary")
    assert second.reached("context of SessionStart compact")
    assert "three" in third.printed
    assert third.events[0]["thread_id"] == first.events[0]["thread_id"]


def test_codex_skips_hooks_that_nobody_trusted(
    codex_with_parts: Codex, scripted_model: ScriptedModel
) -> None:
    """Without the flag an unreviewed hook does not run, and the turn goes on."""
    codex_with_parts.trust_hooks = False
    turn = codex_with_parts.run("What is a harbour?")

    assert "ok" in turn.printed
    assert events(codex_with_parts) == []
    assert not scripted_model.reached("context of")


def test_codex_runs_on_a_terminal(codex_with_parts: Codex, scripted_model: ScriptedModel) -> None:
    """On a person's terminal a prompt is answered and its session starts with hook context."""
    scripted_model.script({"say": "a harbour answer"})
    with codex_with_parts.tui() as terminal:
        terminal.enter("What is a harbour?")
        terminal.see("a harbour answer")

    assert scripted_model.reached("context of SessionStart startup")


def test_both_agents_share_home_and_repository(claude_code: ClaudeCode, codex: Codex) -> None:
    """Two agents of one test work in the same folder and find the same home."""
    assert (claude_code.home, claude_code.repo) == (codex.home, codex.repo)
    assert (codex.repo / ".git").is_dir()


def test_agents_inherit_nothing_of_the_tests(
    claude_code: ClaudeCode, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The environment of an agent is a login's and the driver's, not the test run's."""
    monkeypatch.setenv("CODEX_THREAD_ID", "x")

    assert "CODEX_THREAD_ID" not in claude_code.env
    assert str(Path.home()) != claude_code.env["HOME"]


def test_a_tool_that_was_not_offered_is_reported(
    codex: Codex, scripted_model: ScriptedModel
) -> None:
    """A script that calls a tool which the agent does not offer is a problem, not a pass."""
    scripted_model.script({"tool": "no_such_tool"})
    codex.run("Use it")
    told = scripted_model.problems
    scripted_model.forget_problems()

    assert len(told) == 1
    assert "no_such_tool" in told[0]


def test_missing_agents_are_an_error_in_ci(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, scripted_model: ScriptedModel
) -> None:
    """Without the agent CLIs CI fails instead of passing over the tests."""
    monkeypatch.setenv("CI", "true")
    monkeypatch.setenv(base.GIVEN, str(tmp_path))
    with pytest.raises(pytest.fail.Exception, match="claude is missing"):
        ClaudeCode(tmp_path, tmp_path, scripted_model)
