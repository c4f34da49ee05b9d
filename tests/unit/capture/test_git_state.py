"""What git says of a working tree; a repository's settings never run anything."""

from __future__ import annotations

import contextlib
import hashlib
import os
import select
from collections.abc import Sequence
from pathlib import Path

import pytest

from onrecord.capture import git_state
from unit.capture.repositories import commit, repository, run

MARK = "ran"


def test_the_state_of_a_working_tree(tmp_path: Path) -> None:
    """Changed, new, deleted, linked and foldered files, each with what it holds."""
    repo = repository(tmp_path / "repo")
    (repo / "b.txt").write_text("kept\n", encoding="utf-8")
    (repo / "gone.txt").write_text("x", encoding="utf-8")
    head = commit(repo, "more")
    (repo / "a.txt").write_text("three\n", encoding="utf-8")
    (repo / "gone.txt").unlink()
    (repo / "new file \u00e9.txt").write_text("new", encoding="utf-8")
    (repo / "folder").mkdir()
    (repo / "folder" / "inside").write_text("x", encoding="utf-8")
    (repo / "link").symlink_to("/etc/passwd")
    seen = git_state.state(str(repo))

    assert seen is not None
    assert (seen.branch, seen.head, seen.more) == ("main", head, 0)
    assert dict(seen.dirty) == {
        "a.txt": hashlib.sha256(b"three\n").hexdigest(),
        "gone.txt": "gone",
        "new file \u00e9.txt": hashlib.sha256(b"new").hexdigest(),
        "folder/": "folder",
        "link": hashlib.sha256(b"/etc/passwd").hexdigest(),
    }


def test_the_state_of_a_clean_detached_and_of_an_unborn_tree(tmp_path: Path) -> None:
    """No changes, no branch, and no commit are empty."""
    repo = repository(tmp_path / "repo")
    run(repo, "checkout", "-q", "--detach")
    run(tmp_path, "init", "-q", "-b", "trunk", "fresh")
    clean, fresh = git_state.state(str(repo)), git_state.state(str(tmp_path / "fresh"))

    assert clean is not None
    assert (clean.branch, dict(clean.dirty)) == ("", {})
    assert fresh is not None
    assert (fresh.branch, fresh.head) == ("trunk", "")


def test_many_and_large_changes_are_capped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is beyond the limits is counted, not read."""
    repo = repository(tmp_path / "repo")
    monkeypatch.setattr(git_state, "MAX_FILES", 3)
    monkeypatch.setattr(git_state, "MAX_FILE_BYTES", 10)
    for number in range(5):
        (repo / f"n{number}").write_text("x" * (20 if number == 0 else 5), encoding="utf-8")
    seen = git_state.state(str(repo))

    assert seen is not None
    assert (list(seen.dirty), seen.more) == (["n0", "n1", "n2"], 2)
    assert seen.dirty["n0"] == "large"
    assert len(seen.dirty["n1"]) == 64


def test_history_and_size_of_changes(tmp_path: Path) -> None:
    """Commits between two, newest first, and how much they changed."""
    repo = repository(tmp_path / "repo")
    old = run(repo, "rev-parse", "HEAD")
    (repo / "a.txt").write_text("one\n2\n3\n", encoding="utf-8")
    commit(repo, "second: a \u00e9 subject\n\nand a body")
    (repo / "b.bin").write_bytes(b"\0\1")
    new = commit(repo, "third")
    (repo / "a.txt").write_text("", encoding="utf-8")

    made = git_state.commits_between(str(repo), old, new)
    assert made is not None
    assert [one.subject for one in made] == ["third", "second: a \u00e9 subject"]
    assert made[0].id == new
    assert git_state.commits_between(str(repo), old, new, limit=1) == made[:1]
    assert git_state.commits_between(str(repo), new, new) == []
    assert len(git_state.commits_between(str(repo), "", new) or []) == 3
    assert str(git_state.diff_stat(str(repo), old, new)) == "2 files, +2 -1"
    assert str(git_state.diff_stat(str(repo), new)) == "1 file, +0 -3"


@pytest.mark.parametrize("bad", ["HEAD", "--output=/tmp/x", "main", "0" * 39, "z" * 40, "-p"])
def test_only_commit_ids_are_taken(bad: str, tmp_path: Path) -> None:
    """A name or an option never reaches git's command line."""
    repo = repository(tmp_path / "repo")
    head = run(repo, "rev-parse", "HEAD")

    assert git_state.commits_between(str(repo), bad, head) is None
    assert git_state.commits_between(str(repo), head, bad) is None
    assert git_state.diff_stat(str(repo), bad) is None


@pytest.mark.parametrize("root", ["/nonexistent", "relative", "/", "/a\0b"])
def test_where_git_cannot_tell_there_is_no_state(root: str) -> None:
    """No repository, no state; nothing raises."""
    assert git_state.state(root) is None
    assert git_state.commits_between(root, "", "0" * 40) is None
    assert git_state.diff_stat(root, "0" * 40) is None


