"""Where a caller stands: its repository by origin, its branch, the names that a user gave."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest

from harness.agents import repository
from onrecord.service.places import fits, place_at

if TYPE_CHECKING:
    from pathlib import Path


def git(folder: Path, *arguments: str) -> None:
    """Run git."""
    subprocess.run(["git", *arguments], cwd=folder, check=True, timeout=30, capture_output=True)


def test_clones_and_worktrees_are_one_place(tmp_path: Path) -> None:
    """The origin names it, whatever way it is spelled; the branch is each checkout's own."""
    one, two = repository(tmp_path / "one"), repository(tmp_path / "two")
    git(one, "remote", "add", "origin", "git@github.com:Acme/shop.git")
    git(two, "remote", "add", "origin", "https://github.com/acme/shop")
    git(one, "worktree", "add", "-q", "-b", "feature", str(tmp_path / "side"))
    (one / "src").mkdir()
    places = [place_at(str(tmp_path / name)) for name in ("one", "one/src", "two", "side")]

    assert {place.repo for place in places} == {"repo:github.com/acme/shop"}
    assert [place.branch for place in places] == [
        *["branch:github.com/acme/shop@main"] * 3,
        "branch:github.com/acme/shop@feature",
    ]
    assert [place.main_branch for place in places] == [True, True, True, False]
    assert places[1].root == str(one)
    assert len(places[0].commit) == 40


def test_without_an_origin_the_main_checkout_names_it(tmp_path: Path) -> None:
    """Its path is what its worktrees share."""
    one = repository(tmp_path / "one")
    git(one, "worktree", "add", "-q", "-b", "feature", str(tmp_path / "side"))

    assert place_at(str(tmp_path / "side")).repo == f"repo:path:{one}"


def test_outside_a_repository_there_is_the_agent_alone(tmp_path: Path) -> None:
    """A folder that is gone, relative or no path at all is no error."""
    for cwd in (str(tmp_path), str(tmp_path / "gone"), "relative", "", "\x00"):
        place = place_at(cwd, agent="codex", agent_session="s-1")
        assert (place.repo, place.branch, place.root) == (None, None, "")
        assert place.ladder() == ["session:codex:s-1", "agent:codex", "global"]


def test_a_detached_head_has_no_branch(tmp_path: Path) -> None:
    """The repository is known all the same."""
    one = repository(tmp_path / "one")
    git(one, "checkout", "-q", "--detach")

    assert place_at(str(one)).branch is None
    assert place_at(str(one)).repo is not None


def test_names_come_from_the_users_own_globs(tmp_path: Path) -> None:
    """The first that fits, of each kind; a name that cannot be a scope is left out."""
    named = [
        ("project", "Shop", str(tmp_path / "*" / "shop")),
        ("project", "other", str(tmp_path)),
        ("workspace", "acme", str(tmp_path / "acme" / "**")),
        ("workstream", "a/../b", str(tmp_path)),
    ]
    place = place_at(str(tmp_path / "acme" / "shop" / "src"), named=named)

    assert (place.project, place.workspace, place.workstream) == (
        "project:shop",
        "workspace:acme",
        None,
    )


@pytest.mark.parametrize(
    ("path", "glob", "is_inside"),
    [
        ("/a/b", "/a/b", True),
        ("/a/b/c", "/a/b", True),
        ("/a/b/", "/a/b/**", True),
        ("/a", "/a/b", False),
        ("/a/bc", "/a/b", False),
        ("/a/bc", "/a/b*", True),
        ("/a/b/c", "/a/*/c", True),
        ("/a/b/x/c", "/a/*/c", False),
        ("/a/one-two-three", "/a/one*three", True),
        ("/a/onethree", "/a/one*three", True),
        ("/a/onthree", "/a/one*three", False),
        ("/a/aba", "/a/ab*ba", False),
        ("/a/x-y-z", "/a/*y*z", True),
        ("/a/[b]", "/a/[b]", True),
        ("/a/b", "/a/?", False),
    ],
)
def test_globs_fit_whole_folder_names(path: str, glob: str, is_inside: bool) -> None:
    """`*` stands for any part of one name; what lies below fits too."""
    assert fits(path, glob) is is_inside
