"""A person's machine for tests: a home with onrecord connected to the real agent CLIs."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from harness.terminal import Person
from onrecord import wiring
from onrecord.domain.principal import Principal
from onrecord.service.caller import Caller
from onrecord.service.places import place_at

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from harness.terminal import Transcript
    from onrecord.domain.item import Item
    from onrecord.domain.ports import Transaction
    from onrecord.domain.session import Delivery, Handoff, Session
    from onrecord.service.memory import Memory

ONRECORD = str(Path(sys.executable).with_name("onrecord"))
HOOK = str(Path(sys.executable).with_name("onrecord-hook"))


class Machine:
    """A home, a repository, and the person in it, who uses the installed programs."""

    def __init__(self, home: Path, repo: Path) -> None:
        self.home = home
        self.repo = repo
        self.person = Person(home, cwd=repo)
        self.store = home / ".local" / "share" / "onrecord" / "memory.db"

    def do(self, *command: str, keys: Sequence[tuple[str, str]] = ()) -> Transcript:
        """One command of the person's, on a terminal of their own; it must end well."""
        done = self.person.run([ONRECORD, *command], keys=keys)
        assert done.exit_code == 0, done.text
        return done

    def connect(self, *clients: str) -> None:
        """Connect agents; every agent's suggestion for a shared scope is to wait."""
        self.do("connect", *clients, keys=[("[a/f/n]", "a")])

    def remember(self, text: str, *more: str) -> None:
        """The person keeps something for this repository."""
        self.do("remember", text, "--scope", "repo", *more)

    @contextmanager
    def memory(self) -> Iterator[Memory]:
        """The store with everything taken in that hooks left."""
        opened = wiring.open_memory(str(self.store), create=False)
        try:
            wiring.open_intake(str(self.store), opened).drain()
            yield opened
        finally:
            opened.close()

    @property
    def caller(self) -> Caller:
        """The person, for reading."""
        return Caller(
            principal=Principal.person("ada", channel="terminal"), place=place_at(str(self.repo))
        )

    def sessions(self) -> list[Session]:
        """All sessions, the one that started first first."""
        with self.memory() as memory:
            return sorted(memory.sessions(self.caller, limit=50), key=lambda row: row.id)

    def handoffs(self, *statuses: str) -> list[Handoff]:
        """Handoffs, newest first."""
        with self.memory() as memory:
            known = statuses or ("open", "claimed", "acknowledged", "replaced", "expired")
            return [row for row, _ in memory.handoffs(self.caller, statuses=known)]

    def deliveries(self) -> list[Delivery]:
        """What was delivered, oldest first."""
        with self.memory() as memory:
            return memory.deliveries(self.caller, limit=50)[::-1]

    def titled(self, title: str) -> Item:
        """The one item with that title."""
        with self.memory() as memory:
            found = memory.recall(title, self.caller, limit=20).hits
            waiting = [entry.item for entry in memory.queue(self.caller)]
        items = [hit.item for hit in found] + waiting
        (item,) = {item.id: item for item in items if item.content.title == title}.values()
        return item

    def session_of_call(self, client: str, call: str) -> str:
        """The session that a tool call was joined to."""
        with self.memory() as memory, memory._store.read() as tx:  # noqa: SLF001 - no door tells
            return self._call(tx, client, call)

    @staticmethod
    def _call(tx: Transaction, client: str, call: str) -> str:
        return tx.sessions.session_of_call(client, call) or ""

    @property
    def faults(self) -> str:
        """What hooks noted of their own failures."""
        path = Path(f"{self.store}.hook-faults")
        return path.read_text(encoding="utf-8") if path.exists() else ""
