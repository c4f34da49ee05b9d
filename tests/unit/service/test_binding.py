"""What stands beside a memory is bound by the log: edits, additions and removals are found."""

# ruff: noqa: S608 - statements of a test on its own file
from __future__ import annotations

import random
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import apsw
import pytest

from desk import Desk, id_of
from onrecord.domain.item import Content
from onrecord.service import auditing
from onrecord.service.commands import (
    Approve,
    Claim,
    Feedback,
    Forget,
    HandOff,
    MoveScope,
    Reject,
    Revise,
    Undo,
)
from onrecord.service.findings import CODES
from onrecord.storage.sqlite_engine import open_sqlite

if TYPE_CHECKING:
    from collections.abc import Iterator

    from onrecord.service.caller import Caller

#: Tables of what stands beside an item, with the columns that the log answers for.
COLUMNS: Final[dict[str, tuple[str, ...]]] = {
    "evidence": ("version", "kind", "pointer", "quote", "digest", "author", "at"),
    "sightings": ("item", "session", "agent", "at", "independent"),
    "links": ("source", "kind", "target"),
    "reviews": (
        *("item", "decision", "seen", "became", "reason", "note", "writer", "channel"),
        *("by_user", "by_agent", "by_model", "by_session", "confirmed", "proof", "at"),
    ),
    "feedback": ("item", "verdict", "note", "writer", "by_user", "by_agent", "by_session", "at"),
    "handoffs": (
        *("done", "state", "next", "questions", "to_agent", "automatic", "head", "dirty"),
        "created_at",
    ),
}

#: How findings call a row of a table.
KINDS: Final = {
    "evidence": "evidence",
    "sightings": "sighting",
    "links": "link",
    "reviews": "review",
    "feedback": "feedback",
    "handoffs": "handoff",
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Bench:
    """A store in a file with something in every table, its triggers out of the way."""

    desk: Desk
    file: apsw.Connection
    approved: str
    forgotten: str
    apart: str

    def found(self) -> set[str]:
        """Codes of everything that is found."""
        with self.desk.store.read() as tx:
            return {one.code for one in auditing.findings(tx)}

    def rows(self, table: str) -> list[tuple[Any, ...]]:
        """Everything that a table holds."""
        return list(self.file.execute(f"SELECT * FROM {table}"))

    def put(self, table: str, rows: list[tuple[Any, ...]]) -> None:
        """Make a table hold these."""
        marks = ", ".join("?" for _ in rows[0])
        with self.file:
            self.file.execute(f"DELETE FROM {table}")
            self.file.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)


