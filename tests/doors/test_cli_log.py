"""`onrecord log` finds lines by whom, what, why, where and when."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

import pytest

from commandline import CommandLine
from harness.surroundings import SHELL_TOOL

if TYPE_CHECKING:
    from pathlib import Path

CLAUDE: Final = SHELL_TOOL["claude-plain"]


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> tuple[CommandLine, str, str]:
    """A log with lines of a person and of an agent; an item, and an instant in between."""
    lines = CommandLine(tmp_path_factory.mktemp("log"))
    item = lines.remember("The gate opens at six", "--scope", "repo", "--key", "gate")
    lines.remember("Never push on Fridays", "--scope", "global")
    lines.remember("Specs need a fake clock", "--scope", "repo", around=CLAUDE)
    between = datetime.now(UTC).isoformat()
    lines.run("pin", item, around=CLAUDE)
    lines.run("pin", item)
    lines.run("off", "capture")
    return lines, item, between


def actions(lines: CommandLine, *words: str) -> list[str]:
    """What the lines that are found did, the latest first."""
    answer = lines.run("log", *words, "--json")
    assert answer.status == 0, answer
    found: list[dict[str, Any]] = answer.json["events"]
    return [event["action"] for event in found]


ALL: Final = ["set", "pinned", "refused", "proposed", "created", "created"]

FILTERS: Final[dict[tuple[str, ...], list[str]]] = {
    (): ALL,
    ("--agent", "claude-code"): ["refused", "proposed"],
    ("--by", "agent"): ["refused", "proposed"],
    ("--by", "person"): ["set", "pinned", "created", "created"],
    ("--action", "refused", "--action", "set"): ["set", "refused"],
    ("--code", "authority.pin_needs_person"): ["refused"],
    ("--scope", "global"): ["set", "created"],
    ("--scope", "repo"): ["pinned", "proposed", "created"],
    ("--scope", "repo", "--by", "agent"): ["proposed"],
    ("--since", "2020-01-01"): ALL,
    ("--until", "2020-01-01"): [],
    ("--agent", "nobody"): [],
}


@pytest.mark.parametrize("words", FILTERS, ids=" ".join)
def test_lines_are_found_by_what_is_asked(
    told: tuple[CommandLine, str, str], words: tuple[str, ...]
) -> None:
    """Filters narrow together; one that is given twice means either."""
    assert actions(told[0], *words) == FILTERS[words]


def test_lines_are_found_by_instant_and_by_memory(told: tuple[CommandLine, str, str]) -> None:
    """A memory's own lines stay first to last unless something else is asked as well."""
    lines, item, between = told

    assert actions(lines, "--since", between) == ["set", "pinned", "refused"]
    assert actions(lines, "--until", between) == ["proposed", "created", "created"]
    assert actions(lines, item) == ["created", "pinned"]
    assert actions(lines, item, "--action", "pinned") == ["pinned"]


def test_a_filtered_log_goes_on_where_it_stopped(told: tuple[CommandLine, str, str]) -> None:
    """Page by page, with the filter."""
    lines = told[0]
    first = lines.run("log", "--by", "person", "--limit", "2", "--json").json
    rest = lines.run("log", "--by", "person", "--before", str(first["next_cursor"]), "--json").json

    assert [e["action"] for e in first["events"]] == ["set", "pinned"]
    assert [e["action"] for e in rest["events"]] == ["created", "created"]
    assert rest["next_cursor"] is None


def test_a_filter_that_fits_nothing_says_so(told: tuple[CommandLine, str, str]) -> None:
    """In words; an agent may not read the whole log under any filter."""
    lines = told[0]
    nothing = lines.run("log", "--code", "no.such")
    agents = lines.run("log", "--agent", "claude-code", around=CLAUDE)
    slip = lines.run("log", "--action", "creatd")

    assert slip.out == "No line of the log fits. Did you mean --action created?\n"
    assert nothing.out == "No line of the log fits.\n"
    assert (agents.status, agents.out) == (1, "")


def test_a_mistyped_filter_is_told(tmp_path: Path) -> None:
    """A scope that cannot be read is an error, not an empty log."""
    lines = CommandLine(tmp_path)
    lines.remember("The gate opens at six")

    assert lines.run("log", "--scope", "nonsense:x").status == 2
    assert lines.run("log", "--since", "yesterdayish").status == 2
