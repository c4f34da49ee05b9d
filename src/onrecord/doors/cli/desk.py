"""What a command works at: the store, who asks, where, and how answers are printed."""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING, Any

from onrecord import wire, wiring
from onrecord.config import Config, load
from onrecord.domain.errors import NeedsPerson
from onrecord.domain.outcome import Outcome
from onrecord.domain.principal import Principal
from onrecord.doors.cli import terminal
from onrecord.doors.errors import exit_status
from onrecord.service import who
from onrecord.service.caller import Caller
from onrecord.service.places import place_at

if TYPE_CHECKING:
    from onrecord.domain.scope import Place
    from onrecord.service.memory import Memory


class Desk:
    """Opened lazily: a command pays for what it uses."""

    def __init__(self, *, as_json: bool = False, store: str = "", path: str = "") -> None:
        self.as_json = as_json
        self._names = (path, store)
        self._config: Config | None = None
        self._memory: Memory | None = None
        self._principal: Principal | None = None
        self._seen: who.Seen | None = None
        self._place: Place | None = None

    # -- what there is ----------------------------------------------------------
    @property
    def config(self) -> Config:
        """The configuration with this command's flags."""
        if self._config is None:
            self._config = load(os.environ, store=self._names[0], name=self._names[1])
        return self._config

    @property
    def memory(self) -> Memory:
        """The store, made where there is none, with what hooks left taken in."""
        if self._memory is None:
            self._memory = wiring.open_memory(self.config.store)
            wiring.open_intake(self.config.store, self._memory).drain()
        return self._memory

    @property
    def seen(self) -> who.Seen:
        """What speaks for and against a person."""
        if self._seen is None:
            self._seen = who.look(os.environ)
        return self._seen

    @property
    def place(self) -> Place:
        """Where the command is run."""
        if self._place is None:
            agent = self.principal.agent
            self._place = place_at(_cwd(), agent=agent, named=self.config.places)
        return self._place

    @property
    def principal(self) -> Principal:
        """Who runs it. A person among an agent's variables types a short code first."""
        if self._principal is None:
            typed = self.seen.verdict == "ask" and terminal.type_code(
                "This terminal carries an agent's variables."
            )
            self._principal = who.at_terminal(self.seen, code_typed=typed)
        return self._principal

    @property
    def caller(self) -> Caller:
        """Who asks, and from where."""
        return Caller(principal=self.principal, place=self.place)

    def confirmed(self, question: str, keys: str = "yn") -> tuple[Caller, str]:
        """The caller with a key typed on their own terminal, and that key.

        Raises `NeedsPerson` for anyone but a person at a terminal.
        """
        if not self.principal.is_person:
            raise NeedsPerson(details={"seen": dict(self.seen.proof())})
        key = terminal.ask_key(question, keys)
        return Caller(principal=who.confirmed(self.principal), place=self.place), key

    def whole(self, part: str) -> str:
        """The whole id for a start or end of one."""
        return self.memory.get(part, self.caller, opened=False).id

    # -- answering ----------------------------------------------------------------
    def say(self, text: str) -> None:
        """A line for a person; control characters are shown, not sent."""
        sys.stdout.write(terminal.printable(text) + "\n")

    def data(self, shape: Any) -> None:
        """An answer as JSON."""
        sys.stdout.write(json.dumps(shape, ensure_ascii=False, indent=2) + "\n")

    def outcome(self, outcome: Outcome) -> int:
        """The answer to a change, and its exit status."""
        status = exit_status(outcome)
        if self.as_json:
            self.data(wire.outcome(outcome))
        elif status:
            sys.stderr.write(f"onrecord: {terminal.printable(outcome.say)} ({outcome.code})\n")
        else:
            self.say(outcome.say)
        return status

    def close(self) -> None:
        """Release the store."""
        if self._memory is not None:
            self._memory.close()


def _cwd() -> str:
    try:
        return os.getcwd()  # noqa: PTH109 - a plain string is wanted
    except OSError:
        return ""
