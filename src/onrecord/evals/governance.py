"""Which acceptance criteria hold: the tests of each are run by pytest, and counted by id.

The tests lie in a checkout of onrecord, and are no part of what is installed. They run in
processes of their own without a network, in throw-away homes; no store of yours is touched.
Nothing here decides: a criterion passes where each of its tests ran and passed.
"""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from xml.etree import ElementTree as ET

import onrecord
from onrecord.domain.errors import NotFound, UsageError
from onrecord.evals.criteria import CRITERIA, SECTIONS, Criterion, find_tests

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

#: What becomes of a criterion, the worst first.
STATES: Final = ("fail", "not run", "partly run", "not built yet", "pass")

_NEEDED: Final = ("pytest", "pytest_timeout", "xdist", "hypothesis", "pyte")
#: What stands around the run in the README.
START: Final = "<!-- written by `./dev bench governance` -->"
END: Final = "<!-- end -->"

_TESTS_OWN: Final = ("ONRECORD_TEST_", "ONRECORD_SHARED", "ONRECORD_DURABILITY_")
_NOWHERE: Final = "http://127.0.0.1:9"
_HOW: Final = (
    "Clone the repository of onrecord, and there run `./dev bench governance`, which makes the "
    "environment that the tests need."
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Verdict:
    """What one criterion's tests came to."""

    criterion: Criterion
    passed: int = 0
    failed: int = 0
    #: tests that were left out, because this machine lacks what they need
    skipped: int = 0
    #: tests that failed, as pytest takes them
    failing: tuple[str, ...] = ()

    @property
    def state(self) -> str:
        """One of `STATES`; only what ran whole and passed whole is a pass."""
        if self.failed:
            return "fail"
        if not self.criterion.built:
            return "not built yet"
        if not self.passed:
            return "not run"
        return "partly run" if self.skipped else "pass"

    def to_json(self) -> dict[str, Any]:
        """The verdict as it is printed."""
        return {
            "id": self.criterion.id,
            "section": self.criterion.section,
            "state": self.state,
            "passed": self.passed,
            "failed": self.failed,
            "not_run": self.skipped,
            "failing": list(self.failing),
        }


@dataclass(frozen=True, kw_only=True, slots=True)
class Report:
    """All verdicts of one run."""

    verdicts: tuple[Verdict, ...]
    seconds: float

    @property
    def counts(self) -> dict[str, int]:
        """State -> criteria in it."""
        states = [one.state for one in self.verdicts]
        return {state: states.count(state) for state in reversed(STATES)}

    @property
    def tests(self) -> int:
        """Cases that belong to the criteria, run or not."""
        return sum(one.passed + one.failed + one.skipped for one in self.verdicts)

    @property
    def good(self) -> bool:
        """Whether everything that is built passes."""
        return all(one.state in ("pass", "not built yet") for one in self.verdicts)

    def to_json(self) -> dict[str, Any]:
        """The report as it is printed."""
        return {
            "counts": self.counts,
            "tests": self.tests,
            "seconds": round(self.seconds),
            "criteria": [one.to_json() for one in self.verdicts],
        }


def told_in_readme(told: Mapping[str, Any]) -> list[str]:
    """What the README says of a run, as the benchmark keeps it: lines of Markdown."""
    counts = ", ".join(f"{n} {state}" for state, n in told["counts"].items() if n)
    on_top = " with changes on top" if told["changes_on_top"] else ""
    run = (
        f"{counts}; {told['tests']:,} tests on {told['date']} at commit {told['commit'][:7]}"
        f"{on_top}, {told['machine']} ([all of it](benchmarks/results/governance.json))."
    )
    return [run, "", *table(told)]


def table(told: Mapping[str, Any]) -> list[str]:
    """A report as lines of Markdown: a row for each section, each id with its passed tests."""
    lines = ["| section | passes, with so many tests | does not |", "|---|---|---|"]
    for letter, title in SECTIONS.items():
        of: dict[str, list[str]] = {state: [] for state in STATES}
        for row in told["criteria"]:
            if row["section"] == letter:
                count = f" {row['passed']}" if row["state"] == "pass" else ""
                of[row["state"]].append(f"`{row['id']}`{count}")
        good = " · ".join(of.pop("pass")) or "–"
        other = "; ".join(f"{state}: {', '.join(ids)}" for state, ids in of.items() if ids) or "–"
        lines.append(f"| {title} | {good} | {other} |")
    return lines


def chosen(ids: Sequence[str], sections: Sequence[str]) -> tuple[Criterion, ...]:
    """The criteria of ids and sections; all of them for none. Raises `UsageError` for others."""
    known = {one.id for one in CRITERIA}
    unknown = [name for name in ids if name not in known]
    unknown += [letter for letter in sections if letter not in SECTIONS]
    if unknown:
        raise UsageError(
            f"There is no criterion or section {', '.join(unknown)}. Nothing was run.",
            hint=_near(unknown, known),
        )
    wanted = (*ids, *sections)
    return tuple(one for one in CRITERIA if not wanted or {one.id, one.section} & set(wanted))


def _near(unknown: Sequence[str], known: Iterable[str]) -> str:
    from difflib import get_close_matches  # noqa: PLC0415 - only after a slip

    near = [hit for name in unknown for hit in get_close_matches(name, sorted(known), n=1)]
    if near:
        return f"Did you mean {', '.join(near)}?"
    return "Ids read as `scope.typo_is_told`; sections are A to F."


def checkout(given: str = "") -> Path:
    """The folder with the tests: the given one, or the one that this package is run from.

    Raises `NotFound`, with what is missing and how to get it, where there are none.
    """
    root = Path(given).resolve() if given else Path(onrecord.__file__).resolve().parents[2]
    if not (root / "tests" / "acceptance").is_dir() or not (root / "pyproject.toml").is_file():
        raise NotFound(
            "The acceptance tests are not there: they come with a checkout of onrecord and not "
            "with the installed package. Nothing was run.",
            hint=_HOW,
            details={"missing": "tests/acceptance"},
        )
    missing = [name for name in _NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        raise NotFound(
            f"What runs the tests is not installed here ({', '.join(missing)}). Nothing was run.",
            hint=_HOW,
            details={"missing": missing},
        )
    return root


def run(
    criteria: Sequence[Criterion],
    root: Path,
    *,
    workers: int,
    tell: Callable[[str, int, int], None],
) -> Report:
    """Run the tests of these criteria; takes minutes for all of them."""
    begun = time.monotonic()
    tests = find_tests(root / "tests")
    wanted = {test for one in criteria if one.built for test in tests[one.id]}
    results = _results(sorted(wanted), root, workers, tell) if wanted else {}
    return Report(
        verdicts=tuple(verdict(one, tests[one.id], results) for one in criteria),
        seconds=time.monotonic() - begun,
    )


def verdict(
    criterion: Criterion,
    tests: Sequence[tuple[str, str]],
    results: Mapping[tuple[str, str], Mapping[str, str]],
) -> Verdict:
    """What the results of its tests say; a test without any result is one that did not run."""
    of = {test: results.get(test, {}) for test in tests} if criterion.built else {}
    ended = [result for cases in of.values() for result in cases.values()]
    return Verdict(
        criterion=criterion,
        passed=ended.count("passed"),
        failed=ended.count("failed"),
        skipped=ended.count("skipped") + sum(not cases for cases in of.values()),
        failing=tuple(
            f"tests/{file}::{case}"
            for (file, _), cases in of.items()
            for case, result in cases.items()
            if result == "failed"
        ),
    )


def _results(
    tests: Sequence[tuple[str, str]],
    root: Path,
    workers: int,
    tell: Callable[[str, int, int], None],
) -> dict[tuple[str, str], dict[str, str]]:
    """(file, function) -> case -> passed, failed or skipped."""
    with tempfile.TemporaryDirectory(prefix="onrecord-governance-") as folder:
        report = Path(folder) / "report.xml"
        command = [
            *(sys.executable, "-m", "pytest", "-v", "--no-header", "--tb=no", "--color=no"),
            *("-p", "no:cacheprovider", "-o", "junit_family=xunit1", f"--junitxml={report}"),
            *("-n", str(workers), "--dist", "loadgroup"),
            *(f"tests/{file}::{function}" for file, function in tests),
        ]
        with subprocess.Popen(  # noqa: S603 - pytest, with the tests of the checkout
            command,
            cwd=root,
            env=_environment(os.environ),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
        ) as going:
            last, told = "", ""
            for line in going.stdout or ():
                last = line.strip() or last
                share = line.partition("%]")[0].rpartition("[")[2].strip()
                if share.isdigit() and share != told:
                    told = share
                    tell("percent of the tests", int(share), 100)
        if not report.exists():
            raise NotFound(
                f"The tests could not be run: pytest ended with status {going.returncode}.",
                hint=last,
            )
        return results_in(report)


def results_in(report: Path) -> dict[tuple[str, str], dict[str, str]]:
    """What a JUnit report of pytest says: (file, function) -> case -> result."""
    found: dict[tuple[str, str], dict[str, str]] = {}
    for case in ET.parse(report).iter("testcase"):  # noqa: S314 - our own pytest's
        file = case.get("file", "").removeprefix("tests/")
        name = case.get("name", "")
        function = name.partition("[")[0]
        kinds = {part.tag for part in case}
        if kinds & {"failure", "error"}:
            result = "failed"
        else:
            result = "skipped" if "skipped" in kinds else "passed"
        cases = found.setdefault((file, function), {})
        # a test that passed and could not be cleared away is told twice: it failed
        cases[name] = "failed" if "failed" in (result, cases.get(name)) else result
    return found


def _environment(environ: Mapping[str, str]) -> dict[str, str]:
    """What the tests see: no store or setting of yours, and no way to another machine."""
    kept = {
        name: value
        for name, value in environ.items()
        if not name.startswith("ONRECORD_")
        or name.startswith(("ONRECORD_TEST_", "ONRECORD_SHARED"))
    }
    for name in ("PYTHONDONTWRITEBYTECODE", "PYTHONHOME", "PYTHONPATH"):
        kept.pop(name, None)
    for name in ("http_proxy", "https_proxy", "all_proxy"):
        kept[name] = kept[name.upper()] = _NOWHERE
    return kept | {
        "no_proxy": "localhost,127.0.0.1,::1",
        "NO_PROXY": "localhost,127.0.0.1,::1",
        "ONRECORD_TEST_OFFLINE": "1",
        "PIP_NO_INDEX": "1",
        "NPM_CONFIG_OFFLINE": "true",
        "PYTHONWARNDEFAULTENCODING": "1",
    }
