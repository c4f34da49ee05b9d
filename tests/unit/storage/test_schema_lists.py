"""What a schema allows in a column is what the domain names, in the same words."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from onrecord.domain.session import HANDOFF_STATUSES
from onrecord.domain.status import STATUSES, VERIFICATIONS
from onrecord.storage import migrate

LISTED = re.compile(r"CHECK \((\w+) IN \(([^)]*)\)\)")


@pytest.mark.parametrize("database", ["sqlite", "postgres"])
def test_the_schemas_lists_are_the_domains(database: str) -> None:
    """A status that only one of them knows could not be stored, or not be read."""
    scripts = [Path(path) for _, path in migrate.scripts(database)]
    found = [
        (column, tuple(words.replace("'", "").replace(" ", "").split(",")))
        for script in scripts
        for column, words in LISTED.findall(script.read_text(encoding="utf-8"))
    ]

    assert ("status", STATUSES) in found
    assert ("verification", VERIFICATIONS) in found
    assert ("status", HANDOFF_STATUSES) in found
    assert {column for column, _ in found} == {"status", "verification"}
