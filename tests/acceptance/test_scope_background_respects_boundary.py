"""Passes over a whole store mix nothing of two repositories, however alike their texts are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import pytest

from commandline import CommandLine
from harness.surroundings import SHELL_TOOL

if TYPE_CHECKING:
    from pathlib import Path

CLAUDE: Final = SHELL_TOOL["claude-plain"]
#: Texts that both repositories have: equal, alike, and opposed to one of the other's.
BOTH: Final = ("The tests want a running database", "Deploys go out on Tuesdays only")
SHOP: Final = ("The gate is opened by the porter at six", "Never push to main without a review")
DOCK: Final = ("The gate is opened by the porter at seven", "Push to main without a review")
#: Every pass over the whole store that a person can start.
PASSES: Final = (
    ("lint",),
    ("stats",),
    ("groom", "--yes"),
    ("dedupe", "--dry-run"),
    ("sweep",),
    ("rebuild",),
    ("check",),
)


class Two:
    """A store with two repositories in it."""

    def __init__(self, folder: Path) -> None:
        self.shop = CommandLine(folder)
        self.dock = CommandLine(folder, name="dock")
        for place, texts in ((self.shop, (*BOTH, *SHOP)), (self.dock, (*BOTH, *DOCK))):
            for text in texts:
                place.remember(text)
        # a recall in each, so that whatever is kept between calls is there
        for place in (self.shop, self.dock):
            place.run("recall", "gate porter", around=CLAUDE)

    def of(self, place: CommandLine) -> dict[str, dict[str, Any]]:
        """Title -> what a person is shown of the repository's memories."""
        items = place.run("list", "--json").json["items"]
        return {item["title"]: item for item in items}


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Two:
    """One for all."""
    return Two(tmp_path_factory.mktemp("two"))


def test_scope_background_respects_boundary(two: Two) -> None:
    """Each keeps its own as it was; what is alike across them is no pair and no conflict."""
    before = [two.of(place) for place in (two.shop, two.dock)]
    said = ""
    for words in PASSES:
        answer = two.shop.run(*words)
        assert answer.status in (0, 1), (words, answer)
        said += answer.out
    pairs = two.shop.run("dedupe", "--dry-run", "--json").json
    open_ones = two.shop.run("conflicts", "--json").json

    assert [set(items) for items in before] == [{*BOTH, *SHOP}, {*BOTH, *DOCK}]
    assert [two.of(place) for place in (two.shop, two.dock)] == before
    assert not pairs["pairs"]
    assert not open_ones["conflicts"]


def test_scope_background_respects_boundary_in_what_is_derived(two: Two) -> None:
    """A recall, a pack and a mirror of each hold its own words, and find them."""
    for place, own, other in ((two.shop, "six", "seven"), (two.dock, "seven", "six")):
        recalled = place.run("recall", "gate porter", around=CLAUDE)
        packed = place.run("pack", around=CLAUDE)
        for answer in (recalled, packed):
            assert f"at {own}" in answer.out
            assert f"at {other}" not in answer.out
