"""The page of an audit's codes lists exactly those that there are."""

from __future__ import annotations

import re
from pathlib import Path

from onrecord.service.findings import CODES

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "audit.md"


def test_every_code_of_an_audit_is_explained() -> None:
    """No more and no fewer, in the same words."""
    rows = re.findall(
        r"^\| `([a-z_.]+)` \| (.+) \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE
    )

    assert dict(rows) == dict(CODES)
