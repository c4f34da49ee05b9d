"""With a new key for fingerprints what was rejected stays out, in every process and copy."""

from __future__ import annotations

import stat
from typing import TYPE_CHECKING, Final

import pytest

from commandline import SCRIPT, CommandLine
from harness.surroundings import CLAUDE_VARIABLES, SHELL_TOOL
from mcp_client import environment, start_server

if TYPE_CHECKING:
    from pathlib import Path

CLAUDE: Final = SHELL_TOOL["claude-plain"]
YES: Final = [("[y/n]", "y")]
WRONG: Final = "The harbour office pays in coins only on Fridays"
ALSO: Final = "The depot charges its buses by hand every night"


@pytest.fixture
def lines(tmp_path: Path) -> CommandLine:
    """A place where one value was rejected."""
    made = CommandLine(tmp_path)
    made.remember("The gate opens at six", "--scope", "repo")
    waiting = made.remember(WRONG, "--scope", "repo", around=CLAUDE)
    assert made.run("reject", waiting, "--reason", "wrong").status == 0
    return made


def test_tombstone_survives_a_new_key(lines: CommandLine) -> None:
    """Also for a server that was running before, whatever key a value was rejected under."""
    env = environment(lines.home, lines.store, **CLAUDE_VARIABLES)
    with start_server(lines.repo, env, "--client", "claude-code") as server:
        server.shake_hands()
        assert lines.run("rotate-key", keys=YES).status == 0
        waiting = lines.remember(ALSO, "--scope", "repo", around=CLAUDE)
        assert lines.run("reject", waiting, "--reason", "wrong").status == 0
        told = [
            server.call("remember", title=text, scope="repo")["structuredContent"]
            for text in (WRONG, ALSO, "Zones are counted from the harbour")
        ]
    keys = lines.store.with_name(lines.store.name + ".keys")

    assert [one["code"] for one in told[:2]] == ["tombstone.equal"] * 2
    assert told[2]["outcome"] == "proposed"
    assert stat.S_IMODE(keys.stat().st_mode) == 0o600
    assert len(keys.read_text(encoding="ascii").splitlines()) == 2
    assert lines.run("check", "--audit").status == 0


def test_tombstone_survives_a_new_key_and_a_copy_of_before(lines: CommandLine) -> None:
    """A copy with the old keys is restored, and what was rejected since stays out too."""
    copy = lines.run("backup", "--json").json["path"]
    assert lines.run("rotate-key", keys=YES).status == 0
    waiting = lines.remember(ALSO, "--scope", "repo", around=CLAUDE)
    assert lines.run("reject", waiting, "--reason", "wrong").status == 0
    restored = lines.run("restore-backup", copy, keys=YES)
    again = [
        lines.run("remember", text, "--scope", "repo", "--json", around=CLAUDE)
        for text in (WRONG, ALSO)
    ]

    assert restored.status == 0, restored
    assert [one.json["code"] for one in again] == ["tombstone.equal"] * 2
    assert lines.run("check", "--audit").status == 0


def test_only_a_person_puts_a_new_key_in_use(lines: CommandLine) -> None:
    """Anyone else is refused, on record, and the keys stay."""
    keys = lines.store.with_name(lines.store.name + ".keys")
    before = keys.read_bytes()
    tried = [lines.run("rotate-key", "--json", around=way) for way in (CLAUDE, SCRIPT)]
    no = lines.run("rotate-key", keys=[("[y/n]", "n")])
    log = lines.run("log", "--action", "refused", "--json").json["events"]

    assert [one.error["code"] for one in tried] == ["person.required"] * 2
    assert no.status == 1
    assert keys.read_bytes() == before
    assert "person.required" in {line["code"] for line in log}


def test_a_lost_key_stops_writing_and_not_reading(lines: CommandLine) -> None:
    """With a code; nothing is made anew, and the key put back makes it good."""
    keys = lines.store.with_name(lines.store.name + ".keys")
    raw = keys.read_bytes()
    for spoil in (keys.unlink, lambda: keys.write_bytes(b"damaged")):
        spoil()
        wrote = lines.run("remember", "Use tabs", "--json")
        rotated = lines.run("rotate-key", "--json", keys=YES)
        listed = lines.run("list", "--all", "--json")
        found = lines.run("recall", "gate", "--json")

        assert (wrote.status, wrote.error["code"]) == (5, "store.key")
        assert (rotated.status, rotated.error["code"]) == (5, "store.key")
        assert [item["title"] for item in listed.json["items"]] == ["The gate opens at six"]
        assert len(found.json["hits"]) == 1
        assert not keys.exists() or keys.read_bytes() == b"damaged"
        keys.write_bytes(raw)
        keys.chmod(0o600)
    assert lines.run("remember", "Use tabs").status == 0
