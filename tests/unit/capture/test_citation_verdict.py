"""What became of a citation is said only where it could be looked at."""

from __future__ import annotations

import subprocess
import time
from typing import TYPE_CHECKING

import pytest

from onrecord.capture.citation_digest import digest_of, parsed
from onrecord.capture.citation_verdict import Budget, Verdict, belief_after, judge, judge_all

if TYPE_CHECKING:
    from pathlib import Path

TEXT = "".join(f"line {n} of the gate\n" for n in range(40))
POINTER = "src/gate.py:3"


def git(root: Path, *words: str) -> str:
    """What git says."""
    who = ("-c", "user.name=ada", "-c", "user.email=ada@example.org")
    done = subprocess.run(
        ["git", *who, *words], cwd=root, check=True, capture_output=True, timeout=30
    )
    return done.stdout.decode("utf-8").strip()


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A repository with one commit of one file."""
    root = tmp_path / "shop"
    (root / "src").mkdir(parents=True)
    (root / "src" / "gate.py").write_text(TEXT, encoding="utf-8")
    git(root, "init", "-q")
    git(root, "add", ".")
    git(root, "commit", "-qm", "gate")
    return root


@pytest.fixture
def kept(tree: Path) -> bytes:
    """The digest of the cited line."""
    cited = parsed(POINTER)
    assert cited is not None
    return digest_of(cited, str(tree))


@pytest.fixture
def slow_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tree: Path, kept: bytes) -> Path:
    """A git that never answers, in the place of the one that made the tree."""
    assert tree.is_dir()
    assert kept
    slow = tmp_path / "bin" / "git"
    slow.parent.mkdir()
    slow.write_text("#!/bin/sh\nexec sleep 30\n", encoding="utf-8")
    slow.chmod(0o755)
    monkeypatch.setenv("PATH", f"{slow.parent}:/usr/bin:/bin")
    return slow


def test_a_renamed_file_is_unchecked_where_git_is_not_asked(tree: Path, kept: bytes) -> None:
    """With time it moved; without any nobody can tell, and nothing is said of it."""
    git(tree, "mv", "src/gate.py", "src/door.py")
    late = judge(POINTER, kept, str(tree), timeout_s=0.0)
    asked = judge(POINTER, kept, str(tree), timeout_s=30.0)

    assert (late.state, late.note, late.broken) == ("unchecked", "", False)
    assert (asked.state, asked.now) == ("moved", "src/door.py:3")


def test_a_deleted_file_is_gone_where_git_says_so(tree: Path, kept: bytes) -> None:
    """The same file, removed and committed; also where its commit is unknown by now."""
    git(tree, "rm", "-q", "src/gate.py")
    git(tree, "commit", "-qm", "away")

    assert judge(POINTER, kept, str(tree), timeout_s=30.0).state == "gone"
    assert judge("src/gate.py@0123456789ab:3", kept, str(tree), timeout_s=30.0).state == "gone"


@pytest.mark.usefixtures("slow_git")
def test_a_file_is_unchecked_where_git_takes_too_long(tree: Path, kept: bytes) -> None:
    """A git that was stopped has said nothing."""
    (tree / "src" / "gate.py").rename(tree / "src" / "door.py")

    assert judge(POINTER, kept, str(tree), timeout_s=0.1).state == "unchecked"


def test_a_file_is_unchecked_where_there_is_no_git(
    tree: Path, kept: bytes, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Nobody knows of renames there."""
    (tree / "src" / "gate.py").rename(tree / "src" / "door.py")
    monkeypatch.setenv("PATH", str(tmp_path))

    assert judge(POINTER, kept, str(tree)).state == "unchecked"


@pytest.mark.usefixtures("slow_git")
def test_many_citations_share_one_budget(tree: Path, kept: bytes) -> None:
    """Twenty files that are gone do not take twenty times what git may take for one."""
    rows = [(f"src/gone{n}.py:3", 1, kept) for n in range(20)]
    begun = time.monotonic()
    found = judge_all(rows, 1, "", str(tree), Budget(seconds=0.2, most=16))
    took = time.monotonic() - begun

    assert [verdict.state for _, verdict in found] == ["unchecked"] * 20
    assert took < 2


def test_what_is_beyond_the_budget_is_unchecked(tree: Path, kept: bytes) -> None:
    """The first ones are compared; git is not needed for them."""
    rows = [("src/gate.py:3", 1, kept), ("src/gate.py:4", 1, kept)]
    found = judge_all(rows, 1, "", str(tree), Budget(seconds=0.0, most=1))

    assert [verdict.state for _, verdict in found] == ["holds", "unchecked"]


@pytest.mark.parametrize(
    ("belief", "state", "then"),
    [
        ("verified", "gone", "stale"),
        ("unverified", "changed", "stale"),
        ("disputed", "gone", "disputed"),
        ("verified", "moved", "verified"),
        ("verified", "unchecked", "verified"),
    ],
)
def test_broken_means_stale_unless_disputed(belief: str, state: str, then: str) -> None:
    """One broken citation among those that hold is enough."""
    found = [("a.py", Verdict("holds")), ("b.py", Verdict(state)), ("c.py", Verdict("holds"))]

    assert belief_after(belief, found) == then
