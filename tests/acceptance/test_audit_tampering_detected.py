"""Whatever is done to the log behind the store's back is found; the untouched log verifies."""

from __future__ import annotations

import random
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any, Final

import apsw
import pytest

from commandline import CommandLine
from desk import Desk, id_of
from onrecord.domain.event import Event, broken_at, chain
from onrecord.domain.principal import Principal
from onrecord.service.commands import Forget, HandOff, Mark, Reject, Set
from onrecord.storage.inmemory import InMemoryStore

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

TRIES: Final = 10_000
SEED: Final = 20_261_130

Lines = list[Event]
Head = tuple[int, bytes]


def real_log() -> Lines:
    """The log of a day with every kind of line."""
    desk = Desk(InMemoryStore())
    made = desk.remember("Fares are in cents", desk.ada, scope="repo", key="fares")
    waiting = desk.remember("Specs need a clock", desk.agent(), scope="repo", tags=("spec",))
    desk.remember("Fares are in euros", desk.agent(), scope="repo", key="fares")
    desk.remember("Never push", desk.agent(), kind="rule")
    for action in ("pin", "unpin", "dispute", "archive", "restore"):
        desk.do(Mark(item=id_of(made), action=action), desk.ada_typed)
    desk.do(Reject(item=id_of(waiting), reason="wrong"), desk.ada)
    desk.do(Set(name="review", value="none"), desk.ada_typed)
    desk.do(HandOff(next="the gate"), desk.agent())
    desk.do(Forget(item=id_of(made)), desk.ada_typed)
    for n in range(8):
        desk.remember(f"Fact number {n}", desk.ada, scope="global")
    with desk.store.read() as tx:
        return list(tx.events.walk())


def other(chance: random.Random, value: Any) -> Any:
    """A value of the same kind that is not this one."""
    match value:
        case bool():
            new: Any = not value
        case int():
            new = value + chance.choice((-1, 1, 1_000))
        case str():
            new = value + chance.choice("xyz") if chance.random() < 0.7 else value[:-1] or "x"
        case bytes():
            at = chance.randrange(len(value)) if value else 0
            new = value[:at] + bytes([(value[at] if value else 0) ^ 1]) + value[at + 1 :]
        case tuple():
            new = (*value, "title")
        case Principal():
            name = chance.choice(("writer", "user", "agent", "channel", "session", "confirmed"))
            new = replace(value, **{name: other(chance, getattr(value, name))})
        case _:
            new = {} if value else {"status": ("active", "proposed")}
    return new


def edited(chance: random.Random, lines: Lines) -> Lines:
    """One field of one line says something else."""
    at = chance.randrange(len(lines))
    name = chance.choice([field.name for field in fields(Event)])
    value = other(chance, getattr(lines[at], name))
    return [*lines[:at], replace(lines[at], **{name: value}), *lines[at + 1 :]]


def swapped(chance: random.Random, lines: Lines) -> Lines:
    """Two lines change places, numbers and all or without."""
    one, two = sorted(chance.sample(range(len(lines)), 2))
    new = list(lines)
    new[one], new[two] = lines[two], lines[one]
    if chance.random() < 0.5:
        new[one] = replace(new[one], seq=lines[one].seq)
        new[two] = replace(new[two], seq=lines[two].seq)
    return new


def inserted(chance: random.Random, lines: Lines) -> Lines:
    """A line that never was, a copy or a made-up one, chained by its writer or not."""
    at = chance.randrange(len(lines))
    line = replace(chance.choice(lines), action=chance.choice(("approved", "created")))
    if chance.random() < 0.5:
        line = chain(line, at + 1, lines[at - 1].hash if at else b"\x00" * 32)
    rest = lines[at:]
    if chance.random() < 0.5:
        rest = [replace(one, seq=one.seq + 1) for one in rest]
    return [*lines[:at], line, *rest]


def removed(chance: random.Random, lines: Lines) -> Lines:
    """One or several lines are gone from the middle, renumbered or not."""
    at = chance.randrange(len(lines) - 1)
    n = chance.randint(1, min(3, len(lines) - 1 - at))
    rest = lines[at + n :]
    if chance.random() < 0.5:
        rest = [replace(one, seq=one.seq - n) for one in rest]
    return [*lines[:at], *rest]


def cut(chance: random.Random, lines: Lines) -> Lines:
    """The end is gone: a whole chain by itself, found by the head that was exported."""
    return lines[: chance.randrange(len(lines))]


