"""Random edits of a store's rows, in every table that the log answers for, are all found."""

# ruff: noqa: S608 - statements of a test on its own file
from __future__ import annotations

import random
from contextlib import closing
from typing import TYPE_CHECKING, Any, Final

import apsw

from commandline import SCRIPT, CommandLine

if TYPE_CHECKING:
    from pathlib import Path

SEED: Final = 20_261_130
ROUNDS: Final = 12
YES: Final = [("[y/n]", "y")]

#: Table -> columns of which the audit says that it holds them.
HELD: Final[dict[str, tuple[str, ...]]] = {
    "items": ("scope", "kind", "status", "verification", "pinned", "tainted"),
    "versions": ("title", "body", "summary", "tags", "writer", "by_user", "channel"),
    "evidence": ("kind", "pointer", "quote", "author"),
    "links": ("kind", "target"),
    "reviews": ("decision", "note", "writer", "by_user", "confirmed"),
    "tombstones": ("scope", "reason", "by_user", "sketch"),
    "settings": ("value",),
}

#: Values that a column may hold at all.
ALLOWED: Final = {
    "status": ("active", "archived", "proposed"),
    "verification": ("unverified", "verified", "disputed"),
    "kind": ("note", "decision"),
    "tags": ('["evil"]', '["other"]'),
}


def other(chance: random.Random, column: str, value: Any) -> Any:
    """A value that such a column may hold and that is not this one."""
    if column in ALLOWED:
        return chance.choice([one for one in ALLOWED[column] if one != value])
    if isinstance(value, int):
        return 1 - value
    return value + b"\1" if isinstance(value, bytes) else f"{value}x"


def fill(lines: CommandLine) -> None:
    """A day with something in each of the tables."""
    page, about = ("--evidence", "url=https://example.org/gate"), ("--link", "docs/gate.md")
    lines.remember("The gate opens at six", "--scope", "repo", *page, *about)
    lines.remember("Fares are in cents", "--scope", "repo", "--key", "fares")
    waiting = lines.remember(
        "Depots open at nine in the morning", "--scope", "repo", around=SCRIPT
    )
    wrong = lines.remember(
        "The harbour office pays in coins only", "--scope", "repo", around=SCRIPT
    )
    assert lines.run("approve", waiting, keys=YES).status == 0
    reject = ("reject", wrong, "--reason", "wrong", "--note", "in cards")
    assert lines.run(*reject).status == 0
    assert lines.run("policy", "all", keys=YES).status == 0


def test_audit_tampering_detected_in_every_table(tmp_path: Path) -> None:
    """Changed, taken out and put in again: each round is found, and each way back is sound."""
    lines = CommandLine(tmp_path)
    fill(lines)
    assert lines.run("check", "--audit").status == 0
    chance = random.Random(SEED)  # noqa: S311 - repeatable
    missed: list[object] = []
    for n in range(ROUNDS):
        table = sorted(HELD)[n % len(HELD)]
        with closing(apsw.Connection(str(lines.store))) as file:
            made = list(file.execute("SELECT name, sql FROM sqlite_schema WHERE type='trigger'"))
            for name, _ in made:
                file.execute(f'DROP TRIGGER "{name}"')
            names = [str(row[1]) for row in file.execute(f"PRAGMA table_info({table})")]
            held = list(file.execute(f"SELECT * FROM {table}"))
            row = chance.choice(held)
            column = chance.choice(HELD[table])
            at = names.index(column)
            edited = (*row[:at], other(chance, column, row[at]), *row[at + 1 :])
            put(file, table, [edited if one is row else one for one in held])
            for _, sql in made:
                file.execute(str(sql))
        if lines.run("check", "--audit").status != 5:
            missed.append((n, table, column))
        with closing(apsw.Connection(str(lines.store))) as file:
            for name, _ in made:
                file.execute(f'DROP TRIGGER "{name}"')
            put(file, table, held)
            for _, sql in made:
                file.execute(str(sql))

    assert missed == [], f"seed {SEED}"
    assert lines.run("check", "--audit").status == 0


def put(file: apsw.Connection, table: str, rows: list[tuple[Any, ...]]) -> None:
    """Make a table hold these rows."""
    marks = ", ".join("?" for _ in rows[0])
    file.execute(f"DELETE FROM {table}")
    file.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)