def fill(desk: Desk) -> tuple[str, str, str]:
    """Something in every table; an approved item, a forgotten one, one that has none."""
    ada, typed = desk.ada, desk.ada_typed
    rests = Claim(kind="message", pointer="chat 7", quote="it does open at six", author="ada")
    gate = id_of(desk.remember("The gate opens at six", desk.agent(), evidence=(rests,)))
    for session in ("s2", "s3"):
        desk.remember("The gate opens at six", desk.agent(session=session))
    desk.do(Approve(item=gate), typed)
    fares = id_of(desk.remember("Fares are in cents", ada, key="fares", links=("docs/fares.md",)))
    desk.remember("Fares are in euros", desk.agent(), key="fares")
    desk.do(Feedback(item=fares, verdict="helpful", note="saved an hour"), desk.agent())
    desk.do(Feedback(item=fares, verdict="wrong", note="not any more"), desk.agent(session="s2"))
    waiting = id_of(desk.remember("Depots open at nine in the morning", desk.agent()))
    desk.do(Reject(item=waiting, reason="wrong", note="half past eight"), typed)
    desk.do(HandOff(next="wire up the gate", done="the fares"), desk.agent())
    told = Claim(kind="message", pointer="chat 8", quote="coins, she said", author="bob")
    gone = id_of(desk.remember("The harbour office pays in coins", ada, evidence=(told,)))
    desk.do(Feedback(item=gone, verdict="helpful", note="coins it was"), desk.agent())
    desk.do(Forget(item=gone), typed)
    apart = id_of(desk.remember("Lamps are lit at dusk", ada))
    return gate, gone, apart


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    """The file is open beside the store, as somebody has it who owns it."""
    path = tmp_path / "home" / "memory.db"
    store = open_sqlite(str(path), create=True)
    desk = Desk(store)
    approved, forgotten, apart = fill(desk)
    with closing(apsw.Connection(str(path))) as file:
        for (name,) in list(file.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'")):
            file.execute(f'DROP TRIGGER "{name}"')
        yield Bench(desk=desk, file=file, approved=approved, forgotten=forgotten, apart=apart)
    store.close()


def other(chance: random.Random, value: Any) -> Any:
    """A value of the same sort that is not this one."""
    match value:
        case 0 | 1:
            return 1 - value
        case int():
            return value + chance.choice((-1, 1, 60_000_000))
        case bytes():
            return value[:-1] + bytes([value[-1] ^ 1]) if value else b"\1"
        case str() if value[:1] in ("{", "["):
            return '{"evil":"1"}'
        case str():
            return value + chance.choice("xyz")
        case _:
            return 1


def columns_of(file: apsw.Connection, table: str) -> list[str]:
    """Names of a table's columns, in order."""
    return [str(row[1]) for row in file.execute(f"PRAGMA table_info({table})")]


def test_what_the_gateway_put_beside_items_is_as_the_log_says(bench: Bench) -> None:
    """The control: every table has rows, and nothing is found; later changes leave it so."""
    desk = bench.desk
    assert all(bench.rows(table) for table in COLUMNS)
    assert bench.found() == set()
    for command in (
        Revise(item=bench.approved, content=Content(title="The gate opens at seven")),
        Undo(),
        MoveScope(old="repo:github.com/acme/shop", new="repo:github.com/acme/store"),
        Undo(),
    ):
        desk.do(command, desk.ada_typed)

    assert bench.found() == set()


@pytest.mark.parametrize("table", sorted(COLUMNS))
def test_each_column_that_the_log_answers_for_is_held(bench: Bench, table: str) -> None:
    """One value of one row, whichever: found as this sort of row, and gone when put right."""
    chance = random.Random(table)  # noqa: S311 - repeatable
    names, held = columns_of(bench.file, table), bench.rows(table)
    live = [row for row in held if bench.forgotten not in row]
    missed: list[object] = []
    for column in COLUMNS[table]:
        row = chance.choice(live)
        at = names.index(column)
        edited = (*row[:at], other(chance, row[at]), *row[at + 1 :])
        if column in ("item", "source"):
            edited = (*row[:at], bench.apart, *row[at + 1 :])
        bench.put(table, [edited if one is row else one for one in held])
        if not {code.partition(".")[0] for code in bench.found()} >= {KINDS[table]}:
            missed.append((column, row))
    bench.put(table, held)

    assert missed == []
    assert bench.found() == set()


@pytest.mark.parametrize("table", sorted(COLUMNS))
def test_a_row_that_is_taken_out_or_put_in_is_found(bench: Bench, table: str) -> None:
    """A decision that nobody made, a session that never said it, evidence that vanished."""
    names, held = columns_of(bench.file, table), bench.rows(table)
    live = [row for row in held if bench.forgotten not in row]
    for row in live:
        if rest := [one for one in held if one is not row]:
            bench.put(table, rest)
            assert bench.found() == {f"{KINDS[table]}.missing"}
    if table != "handoffs":
        key = {"sightings": "session", "links": "target"}.get(table, "id")
        at = names.index(key)
        forged = (*live[0][:at], "01ZZZZZZZZZZZZZZZZZZZZZZZZ", *live[0][at + 1 :])
        bench.put(table, [*held, forged])
        assert bench.found() == {f"{KINDS[table]}.unlogged"}
    bench.put(table, held)

    assert bench.found() == set()
    assert {f"{kind}.{what}" for kind in KINDS.values() for what in ("missing", "unlogged")} <= (
        CODES.keys()
    )


@pytest.mark.parametrize(("table", "column"), [("evidence", "quote"), ("feedback", "note")])
def test_what_is_written_beside_an_erased_item_is_found(
    bench: Bench, table: str, column: str
) -> None:
    """Nothing beside a forgotten memory may say anything."""
    bench.file.execute(f"UPDATE {table} SET {column} = 'coins' WHERE item = '{bench.forgotten}'")

    assert bench.found() == {"item.kept"}


def test_a_stand_in_that_was_recognised_gives_its_sightings_without_a_finding(
    bench: Bench,
) -> None:
    """A session that turned out to be another one; by no line of the log, and rightly so."""
    desk = bench.desk
    stand_in, real = desk.agent(session="", synthetic=True), desk.agent(session="s9")
    item = id_of(desk.remember("Specs need a fake clock", stand_in))
    join(desk, stand_in, real)
    sighted = [row for row in bench.rows("sightings") if item in row]

    assert [row[2] for row in sighted] == [real.principal.session]
    assert bench.found() == set()


def join(desk: Desk, stand_in: Caller, real: Caller) -> None:
    """As it is done when a call is recognised."""
    from dataclasses import replace  # noqa: PLC0415

    one, other_one = stand_in.principal.session, real.principal.session
    with desk.store.write() as tx:
        tx.sessions.link_synthetic(one, other_one)
        row = tx.sessions.get(one)
        assert row is not None
        tx.sessions.put(replace(row, parent=other_one, end_reason="joined"))


def test_nothing_is_put_beside_an_item_past_the_log() -> None:
    """One function adds such rows, and it is the one that marks them for the log."""
    source = Path(auditing.__file__).parent
    adding = [
        path.name
        for path in sorted(source.glob("*.py"))
        if ".add_" in (text := path.read_text(encoding="utf-8")) and "provenance.add_" in text
    ]

    assert adding == ["binding.py"]
