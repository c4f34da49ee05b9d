"""A person with the real Claude Code and Codex on the PATH, and onrecord connected to both."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Final

from harness.terminal import Person
from machine import Machine

if TYPE_CHECKING:
    from pathlib import Path

    from harness.agents import ClaudeCode, Codex

#: What is on record for the repository from the start.
RULE: Final = "Release on Thursdays, after the harbour check"


class Office:
    """A person with both agents, each under its plain name on the PATH."""

    def __init__(self, claude: ClaudeCode, codex: Codex, home: Path, repo: Path) -> None:
        self.machine = Machine(home, repo)
        self.machine.connect("claude-code", "codex")
        self.machine.remember(RULE)
        programs = home / "programs"
        programs.mkdir()
        # tests do not click through the clients' questions; what follows is what is given
        for name, agent, more in (
            ("claude", claude, "--permission-mode default"),
            ("codex", codex, "--dangerously-bypass-hook-trust"),
        ):
            script = programs / name
            script.write_text(
                f'#!/bin/sh\nexec {shlex.quote(str(agent.binary))} {more} "$@"\n', encoding="utf-8"
            )
            script.chmod(0o755)
        env = {**claude.person.env, **codex.person.env}
        env["PATH"] = f"{programs}:{claude.person.env['PATH']}:{codex.person.env['PATH']}"
        self.person = Person(home, cwd=repo, env=env)
        self.claude, self.codex = claude, codex
