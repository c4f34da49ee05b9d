"""The demo's stage: a throw-away home and repository, and the person's part."""

from __future__ import annotations

import os
import pty
import select
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from onrecord.doors.cli.terminal import printable

PATIENCE_S = 60

_SIZE = 65_536


def make_repository(folder: Path, env: dict[str, str]) -> None:
    """A small git repository with an origin."""
    folder.mkdir()
    (folder / "README.md").write_text("# fare gates\n", encoding="utf-8")

    def git(*words: str) -> None:
        subprocess.run(  # noqa: S603 - constant words
            ["git", *words],  # noqa: S607 - the user's own git
            cwd=folder,
            env=env,
            check=True,
            capture_output=True,
        )

    git("init", "--quiet", "--initial-branch=main")
    git("config", "user.name", "Ada")
    git("config", "user.email", "ada@example.com")
    git("remote", "add", "origin", "https://github.com/fernhill/fare-gates.git")
    git("add", ".")
    git("commit", "--quiet", "--message", "Start")


def play_person(
    words: Sequence[str], keys: Sequence[tuple[str, str]], *, env: dict[str, str], cwd: Path
) -> str:
    """Play the person where nobody sits at a terminal; returns what the screen showed.

    A process of its own, re-parented, with a pseudo-terminal for its terminal: anything that
    runs as this user could do the same (docs/why.md says what that means). `keys` are (text to
    wait for, keys to type).
    """
    over, held = os.pipe()
    pid, terminal = pty.fork()
    if pid == 0:
        _lead(words, env, cwd, held)
    os.close(held)
    try:
        return _converse(terminal, over, list(keys))
    finally:
        os.close(terminal)
        os.close(over)
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)


def _lead(words: Sequence[str], env: dict[str, str], cwd: Path, held: int) -> NoReturn:
    """Hold the terminal, while a process that is nobody's child any more uses it.

    `held` stays open in that process alone, so that its end can be seen.
    """
    try:
        between = os.fork()
        if between:
            os.close(held)
            os.waitpid(between, 0)
            while True:
                signal.pause()
        if os.fork():
            os._exit(0)
        os.set_inheritable(held, True)
        os.chdir(cwd)
        os.execvpe(words[0], list(words), env)  # noqa: S606 - our own program
    finally:
        os._exit(127)


def _converse(terminal: int, over: int, keys: list[tuple[str, str]]) -> str:
    screen = ""
    end = time.monotonic() + PATIENCE_S
    at = 0
    while time.monotonic() < end:
        ready, _, _ = select.select([terminal, over], [], [], 0.1)
        if terminal in ready:
            try:
                screen += os.read(terminal, _SIZE).decode("utf-8", "replace")
            except OSError:
                break
        elif over in ready:
            break
        if keys and keys[0][0] in screen[at:]:
            at = len(screen)
            os.write(terminal, keys.pop(0)[1].encode())
    return screen.replace("\r\n", "\n")


def tell(text: str = "", *, mark: str = "", aside: bool = False) -> None:
    """A line of the demo, indented under its step; aside, on standard error."""
    stream = sys.stderr if aside else sys.stdout
    for line in printable(text).split("\n"):
        stream.write(f"{mark}{line}\n")
    stream.flush()
