"""audit.*: every change has its one line in the same transaction, and tampering shows."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from pathlib import Path

import apsw
import pytest

from desk import Desk
from onrecord.domain.errors import StoreError
from onrecord.domain.event import Event, broken_at
from onrecord.domain.item import Content
from onrecord.domain.outcome import Outcome
from onrecord.service.commands import (
    Approve,
    Command,
    Feedback,
    Forget,
    HandOff,
    Mark,
    Reject,
    Revise,
    Set,
    Undo,
)
from onrecord.storage.sqlite_engine import open_sqlite

SEED = 20_261_130
ROUNDS = 10_000


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the store is."""
    folder = tmp_path / "data"
    folder.mkdir(mode=0o700)
    return folder / "memory.db"


@pytest.fixture
def desk(path: Path) -> Iterator[Desk]:
    """A real store on disk."""
    store = open_sqlite(str(path), create=True)
    yield Desk(store)
    store.close()


def proposal(desk: Desk, title: str) -> str:
    """The id of what an agent proposes."""
    made = desk.remember(title, desk.agent(), scope="repo")
    assert made.item is not None
    return made.item.id


def own(desk: Desk, title: str) -> str:
    """The id of what a person keeps."""
    made = desk.remember(title, desk.ada, scope="repo")
    assert made.item is not None
    return made.item.id


#: verb -> what prepares it and makes its command
VERBS: dict[str, Callable[[Desk], Command]] = {
    "approve": lambda desk: Approve(item=proposal(desk, "Gate tests need the fake clock")),
    "reject": lambda desk: Reject(item=proposal(desk, "Depots open at nine"), reason="wrong"),
    "revise": lambda desk: Revise(
        item=own(desk, "Fares are in cents"), content=Content(title="Fares are in euros")
    ),
    "archive": lambda desk: Mark(item=own(desk, "Fares are in cents"), action="archive"),
    "pin": lambda desk: Mark(item=own(desk, "Fares are in cents"), action="pin"),
    "verify": lambda desk: Mark(item=own(desk, "Fares are in cents"), action="verify"),
    "dispute": lambda desk: Mark(item=own(desk, "Fares are in cents"), action="dispute"),
    "forget": lambda desk: Forget(item=own(desk, "The harbour office pays in coins only")),
    "undo": lambda desk: Undo(
        event=desk.do(Mark(item=own(desk, "Fares are in cents"), action="pin"), desk.ada).undo or 0
    ),
    "set": lambda _: Set(name="saving", value="off"),
    "hand off": lambda _: HandOff(next="go on with the gate"),
    "feedback": lambda desk: Feedback(item=own(desk, "Fares are in cents"), verdict="helpful"),
}


def seq(desk: Desk) -> int:
    """How many lines the log has."""
    with desk.store.read() as tx:
        return tx.events.head()[0]


@pytest.mark.parametrize("verb", VERBS)
def test_audit_every_change_has_its_event(desk: Desk, verb: str) -> None:
    """Each mutating verb writes exactly one line; reading writes none."""
    command = VERBS[verb](desk)
    before = seq(desk)
    desk.do(command, desk.ada_typed)
    after = seq(desk)
    desk.memory.recall("fares", desk.ada)
    desk.memory.status(desk.ada)

    assert after == before + 1
    assert seq(desk) == after


@pytest.mark.parametrize("verb", VERBS)
def test_audit_an_unwritable_event_refuses_the_change(desk: Desk, path: Path, verb: str) -> None:
    """Where the line cannot be written nothing changes; the control: it does once it can."""
    command = VERBS[verb](desk)
    held = stored(path)
    blocker = apsw.Connection(str(path))
    blocker.execute(
        "CREATE TRIGGER no_more BEFORE INSERT ON events BEGIN SELECT RAISE(ABORT, 'no'); END"
    )
    with pytest.raises(StoreError):
        desk.do(command, desk.ada_typed)
    refused = stored(path)
    blocker.execute("DROP TRIGGER no_more")
    blocker.close()
    outcome: Outcome = desk.do(command, desk.ada_typed)

    assert refused == held
    assert outcome.code
    assert stored(path) != held


def stored(path: Path) -> list[tuple[object, ...]]:
    """Every row of what a change can touch."""
    reader = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    tables = ("items", "versions", "events", "settings", "tombstones", "feedback", "handoffs")
    rows = [row for table in tables for row in reader.execute(f"SELECT * FROM {table}")]  # noqa: S608
    reader.close()
    return rows


def test_audit_tampering_detected(desk: Desk) -> None:
    """10,000 random edits, swaps, insertions and removals show; the chain is whole."""
    for n in range(12):
        own(desk, f"Gate number {n} has its own clock")
    proposal(desk, "Gate tests need the fake clock")
    desk.do(Forget(item=own(desk, "The harbour office pays in coins only")), desk.ada)
    with desk.store.read() as tx:
        whole = list(tx.events.walk())
        head = tx.events.head()
    chance = random.Random(SEED)  # noqa: S311 - a seeded choice of what to break
    missed = [n for n in range(ROUNDS) if broken_at(tampered(whole, chance), head) is None]

    assert broken_at(whole, head) is None
    assert missed == []
    assert broken_at(whole[:-1], head) == len(whole)


def tampered(whole: list[Event], chance: random.Random) -> list[Event]:
    """The log with one thing changed."""
    lines = list(whole)
    at = chance.randrange(len(lines))
    kind = chance.choice(("edit", "swap", "insert", "remove"))
    if kind == "edit":
        lines[at] = edited(lines[at], chance)
    elif kind == "swap":
        other = chance.choice([n for n in range(len(lines)) if n != at])
        lines[at], lines[other] = lines[other], lines[at]
    elif kind == "insert":
        lines.insert(at, chance.choice(lines))
    else:
        del lines[at]
    return lines


def edited(line: Event, chance: random.Random) -> Event:
    """The line with one field changed."""
    name = chance.choice([field.name for field in fields(Event)])
    value = getattr(line, name)
    if isinstance(value, int):
        return replace(line, **{name: value + chance.randint(1, 9)})  # type: ignore[arg-type]
    if isinstance(value, bytes):
        changed = bytes([value[0] ^ 1]) + value[1:] if value else b"\x01"
        return replace(line, **{name: changed})  # type: ignore[arg-type]
    if isinstance(value, str):
        return replace(line, **{name: value + "x"})  # type: ignore[arg-type]
    if isinstance(value, tuple):
        return replace(line, **{name: (*value, "x")})  # type: ignore[arg-type]
    if name == "change":
        return replace(line, change={**value, "x": (0, 1)})
    return replace(line, by=replace(line.by, user=line.by.user + "x"))
