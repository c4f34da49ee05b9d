"""Citations: found exactly, told from their look-alikes, checked without leaving the tree."""

from __future__ import annotations

import json
import os
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from corpora import corpus
from onrecord.capture.citations import LARGEST, Check, Citation, find, holds

if TYPE_CHECKING:
    from pathlib import Path


def cited(text: str) -> list[tuple[str, str]]:
    """Kind and words of each citation."""
    return [(c.kind, text[c.start : c.end]) for c in find(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Limits are read from config/limits.toml.", [("file", "config/limits.toml")]),
        ("**terraform/pier1/main.tf** sets it.", [("file", "terraform/pier1/main.tf")]),
        (
            "./run.sh and .quay/hooks/pre-push",
            [("file", "./run.sh"), ("file", ".quay/hooks/pre-push")],
        ),
        (
            "package.json, go.mod, Makefile",
            [("file", f) for f in ("package.json", "go.mod", "Makefile")],
        ),
        ("Use C:\\quay\\settings.ini there.", [("file", "C:\\quay\\settings.ini")]),
        ("設定はconfig/pier1.yamlにある。", [("file", "config/pier1.yaml")]),
        ("Set in src/limits.rs:88 only.", [("line", "src/limits.rs:88")]),
        ("See gen/table.tmpl#L12-L30 for it.", [("line", "gen/table.tmpl#L12-L30")]),
        ("src/lens.py@3fa9c1e:12-14 has it.", [("line", "src/lens.py@3fa9c1e:12-14")]),
        ("`-q`, -h/--help", [("flag", "-q"), ("flag", "-h"), ("flag", "--help")]),
        ("It needs --encoding=utf-8, always.", [("flag", "--encoding=utf-8")]),
        ("rm -rf it, then make -j4.", [("flag", "-rf"), ("flag", "-j4")]),
        ("(see https://a.example/x_(y)).", [("url", "https://a.example/x_(y)")]),
        ("Compare a1b2c3d..d4e5f60.", [("commit", "a1b2c3d"), ("commit", "d4e5f60")]),
        ("It came with commit deadbeef.", [("commit", "deadbeef")]),
        ("tide.at(harbour, time) is slow.", [("function", "tide.at(harbour, time)")]),
        (
            "Gate::open waits, main() does not.",
            [("function", "Gate::open"), ("function", "main()")],
        ),
    ],
)
def test_a_citation_is_found_with_its_bounds(text: str, expected: list[tuple[str, str]]) -> None:
    """Marks and brackets around a citation are not part of it, its own are."""
    assert cited(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Rune and/or Ilse, 24/7, cars/lorries, TCP/IP, I/O, N/A, km/h.",
        "Node.js, Vue.js/React.js and ASP.NET are not used, e.g. at 9 a.m.",
        "3:2, 14:30, 10.0.0.1:8080, v1.2.3, QUAY-512, 2031/06/18.",
        "origin/main, application/json, GET /v1/memory, github.com/acme/site/x.py",
        "Write to desk@host.example, not to deadbeef or 1234567.",
        "The uuid is 550e8400-e29b-41d4-a716-446655440000, the colour #1a2b3c4.",
        "container 9f3c2ab41d07 stopped, pod nord-7d9f8c6b5-x2z as well.",
        "file(s), O(n), fix(cli): add, TODO(bo) later, Ilse (see below).",
        "std::fs is a module, Error::NotFound a variant.",
        "It fell to -15; the ending -able; a -- pause -- here; x -y.",
        "process.env.HOME, row.key, self.lock",
    ],
)
def test_what_looks_like_a_citation_is_passed_over(text: str) -> None:
    """Choices, ratios, versions, hosts, ids and prose are no citations."""
    assert find(text) == []


def test_a_line_names_its_file_and_its_range() -> None:
    """The target is the path alone; a column is left out, one line is its own end."""
    one, many = find("a/b.rs:17:5 and c/d.kt:5-9")

    assert (one.target, one.lines) == ("a/b.rs", (17, 17))
    assert (many.target, many.lines) == ("c/d.kt", (5, 9))


def test_citations_come_in_order_and_never_overlap() -> None:
    """A line inside an address belongs to the address."""
    text = "https://git.example/blob/src/api.rs#L40, then --config=a/b.toml and open('c/d.csv')."
    found = find(text)

    assert [c.kind for c in found] == ["url", "flag", "function"]
    assert all(a.end <= b.start for a, b in pairwise(found))


