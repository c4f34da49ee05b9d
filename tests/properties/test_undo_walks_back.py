"""A random run of changes, taken back one by one: each time exactly what was there before it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypothesis import given, settings
from hypothesis import strategies as st

from desk import REPO, Desk
from onrecord.domain.errors import OnrecordError
from onrecord.domain.event import broken_at
from onrecord.domain.item import Content, Item, ItemQuery
from onrecord.domain.outcome import Refused
from onrecord.domain.time import DAY
from onrecord.service import auditing
from onrecord.service.commands import (
    Approve,
    Command,
    HandOff,
    Mark,
    MoveScope,
    PutAway,
    Reject,
    Remember,
    Revise,
    Set,
    Settle,
    Undo,
)
from onrecord.storage.inmemory import InMemoryStore

if TYPE_CHECKING:
    from onrecord.service.caller import Caller

TEXTS = (
    "The kestrel gate opens for staff with a badge",
    "Kestrel fares are kept in cents and never floats",
    "The kestrel depot charges its buses at night",
    "Refunds at the harbour need a receipt from the kiosk",
)
SCOPES = (REPO, "global", "project:fares", "project:zones")
MARKS = ("archive", "restore", "pin", "unpin", "verify", "dispute", "stale", "decline")

#: (what is done, which item or text, which of the further choices)
STEPS = st.lists(
    st.tuples(
        st.sampled_from(
            [
                "remember",
                "remember",
                "propose",
                "replace",
                "revise",
                "mark",
                "mark",
                "approve",
                "reject",
                "ask",
                "tidy",
                "move",
                "set",
                "hand off",
                "cancel",
            ]
        ),
        st.integers(0, 30),
        st.integers(0, 30),
    ),
    min_size=1,
    max_size=12,
)

State = tuple[object, ...]


def state(item: Item) -> State:
    """Everything of an item that undo restores."""
    return (
        item.content,
        item.scope,
        item.key,
        item.kind,
        item.status,
        item.verification,
        item.pinned,
        item.flags,
        item.tainted,
        item.expires_at,
    )


def standing(desk: Desk) -> tuple[dict[str, State], dict[str, object]]:
    """All items, and all switches, names of scopes and handoffs."""
    with desk.store.read() as tx:
        items = {item.id: state(item) for item in tx.items.page(ItemQuery(limit=200))}
        rest: dict[str, object] = {
            f"{name}@{scope}": value for name, scope, value in tx.settings.everything()
        }
        rest |= {f"handoff {row.item}": row.status for row in tx.handoffs.recent(limit=50)}
        rest |= {f"renamed {old}": new for old, new in tx.scopes.renamed().items()}
    return items, rest


def command_of(desk: Desk, what: str, n: int, m: int) -> tuple[Command | None, Caller]:
    """A command and who gives it; None where there is nothing to do it to."""
    with desk.store.read() as tx:
        items = sorted(tx.items.page(ItemQuery(limit=200)), key=lambda item: item.id)
    item = items[n % len(items)].id if items else ""
    text = TEXTS[n % len(TEXTS)]
    content = Content(
        title=text,
        body="" if m % 3 else "As of May.",
        summary="short" if m % 2 else "",
        tags=("bus", "gate")[: m % 3],
    )
    more: dict[str, Any] = {
        "key": ("", "gate", "fare")[m % 3],
        "scope": SCOPES[(n + m) % len(SCOPES)],
        "pin": m % 5 == 0,
        "ttl": 9_999 if m % 4 == 0 else None,
        "distinct": m % 7 == 0,
    }
    own, agents = desk.ada_typed, desk.agent("codex", "s1")
    plain: dict[str, tuple[Command, Caller]] = {
        "remember": (Remember(content=content, **more), own),
        "propose": (Remember(content=content, key=more["key"], scope="repo"), agents),
        "set": (Set(name=("capture", "review")[m % 2], value=_value(n, m)), own),
        "move": (MoveScope(old=SCOPES[2 + n % 2], new="project:lines", way="merge"), own),
        "hand off": (HandOff(next=f"go on: {text}"), agents),
    }
    if what in plain:
        return plain[what]
    if not item:
        return None, own
    other = items[m % len(items)].id
    about: dict[str, tuple[Command, Caller]] = {
        "replace": (Remember(content=content, **more, replaces=item), own),
        "revise": (Revise(item=item, content=content), own),
        "mark": (Mark(item=item, action=MARKS[m % len(MARKS)]), own),
        "approve": (Approve(item=item, scope=("", "global")[m % 2]), own),
        "reject": (Reject(item=item, reason=("wrong", "duplicate")[m % 2]), own),
        "ask": (Mark(item=item, action=("pin", "dispute")[m % 2]), agents),
        "tidy": (PutAway(items=(item, other), run="groom"), own),
        "cancel": (Settle(item=item, action="cancel"), own),
    }
    return about[what]


def _value(n: int, m: int) -> str:
    return ("on", "off")[n % 2] if m % 2 == 0 else ("none", "all")[n % 2]


@settings(max_examples=60, deadline=None)
@given(STEPS)
def test_undoing_everything_from_the_last_goes_back_exactly(
    steps: list[tuple[str, int, int]],
) -> None:
    """Text, tags, status, belief, pin, expiry, key, scope, switches: as before each change.

    What a change made is put away. The log replays to the rows at every point.
    """
    desk = Desk(InMemoryStore())
    done: list[tuple[int, tuple[dict[str, State], dict[str, object]]]] = []
    for what, n, m in steps:
        command, caller = command_of(desk, what, n, m)
        before = standing(desk)
        desk.clock.advance(DAY // 50)
        try:
            outcome = desk.memory.do(command, caller) if command is not None else None
        except OnrecordError:
            continue
        if outcome is not None and outcome.undo and not isinstance(outcome, Refused):
            done.append((outcome.undo, before))
    for event, (items, rest) in reversed(done):
        desk.do(Undo(event=event), desk.ada_typed)
        now, others = standing(desk)
        assert {name: now[name] for name in items} == items
        assert {now[name][4] for name in now.keys() - items.keys()} <= {"archived"}
        assert {name: others.get(name) for name in rest} == rest
        assert not [name for name in others if name.startswith("renamed ") and name not in rest]
    with desk.store.read() as tx:
        assert broken_at(tx.events.walk()) is None
        assert list(auditing.findings(tx)) == []
