"""A store, a gateway and callers for tests of the service; clock and ids repeat."""

from __future__ import annotations

from datetime import UTC
from typing import TYPE_CHECKING

from onrecord.domain.item import Content
from onrecord.domain.principal import Principal
from onrecord.domain.scope import Place
from onrecord.domain.session import Session
from onrecord.service.caller import Caller
from onrecord.service.commands import Command, Remember
from onrecord.service.memory import Memory
from onrecord.service.work import Secrets
from onrecord.testing.builders import FixedClock, SeededIds

if TYPE_CHECKING:
    from onrecord.domain.item import Item
    from onrecord.domain.outcome import Outcome
    from onrecord.domain.ports import Store

REPO = "repo:github.com/acme/shop"
BRANCH = "branch:github.com/acme/shop@feature"
OTHER_REPO = "repo:github.com/acme/depot"
OTHER_BRANCH = "branch:github.com/acme/depot@feature"
SECRETS = Secrets(key_id="test", key=b"k" * 32)


def place(agent: str = "", session: str = "", *, repo: str = REPO, branch: str = BRANCH) -> Place:
    """A checkout of the shop on a feature branch."""
    return Place(
        cwd="/src/shop",
        root="/src/shop",
        repo=repo,
        branch=branch,
        commit="c0ffee",
        main_branch=False,
        agent=f"agent:{agent}" if agent else None,
        session=f"session:{agent}:{session}" if session else None,
    )


class Desk:
    """Everything that a test of the service needs, over one store."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.clock = FixedClock()
        self.ids = SeededIds()
        self.memory = Memory(
            store, clock=self.clock, ids=self.ids, secrets=lambda: SECRETS, zone=UTC
        )
        self.ada = Caller(principal=Principal.person("ada", channel="terminal"), place=place())
        self.ada_typed = Caller(
            principal=Principal.person("ada", channel="terminal", confirmed=True), place=place()
        )

    def agent(
        self,
        name: str = "codex",
        session: str = "s1",
        *,
        headless: bool = False,
        synthetic: bool = False,
        parent: str = "",
        repo: str = REPO,
        branch: str = BRANCH,
    ) -> Caller:
        """An agent in a session that a hook has seen."""
        with self.store.write() as tx:
            row = tx.sessions.by_agent_session(name, session)
            if row is None:
                row = Session(
                    id=self.ids.new(self.clock.now()),
                    agent=name,
                    agent_session=session,
                    parent=parent,
                    started_at=self.clock.now(),
                    last_event_at=self.clock.now(),
                    repo=repo,
                    branch=branch,
                    cwd="/src/shop",
                    headless=headless,
                    synthetic=synthetic,
                )
                tx.sessions.put(row)
        principal = Principal.for_agent(
            name, session=row.id, channel="mcp", user="ada", headless=headless
        )
        return Caller(principal=principal, place=place(name, session, repo=repo, branch=branch))

    def do(self, command: Command, caller: Caller) -> Outcome:
        """One command, a second later than the one before."""
        self.clock.advance()
        return self.memory.do(command, caller)

    def remember(self, title: str, caller: Caller, **fields: object) -> Outcome:
        """Keep a statement; `body`, `tags` … go into its content."""
        own = {"body", "summary", "tags", "valid_from", "valid_to", "prompted_by"}
        content = Content(title=title, **{k: v for k, v in fields.items() if k in own})  # type: ignore[arg-type]
        rest = {k: v for k, v in fields.items() if k not in own}
        return self.do(Remember(content=content, **rest), caller)  # type: ignore[arg-type]

    def elsewhere(self, name: str = "codex", session: str = "e1") -> Caller:
        """An agent in another repository."""
        return self.agent(name, session, repo=OTHER_REPO, branch=OTHER_BRANCH)

    def stored(self, item: str) -> Item:
        """An item as it stands in the store, whoever may see it."""
        with self.store.read() as tx:
            found = tx.items.get(item)
        assert found is not None
        return found

    def actions(self, item: str) -> list[str]:
        """What the log says of an item, in order."""
        with self.store.read() as tx:
            return [event.action for event in tx.events.of(item)]


def id_of(outcome: Outcome) -> str:
    """The id of the item that an outcome is about."""
    assert outcome.item is not None, outcome
    return outcome.item.id
