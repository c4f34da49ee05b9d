"""What is derived can be dropped: everything is found again from what is kept, by every door."""

from __future__ import annotations

import json
import secrets
import sys
from typing import TYPE_CHECKING, Final

import apsw

from commandline import CommandLine
from harness.surroundings import CLAUDE_VARIABLES
from mcp_client import environment, start_server, texts_of

if TYPE_CHECKING:
    from pathlib import Path

LIBRARY: Final = """
import sys
from onrecord import Memory
with Memory.open() as memory:
    for word in sys.argv[1:]:
        print([hit.item.content.title for hit in memory.recall(word).hits])
    print(memory.pack(budget=3000).text)
"""


class Asked:
    """The same questions through the commands, a Python program and an MCP server."""

    def __init__(self, lines: CommandLine, words: list[str]) -> None:
        self.words = words
        self.commands = "\n".join(lines.run("recall", word, "--json").out for word in words)
        self.pack = lines.run("pack").out
        done = lines.people.run([sys.executable, "-c", LIBRARY, *words], timeout_s=60)
        assert done.exit_code == 0, done.text
        self.library = done.text
        env = {**environment(lines.home, lines.store), **CLAUDE_VARIABLES}
        with start_server(lines.repo, env, "--client", "claude-code") as server:
            server.shake_hands()
            found = [text for w in words for text in texts_of(server.call("recall", query=w))]
            given = texts_of(server.call("context", budget=3000))
            self.mcp, self.context = "\n".join(found), "\n".join(given)

    def found(self) -> dict[str, list[str]]:
        """The words that each door gives back as part of a memory."""
        told = {
            "commands": self.commands,
            "pack": self.pack,
            "library": self.library,
            "mcp": self.mcp,
            "context": self.context,
        }
        return {
            door: [word for word in self.words if f"Berth {word} is reserved" in text]
            for door, text in told.items()
        }


def test_evidence_rebuild_from_retained(tmp_path: Path) -> None:
    """Facts that nobody could guess: found, gone with the index, found again, in packs too."""
    lines = CommandLine(tmp_path)
    words = [f"w{secrets.token_hex(8)}" for _ in range(6)]
    for n, word in enumerate(words):
        lines.remember(f"Berth {word} is reserved", "--scope", "repo", "--tag", f"t{n}")
    before = Asked(lines, words).found()
    connection = apsw.Connection(str(lines.store))
    connection.execute("DELETE FROM documents")  # pyright: ignore[reportUnknownMemberType]
    connection.close()
    emptied = Asked(lines, words).found()
    assert lines.run("rebuild").status == 0
    after = Asked(lines, words).found()
    hits = [lines.run("recall", word, "--json").json["hits"] for word in words]

    whole = dict.fromkeys(before, words)
    assert before == after == whole
    # a search needs the index; what stands for a place does not
    assert (emptied["commands"], emptied["mcp"]) == ([], [])
    for word, found in zip(words, hits, strict=True):
        assert [word in json.dumps(hit["item"]) for hit in found] == [True]
