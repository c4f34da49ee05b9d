"""What expired looks expired wherever it is shown, and every count agrees with every other."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from commandline import SCRIPT, CommandLine
from harness.surroundings import PERSON
from onrecord import wiring
from onrecord.domain.principal import Principal
from onrecord.domain.scope import Place
from onrecord.service.caller import Caller
from onrecord.service.commands import Forget

if TYPE_CHECKING:
    from pathlib import Path

CODEX = Principal.for_agent("codex", session="s-1")


@pytest.fixture
def lines(tmp_path: Path) -> CommandLine:
    """A store with what counts and what waits, of each one that expired and one that did not."""
    made = CommandLine(tmp_path)
    for who, title in ((PERSON, "The fair is on"), (SCRIPT, "The ferry is full")):
        made.remember(title, "--scope", "global", "--ttl", "1d", around=who)
    with closing(sqlite3.connect(made.store)) as connection, connection:
        connection.execute("UPDATE items SET expires_at = created_at")
    made.remember("The till closes at nine", "--scope", "global")
    made.remember("The pier is open", "--scope", "global", around=SCRIPT)
    return made


def test_what_expired_is_listed_as_expired(lines: CommandLine) -> None:
    """Neither as active nor as waiting, in words and for programs; and by itself if asked for."""
    rows = {row.split("  ")[1]: row for row in lines.run("list").out.splitlines()}
    items = lines.run("list", "--json").json["items"]

    for title in ("The fair is on", "The ferry is full"):
        assert ", expired" in rows[title]
        assert "proposed" not in rows[title]
    for title in ("The till closes at nine", "The pier is open"):
        assert "expired" not in rows[title]
    assert {item["title"]: item["expired"] for item in items} == {
        "The fair is on": True,
        "The ferry is full": True,
        "The till closes at nine": False,
        "The pier is open": False,
    }
    for state, titles in (
        ("expired", {"The fair is on", "The ferry is full"}),
        ("active", {"The till closes at nine"}),
        ("proposed", {"The pier is open"}),
    ):
        found = lines.run("list", "--status", state, "--json").json["items"]
        assert {item["title"] for item in found} == titles


def test_what_expired_is_shown_as_expired(lines: CommandLine) -> None:
    """With when that was."""
    (item, _) = lines.run("list", "--status", "expired", "--json").json["items"]
    shown = lines.run("show", item["id"])

    assert ", expired" in shown.out.splitlines()[0]
    assert "expired: 20" in shown.out
    assert lines.run("show", item["id"], "--json").json["expired"] is True


def test_every_count_agrees(lines: CommandLine) -> None:
    """Of the status, the short one, the review, the figures, the scopes and the lists."""
    counts = {"active": 1, "proposed": 1, "expired": 2}
    status = lines.run("status", "--json").json

    assert status["items"] == counts
    assert status["waiting"] == 1
    assert "1 active, 2 expired, 1 proposed" in lines.run("status").out
    assert lines.run("status", "--short").out == "1 waiting\n"
    assert len(lines.run("review", "--json").json["waiting"]) == 1
    assert lines.run("stats", "--json").json["by_status"] == counts
    assert lines.run("stats", "--json").json["by_kind"] == {"note": 1}
    assert lines.run("scopes", "--json").json["scopes"] == {"global": counts}
    for state, n in counts.items():
        found = lines.run("list", "--status", state, "--json").json["items"]
        assert len(found) == n


def test_what_agents_asked_is_counted_by_both_status_lines(lines: CommandLine) -> None:
    """A request about something that counts waits as a proposal does."""
    (item,) = lines.run("list", "--status", "active", "--json").json["items"]
    memory = wiring.open_memory(str(lines.store))
    try:
        memory.do(Forget(item=item["id"]), Caller(principal=CODEX, place=Place()))
    finally:
        memory.close()

    assert lines.run("status", "--json").json["waiting"] == 2
    assert lines.run("status", "--short").out == "2 waiting\n"
    assert len(lines.run("review", "--json").json["waiting"]) == 2


def test_groom_puts_away_what_expired(lines: CommandLine) -> None:
    """The plan names what the list calls expired and active; from then on purge may erase it."""
    (plan,) = lines.run("groom", "--dry-run", "--json").json["would_archive"]
    assert lines.run("groom", "--yes").status == 0
    purge = lines.run("purge", "--older-than", "1s", "--dry-run", "--json")

    assert (plan["item"]["title"], plan["why"]) == ("The fair is on", "expired")
    assert lines.run("status", "--json").json["items"]["archived"] == 1
    assert purge.json["would_purge"] == []