def test_another_repository_in_the_environment_is_not_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Inside a git hook, GIT_DIR names a repository; the folder that was asked for counts."""
    other = repository(tmp_path / "other")
    repo = repository(tmp_path / "repo")
    monkeypatch.setenv("GIT_DIR", str(other / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(other))
    (repo / "a.txt").write_text("changed", encoding="utf-8")
    seen = git_state.state(str(repo))

    assert seen is not None
    assert list(seen.dirty) == ["a.txt"]


def hostile(repo: Path) -> Path:
    """A repository whose settings run a program wherever git would; the file it would make."""
    mark = repo.parent / MARK
    script = repo / "evil.sh"
    script.write_text(f"#!/bin/sh\ntouch {mark}\ncat\n", encoding="utf-8")
    script.chmod(0o700)
    (repo / ".gitattributes").write_text("* filter=evil diff=evil\n", encoding="utf-8")
    settings = {
        "core.fsmonitor": str(script),
        "core.pager": str(script),
        "core.hooksPath": str(repo),
        "diff.external": str(script),
        "diff.evil.command": str(script),
        "diff.evil.textconv": str(script),
        "filter.evil.clean": str(script),
        "filter.evil.smudge": str(script),
        "filter.evil.required": "true",
        "log.showSignature": "true",
        "gpg.program": str(script),
    }
    for key, value in settings.items():
        run(repo, "config", key, value)
    return mark


def asked(repo: Path, old: str, new: str) -> Sequence[object]:
    """Everything that is asked of git."""
    return (
        git_state.state(str(repo)),
        git_state.commits_between(str(repo), old, new),
        git_state.diff_stat(str(repo), old),
        git_state.diff_stat(str(repo), old, new),
    )


def test_a_repositorys_settings_run_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Monitors, filters, pagers, external diffs and signature checks stay unrun."""
    repo = repository(tmp_path / "repo")
    old = run(repo, "rev-parse", "HEAD")
    (repo / "a.txt").write_text("other\n", encoding="utf-8")
    new = commit(repo, "more")
    (repo / "a.txt").write_text("changed once more\n", encoding="utf-8")
    mark = hostile(repo)
    monkeypatch.setenv("HOME", str(tmp_path))

    answers = asked(repo, old, new)
    untouched = not mark.exists()
    run(repo, "status")

    assert None not in answers
    assert untouched
    assert mark.exists(), "the control: plain git runs what these settings name"


def test_a_filter_in_an_included_file_is_switched_off_as_well(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Settings that the repository includes under a condition are still the repository's."""
    repo = repository(tmp_path / "repo")
    mark, script = tmp_path / MARK, tmp_path / "evil.sh"
    script.write_text(f"#!/bin/sh\ntouch {mark}\ncat\n", encoding="utf-8")
    script.chmod(0o700)
    (repo / ".git" / "more").write_text(f'[filter "a.b=c"]\nclean = {script}\n', encoding="utf-8")
    (repo / ".gitattributes").write_text("* filter=a.b=c\n", encoding="utf-8")
    run(repo, "config", f"includeIf.gitdir:{repo}/.path", "more")
    (repo / "a.txt").write_text("changed\n", encoding="utf-8")
    monkeypatch.setenv("HOME", str(tmp_path))

    answer = git_state.state(str(repo))
    untouched = not mark.exists()
    run(repo, "add", "a.txt")

    assert answer is not None
    assert untouched
    assert mark.exists(), "the control: plain git runs the filter"


def test_a_git_in_the_repository_is_not_the_one_that_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A relative folder on PATH does not bring a repository's own `git` in."""
    repo = repository(tmp_path / "repo")
    fake = repo / "git"
    fake.write_text(f"#!/bin/sh\ntouch {tmp_path / MARK}\n", encoding="utf-8")
    fake.chmod(0o700)
    monkeypatch.chdir(repo)
    monkeypatch.setenv("PATH", f".:{os.environ['PATH']}")

    assert git_state.state(str(repo)) is not None
    assert not (tmp_path / MARK).exists()


def test_a_git_that_hangs_is_ended_with_all_it_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After its time git is given up, and its child does not live on."""
    programs = tmp_path / "bin"
    programs.mkdir()
    fake = programs / "git"
    lines = ("#!/bin/sh", "sleep 60 &", f"echo $! > {tmp_path}/pid", "wait", "")
    fake.write_text("\n".join(lines), encoding="utf-8")
    fake.chmod(0o700)
    monkeypatch.setenv("PATH", f"{programs}:{os.environ['PATH']}")

    assert git_state.state(str(tmp_path), timeout_s=3) is None
    pid = int((tmp_path / "pid").read_text(encoding="utf-8"))
    with contextlib.suppress(ProcessLookupError):
        handle = os.pidfd_open(pid)
        ended, _, _ = select.select([handle], [], [], 10)
        os.close(handle)
        assert ended
