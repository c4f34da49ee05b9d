"""The look over everything that a run kept: it finds what leaked, and nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from harness import swept
from onrecord.policy.redact import redact

if TYPE_CHECKING:
    from pathlib import Path

TOKEN = swept.canary("aB3dE6gH9jK2mN5pQ8rS1tU4")


def test_a_canary_is_a_secret() -> None:
    """Redaction takes it out, mark and all."""
    assert redact(f"use {TOKEN} now").text == "use [redacted:github_token] now"


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a/memory.db", TOKEN.encode()),
        ("a/memory.db-wal", b"\0" + TOKEN.lower().encode()),
        ("b/memory.db.spool/1.json", TOKEN.encode("utf-16-le")),
    ],
)
def test_a_leak_is_found(tmp_path: Path, name: str, data: bytes) -> None:
    """In the store, its log and the spool; a file of input with the same bytes is none."""
    try:
        for file in (tmp_path / name, tmp_path / "input.txt"):
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data)

        assert swept.leaks(tmp_path) == [tmp_path / name]
    finally:
        (tmp_path / name).unlink()  # or the run's own look would find it, too
    assert swept.leaks(tmp_path) == []
