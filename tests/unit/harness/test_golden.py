"""Golden files fail readably and are written only when asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from harness.golden import compare

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(autouse=True)
def _comparing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also while golden files are being written, these tests compare."""
    monkeypatch.delenv("ONRECORD_GOLDEN", raising=False)


def test_equal_bytes_pass_and_others_fail_with_the_difference(tmp_path: Path) -> None:
    """The difference names the file, both lines, and the way to accept it."""
    (tmp_path / "a.txt").write_bytes(b"one\ntwo\n")
    compare(tmp_path, "a.txt", b"one\ntwo\n")
    with pytest.raises(pytest.fail.Exception, match=r"(?s)a\.txt.*-two.*\+three.*dev golden"):
        compare(tmp_path, "a.txt", b"one\nthree\n")


def test_a_missing_file_and_a_lost_line_end_fail(tmp_path: Path) -> None:
    """Neither an absent file nor bytes that print alike pass."""
    (tmp_path / "a.txt").write_bytes(b"one\n")
    with pytest.raises(pytest.fail.Exception, match="line endings"):
        compare(tmp_path, "a.txt", b"one\r\n")
    with pytest.raises(pytest.fail.Exception, match="one"):
        compare(tmp_path, "absent.txt", b"one\n")


def test_writing_makes_the_next_comparison_pass(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the variable set the file is written, in new folders too."""
    monkeypatch.setenv("ONRECORD_GOLDEN", "write")
    compare(tmp_path, "new/a.bin", b"\xff")
    monkeypatch.delenv("ONRECORD_GOLDEN")
    compare(tmp_path, "new/a.bin", b"\xff")

    assert (tmp_path / "new" / "a.bin").read_bytes() == b"\xff"
