"""A cited file is read inside the tree alone, and never a pipe."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from onrecord.capture.citation_digest import compare, digest_of, parsed

if TYPE_CHECKING:
    from pathlib import Path

    from onrecord.capture.citations import Citation


def cited(pointer: str) -> Citation:
    """A pointer to a file as a citation."""
    found = parsed(pointer)
    assert found is not None
    return found


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A repository with a file, and a link to a folder outside that has its like."""
    root = tmp_path / "repo"
    (root / "src").mkdir(parents=True)
    (root / "src" / "conf.py").write_text("PORT = 1\nHOST = 2\n", encoding="utf-8")
    (root / "conf.py").write_text("PORT = 1\n", encoding="utf-8")
    (tmp_path / "outside" / "deep").mkdir(parents=True)
    (tmp_path / "outside" / "conf.py").write_text("SECRET = 1\n", encoding="utf-8")
    (root / "lnk").symlink_to(tmp_path / "outside" / "deep")
    return root


def test_lines_are_compared_as_they_were_cited(tree: Path) -> None:
    """They hold, move with what stands above them, and change."""
    kept = digest_of(cited("src/conf.py:2"), str(tree))
    assert compare(cited("src/conf.py:2"), str(tree), kept) == "holds"

    (tree / "src" / "conf.py").write_text("# new\nPORT = 1\nHOST = 2\n", encoding="utf-8")
    assert compare(cited("src/conf.py:2"), str(tree), kept) == "moved"

    (tree / "src" / "conf.py").write_text("PORT = 1\nHOST = 3\n", encoding="utf-8")
    assert compare(cited("src/conf.py:2"), str(tree), kept) == "changed"


@pytest.mark.parametrize("pointer", ["lnk/../conf.py:1", "lnk/conf.py:1", "../outside/conf.py:1"])
def test_what_lies_outside_is_never_read(tree: Path, pointer: str) -> None:
    """A change out there is no news, whatever way leads to it."""
    before = digest_of(cited(pointer), str(tree))
    outside = tree.parent / "outside"
    for folder in (outside, outside / "deep"):
        (folder / "conf.py").write_text("SECRET = 2\n", encoding="utf-8")

    assert digest_of(cited(pointer), str(tree)) == before


def test_a_pipe_does_not_hold(tree: Path) -> None:
    """It is neither waited for nor read, also with a writer at its other end."""
    pipe = tree / "src" / "pipe.py"
    os.mkfifo(pipe)
    writer = os.open(pipe, os.O_RDWR | os.O_NONBLOCK)

    assert digest_of(cited("src/pipe.py:1"), str(tree)) == b""
    assert compare(cited("src/pipe.py:1"), str(tree), b"x") == "gone"
    os.close(writer)
