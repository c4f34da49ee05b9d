"""A session's end that is cut short, or seen by two at once, still hands over once."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

from desk import SECRETS, Desk
from onrecord.service.memory import Memory
from spooling import Hooks

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from onrecord.domain.ports import Store, Transaction


@pytest.fixture
def hooks(desk: Desk, tmp_path: Path) -> Hooks:
    """Hooks that write into this desk's spool."""
    return Hooks(desk, tmp_path)


class Power:
    """Fails in the N-th writing transaction, before or after it became durable."""

    def __init__(self, store: Store, at: int, *, after: bool) -> None:
        self.store = store
        self.left = at
        self.after = after

    @contextmanager
    def write(self) -> Iterator[Transaction]:
        """One transaction, or the end."""
        self.left -= 1
        if self.left == 0 and not self.after:
            raise Killed
        with self.store.write() as tx:
            yield tx
        if self.left == 0:
            raise Killed

    def read(self) -> object:
        """As it is."""
        return self.store.read()


class Killed(BaseException):
    """The process ended here."""


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("gone", [False, True], ids=["told", "gone"])
def test_killed_at_any_transaction_there_is_one_right_handoff(
    hooks: Hooks, *, after: bool, gone: bool
) -> None:
    """Whoever drains next finishes what was begun, and nothing twice."""
    desk = hooks.desk
    process: dict[str, Any] = {"pid": 2**30, "pid_started": 5} if gone else {}
    killed = 0
    for at in range(1, 12):
        name = f"s{at}"
        hooks.start(name, **process)
        hooks.prompt(f"words of {name}", name, **process)
        if not gone:
            hooks.end(name)
        desk.clock.advance()
        cut = Power(desk.store, at, after=after)
        memory = Memory(
            cut,  # type: ignore[arg-type]
            clock=desk.clock,
            ids=desk.ids,
            secrets=lambda: SECRETS,
            zone=None,
        )
        try:
            memory.intake(hooks.folder).drain()
        except Killed:
            killed += 1
        hooks.drain()
        hooks.drain()

        assert [row.next for row in hooks.handoffs("open")] == [f"Last asked: words of {name}"]
        assert hooks.session(name).prompts == 1
        process = {"pid": 2**30 + at, "pid_started": 5} if gone else {}

    assert killed >= (5 if gone else 4)
    assert len(hooks.handoffs()) == 11
    with desk.store.read() as tx:
        assert tx.outbox.due("close") == []


def test_two_at_once_close_a_session_once(hooks: Hooks) -> None:
    """The second finds the handoff of the first, though both saw that it was owed."""
    hooks.start()
    hooks.prompt("x")
    hooks.end()
    hooks.intake.drain(close=False)
    desk = hooks.desk
    with desk.store.read() as tx:
        ((_, session, _),) = tx.outbox.due("close")
    hooks.drain()
    with desk.store.write() as tx:
        tx.outbox.add("close", session, 0, desk.clock.now())
    hooks.drain()

    assert len(hooks.handoffs()) == 1
