"""A person at a terminal: real commands on a real pseudo-terminal, with no test runner above.

``Person.run`` starts a command whose line of parents ends at init without meeting the tests,
whose controlling terminal is its own, and whose environment holds nothing of the tests'. Keys
are typed when a given text appears. ``Person.open`` gives the live terminal for programs that
take over the screen. ``around=`` starts the same command as an agent's shell tool would, in
any of the ways of ``harness.surroundings.SHELL_TOOL``.
"""

from __future__ import annotations

import shlex
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from harness.console import Terminal, Transcript
from harness.surroundings import PERSON, SHELL_TOOL, TRAILER, Surroundings

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["PERSON", "SHELL_TOOL", "Person", "Surroundings", "Terminal", "Transcript"]

SYSTEM_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


class Person:
    """Someone with a home, a folder to be in, and a terminal."""

    def __init__(
        self, home: Path, *, cwd: Path | None = None, env: Mapping[str, str] | None = None
    ) -> None:
        """Take a place; ``env`` is added to the bare environment of a login."""
        self.home = home
        self.cwd = cwd or home
        self.env = {
            "PATH": f"{Path(sys.executable).parent}:{SYSTEM_PATH}",
            "HOME": str(home),
            "USER": "ada",
            "LOGNAME": "ada",
            "SHELL": "/bin/sh",
            "TERM": "xterm-256color",
            "LANG": "C.UTF-8",
            **(env or {}),
        }

    def open(
        self, command: Sequence[str], *, around: Surroundings = PERSON, piped: str = ""
    ) -> Terminal:
        """Start a command and give its terminal; close it, or use it in a ``with`` block."""
        return Terminal(
            around.command(command, self.home / ".agent-programs", piped=piped),
            cwd=self.cwd,
            env={**self.env, **around.variables},
            tty=around.tty,
        )

    def run(
        self,
        command: Sequence[str],
        *,
        keys: Sequence[tuple[str, str]] = (),
        around: Surroundings = PERSON,
        timeout_s: float = 30,
    ) -> Transcript:
        """Run a command to its end, typing each keys once its text appears.

        Where the surroundings have no terminal, an agent pipes all the keys in at once.
        """
        if around.tmux:
            return self._run_in_tmux(command, keys=keys, around=around, timeout_s=timeout_s)
        piped = "" if around.tty else "".join(pressed for _, pressed in keys)
        with self.open(command, around=around, piped=piped) as terminal:
            for text, pressed in keys if around.tty else ():
                terminal.expect(text, timeout_s=timeout_s)
                terminal.type(pressed)
            if around.detached:
                return terminal.wait_for_trailer(timeout_s=timeout_s)
            return terminal.wait(timeout_s=timeout_s)

    def _run_in_tmux(
        self,
        command: Sequence[str],
        *,
        keys: Sequence[tuple[str, str]],
        around: Surroundings,
        timeout_s: float,
    ) -> Transcript:
        """An agent starts the command in tmux; the person's terminal shows what comes of it."""
        with tempfile.TemporaryDirectory(prefix="tmux-") as folder:
            tmux = ["tmux", "-S", f"{folder}/socket", "-f", "/dev/null"]
            held = ["sh", "-c", f'"$@"; echo {TRAILER}$?; read -r _', "sh", *command]
            if around.tmux == "server":
                self._let_agent([*tmux, "new-session", "-d", "-x120", "-y40", *held], around)
                view = self.open([*tmux, "attach"])
            else:
                view = self.open([*tmux, "new-session", "env", "PS1=ready>", "sh"])
                view.see("ready>")
                if around.tmux == "window":
                    self._let_agent([*tmux, "new-window", *held], around)
                else:
                    line = f"{shlex.join(command)}; echo {TRAILER}$?"
                    self._let_agent([*tmux, "send-keys", "-l", line], around)
                    self._let_agent([*tmux, "send-keys", "Enter"], around)
            try:
                for text, pressed in keys:
                    view.see(text, timeout_s=timeout_s)
                    view.type(pressed)
                return view.wait_for_trailer(timeout_s=timeout_s, on_screen=True)
            finally:
                self.run([*tmux, "kill-server"])
                view.close()

    def _let_agent(self, command: Sequence[str], around: Surroundings) -> None:
        with self.open(command, around=around) as output:
            ended = output.wait()
        if ended.exit_code:
            message = f"{command[0]} ended with {ended.exit_code}: {ended.text}"
            raise RuntimeError(message)
