"""What differs in a checkout from when a handoff was written, in real repositories."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest

from harness.agents import repository
from onrecord.domain.session import Handoff
from onrecord.service import checkout
from onrecord.service.places import place_at

if TYPE_CHECKING:
    from pathlib import Path

AUTHOR = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    """A repository with a changed file."""
    made = repository(tmp_path / "repo")
    (made / "gate.py").write_text("gate = 6\n", encoding="utf-8")
    return made


def git(repo: Path, *arguments: str) -> None:
    """One git command."""
    subprocess.run(["git", *AUTHOR, *arguments], cwd=repo, check=True, capture_output=True)


def written(repo: Path) -> Handoff:
    """A handoff written there now."""
    place = place_at(str(repo))
    return Handoff(
        item="i",
        session="s",
        repo=place.repo or "",
        branch=place.branch or "",
        head=place.commit,
        dirty=dict(checkout.uncommitted(place)),
        created_at=1,
        lapses_at=2,
    )


def test_nothing_moved_is_nothing_to_say(repo: Path) -> None:
    """Not a word where all is as it was; and changed files are known by their content."""
    handoff = written(repo)

    assert list(handoff.dirty) == ["gate.py"]
    assert checkout.moved_on(handoff, place_at(str(repo))) == ""


def test_each_difference_is_said(repo: Path) -> None:
    """Another branch, another commit, other uncommitted content."""
    handoff = written(repo)
    git(repo, "switch", "-q", "-c", "side")
    git(repo, "commit", "-q", "--allow-empty", "-m", "gate: open at seven")
    (repo / "gate.py").write_text("gate = 7\n", encoding="utf-8")
    now = place_at(str(repo))

    assert checkout.moved_on(handoff, now) == (
        f"Since then: it was written on another branch; HEAD was {handoff.head[:10]} and is"
        f" {now.commit[:10]}; 1 of 1 uncommitted files differ."
    )


def test_a_file_that_was_put_away_differs(repo: Path) -> None:
    """What lay uncommitted and is gone is a difference as well."""
    handoff = written(repo)
    (repo / "gate.py").unlink()

    assert "1 of 1 uncommitted files differ" in checkout.moved_on(handoff, place_at(str(repo)))


def test_elsewhere_nothing_is_compared(repo: Path, tmp_path: Path) -> None:
    """In another repository, or in none, there is nothing to compare with."""
    handoff = written(repo)
    other = repository(tmp_path / "other")

    assert checkout.moved_on(handoff, place_at(str(other))) == ""
    assert checkout.moved_on(handoff, place_at(str(tmp_path))) == ""
    assert checkout.uncommitted(place_at(str(tmp_path))) == ()