def test_the_corpus_is_read_almost_without_a_miss() -> None:
    """Bounds and kind agree with a careful reader's in at least 95 of 100 cases."""
    hits = misses = extra = 0
    for line in corpus("gateway/dev/citations.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        found = {(c.start, c.end, c.kind) for c in find(row["text"])}
        gold = {(s["start"], s["end"], s["kind"]) for s in row["spans"] if not s.get("optional")}
        loose = [s for s in (*row["spans"], *row["lookalikes"]) if s.get("optional")]
        hits += len(found & gold)
        misses += len(gold - found)
        extra += sum(
            not any(start < s["end"] and s["start"] < end for s in loose)
            for start, end, _ in found - gold
        )

    assert 2 * hits / (2 * hits + misses + extra) >= 0.95


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A working tree with a file, a folder, links in and out, a pipe, and something beside it."""
    root = tmp_path / "repo"
    (root / "src").mkdir(parents=True)
    (root / ".git").mkdir()
    (root / ".git" / "config").write_text("x\n", encoding="utf-8")
    (root / "src" / "lens.py").write_text("one\ntwo\nthree", encoding="utf-8")
    (root / "src" / "empty.py").write_text("", encoding="utf-8")
    (tmp_path / "secret.py").write_text("x\n", encoding="utf-8")
    (root / "out.py").symlink_to(tmp_path / "secret.py")
    (root / "away").symlink_to(tmp_path)
    (root / "in.py").symlink_to(root / "src" / "lens.py")
    os.mkfifo(root / "pipe.py")
    return root


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("src/lens.py", "holds"),
        ("./src/lens.py", "holds"),
        ("src/../src/lens.py", "holds"),
        ("src/lens.py:1", "holds"),
        ("src/lens.py:2-3", "holds"),
        ("src/lens.py#L3", "holds"),
        ("src/lens.py:4", "no_such_line"),
        ("src/lens.py:0", "no_such_line"),
        ("src/lens.py:3-2", "no_such_line"),
        ("src/empty.py:1", "no_such_line"),
        ("src/gone.py", "missing"),
        ("gone/lens.py", "missing"),
        ("src/lens.py/more.py", "missing"),
        ("../secret.py", "outside"),
        ("src/../../secret.py", "outside"),
        ("/etc/hosts.conf", "outside"),
        ("~/x.toml", "outside"),
        ("C:\\quay\\x.ini", "outside"),
        ("./.git/config", "outside"),
        ("out.py", "link"),
        ("in.py", "link"),
        ("away/secret.py", "link"),
        ("pipe.py", "not_a_file"),
    ],
)
def test_a_file_citation_is_looked_up_in_the_tree(tree: Path, text: str, why: str) -> None:
    """Only regular files inside the tree hold, and only up to their last line."""
    (citation,) = find(text)

    assert holds(citation, tree) == Check(ok=why == "holds", why=why)


def test_a_path_that_begins_with_the_root_is_taken_from_there(tree: Path) -> None:
    """An agent may cite a file by its whole path."""
    whole = Citation(start=0, end=1, kind="line", target=f"{tree}/src/lens.py", lines=(3, 3))

    assert holds(whole, tree).ok


@pytest.mark.parametrize("target", ["src", "", "src/\0.py", ".", ".."])
def test_what_is_no_file_does_not_hold(tree: Path, target: str) -> None:
    """A folder, an empty path and a path with a zero byte are answered, not opened."""
    assert not holds(Citation(start=0, end=1, kind="file", target=target), tree).ok


@pytest.mark.parametrize("text", ["--dry-run", "https://a.example/x", "commit 9f3c2ab", "main()"])
def test_other_kinds_are_not_checkable(tree: Path, text: str) -> None:
    """Nothing but files and lines is looked up."""
    assert [holds(c, tree).why for c in find(text)] == ["not_checkable"]


def test_a_huge_file_is_not_read_for_its_lines(tree: Path) -> None:
    """The file itself holds; its lines are not counted."""
    with (tree / "big.csv").open("wb") as big:
        big.truncate(LARGEST + 1)

    assert holds(find("see big.csv")[0], tree).ok
    assert holds(find("see big.csv:1")[0], tree).why == "too_large"


def test_a_missing_tree_holds_nothing(tmp_path: Path) -> None:
    """A root that has gone is answered like a file that has gone."""
    assert holds(find("src/lens.py")[0], tmp_path / "gone").why == "missing"


def test_a_path_that_cannot_be_opened_does_not_hold(tree: Path) -> None:
    """What the system refuses, such as a name that is too long, is answered."""
    long = Citation(start=0, end=1, kind="file", target="src/" + "x" * 300)

    assert holds(long, tree) == Check(ok=False, why="unreadable")
