"""The table of acceptance criteria, from tests that really run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from commandline import CommandLine

if TYPE_CHECKING:
    from pathlib import Path

TESTS = """
import os
import pytest

def test_scope_typo_is_told(): pass
@pytest.mark.parametrize("n", [1, 2])
def test_scope_typo_is_told_twice(n): assert "ONRECORD_DB" not in os.environ
def test_scope_by_id_is_scoped(): assert False
def test_scope_by_id_is_scoped_here(): pass
def test_gateway_no_bypass_path(): pass
def test_gateway_no_bypass_path_elsewhere(): pytest.skip("not on this machine")
def test_gateway_nothing_swallowed(): pytest.skip("nor this")
def test_server_overload(): pass
"""
IDS = (
    *("scope.typo_is_told", "scope.by_id_is_scoped", "gateway.no_bypass_path"),
    *("gateway.nothing_swallowed", "server.overload"),
)


@pytest.fixture
def lines(tmp_path: Path) -> CommandLine:
    """A home."""
    return CommandLine(tmp_path)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A small checkout with a test of each fate."""
    folder = tmp_path / "checkout"
    (folder / "tests" / "acceptance").mkdir(parents=True)
    (folder / "pyproject.toml").write_text("[project]\nname = 'onrecord'\n", encoding="utf-8")
    (folder / "tests" / "acceptance" / "test_all.py").write_text(TESTS, encoding="utf-8")
    return folder


def test_each_criterion_is_told_by_what_its_tests_did(lines: CommandLine, checkout: Path) -> None:
    """With the number of tests, and status 1 where something that is built does not pass."""
    words = ("eval", "governance", *IDS, "--checkout", str(checkout), "--workers", "1")
    done = lines.run(*words, "--json", env={"ONRECORD_DB": str(lines.store)})

    assert done.status == 1, done
    rows = {row["id"]: row for row in done.json["criteria"]}
    assert {name: row["state"] for name, row in rows.items()} == {
        "scope.typo_is_told": "pass",
        "scope.by_id_is_scoped": "fail",
        "gateway.no_bypass_path": "partly run",
        "gateway.nothing_swallowed": "not run",
        "server.overload": "not built yet",
    }
    assert rows["scope.typo_is_told"]["passed"] == 3
    assert rows["scope.by_id_is_scoped"]["failing"] == [
        "tests/acceptance/test_all.py::test_scope_by_id_is_scoped"
    ]
    assert done.json["counts"] == {
        "pass": 1, "not built yet": 1, "partly run": 1, "not run": 1, "fail": 1,
    }  # fmt: skip
    assert done.json["tests"] == 8
    assert not lines.store.exists()


def test_all_that_passes_is_status_0(lines: CommandLine, checkout: Path) -> None:
    """And the table has a line for each, under its section."""
    words = ("eval", "governance", "scope.typo_is_told", "server.overload")
    done = lines.run(*words, "--checkout", str(checkout), "--workers", "1")

    assert done.status == 0, done
    rows = [line.split() for line in done.out.splitlines()]
    assert ["scope.typo_is_told", "pass", "3", "passed"] in rows
    assert ["server.overload", "not", "built", "yet"] in rows


def test_without_tests_it_says_what_is_missing(lines: CommandLine) -> None:
    """And how to get it, with status 1."""
    done = lines.run("eval", "governance", "--checkout", str(lines.home))

    assert (done.status, done.out) == (1, "")
    assert "The acceptance tests are not there" in done.err
    assert "./dev bench governance" in done.err


@pytest.mark.parametrize(
    "words",
    [
        ["governance", "scope.tipo_is_told"],
        ["governance", "--section", "Q"],
        ["governance", "--data", "x"],
        ["governance", "--workers", "0"],
        ["retrieval"],
        ["retrieval", "scope.typo_is_told", "--data", "x"],
    ],
)
def test_words_that_do_not_go_together_are_usage(lines: CommandLine, words: list[str]) -> None:
    """With status 2, and nothing run."""
    done = lines.run("eval", *words)

    assert (done.status, done.out) == (2, "")
    assert "(usage)" in done.err
