"""Golden files: outputs whose bytes are a promise, kept in ``tests/golden``.

``golden("pack/claude.txt", text)`` compares with the file; ``./dev golden`` writes the files
anew (it sets ``ONRECORD_GOLDEN=write``), and the change is reviewed like any other.
"""

from __future__ import annotations

import difflib
import os
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

from corpora import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable

FOLDER: Final = ROOT / "tests" / "golden"


def compare(folder: Path, name: str, made: bytes) -> None:
    """Fail with a readable difference, or write the file when asked to."""
    path = folder / name
    if os.environ.get("ONRECORD_GOLDEN") == "write":
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(made)
        return
    kept = path.read_bytes() if path.exists() else b""
    if kept == made:
        return
    before, after = (part.decode("utf-8", "backslashreplace") for part in (kept, made))
    lines = difflib.unified_diff(
        before.splitlines(), after.splitlines(), f"{name} (kept)", f"{name} (made)", lineterm=""
    )
    text = "\n".join(lines) or "only line endings or the end of the file differ"
    pytest.fail(f"{text}\nIf the new form is meant: ./dev golden", pytrace=False)


@pytest.fixture
def golden() -> Callable[[str, str | bytes], None]:
    """Compare an output with its golden file, by the file's name in ``tests/golden``."""

    def compare_with_kept(name: str, made: str | bytes) -> None:
        compare(FOLDER, name, made.encode() if isinstance(made, str) else made)

    return compare_with_kept
