"""Reminders at the command line: dates in words, paths, done, snoozed, taken back."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest

from commandline import SCRIPT, CommandLine
from harness.surroundings import SHELL_TOOL

if TYPE_CHECKING:
    from pathlib import Path

TEXT = "Renew the TLS certificate"


@pytest.fixture
def lines(tmp_path: Path) -> CommandLine:
    """A person's command line."""
    return CommandLine(tmp_path)


def made(lines: CommandLine, *words: str) -> dict[str, Any]:
    """A reminder of the person's."""
    answer = lines.run("remind", "add", TEXT, *words, "--json")
    assert answer.status == 0, answer
    item: dict[str, Any] = answer.json["item"]
    return item


def listed(lines: CommandLine) -> list[dict[str, Any]]:
    """Those that wait or were given."""
    found: list[dict[str, Any]] = lines.run("remind", "--json").json["reminders"]
    return found


def lines_of(lines: CommandLine, item: str) -> str:
    """What a reminder is linked to."""
    return json.dumps(lines.run("show", item, "--json").json["links"])


def test_a_reminder_has_a_date_a_path_or_neither(lines: CommandLine) -> None:
    """Dates also in words; here unless a scope is named."""
    plain = made(lines)
    dated = made(lines, "--at", "2031-01-15", "--scope", "global")
    soon = lines.run("remind", "add", "Check the flaky gate", "--at", "in 3 days", "--json").json
    path = lines.run("remind", "add", "Refunds move", "--path", "src/pay/**", "--json").json

    assert (plain["kind"], plain["scope"]) == ("reminder", "repo:github.com/acme/shop")
    assert (plain["status"], plain["valid_from"]) == ("active", None)
    assert (dated["scope"], dated["valid_from"][:10]) == ("global", "2031-01-15")
    in_three = datetime.now(UTC).astimezone() + timedelta(days=3)
    assert soon["item"]["valid_from"][:10] == in_three.date().isoformat()
    assert "src/pay/**" in lines_of(lines, path["item"]["id"])
    text = lines.run("remind").out
    assert "on 2031-01-15" in text
    assert "comes up next" in text


def test_done_and_snoozed_can_be_taken_back(lines: CommandLine) -> None:
    """Each is a change on record."""
    item = made(lines, "--at", "2031-01-15")["id"]
    snoozed = lines.run("remind", "snooze", item[-6:], "--at", "2031-02-01", "--json").json
    assert listed(lines)[0]["valid_from"][:10] == "2031-02-01"
    lines.run("undo", str(snoozed["undo"]))
    assert listed(lines)[0]["valid_from"][:10] == "2031-01-15"
    done = lines.run("remind", "done", item[-6:], "--json").json
    assert listed(lines) == []
    lines.run("undo", str(done["undo"]))

    assert [row["id"] for row in listed(lines)] == [item]


def test_an_agents_reminder_waits_where_others_would_see_it(lines: CommandLine) -> None:
    """It proposes, and done of a person's is not its own to say."""
    item = made(lines)["id"]
    agent = SHELL_TOOL["claude-plain"]
    asked = lines.run(
        "remind", "add", "Look at the gate", "--scope", "repo", "--json", around=agent
    )
    done = lines.run("remind", "done", item, "--json", around=agent)

    assert asked.json["outcome"] == "proposed"
    assert done.json["outcome"] == "refused"
    assert {row["status"] for row in listed(lines)} == {"active", "proposed"}
    assert lines.run("remind", "--json", around=SCRIPT).status == 0


def test_a_reminder_goes_out_and_comes_in_as_a_proposal(lines: CommandLine) -> None:
    """With its date and its path."""
    made(lines, "--at", "2031-01-15", "--path", "src/pay/**")
    out = lines.home / "all.jsonl"
    assert lines.run("export", "-o", str(out)).status == 0
    other = CommandLine(lines.home, name="other")
    other.run("import", "jsonl", str(out))
    (item,) = listed(other)

    assert (item["kind"], item["status"]) == ("reminder", "proposed")
    assert item["valid_from"][:10] == "2031-01-15"
    assert "src/pay/**" in lines_of(other, item["id"])


@pytest.mark.parametrize(
    "words",
    [
        ("add",),
        ("done",),
        ("snooze", "7QK2ZD"),
        ("list", "7QK2ZD"),
        ("add", "x", "--at", "soon"),
        ("add", "x", "--at", "one of these days"),
        ("snooze", "7QK2ZD", "--at", "2031-01-01", "--path", "x"),
        ("done", "7QK2ZD", "--at", "2031-01-01"),
        ("burn", "x"),
    ],
)
def test_words_that_make_no_sense_are_told(lines: CommandLine, words: tuple[str, ...]) -> None:
    """A usage error, and nothing is kept."""
    answer = lines.run("remind", *words)

    assert answer.status == 2, answer
    assert listed(lines) == []


def test_another_kind_of_memory_is_no_reminder(lines: CommandLine) -> None:
    """It is not put away by mistake."""
    item = lines.remember("The gate opens at six")

    assert lines.run("remind", "done", item).status == 1
    assert lines.status_of(item) == "active"


def test_the_same_words_may_be_due_twice(lines: CommandLine) -> None:
    """The second reminder leaves the first one's date alone."""
    first, second = made(lines, "--at", "2027-01-01"), made(lines, "--at", "2027-06-01")

    assert first["id"] != second["id"]
    assert {item["valid_from"][:10] for item in listed(lines)} == {"2027-01-01", "2027-06-01"}
