"""Where the test corpora are: beside the checkout, or where ONRECORD_SHARED points."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


def shared() -> Path:
    """The folder of shared material (corpora, scripted model); it may be absent."""
    given = os.environ.get("ONRECORD_SHARED")
    return Path(given) if given else ROOT.parent / "shared"


def corpus(name: str) -> Path:
    """A corpus file's path; skips the calling test with a clear line when it is absent."""
    path = shared() / "data" / name
    if not path.exists():
        pytest.skip(f"corpus {name} is not beside this checkout (set ONRECORD_SHARED)")
    return path