def rewritten(chance: random.Random, lines: Lines) -> Lines:
    """Everything from one line on is written anew, with hashes that fit one another."""
    at = chance.randrange(len(lines))
    new = lines[:at]
    for line in lines[at:]:
        said = replace(line, by=Principal.person("eve")) if line is lines[at] else line
        new.append(chain(said, len(new) + 1, new[-1].hash if new else b"\x00" * 32))
    return new


WAYS: Final[dict[str, Callable[[random.Random, Lines], Lines]]] = {
    "edited": edited,
    "swapped": swapped,
    "inserted": inserted,
    "removed": removed,
    "cut": cut,
    "rewritten": rewritten,
}


def test_audit_tampering_detected_and_the_untouched_chain_verifies() -> None:
    """Positive control, after an erasure, with and without the head."""
    lines = real_log()

    assert "forgotten" in {line.action for line in lines}
    assert broken_at(lines) is None
    assert broken_at(lines, (lines[-1].seq, lines[-1].hash)) is None
    assert broken_at(lines, (5, lines[4].hash)) is None


@pytest.mark.parametrize("way", sorted(WAYS))
def test_audit_tampering_detected(way: str) -> None:
    """Ten thousand changes over six ways, each against the head that was exported."""
    chance = random.Random(f"{SEED}:{way}")  # noqa: S311 - repeatable
    lines = real_log()
    head: Head = (lines[-1].seq, lines[-1].hash)
    missed = []
    for n in range(TRIES // len(WAYS) + 1):
        tampered = WAYS[way](chance, lines)
        if tampered != lines and broken_at(tampered, head) is None:
            missed.append((n, tampered))

    assert not missed, f"seed {SEED}: {missed[:1]}"


@pytest.mark.parametrize("way", ["edited", "swapped", "inserted", "removed"])
def test_audit_tampering_detected_without_a_head_too(way: str) -> None:
    """What leaves the end in place is found by the chain alone."""
    chance = random.Random(f"{SEED}:alone:{way}")  # noqa: S311 - repeatable
    lines = real_log()
    for _ in range(200):
        tampered = WAYS[way](chance, lines)
        gone_at_end = tampered == lines[: len(tampered)]
        assert tampered == lines or gone_at_end or broken_at(tampered) is not None


#: What somebody with the file does to it, the triggers out of the way.
IN_THE_FILE: Final = {
    "edit": "UPDATE events SET by_user = 'eve' WHERE seq = 2",
    "unmark": "UPDATE events SET confirmed = 1 WHERE seq = 1",
    "remove": "DELETE FROM events WHERE seq = 2",
    "cut": "DELETE FROM events WHERE seq > 2",
    "renumber": "UPDATE events SET seq = seq + 100 WHERE seq > 1",
    "insert": "INSERT INTO events SELECT tenant, 99, at, writer, channel, by_user, by_agent,"
    " by_model, by_session, by_org, by_role, headless, confirmed, proof, action, target, fields,"
    " before, after, change, code, count, undoes, batch, commitment, prev_hash, hash"
    " FROM events WHERE seq = 1",
}


@pytest.mark.parametrize("what", sorted(IN_THE_FILE))
def test_audit_tampering_detected_in_the_file(tmp_path: Path, what: str) -> None:
    """`onrecord check` with the head that was exported before says that the chain is broken."""
    lines = CommandLine(tmp_path)
    item = lines.remember("Fares are in cents")
    for action in ("pin", "unpin", "archive"):
        assert lines.run(action, item).status == 0
    head = lines.run("check", "--export-head").out.strip()
    assert lines.run("check", "--head", head).status == 0
    with apsw.Connection(str(lines.store)) as file:
        for (name,) in list(
            file.execute(
                "SELECT name FROM sqlite_master WHERE type='trigger' AND tbl_name='events'"
            )
        ):
            file.execute(f'DROP TRIGGER "{name}"')
        file.execute(IN_THE_FILE[what])
    file.close()
    check = lines.run("check", "--head", head)

    assert check.status == 5
    assert "chain is broken" in check.out or "differ" in check.err or check.err, check


def test_audit_tampering_is_kept_out_by_triggers(tmp_path: Path) -> None:
    """Plain SQL on the file cannot change or remove a line."""
    lines = CommandLine(tmp_path)
    lines.remember("Fares are in cents")
    file = apsw.Connection(str(lines.store))
    for sql in ("UPDATE events SET by_user = 'eve'", "DELETE FROM events"):
        with pytest.raises(apsw.ConstraintError):
            file.execute(sql)
    file.close()

    assert lines.run("check").status == 0
