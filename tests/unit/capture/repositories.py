"""Real repositories for the tests of git's files and of git's answers."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

AUTHOR = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")


def run(folder: Path, *arguments: str) -> str:
    """One git command, with nothing of the developer's settings."""
    environ = {"PATH": os.environ["PATH"], "HOME": str(folder), "GIT_CONFIG_NOSYSTEM": "1"}
    done = subprocess.run(
        ["git", *AUTHOR, *arguments],
        cwd=folder,
        env=environ,
        capture_output=True,
        encoding="utf-8",
        check=True,
        timeout=30,
    )
    return done.stdout.strip()


def repository(folder: Path, origin: str = "", *options: str) -> Path:
    """A repository with one commit."""
    folder.mkdir(parents=True)
    run(folder, "init", "-q", "-b", "main", *options)
    (folder / "a.txt").write_text("one\ntwo\n", encoding="utf-8")
    commit(folder, "begin")
    if origin:
        run(folder, "remote", "add", "origin", origin)
    return folder


def commit(folder: Path, message: str) -> str:
    """Commit all there is; the commit's id."""
    run(folder, "add", "-A")
    run(folder, "commit", "-q", "-m", message)
    return run(folder, "rev-parse", "HEAD")
