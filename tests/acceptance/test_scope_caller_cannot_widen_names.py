"""An agent that runs our commands in another agent's name gets nothing that is the other's alone.

Agents are running programs with the installed commands below them.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import pytest

from commandline import CommandLine
from harness.surroundings import CLAUDE_VARIABLES, CODEX_VARIABLES, SHELL_TOOL
from mcp_client import CLAUDE, CODEX, AgentProcess, environment

if TYPE_CHECKING:
    from pathlib import Path

#: In what is Claude Code's alone, and in what everyone may read.
ALONE: Final = "The kestrel note of one agent"
SHARED: Final = "The kestrel rule of the repository"


@pytest.fixture
def shop(tmp_path: Path) -> CommandLine:
    """A note of Claude Code's and one of the repository."""
    made = CommandLine(tmp_path)
    made.remember(ALONE, "--scope", "agent:claude-code")
    made.remember(SHARED, "--scope", "repo")
    return made


def agent(shop: CommandLine, cli: Any, **variables: str) -> AgentProcess:
    """That agent CLI, running in the repository."""
    return AgentProcess(cli, cwd=shop.repo, env=environment(shop.home, shop.store, **variables))


def recalled(running: AgentProcess, *, client: str, around: str = "") -> str:
    """What a server that it starts under a name recalls."""
    server = running.serve(client=client, around=around)
    server.shake_hands()
    return json.dumps(server.call("recall", query="kestrel"))


@pytest.mark.parametrize(
    "around",
    [
        "",
        "sh -c '\"$@\"; exit' sh",
        "python3 -c 'import subprocess,sys; sys.exit(subprocess.call(sys.argv[1:]))'",
    ],
)
def test_scope_caller_cannot_widen_by_another_clients_name(shop: CommandLine, around: str) -> None:
    """A server below Codex is Codex's, whatever `--client` says; below Claude Code it is its own.

    So it is with a shell or a program of its own in between.
    """
    with agent(shop, CODEX, **CODEX_VARIABLES) as codex:
        taken = recalled(codex, client="claude-code", around=around)
    with agent(shop, CLAUDE) as claude:
        own = recalled(claude, client="claude-code", around=around)

    assert ALONE not in taken
    assert SHARED in taken
    assert ALONE in own


def test_scope_caller_cannot_widen_writes_are_of_the_agent_that_is_proven(
    shop: CommandLine,
) -> None:
    """What Codex writes through a server that it calls Claude Code's is Codex's."""
    with agent(shop, CODEX, **CODEX_VARIABLES) as codex:
        server = codex.serve(client="claude-code")
        server.shake_hands()
        made = server.call("remember", title="Lanterns are green here", scope="agent")
    item = shop.run("show", made["structuredContent"]["id"], "--json").json

    assert item["scope"] == "agent:codex"
    assert item["author"]["agent"] == "codex"


def test_scope_caller_cannot_widen_claude_started_from_codex_is_claude(
    shop: CommandLine,
) -> None:
    """The first client up the ancestors counts: Claude Code in Codex's shell is Claude Code."""
    with agent(shop, CLAUDE) as claude:
        inner = claude.program
    with agent(shop, CODEX, **CODEX_VARIABLES) as codex:
        found = recalled(codex, client="claude-code", around=f"{inner} -c '\"$@\"; exit' sh")

    assert ALONE in found


def test_scope_caller_cannot_widen_a_pack_for_another_agent(shop: CommandLine) -> None:
    """Codex gets a pack for Claude Code without what is Claude Code's alone, and is told so."""
    codex = shop.run("pack", "--for", "claude", around=SHELL_TOOL["codex-plain"])
    behind = shop.run("pack", "--for", "claude", around=SHELL_TOOL["codex-setsid_f"])
    both = {**CODEX_VARIABLES, **CLAUDE_VARIABLES}
    inner = shop.run(
        "pack", "--for", "claude", around=replace(SHELL_TOOL["claude-plain"], variables=both)
    )
    person = shop.run("pack", "--for", "claude")

    assert SHARED in codex.out
    assert ALONE not in codex.out + behind.out
    assert "left out" in codex.err
    assert ALONE in inner.out
    assert ALONE in person.out


def test_scope_caller_cannot_widen_a_hook_in_another_clients_name(shop: CommandLine) -> None:
    """Codex that runs Claude Code's hook is given nothing; Claude Code is given its own note."""
    named = replace(CODEX, client="claude-code")
    with agent(shop, named, **CODEX_VARIABLES) as codex:
        taken = codex.hook("SessionStart", "s-1", source="startup")
        asked = codex.hook("UserPromptSubmit", "s-1", prompt="Where is the kestrel note?")
    with agent(shop, CLAUDE) as claude:
        own = claude.hook("SessionStart", "s-2", source="startup")

    assert "kestrel" not in taken + asked
    assert ALONE in own
