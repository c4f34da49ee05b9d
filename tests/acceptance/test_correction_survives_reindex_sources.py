"""A correction of any shape holds when what it corrected comes again from somewhere else.

A file that is imported, a project's own file, and a summariser say all of it again. The control
is in the same source: what stands beside it does arrive.
"""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Final

import pytest

from commandline import REPO, CommandLine
from foreign_sayings import SAYINGS
from onrecord import wiring
from onrecord.domain.session import Session

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

#: what stood -> what it became
CORRECTED: Final = {
    "The harbour queue is RabbitMQ": "The harbour queue is Kafka",
    "The harbour gate is open at night": "The harbour gate is not open at night",
    "All harbour cranes need a key": "All harbour cranes except crane 4 need a key",
    "The harbour pump is kept off": "The harbour pump is kept off until 3 May 2041",
    "The harbour has a second dredger": "It is not true that the harbour has a second dredger",
}
#: what held until a day
ENDED: Final = "The harbour ferry is hired from Bergen"
#: what comes along with it
CONTROL: Final = "The harbour lamp shines green from the depot"
SESSION: Final = "01JABCDEFGHJKMNPQRSTVWXYZ0"
YES: Final = [("[y/n]", "y")]


def imported(lines: CommandLine, texts: Sequence[str]) -> None:
    """A file of JSON lines."""
    path = SAYINGS["jsonl"](lines.home, list(texts))
    assert lines.run("import", "jsonl", str(path), "--json").status == 0


def filed(lines: CommandLine, texts: Sequence[str]) -> None:
    """The repository's own decisions."""
    parts = "".join(f"## {text}\n\n{text}.\n\n" for text in texts)
    (lines.repo / "decisions.md").write_text(f"# Decisions\n\n{parts}", encoding="utf-8")
    assert lines.run("files", "enable", "--json", keys=YES).status == 0


def summarised(lines: CommandLine, texts: Sequence[str]) -> None:
    """A session's transcript, and a summariser that suggests each sentence of it."""
    rows = [
        {"type": "user", "uuid": f"u{n}", "message": {"content": text}}
        for n, text in enumerate(texts)
    ]
    transcript = lines.home / ".claude" / "projects" / "-shop" / "5eed.jsonl"
    transcript.parent.mkdir(parents=True)
    transcript.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    items = [
        {"kind": "fact", "title": text, "body": "", "messages": [n]}
        for n, text in enumerate(texts, start=1)
    ]
    answer = json.dumps({"summary": None, "items": items})
    program = f"import sys; sys.stdin.read(); print({answer!r})"
    words = {"command": [sys.executable, "-c", program], "repositories": ["github.com/acme/shop"]}
    config = lines.home / ".config" / "onrecord" / "config.toml"
    config.parent.mkdir(parents=True)
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
    assert lines.run("summarize", "--json").status == 0


SOURCES: Final = {"jsonl": imported, "project file": filed, "summariser": summarised}


@pytest.mark.parametrize("source", SOURCES.values(), ids=list(SOURCES))
def test_correction_survives_reindex_when_a_source_restates_it(
    tmp_path: Path, source: Callable[[CommandLine, Sequence[str]], None]
) -> None:
    """Current: the correction alone. History: what stood, with its end. Derived: the same."""
    lines = CommandLine(tmp_path)
    firsts = {}
    for old, new in CORRECTED.items():
        firsts[old] = lines.remember(old, "--scope", "repo")
        lines.remember(new, "--scope", "repo", "--replaces", firsts[old])
    lines.remember(ENDED, "--scope", "repo", "--valid-from", "2019-01-01", "--valid-to", "2020-03")
    source(lines, [*CORRECTED, ENDED, CONTROL])
    assert lines.run("rebuild").status == 0

    hits = lines.run("recall", "harbour", "--limit", "40", "--json").json["hits"]
    active = {hit["item"]["title"] for hit in hits}
    arrived = json.dumps(lines.run("list", "--all", "--json").json["items"])
    assert set(CORRECTED.values()) <= active
    assert not active & {*CORRECTED, ENDED}
    assert CONTROL in arrived
    for old, first in firsts.items():
        history = lines.run("history", first, "--json").json["versions"]
        assert {version["title"] for version in history} == {old}
        assert history[-1]["valid_to"] is not None
        assert lines.status_of(first) == "superseded"
    folder = tmp_path / "mirror"
    assert lines.run("mirror", str(folder)).status == 0
    mirrored = "".join(path.read_text(encoding="utf-8") for path in folder.rglob("*.md"))
    for text in (lines.run("pack", "--budget", "4000").out, mirrored):
        for old, new in CORRECTED.items():
            assert new in text
            assert old not in text.replace(new, "")
