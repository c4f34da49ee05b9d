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


def test_a_pack_that_a_person_looks_at_gives_nobody_anything(lines: CommandLine) -> None:
    """The reminder stands in it, comes up all the same, and nothing is counted as given."""
    made(lines)
    item = lines.remember("The gate opens at six")
    looked_at = lines.run("pack", "--json").json
    text = lines.run("remind").out

    assert TEXT in looked_at["text"]
    assert looked_at["delivery"]
    assert "comes up next" in text
    assert "given" not in text
    assert lines.run("show", item, "--json").json["use"]["delivered"] == 0
    assert lines.run("stats", "--json").json["tokens"] == {}
    assert "to no session" in lines.run("why").out


def test_remember_makes_the_same_reminder_as_remind(lines: CommandLine) -> None:
    """By one rule: the same kind, date, paths and scope."""
    words = ("--at", "2031-01-15", "--path", "src/pay/**", "--path", "Makefile", "--json")
    first = lines.run("remind", "add", TEXT, *words).json["item"]
    second = lines.run("remember", "Renew the other one", "--kind", "reminder", *words)
    kept = [json.loads(lines_of(lines, one["id"])) for one in (first, second.json["item"])]

    assert second.status == 0, second
    assert kept[0] == kept[1]
    assert {link["target"] for link in kept[0]} == {"src/pay/**", "./Makefile"}
    for field in ("kind", "scope", "valid_from", "status"):
        assert first[field] == second.json["item"][field]


def test_the_list_and_a_reminder_show_date_and_paths(lines: CommandLine) -> None:
    """In words and in JSON; a path without its marks of ours."""
    item = made(lines, "--at", "2031-01-15", "--path", "src/pay/**", "--path", "Makefile")["id"]
    (row,) = listed(lines)
    text, whole = lines.run("remind").out, lines.run("show", item).out

    assert row["reminder"] == {
        "state": "dated",
        "at": "2031-01-15T00:00:00.000000Z",
        "paths": ["Makefile", "src/pay/**"],
        "given": None,
    }
    for told in (text, whole):
        assert "from 2031-01-15 on, when " in told
        assert "src/pay/**" in told
        assert " Makefile" in told
    assert "valid:" not in whole


@pytest.mark.parametrize(
    "words",
    [
        ("remind", "add", TEXT, "--at", "2020-01-01"),
        ("remember", TEXT, "--kind", "reminder", "--at", "2020-01-01"),
        ("remember", TEXT, "--kind", "reminder", "--valid-from", "2020-01-01"),
        ("remind", "add", TEXT, "--at", "yesterday"),
        ("remind", "add", TEXT, "--at", "2026-01-01T10:00:00Z"),
    ],
)
def test_a_day_that_is_past_is_asked_back(lines: CommandLine, words: tuple[str, ...]) -> None:
    """Nothing is kept, and what to write instead is said."""
    answer = lines.run(*words)

    assert answer.status == 2, answer
    assert "is past" in answer.err
    assert listed(lines) == []


def test_a_snooze_to_a_past_day_is_asked_back(lines: CommandLine) -> None:
    """The reminder keeps its date; today is no past day."""
    item = made(lines, "--at", "2031-01-15")["id"]
    past = lines.run("remind", "snooze", item, "--at", "2020-01-01")
    assert (past.status, listed(lines)[0]["valid_from"][:10]) == (2, "2031-01-15")

    assert lines.run("remind", "snooze", item, "--at", "today").status == 0


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("remember", "x y", "--at", "2031-01-01"), "--kind reminder"),
        (("remember", "x y", "--path", "src/"), "--kind reminder"),
        (("remind", "add", "x y", "--path", "https://a.example/b"), "path"),
        (("remind", "add", "x y", "--path", "../other/x.py"), "path"),
        (("remind", "add", "x y", "--path", "/etc/passwd"), "path"),
        (("remind", "add", "x y", "--path", " "), "path"),
        (
            ("remember", "x y", "--kind=reminder", "--at=2031-01-01", "--valid-from=2031-02-01"),
            "--at",
        ),
    ],
)
def test_dates_and_paths_that_make_no_sense_are_told(
    lines: CommandLine, words: tuple[str, ...], says: str
) -> None:
    """A path lies in the repository, and both are for reminders."""
    answer = lines.run(*words)

    assert answer.status == 2, answer
    assert says in answer.err
    assert lines.run("list", "--all", "--json").json["items"] == []


