"""Calls from the real agent CLIs land in the session that their hooks saw, or they name."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING, Any

from mcp_client import ONRECORD
from onrecord import wiring
from onrecord.domain.principal import Principal
from onrecord.domain.scope import Place
from onrecord.service.caller import Caller

if TYPE_CHECKING:
    from pathlib import Path

    from harness.agent import Agent
    from harness.agents import ClaudeCode, Codex
    from harness.model import ScriptedModel
    from onrecord.domain.session import Session

PERSON = Caller(principal=Principal.person("ada", channel="terminal"), place=Place())


def connect(agent: Agent, client: str, *more: str) -> None:
    """Connect an agent as a person does."""
    subprocess.run(
        [ONRECORD, "connect", client, *more],
        cwd=agent.repo,
        env=agent.env,
        check=True,
        capture_output=True,
        timeout=60,
    )


def save(title: str) -> dict[str, Any]:
    """A step of the model that saves a private note."""
    args = {"title": title, "scope": "agent"}
    return {"tool": "mcp__onrecord__remember", "args": args}


def sessions(home: Path) -> list[Session]:
    """Every session on record, what hooks spooled included."""
    return _on_record(home)[1]


def landed(home: Path, title: str) -> Session:
    """The session that wrote what has that title."""
    writers, found = _on_record(home)
    return next(session for session in found if session.id == writers[title])


def _on_record(home: Path) -> tuple[dict[str, str], list[Session]]:
    store = str(next(home.rglob("*.db")))
    memory = wiring.open_memory(store)
    try:
        wiring.open_intake(store, memory).drain()
        items = [waiting.item for waiting in memory.queue(PERSON)]
        items += [hit.item for hit in memory.recall("gate", PERSON, given=_AGENTS).hits]
        writers = {item.content.title: item.head.author.session for item in items}
        return writers, memory.sessions(PERSON)
    finally:
        memory.close()


_AGENTS = ("agent:claude-code", "agent:codex")


def test_a_call_from_claude_code_is_its_sessions(
    claude_code: ClaudeCode, scripted_model: ScriptedModel
) -> None:
    """In a run and in its resumption; the structured answer reaches the model, alone."""
    connect(claude_code, "claude-code")
    scripted_model.script(
        save("The gate opens at six"), {"say": "ok"}, save("The gate shuts at ten"), {"say": "ok"}
    )
    first = claude_code.run("When does it open?")
    session = first.events[-1]["session_id"]
    second = claude_code.run("When does it close?", resume=session)

    assert first.exit_code == second.exit_code == 0
    assert first.requests[-1].last.startswith('{"outcome":"proposed"')
    for title in ("The gate opens at six", "The gate shuts at ten"):
        assert landed(claude_code.home, title).agent_session == session
    assert [s.synthetic for s in sessions(claude_code.home)] == [False]


def test_a_call_from_codex_is_its_sessions(codex: Codex, scripted_model: ScriptedModel) -> None:
    """In a run and in its resumption; the structured answer reaches the model, alone."""
    connect(codex, "codex")
    scripted_model.script(
        save("The gate opens at six"), {"say": "ok"}, save("The gate shuts at ten"), {"say": "ok"}
    )
    first = codex.run("When does it open?")
    thread = first.events[0]["thread_id"]
    second = codex.run("When does it close?", resume=thread)

    assert first.exit_code == second.exit_code == 0
    assert '{"outcome":"proposed"' in first.requests[-1].last
    for title in ("The gate opens at six", "The gate shuts at ten"):
        assert landed(codex.home, title).agent_session == thread
    assert [s.synthetic for s in sessions(codex.home)] == [False]


def test_without_hooks_the_transcript_and_the_call_say_it(
    claude_code: ClaudeCode, codex: Codex, scripted_model: ScriptedModel
) -> None:
    """Servers alone: Claude Code's transcript holds the call, Codex's call names its session."""
    connect(claude_code, "claude-code", "--mcp-only")
    connect(codex, "codex", "--mcp-only")
    scripted_model.script(
        save("The gate opens at six"), {"say": "ok"}, save("The gate shuts at ten"), {"say": "ok"}
    )
    mine = claude_code.run("When does it open?").events[-1]["session_id"]
    theirs = codex.run("When does it close?").events[0]["thread_id"]

    assert landed(claude_code.home, "The gate opens at six").agent_session == mine
    assert landed(codex.home, "The gate shuts at ten").agent_session == theirs
    assert [s.synthetic for s in sessions(codex.home)] == [True, True]
    assert all(s.headless for s in sessions(codex.home))


def test_a_call_after_clear_is_the_new_sessions(
    claude_code: ClaudeCode, scripted_model: ScriptedModel
) -> None:
    """One process and one server on a person's terminal, two sessions, each with its call."""
    connect(claude_code, "claude-code")
    scripted_model.script(
        {"say": "a word of welcome"},
        save("The gate opens at six"),
        {"say": "noted the first"},
        save("The gate shuts at ten"),
        {"say": "noted the second"},
    )
    with claude_code.tui() as terminal:
        terminal.enter("Hello")  # the client connects to its servers meanwhile
        terminal.see("a word of welcome")
        terminal.enter("When does it open?")
        terminal.see("noted the first")
        terminal.enter("/clear")
        terminal.see_gone("noted the first")
        terminal.enter("When does it close?")
        terminal.see("noted the second")
        terminal.enter("/exit")
        assert terminal.wait().exit_code == 0
    before = landed(claude_code.home, "The gate opens at six")
    after = landed(claude_code.home, "The gate shuts at ten")

    assert before.id != after.id
    assert after.parent == before.id
    assert (before.synthetic, after.synthetic) == (False, False)
    assert (before.headless, after.headless) == (False, False)
    assert before.agent_session != after.agent_session != ""
