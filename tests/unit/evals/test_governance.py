"""Criteria are counted by their own tests, and nothing passes that did not run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from corpora import ROOT
from onrecord.domain.errors import NotFound, UsageError
from onrecord.evals import governance
from onrecord.evals.criteria import CRITERIA, SECTIONS, Criterion, find_tests

if TYPE_CHECKING:
    from pathlib import Path

ONE = Criterion(id="scope.typo_is_told", section="A")
FILE = "acceptance/test_scope_typo_is_told.py"


def test_each_criterion_that_is_built_has_tests() -> None:
    """And what is not built has none: a first test of it asks for its mark to be taken away."""
    tests = find_tests(ROOT / "tests")

    assert [one.id for one in CRITERIA if bool(tests[one.id]) != one.built] == []
    assert {one.section for one in CRITERIA} == set(SECTIONS)
    assert len({one.id for one in CRITERIA}) == len(CRITERIA)


def test_tests_of_other_names_are_there() -> None:
    """A file or function that is named beside a criterion exists."""
    tests = find_tests(ROOT / "tests")
    for one in CRITERIA:
        for also in one.also:
            file, _, function = also.partition("::")
            assert [t for t in tests[one.id] if t[0] == file and function in ("", t[1])], also


def test_a_name_belongs_to_the_longest_id_that_starts_it(tmp_path: Path) -> None:
    """And half a word is no start of one."""
    folder = tmp_path / "acceptance"
    folder.mkdir()
    (folder / "test_names.py").write_text(
        "def test_retrieval_abstains(): pass\n"
        "def test_retrieval_abstains_here(): pass\n"
        "def test_retrieval_abstainsnot(): pass\n",
        encoding="utf-8",
    )

    found = find_tests(tmp_path)

    assert found["retrieval.abstains"] == [
        ("acceptance/test_names.py", "test_retrieval_abstains"),
        ("acceptance/test_names.py", "test_retrieval_abstains_here"),
    ]


@pytest.mark.parametrize(
    ("results", "state"),
    [
        ([{"a[1]": "passed", "a[2]": "passed"}, {"b": "passed"}], "pass"),
        ([{"a[1]": "passed", "a[2]": "failed"}, {"b": "passed"}], "fail"),
        ([{"a": "failed"}, {"b": "skipped"}], "fail"),
        ([{"a": "passed"}, {"b": "skipped"}], "partly run"),
        ([{"a": "passed"}, {}], "partly run"),
        ([{"a": "skipped"}, {"b": "skipped"}], "not run"),
        ([{}, {}], "not run"),
    ],
)
def test_a_pass_is_what_ran_whole_and_passed_whole(
    results: list[dict[str, str]], state: str
) -> None:
    """One failure is a failure, and a test that was left out keeps its criterion from passing."""
    tests = [(FILE, "a"), (FILE, "b")]
    got = governance.verdict(ONE, tests, dict(zip(tests, results, strict=True)))

    assert got.state == state


def test_what_is_not_built_never_passes() -> None:
    """Whatever a test of its name says."""
    server = Criterion(id="server.overload", section="F", built=False)
    got = governance.verdict(server, [(FILE, "a")], {(FILE, "a"): {"a": "passed"}})

    assert (got.state, got.passed) == ("not built yet", 0)


def test_a_criterion_without_a_test_is_not_run() -> None:
    """So an id whose tests were renamed is seen."""
    got = governance.verdict(ONE, [], {})

    assert got.state == "not run"
    assert not governance.Report(verdicts=(got,), seconds=0).good


def test_a_slip_is_told_with_the_nearest_id() -> None:
    """Nothing is run for an id that is none."""
    with pytest.raises(UsageError) as told:
        governance.chosen(["scope.typo_told"], [])

    assert "scope.typo_is_told" in told.value.hint
    some = [one.id for one in governance.chosen(["scope.typo_is_told"], ["E"])]
    assert some[:2] == [ONE.id, "session.real_claude_code"]
    assert len(governance.chosen([], [])) == len(CRITERIA)


def test_without_the_tests_it_is_said_how_to_get_them(tmp_path: Path) -> None:
    """An installed package has none, and says so."""
    with pytest.raises(NotFound) as told:
        governance.checkout(str(tmp_path))

    assert "come with a checkout" in told.value.message
    assert "./dev bench governance" in told.value.hint
    assert governance.checkout() == ROOT


def test_a_table_has_each_id_once_with_what_became_of_it() -> None:
    """Passes with their tests; everything else by its state."""
    good = governance.Verdict(criterion=ONE, passed=3)
    bad = governance.Verdict(
        criterion=Criterion(id="scope.by_id_is_scoped", section="A"), passed=2, failed=1
    )
    server = Criterion(id="server.overload", section="F", built=False)
    report = governance.Report(
        verdicts=(good, bad, governance.Verdict(criterion=server)), seconds=1
    )

    rows = governance.table(report.to_json())

    assert rows[2] == (
        "| scope and authority | `scope.typo_is_told` 3 | fail: `scope.by_id_is_scoped` |"
    )
    assert rows[-1] == "| durability and safety | – | not built yet: `server.overload` |"
