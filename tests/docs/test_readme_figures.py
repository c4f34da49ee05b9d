"""Every figure in the README comes from a committed result."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Final

from corpora import ROOT
from onrecord.evals import governance
from onrecord.evals.criteria import CRITERIA

if TYPE_CHECKING:
    from collections.abc import Callable

RESULTS: Final = ROOT / "benchmarks" / "results"
PLACES: Final[tuple[tuple[str, Callable[[dict[str, Any]], float]], ...]] = (
    ("hook", lambda told: _case(told, "SessionStart")),
    ("hook", lambda told: _case(told, "UserPromptSubmit, something is known")),
    ("mcp_first_reply", lambda told: told["initialize_over_pass"]),
    ("retrieval_typed_dev", lambda told: told["overall"]["recall_at_5"]),
    ("retrieval_typed_dev", lambda told: told["overall"]["forbidden"]),
    ("retrieval_locomo_1_to_5", lambda told: told["overall"]["recall_at_10"]),
    ("story", lambda told: told["median_s"]),
)


def _case(told: dict[str, Any], event: str) -> float:
    (ratio,) = (
        case["ratio"]
        for case in told["cases"]
        if case["event"] == event and case["store"] == "free"
    )
    return float(ratio)


def test_the_criteria_are_as_they_were_last_run() -> None:
    """Each id with its state and its tests, and none that the result does not have."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    told = json.loads((RESULTS / "governance.json").read_text(encoding="utf-8"))
    shown = text.partition(f"{governance.START}\n")[2].partition(f"\n{governance.END}\n")[0]

    assert [row["id"] for row in told["criteria"]] == [one.id for one in CRITERIA]
    assert all(told[name] for name in ("command", "machine", "date", "versions", "commit"))
    assert shown.splitlines() == governance.told_in_readme(told)


def test_every_figure_is_its_results() -> None:
    """In the order of the table, to as many digits as are printed."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    table = text.partition("## Measured")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| .* \| ([0-9.]+)[^|]* \| \[.*\]\((.*)\) \|$", table, re.MULTILINE)

    assert [file for _, file in rows] == [f"benchmarks/results/{name}.json" for name, _ in PLACES]
    for (figure, _), (name, of) in zip(rows, PLACES, strict=True):
        told = json.loads((RESULTS / f"{name}.json").read_text(encoding="utf-8"))
        digits = len(figure.partition(".")[2])
        assert f"{of(told):.{digits}f}" == figure, name