def test_a_path_of_this_checkout_is_kept_as_the_repositorys(lines: CommandLine) -> None:
    """An absolute one inside it, as a shell completes it, and one with a dot before it."""
    top = str(lines.repo)
    item = made(lines, "--path", f"{top}/src/pay", "--path", "./docs/a.md")["id"]

    targets = {link["target"] for link in json.loads(lines_of(lines, item))}
    assert targets == {"src/pay", "./docs/a.md"}


def test_what_a_person_approves_says_when_it_comes_up(lines: CommandLine) -> None:
    """A proposal of an agent's is shown with its date and its paths."""
    agent = SHELL_TOOL["claude-plain"]
    words = ("--scope", "repo", "--at", "2031-01-15", "--path", "src/pay/**")
    asked = lines.run("remind", "add", "Look at the gate", *words, "--json", around=agent)
    assert asked.json["outcome"] == "proposed", asked

    shown = lines.person("review", keys=[("(q)uit", "q")]).text
    assert "from 2031-01-15 on" in shown
    assert "src/pay/**" in shown


def test_the_same_reminder_is_kept_once(lines: CommandLine) -> None:
    """At another date or path it is another one, and a note with its words is none."""
    words = ("--at", "2031-01-15", "--path", "src/pay/**")
    first = made(lines, *words)
    again = lines.run("remind", "add", TEXT, *words, "--json").json
    other = made(lines, "--at", "2031-01-15", "--path", "docs/")
    note = lines.run("remember", TEXT, "--json").json["item"]

    assert again["item"]["id"] == first["id"]
    assert len({first["id"], other["id"], note["id"]}) == 3
    assert note["kind"] == "note"


def test_pages_for_people_tell_when_a_reminder_comes_up(lines: CommandLine) -> None:
    """Markdown has its date and its paths, as jsonl has."""
    made(lines, "--at", "2031-01-15", "--path", "src/pay/**")
    page = lines.run("export", "--format", "markdown").out

    assert "comes up: from 2031-01-15 on, when src/pay/" in page.replace("\\", "")


def test_a_pack_that_an_agent_prints_is_given_to_its_session(lines: CommandLine) -> None:
    """In its own shell, under the client whose hook told of the session: the reminder is done."""
    made(lines)
    known = lines.remember("The gate opens at six")
    told = '{"session_id": "s-1", "cwd": "%s", "prompt": "Mend the gate"}'
    script = (
        f"printf '{told}' \"$PWD\" | onrecord-hook claude-code UserPromptSubmit;"
        " onrecord pack >/dev/null"
    )
    agent = lines.people.run(["sh", "-c", script], around=SHELL_TOOL["claude-plain"])
    said = lines.run("why").out

    assert agent.exit_code == 0, agent.text
    (session,) = lines.run("sessions", "--json").json["sessions"]
    assert session["agent_session"] == "s-1"
    assert f"to claude-code, session {session['id'][-6:]}" in said
    assert "was given" in lines.run("remind").out
    assert lines.run("show", known, "--json").json["use"]["delivered"] == 1


def test_a_review_for_programs_says_when_and_where_a_reminder_comes_up(
    lines: CommandLine,
) -> None:
    """A proposal of an agent's, with its paths; what is no reminder has none."""
    scope = ("--scope", "repo", "--json")
    lines.run(
        "remind",
        "add",
        "Refunds move",
        "--path",
        "src/pay/**",
        *scope,
        around=SHELL_TOOL["claude-plain"],
    )
    lines.run("remember", "Lamps are yellow", *scope, around=SHELL_TOOL["claude-plain"])
    waiting = lines.run("review", "--json").json["waiting"]
    told = {one["item"]["title"]: one["reminder"] for one in waiting}

    assert told["Refunds move"]["paths"] == ["src/pay/**"]
    assert told["Refunds move"]["state"] == "proposed"
    assert told["Lamps are yellow"] is None
