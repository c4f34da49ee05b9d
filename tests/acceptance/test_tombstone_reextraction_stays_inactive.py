"""What was rejected or forgotten stays away, whichever importer brings it again.

The control is in the same source: what stands beside it does arrive. Project files, transcripts
and summarisers have tests of their own.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from commandline import CommandLine
from foreign_sayings import SAYINGS
from onrecord.capture.formats.recognition import FORMATS

if TYPE_CHECKING:
    from pathlib import Path

#: What a person turned down, what they forgot (as short as a claim can be), and a sibling.
REJECTED = "Refunds are paid without a receipt at the kiosk"
FORGOTTEN = "Kiosk staff wear bowlers"
SIBLING = "Night buses start from the depot at ten"
YES = [("[y/n]", "y")]


def test_every_importer_is_tried() -> None:
    """None is missing here."""
    assert {name.split(" ")[0] for name in SAYINGS} == set(FORMATS)


@pytest.mark.parametrize("tool", SAYINGS)
def test_tombstone_reextraction_stays_inactive_by_value(tmp_path: Path, tool: str) -> None:
    """Neither counts nor waits, in whatever words the tool puts around it."""
    lines = CommandLine(tmp_path)
    rejected = lines.remember(REJECTED, "--scope", "global")
    forgotten = lines.remember(FORGOTTEN, "--scope", "global")
    assert lines.run("reject", rejected, "--reason", "wrong").status == 0
    assert lines.run("forget", forgotten, keys=YES).status == 0
    path = SAYINGS[tool](tmp_path, [REJECTED, SIBLING, FORGOTTEN])

    done = lines.run("import", tool.split(" ", maxsplit=1)[0], str(path), "--json").json

    assert done["outcomes"] == {"refused": 2, "proposed": 1}
    assert done["codes"] == {"tombstone.equal": 2}
    kept = lines.run("list", "--all", "--json").json["items"]
    waiting = lines.run("review", "--json").json["waiting"]
    told = json.dumps([kept, waiting])
    assert REJECTED not in told
    assert FORGOTTEN not in told
    assert SIBLING in told
