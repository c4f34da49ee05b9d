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
        found: list[dict[str, Any]] = []
        for status in ("active", "proposed", "archived", "rejected", "superseded"):
            found += self.lines.run("list", "--all", "--status", status, "--json").json["items"]
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
