"""What a person turned down is not told among what was observed of sessions."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from desk import Desk
from hooked import Hooked
from onrecord.domain.item import Content
from onrecord.service.commands import Forget, Reject, Remember
from onrecord.service.withholding import WITHHELD
from spooling import Hooks

if TYPE_CHECKING:
    from pathlib import Path

VALUE = "Payments retry five times before failing"
OTHER = "What about the fares of the night bus?"


@pytest.fixture
def hooks(desk: Desk, tmp_path: Path) -> Hooks:
    """Hooks that write into this desk's spool."""
    return Hooks(desk, tmp_path)


def kept(desk: Desk) -> str:
    """A memory that says the value; its id."""
    made = desk.do(Remember(content=Content(title=VALUE), scope="repo"), desk.ada)
    assert made.item is not None
    return made.item.id


def asked(hooks: Hooks, session: str = "a") -> tuple[str, str]:
    """A session's first and last prompt."""
    row = hooks.session(session)
    return row.first_prompt, row.last_prompt


def test_a_prompt_after_the_decision_is_withheld(desk: Desk, hooks: Hooks) -> None:
    """That it was asked is told; another prompt of the session stays whole."""
    desk.do(Reject(item=kept(desk), reason="wrong"), desk.ada)
    hooks.start()
    hooks.prompt(VALUE)
    hooks.prompt(OTHER)
    hooks.drain()

    assert asked(hooks) == (WITHHELD, OTHER)


@pytest.mark.parametrize("command", [Reject, Forget])
def test_a_prompt_before_the_decision_is_withheld(
    desk: Desk, hooks: Hooks, command: type[Reject | Forget]
) -> None:
    """Whatever the session said before its value was turned down; other sessions stay."""
    item = kept(desk)
    for session, prompts in (("a", (OTHER, f"{VALUE}.")), ("b", (OTHER, "And by day?"))):
        hooks.start(session)
        for prompt in prompts:
            hooks.prompt(prompt, session)
    hooks.drain()
    before = asked(hooks)
    with desk.store.write() as tx:
        told = replace(hooks.session(), commits=(f"c0ffee0001 {VALUE}", "c0ffee0002 Fix it"))
        tx.sessions.put(told)
    made = Reject(item=item, reason="wrong") if command is Reject else Forget(item=item)
    desk.do(made, desk.ada_typed)

    assert before == (OTHER, f"{VALUE}.")
    assert VALUE not in repr(hooks.session())
    assert asked(hooks)[1] in (WITHHELD, "")
    assert asked(hooks, "b") == (OTHER, "And by day?")


def test_a_reason_that_leaves_no_tombstone_withholds_nothing(desk: Desk, hooks: Hooks) -> None:
    """A duplicate is nothing that must not come back."""
    item = kept(desk)
    hooks.start()
    hooks.prompt(VALUE)
    hooks.drain()
    desk.do(Reject(item=item, reason="duplicate"), desk.ada)

    assert asked(hooks) == (VALUE, VALUE)


def test_a_commit_that_says_it_is_withheld_at_the_end(
    desk: Desk, hooks: Hooks, tmp_path: Path
) -> None:
    """Its id is told; the subject of another commit stays."""
    desk.do(Reject(item=kept(desk), reason="wrong"), desk.ada)
    hooks.start(cwd=str(tmp_path))
    hooks.prompt(OTHER)
    hooks.drain()
    gateway = hooks.intake._gateway  # noqa: SLF001 - what closing asks
    told = replace(hooks.session(), commits=(f"c0ffee0001 {VALUE}", "c0ffee0002 Fix it"))
    with desk.store.write() as tx:
        left = gateway.without_turned_down(tx, told)

    assert left.commits == (f"c0ffee0001 {WITHHELD}", "c0ffee0002 Fix it")


def test_a_rejected_value_is_in_no_pack_of_the_next_session(tmp_path: Path) -> None:
    """Through real hooks: the prompt that said it stood in the pack until it was turned down."""
    desk = Hooked(tmp_path)
    item = desk.remember(VALUE)
    desk.start(session="one")
    desk.prompt(VALUE, session="one")
    desk.drain()
    before = desk.start(session="two").context
    desk.do(Reject(item=item, reason="wrong"))
    after = desk.start(session="three").context

    assert f"first prompt: {VALUE}" in before
    assert VALUE not in after
    assert f"first prompt: {WITHHELD}" in after
