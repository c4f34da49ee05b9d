"""Recall and packs through every door, in processes of their own, over one seeded store."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from onrecord import wiring
from onrecord.domain.item import Content
from onrecord.domain.principal import Principal
from onrecord.domain.scope import Place
from onrecord.service.caller import Caller
from onrecord.service.commands import Remember

if TYPE_CHECKING:
    from collections.abc import Sequence

BIN: Final = Path(sys.executable).parent
PROGRAM: Final = """
import json, sys
from onrecord import Memory, Principal, to_json
asked = json.load(sys.stdin)
with Memory.open(principal=Principal.agent("codex", session="s1")) as memory:
    for verb, words, given in asked:
        print(json.dumps(to_json(getattr(memory, verb)(words, **given))))
"""


class Doors:
    """One home with one store, and the ways to ask it."""

    def __init__(self, folder: Path) -> None:
        self.repo = folder / "shop"
        self.store = folder / "home" / "onrecord.db"
        self.store.parent.mkdir(mode=0o700)
        self.repo.mkdir()
        self.env = {
            "HOME": str(self.store.parent),
            "ONRECORD_DB": str(self.store),
            "PATH": f"{BIN}:/usr/bin:/bin",
            "LANG": "C.UTF-8",
        }

    def seed(self, texts: Sequence[tuple[str, str]], *, scope: str = "global") -> None:
        """Titles and bodies, kept by a person: for everywhere, or in a scope."""
        memory = wiring.open_memory(str(self.store))
        ada = Caller(principal=Principal.person("ada", channel="terminal"), place=Place())
        try:
            for title, body in texts:
                content = Content(title=title, body=body)
                made = memory.do(Remember(content=content, scope=scope, distinct=True), ada)
                assert made.item is not None, made.say
                assert made.item.status == "active", made.say
        finally:
            memory.close()

    def library(self, verb: str, queries: Sequence[str], **given: Any) -> list[dict[str, Any]]:
        """JSON of `Memory.recall` or `Memory.pack` for each query."""
        asked = json.dumps([[verb, query, given] for query in queries])
        done = self._run([sys.executable, "-c", PROGRAM], asked)
        assert done.returncode == 0, done.stderr
        return [json.loads(line) for line in done.stdout.splitlines()]

    def server(self, tool: str, queries: Sequence[str], **given: Any) -> list[dict[str, Any]]:
        """The results of an MCP tool for each query, in one connection."""
        hello = {
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"},
        }
        lines: list[dict[str, Any]] = [
            {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": hello}
        ]
        for at, query in enumerate(queries, 1):
            call = {"name": tool, "arguments": {"query": query, **given}}
            meta = {"sessionId": "s1", "threadId": "s1"}
            lines.append(
                {
                    "jsonrpc": "2.0",
                    "id": at,
                    "method": "tools/call",
                    "params": {**call, "_meta": meta},
                }
            )
        told = "".join(json.dumps(line) + "\n" for line in lines)
        done = self._run([str(BIN / "onrecord"), "mcp", "--client", "codex"], told)
        answers = [json.loads(line) for line in done.stdout.splitlines()]
        return [answer["result"] for answer in answers if answer.get("id")]

    def command(self, *words: str) -> dict[str, Any]:
        """JSON of one command; a refusal's JSON is an error's."""
        done = self._run([str(BIN / "onrecord"), *words])
        assert "Traceback" not in done.stderr
        shape: dict[str, Any] = json.loads(done.stdout or done.stderr)
        return shape

    def _run(self, command: list[str], told: str = "") -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command,
            input=told,
            env=self.env,
            cwd=self.repo,
            capture_output=True,
            encoding="utf-8",
            check=False,
        )


def text_of(result: dict[str, Any]) -> str:
    """The text of a tool's result."""
    return "".join(part["text"] for part in result["content"])
