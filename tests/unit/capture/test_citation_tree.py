"""What a process remembers of cited files stays small."""

from __future__ import annotations

import tracemalloc
from typing import TYPE_CHECKING

from onrecord.capture import citation_tree
from onrecord.capture.citation_tree import REMEMBERED_BYTES, lines_of

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def test_what_is_remembered_of_files_is_bounded_by_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Twenty files of many short lines need no more than the bound, whatever their number."""
    monkeypatch.setattr(citation_tree, "_known", {})
    for n in range(20):
        text = "".join(f"{n}{line}\n" for line in range(20_000))
        (tmp_path / f"{n}.txt").write_text(text, encoding="utf-8")
    tracemalloc.start()
    try:
        for n in range(20):
            assert lines_of(f"{n}.txt", str(tmp_path))
        kept, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert REMEMBERED_BYTES // 3 < kept < REMEMBERED_BYTES * 1.1


def test_the_files_read_last_are_remembered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Unchanged they are the same lines; one too large to be kept is read each time."""
    monkeypatch.setattr(citation_tree, "_known", {})
    (tmp_path / "small.txt").write_text("one\ntwo\n", encoding="utf-8")
    (tmp_path / "large.txt").write_text("ab\n" * 400_000, encoding="utf-8")
    small = lines_of("small.txt", str(tmp_path))
    large = lines_of("large.txt", str(tmp_path))

    assert lines_of("small.txt", str(tmp_path)) is small
    assert lines_of("large.txt", str(tmp_path)) == large
    assert lines_of("large.txt", str(tmp_path)) is not large
