"""Where a command is started from: by a person, or by an agent's shell tool in many ways.

A ``Surroundings`` says what stands above a command (an agent's process or none), which agent
variables it inherits, whether it begins on a terminal, and by which ``Way`` it is started.
``SHELL_TOOL`` names every way in which a real agent's shell tool was seen to start one.
"""

from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Final

#: Printed after a command whose exit status cannot be waited for; the number follows.
TRAILER: Final = "exit-of-command:"

CLAUDE_VARIABLES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "CLAUDECODE": "1",
        "CLAUDE_CODE_ENTRYPOINT": "cli",
        "CLAUDE_CODE_SESSION_ID": "0b7c4d1e-0000-4000-8000-000000000001",
        "AI_AGENT": "claude-code_2-1-332_agent",
    }
)
CODEX_VARIABLES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "CODEX_CI": "1",
        "CODEX_SESSION_ID": "019f0000-0000-7000-8000-000000000001",
        "CODEX_THREAD_ID": "019f0000-0000-7000-8000-000000000001",
        "CODEX_VERSION": "0.171.0",
    }
)

#: Turns a command into the command that starts it in some way.
Way = Callable[[Sequence[str]], list[str]]

_KEPT = ("PATH", "HOME", "TERM", "LANG")
_DOUBLE_FORK = f"""
import os, sys
if os.fork(): os._exit(0)
os.setsid()
if os.fork(): os._exit(0)
os.execvpe(sys.argv[1], sys.argv[1:], {{name: os.environ[name] for name in {_KEPT!r}}})
"""


def directly(command: Sequence[str]) -> list[str]:
    """No wrapper."""
    return list(command)


def in_new_session(command: Sequence[str]) -> list[str]:
    """``setsid``, waited for: the ancestors stay, the terminal goes."""
    return ["setsid", "-w", *command]


def in_detached_session(command: Sequence[str]) -> list[str]:
    """``setsid -f``: init becomes the parent, the variables stay."""
    return ["setsid", "-f", *_with_trailer(command)]


def in_background(command: Sequence[str]) -> list[str]:
    """``nohup … &``: init becomes the parent, the variables stay."""
    return ["sh", "-c", 'nohup "$@" &', "sh", *_with_trailer(command)]


def forked_twice(command: Sequence[str]) -> list[str]:
    """A daemon's double fork with a cleared environment: neither parent nor variables stay."""
    python = shutil.which("python3") or "python3"
    return [python, "-I", "-S", "-c", _DOUBLE_FORK, *_with_trailer(command)]


def in_script(command: Sequence[str]) -> list[str]:
    """``script``: a pseudo-terminal of the agent's own."""
    return ["script", "-qec", shlex.join(command), "/dev/null"]


def with_cleared_environment(command: Sequence[str]) -> list[str]:
    """``env -i`` with only what a program needs to run."""
    kept = " ".join(f'{name}="${name}"' for name in _KEPT)
    return ["sh", "-c", f'exec env -i {kept} "$@"', "sh", *command]


def _with_trailer(command: Sequence[str]) -> list[str]:
    return ["sh", "-c", f'"$@"; echo {TRAILER}$?', "sh", *command]


@dataclass(frozen=True, kw_only=True, slots=True)
class Surroundings:
    """How a command comes to run; the defaults are a person's."""

    #: File name of an agent's program among the ancestors; None: no agent above.
    agent: str | None = None
    #: The agent's program is a link to a shell (its image has another name), not a copy.
    linked: bool = False
    #: Variables that an agent adds to the environment of what it starts.
    variables: Mapping[str, str] = field(default_factory=dict[str, str])
    #: Started on a terminal of its own; else standard input is empty and output a pipe.
    tty: bool = True
    #: How the command itself is started.
    way: Way = directly
    #: In tmux: "server" (started by the agent), "window" or "keys" (into a person's own).
    tmux: str | None = None

    @property
    def detached(self) -> bool:
        """The command outlives what started it, so that only its output tells of its end."""
        return self.way in (in_detached_session, in_background, forked_twice)

    def command(self, command: Sequence[str], folder: Path, *, piped: str = "") -> list[str]:
        """The command to start; an agent's program, where one is above, is put into folder.

        ``piped`` is what the agent writes to the command's standard input.
        """
        started = self.way(command)
        if self.agent is None:
            return started
        program = agent_program(folder, self.agent, linked=self.linked)
        if piped:
            return [str(program), "-c", 'printf %s "$0" | "$@"; exit $?', piped, *started]
        return [str(program), "-c", '"$@"; exit $?', self.agent, *started]


def agent_program(folder: Path, name: str, *, linked: bool = False) -> Path:
    """A working shell whose file (or, when linked, only its link) is named like an agent."""
    program = folder / name
    if not program.exists():
        folder.mkdir(parents=True, exist_ok=True)
        shell = Path(os.path.realpath("/bin/sh"))
        if linked:
            program.symlink_to(shell)
        else:
            shutil.copy2(shell, program)
    return program


PERSON: Final = Surroundings()
#: A person in a window of a tmux server that an agent once started: variables, no agent above.
PERSON_IN_AGENTS_TMUX: Final = Surroundings(variables=CLAUDE_VARIABLES)


def shell_tool(agent: str, variables: Mapping[str, str]) -> dict[str, Surroundings]:
    """Every way in which an agent's shell tool can start a command, by name."""

    def by(way: Way = directly, tmux: str | None = None, *, linked: bool = False) -> Surroundings:
        return Surroundings(
            agent=agent, variables=variables, tty=False, way=way, tmux=tmux, linked=linked
        )

    return {
        "plain": by(),
        "linked": by(linked=True),
        "setsid": by(in_new_session),
        "env_i": by(with_cleared_environment),
        "script": by(in_script),
        "setsid_f": by(in_detached_session),
        "background": by(in_background),
        "double_fork": by(forked_twice),
        "tmux_server": by(tmux="server"),
        "tmux_window": by(tmux="window"),
        "tmux_keys": by(tmux="keys"),
    }


SHELL_TOOL: Final[Mapping[str, Surroundings]] = MappingProxyType(
    {
        **{f"claude-{k}": v for k, v in shell_tool("claude", CLAUDE_VARIABLES).items()},
        **{f"codex-{k}": v for k, v in shell_tool("codex", CODEX_VARIABLES).items()},
    }
)
