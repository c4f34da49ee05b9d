"""Every kind of change, undone at a terminal: byte for byte the earlier state."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

import pytest

from commandline import CommandLine
from harness.surroundings import SHELL_TOOL

if TYPE_CHECKING:
    from pathlib import Path

CLAUDE: Final = SHELL_TOOL["claude-plain"]
YES: Final = [("[y/n]", "y")]

#: Everything of an item that undo restores; its version only ever grows.
KEPT: Final = (
    "scope",
    "key",
    "kind",
    "title",
    "body",
    "summary",
    "tags",
    "status",
    "verification",
    "pinned",
    "flags",
    "valid_from",
    "valid_to",
    "expires_at",
)

#: kind of change -> (what is there before, the change, keys); `{it}` is the item.
CHANGES: Final[dict[str, tuple[str, tuple[str, ...], list[tuple[str, str]]]]] = {
    "edit": ("rich", ("edit", "{it}", "--text", "Fares are in euros\n\nSince May."), []),
    "update by key": (
        "rich",
        ("remember", "Fares are in euros", "--scope", "repo", "--key", "fares", "--ttl", "9d"),
        [],
    ),
    "pin": ("rich", ("pin", "{it}"), []),
    "unpin": ("pinned", ("unpin", "{it}"), []),
    "archive": ("rich", ("archive", "{it}"), []),
    "restore": ("archived", ("restore", "{it}"), []),
    "verify": ("note", ("verify", "{it}"), YES),
    "dispute": ("rich", ("dispute", "{it}"), []),
    "reject": ("rich", ("reject", "{it}", "--reason", "wrong"), []),
    "approve": ("waiting", ("approve", "{it}"), YES),
    "approve elsewhere": ("waiting", ("approve", "{it}", "--scope", "global"), YES),
    "approve a replacement": ("replacing", ("approve", "{it}"), YES),
    "replace": (
        "rich",
        ("remember", "Fares are in euros", "--scope", "repo", "--replaces", "{it}"),
        [],
    ),
    "affirm": ("waiting", ("remember", "Specs need the fake clock", "--scope", "repo"), []),
}


class Bench:
    """A place with one item in some state."""

    def __init__(self, folder: Path, state: str) -> None:
        self.lines = CommandLine(folder)
        self.item = getattr(self, f"_{state}")()

    def _rich(self) -> str:
        words = ("--scope", "repo", "--key", "fares", "--tag", "fare", "--tag", "ticket")
        more = ("--summary", "cents", "--expires", "2055-01-01", "--valid-from", "2020-01-01")
        return self.lines.remember("Fares are in cents", *words, *more)

    def _pinned(self) -> str:
        item = self._rich()
        assert self.lines.run("pin", item).status == 0
        return item

    def _archived(self) -> str:
        item = self._pinned()
        assert self.lines.run("archive", item).status == 0
        return item

    def _note(self) -> str:
        return self.lines.remember("Use tabs", "--scope", "agent:codex")

    def _waiting(self) -> str:
        return self.lines.remember("Specs need the fake clock", "--tag", "spec", around=CLAUDE)

    def _replacing(self) -> str:
        self._rich()
        words = ("--scope", "repo", "--key", "fares")
        return self.lines.remember("Fares are in euros", *words, around=CLAUDE)

    def states(self) -> dict[str, str]:
        """The bytes of all that undo restores, for every item."""
        return states(self.lines)


def states(lines: CommandLine) -> dict[str, str]:
    """The bytes of all that undo restores, for every item on record."""
    found: list[dict[str, Any]] = []
    for status in ("active", "proposed", "archived", "rejected", "superseded"):
        found += lines.run("list", "--all", "--status", status, "--json").json["items"]
    return {item["id"]: json.dumps({name: item[name] for name in KEPT}) for item in found}


@pytest.mark.parametrize("change", sorted(CHANGES))
def test_correction_undo_is_exact(tmp_path: Path, change: str) -> None:
    """What was there is as it was, and what the change made is put away."""
    state, words, keys = CHANGES[change]
    bench = Bench(tmp_path, state)
    before = bench.states()
    done = bench.lines.run(*(word.format(it=bench.item) for word in words), keys=keys)
    between = bench.states()
    undo_keys = [("[y/n]", "y")] if change == "reject" else []
    undone = bench.lines.run("undo", keys=undo_keys)
    after = bench.states()

    assert done.status == 0, done
    assert undone.status == 0, undone
    assert between != before
    assert {name: after[name] for name in before} == before
    new = [json.loads(after[name]) for name in after.keys() - before.keys()]
    assert [item["status"] for item in new] == ["archived"] * len(new)


def test_correction_undo_is_exact_for_switches_and_policies(tmp_path: Path) -> None:
    """Settings come back as they were."""
    lines = CommandLine(tmp_path)
    lines.remember("Fares are in cents")
    before = lines.run("status", "--json").json["saving"]
    for words, keys in ((("off",), []), (("policy", "none"), YES)):
        assert lines.run(*words, keys=keys).status == 0
    assert lines.run("undo", keys=YES).status == 0
    assert lines.run("undo").status == 0
    status = lines.run("status", "--json").json

    assert status["saving"] == before
    assert {row["value"] for row in status["settings"]} <= {"on", "all"}


def test_correction_undo_is_exact_or_says_what_came_after(tmp_path: Path) -> None:
    """A change that something was built on is a conflict that names it; nothing is lost."""
    bench = Bench(tmp_path, "rich")
    pinned = bench.lines.run("pin", bench.item, "--json").json["undo"]
    assert bench.lines.run("archive", bench.item).status == 0
    before = bench.states()
    clash = bench.lines.run("undo", str(pinned), "--json")

    assert clash.status == 3
    assert clash.error["code"] == "conflict.undo"
    assert bench.states() == before


LANE: Final = "Deploys go out through the blue lane"
NO_LANE: Final = "Deploys do not go out through the blue lane"


@pytest.mark.parametrize(
    ("key", "way"), [("n", "new"), ("o", "old"), ("p", "coexist"), ("d", "dispute")]
)
def test_correction_undo_is_exact_for_decisions_between_two(
    tmp_path: Path, key: str, way: str
) -> None:
    """One undo of an answer in `conflicts` restores both, byte for byte; a sibling stays."""
    bench = Bench(tmp_path, "rich")
    bench.lines.remember(LANE, "--scope", "repo", "--tag", "lane")
    assert bench.lines.run("remember", NO_LANE, "--scope", "repo", around=CLAUDE).status == 3
    before = bench.states()
    done = bench.lines.run("conflicts", keys=[("(n)ew one instead", key)])
    between = bench.states()
    events = bench.lines.run("log", "--json").json["events"]
    undone = bench.lines.run("undo", keys=YES)

    assert "1 decided; 0 left" in done.out
    assert way in {event["code"] for event in events if event["action"] == "reconciled"}
    assert between != before
    assert between[bench.item] == before[bench.item]
    assert undone.status == 0, undone
    assert bench.states() == before


@pytest.mark.parametrize("way", ["supersede", "coexist", "dispute"])
def test_correction_undo_is_exact_for_what_a_policy_did(tmp_path: Path, way: str) -> None:
    """The write and what it did to the other are one act; the new text is put away."""
    lines = CommandLine(tmp_path)
    lines.remember(LANE, "--scope", "repo", "--tag", "lane")
    assert lines.run("policy", way, "--scope", "repo", keys=YES).status == 0
    before = states(lines)
    made = lines.run("remember", NO_LANE, "--scope", "repo", "--json")
    between = states(lines)
    undone = lines.run("undo", keys=[] if way == "supersede" else YES)
    after = states(lines)
    new = made.json["item"]["id"]

    assert made.json["outcome"] == "created"
    assert {name: between[name] for name in before} != before
    assert undone.status == 0, undone
    assert {name: after[name] for name in before} == before
    assert json.loads(after[new])["status"] == "archived"
