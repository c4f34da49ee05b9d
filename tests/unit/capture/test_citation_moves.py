"""Renamed files are found by git, along the history and in what is staged."""

from __future__ import annotations

import subprocess
import time
from typing import TYPE_CHECKING

import pytest

from onrecord.capture.citation_moves import new_paths

if TYPE_CHECKING:
    from pathlib import Path

TEXT = "".join(f"line {n} of the gate\n" for n in range(40))


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


def test_a_rename_is_followed_through_the_history(tree: Path) -> None:
    """Twice renamed, and changed so much that both ends look little alike."""
    commit = git(tree, "rev-parse", "HEAD")
    for number, (old, new) in enumerate((("gate", "door"), ("door", "portal"))):
        git(tree, "mv", f"src/{old}.py", f"src/{new}.py")
        more = "".join(f"new {number} {n}\n" for n in range(25))
        text = (tree / "src" / f"{new}.py").read_text(encoding="utf-8")
        (tree / "src" / f"{new}.py").write_text(text + more, encoding="utf-8")
        git(tree, "commit", "-qam", "move")

    for since in (commit, commit[:12]):
        found = new_paths("src/gate.py", str(tree), since)
        assert found is not None
        assert found[0] == "src/portal.py"


def test_a_staged_rename_is_found(tree: Path) -> None:
    """Before it is committed, with and without a commit of the citation."""
    git(tree, "mv", "src/gate.py", "gate.py")
    commit = git(tree, "rev-parse", "HEAD")

    assert new_paths("src/gate.py", str(tree), commit) == ["gate.py"]
    assert new_paths("src/gate.py", str(tree), "") == ["gate.py"]


def test_what_git_does_not_know_has_no_new_place(tree: Path, tmp_path: Path) -> None:
    """A deleted file, another one's rename, an unknown commit, a folder without git."""
    git(tree, "rm", "-q", "src/gate.py")
    commit = git(tree, "rev-parse", "HEAD")
    (tmp_path / "bare").mkdir()

    assert new_paths("src/gate.py", str(tree), commit) == []
    assert new_paths("src/gate.py", str(tree), "0123456789ab") == []
    assert new_paths("src/gate.py", str(tmp_path / "bare"), commit) == []
    assert new_paths("src/gate.py", str(tree), "--output=x") == []


def test_git_is_not_waited_for(
    tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A git that takes its time ends when the time is up; without any it is not asked.

    Nothing is known of new places then.
    """
    commit = git(tree, "rev-parse", "HEAD")
    git(tree, "mv", "src/gate.py", "gate.py")
    slow = tmp_path / "bin" / "git"
    slow.parent.mkdir()
    slow.write_text("#!/bin/sh\nexec sleep 30\n", encoding="utf-8")
    slow.chmod(0o755)
    monkeypatch.setenv("PATH", f"{slow.parent}:/usr/bin:/bin")
    begun = time.monotonic()
    found = new_paths("src/gate.py", str(tree), commit, timeout_s=0.2)
    took = time.monotonic() - begun

    assert found is None
    assert took < 5
    assert new_paths("src/gate.py", str(tree), commit, timeout_s=0.0) is None
