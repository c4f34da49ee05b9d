"""An agent's ways in, each call a process of its own: MCP, and a program with the library."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from mcp_client import CLAUDE, AgentProcess, environment

if TYPE_CHECKING:
    from commandline import CommandLine

SESSION: Final = "0b7c4d1e-0000-4000-8000-00000000000"

_PROGRAM: Final = """
import json, sys
from onrecord import Memory, Principal, to_json
given = json.load(sys.stdin)
with Memory.open(given["store"], principal=Principal.agent("codex", session="lib"),
                 cwd=given["cwd"]) as memory:
    found = getattr(memory, given["verb"])(*given["words"], **given["more"])
    if given["verb"] == "pack":
        print(json.dumps(found.text))
    elif given["verb"] == "history":
        print(json.dumps([version.content.title for version in found]))
    else:
        print(json.dumps(to_json(found)))
"""


@dataclass
class Door:
    """One way in for an agent; every call is a process of its own."""

    lines: CommandLine
    kind: str
    runs: int = 0

    def remember(self, text: str, **more: Any) -> dict[str, Any]:
        """Keep a statement of the agent's own; the answer."""
        if self.kind == "python":
            return dict(self._program("remember", text, scope="agent", **more))
        return dict(self._tool("remember", title=text, scope="agent", **more)["structuredContent"])

    def forget(self, item: str) -> str:
        """Erase it; what became of that."""
        if self.kind == "python":
            return str(self._program("forget", item)["outcome"])
        return str(self._tool("forget", id=item)["structuredContent"]["outcome"])

    def recall(self, query: str, **more: Any) -> str:
        """All that a recall tells."""
        if self.kind == "python":
            return json.dumps(self._program("recall", query, **more))
        return json.dumps(self._tool("recall", query=query, **more))

    def pack(self) -> str:
        """What a session is given."""
        if self.kind == "python":
            return str(self._program("pack"))
        return json.dumps(self._tool("context"))

    def _program(self, verb: str, *words: str, **more: Any) -> Any:
        given = {
            "store": str(self.lines.store),
            "cwd": str(self.lines.repo),
            "verb": verb,
            "words": words,
            "more": more,
        }
        done = subprocess.run(
            [sys.executable, "-c", _PROGRAM],
            input=json.dumps(given),
            env=environment(self.lines.home, self.lines.store),
            capture_output=True,
            encoding="utf-8",
            check=False,
            timeout=60,
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    def _tool(self, name: str, **given: Any) -> Any:
        self.runs += 1
        env = environment(self.lines.home, self.lines.store)
        with AgentProcess(CLAUDE, cwd=self.lines.repo, env=env) as agent:
            agent.start(f"{SESSION}{self.runs % 10}")
            peer = agent.serve()
            peer.shake_hands()
            return peer.call(name, **given)
