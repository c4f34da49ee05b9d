"""A rejected value stays away when a project's file, a transcript or a summariser repeats it."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import pytest

from commandline import REPO, CommandLine
from onrecord import wiring
from onrecord.domain.session import Session

if TYPE_CHECKING:
    from pathlib import Path

#: What a person turned down, and what comes along with it.
VALUE = "Refunds are paid without a receipt at the kiosk"
OTHER = "Night buses start from the depot at ten"
SESSION = "01JABCDEFGHJKMNPQRSTVWXYZ0"
YES = [("[y/n]", "y")]


@pytest.fixture
def lines(tmp_path: Path) -> CommandLine:
    """A store in which the value was rejected as wrong."""
    made = CommandLine(tmp_path)
    item = made.remember(VALUE, "--scope", "repo")
    assert made.run("reject", item, "--reason", "wrong").status == 0
    return made


def live(lines: CommandLine) -> str:
    """All that counts or waits, as text."""
    kept = lines.run("list", "--json").json["items"]
    waiting = lines.run("list", "--status", "proposed", "--json").json["items"]
    return json.dumps([kept, waiting])


@pytest.mark.parametrize("form", ["## {}\nIt says.\n", "## Refunds\n\n{}.\n", "## Kiosk\n- {}\n"])
def test_tombstone_reextraction_stays_inactive_project_file(lines: CommandLine, form: str) -> None:
    """Not as a heading, a text or an item of a list counts it; what stands beside it does."""
    text = f"# Decisions\n\n{form.format(VALUE)}\n## Night\n{OTHER}.\n"
    (lines.repo / "decisions.md").write_text(text, encoding="utf-8")

    done = lines.run("files", "enable", "--json", keys=YES).json
    active = json.dumps(lines.run("list", "--json").json["items"])

    assert done["outcomes"].get("created") == 1
    assert VALUE not in active
    assert OTHER in active
    again = lines.run("files", "sync", "--all", "--json").json
    assert "created" not in again["outcomes"]


def test_tombstone_reextraction_stays_inactive_summariser(lines: CommandLine) -> None:
    """A transcript that says it, and a summariser that suggests it, bring nothing back."""
    rows = [
        {"type": "user", "uuid": f"u{n}", "message": {"content": text}}
        for n, text in enumerate((VALUE, OTHER))
    ]
    transcript = lines.home / ".claude" / "projects" / "-shop" / "5eed.jsonl"
    transcript.parent.mkdir(parents=True)
    transcript.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    items = [
        {"kind": "fact", "title": text, "body": "", "messages": [n]}
        for n, text in enumerate((VALUE, OTHER), start=1)
    ]
    program = (
        f"import sys; sys.stdin.read(); print({json.dumps({'summary': None, 'items': items})!r})"
    )
    config = lines.home / ".config" / "onrecord" / "config.toml"
    config.parent.mkdir(parents=True)
    words = {"command": [sys.executable, "-c", program], "repositories": ["github.com/acme/shop"]}
    table = "".join(f"{name} = {json.dumps(value)}\n" for name, value in words.items())
    config.write_text(f"[summaries]\n{table}", encoding="utf-8")
    memory = wiring.open_memory(str(lines.store), create=False)
    with memory._store.write() as tx:  # noqa: SLF001 - what hooks would have told
        tx.sessions.put(
            Session(
                id=SESSION,
                agent="claude-code",
                agent_session="5eed",
                started_at=1,
                last_event_at=2,
                ended_at=2,
                repo=REPO,
                transcript=str(transcript),
            )
        )
    memory.close()

    done = lines.run("summarize", "--json").json

    assert done["parts"][0]["outcomes"] == {"refused": 1, "proposed": 1}
    assert VALUE not in live(lines)
    assert OTHER in live(lines)
    # and the whole of what came of the session goes with it
    assert lines.run("forget", "--session", SESSION, keys=YES).status == 0
    assert OTHER not in live(lines)
