"""Raw MCP clients over real processes, and an agent CLI's process as its children see it.

``McpPeer`` speaks JSON-RPC, a line a message, with a server on two descriptors.
``start_server`` runs ``onrecord mcp`` by itself; ``AgentProcess`` is a running program named
like an agent CLI, which starts servers and runs hooks as children of its own, so that what
they see of who started them is what they see of the real one.
"""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self

from harness.surroundings import CLAUDE_VARIABLES, agent_program
from onrecord.capture import process

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

#: The installed scripts.
SCRIPTS: Final = Path(sys.executable).parent
ONRECORD: Final = str(SCRIPTS / "onrecord")
HOOK: Final = str(SCRIPTS / "onrecord-hook")

#: Nothing that is waited for takes longer on any machine.
PATIENCE_S: Final = 60.0

#: The envelope of every request of the revision without a handshake.
ENVELOPE: Final[dict[str, Any]] = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
}


def environment(home: Path, store: Path, **more: str) -> dict[str, str]:
    """The environment of a login, with a store of its own."""
    return {
        "PATH": f"{SCRIPTS}:/usr/local/bin:/usr/bin:/bin",
        "HOME": str(home),
        "USER": "ada",
        "LOGNAME": "ada",
        "LANG": "C.UTF-8",
        "ONRECORD_DB": str(store),
        "ONRECORD_CONFIG": str(home / "none.toml"),
        "ONRECORD_HOOK_DEADLINE_MS": "30000",
        **more,
    }


class McpPeer:
    """The client's end of one MCP connection."""

    def __init__(self, reader: int, writer: int) -> None:
        self._reader = reader
        self._writer = writer
        self._buffer = b""
        self._last = 0

    def send(self, message: object) -> None:
        """Write a message."""
        self.send_raw(json.dumps(message).encode() + b"\n")

    def send_raw(self, data: bytes) -> None:
        """Write bytes as they are."""
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(self._writer, rest) :]

    def read(self) -> dict[str, Any]:
        """The next message; raises when there is none in time, or what comes is not JSON."""
        line = self.read_line()
        assert line, "the server closed the connection"
        found = json.loads(line)
        assert isinstance(found, dict), found
        return found

    def read_line(self) -> bytes:
        """The next line; empty at the end."""
        while b"\n" not in self._buffer:
            ready, _, _ = select.select([self._reader], [], [], PATIENCE_S)
            assert ready, "the server says nothing"
            part = os.read(self._reader, 65_536)
            if not part:
                rest, self._buffer = self._buffer, b""
                return rest
            self._buffer += part
        line, _, self._buffer = self._buffer.partition(b"\n")
        return line

    def read_all(self) -> list[dict[str, Any]]:
        """Every message until the server closes its end."""
        found: list[dict[str, Any]] = []
        while line := self.read_line():
            found.append(json.loads(line))
        return found

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        """The response to one request."""
        self._last += 1
        self.send({"jsonrpc": "2.0", "id": self._last, "method": method, "params": params})
        answer = self.read()
        assert answer["id"] == self._last, answer
        return answer

    def shake_hands(self, revision: str = "2025-11-25") -> dict[str, Any]:
        """Initialise as older clients do."""
        about = {"name": "test", "version": "1"}
        answer = self.ask(
            "initialize", protocolVersion=revision, capabilities={}, clientInfo=about
        )
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        result: dict[str, Any] = answer["result"]
        return result

    def call(self, tool: str, meta: Mapping[str, Any] | None = None, **given: Any) -> Any:
        """The result of one call; ``meta`` is what the client says of it."""
        answer = self.ask("tools/call", name=tool, arguments=given, _meta=dict(meta or {}))
        return answer["result"]

    def close(self) -> None:
        """Say that nothing more comes."""
        if self._writer >= 0:
            os.close(self._writer)
            self._writer = -1


class ServerProcess(McpPeer):
    """``onrecord mcp`` as a child of the test run."""

    def __init__(self, process_: subprocess.Popen[bytes]) -> None:
        assert process_.stdin is not None
        assert process_.stdout is not None
        self.process = process_
        super().__init__(process_.stdout.fileno(), os.dup(process_.stdin.fileno()))
        process_.stdin.close()

    def end(self) -> tuple[int, list[dict[str, Any]], str]:
        """Close, and wait: exit status, what was still answered, standard error."""
        self.close()
        rest = self.read_all()
        assert self.process.stderr is not None
        errors = self.process.stderr.read().decode()
        return self.process.wait(PATIENCE_S), rest, errors

    def __enter__(self) -> Self:
        """Use as a context manager."""
        return self

    def __exit__(self, *_: object) -> None:
        """End it."""
        self.close()
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdout, self.process.stderr):
            if pipe is not None:
                pipe.close()


def start_server(
    cwd: Path,
    env: Mapping[str, str],
    *arguments: str,
    before: Sequence[str] = (),
) -> ServerProcess:
    """Run ``onrecord mcp``; ``before`` is a command that runs it."""
    return ServerProcess(
        subprocess.Popen(
            [*before, ONRECORD, "mcp", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=cwd,
            env=dict(env),
        )
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class Cli:
    """What is particular about one agent CLI's process."""

    #: file name of its program
    program: str
    #: name in `--client`
    client: str
    #: what it sets for its children
    variables: Mapping[str, str]


CLAUDE: Final = Cli(
    program="claude",
    client="claude-code",
    variables={k: v for k, v in CLAUDE_VARIABLES.items() if k != "CLAUDE_CODE_SESSION_ID"},
)
CODEX: Final = Cli(program="codex", client="codex", variables={})

#: Reads commands and runs each in the background or to its end, as it says.
_LOOP: Final = 'while IFS= read -r line; do eval "$line"; done'


class AgentProcess:
    """A running program named like an agent CLI; close it, or use it in a ``with`` block."""

    def __init__(
        self,
        cli: Cli,
        *,
        cwd: Path,
        env: Mapping[str, str],
        arguments: Sequence[str] = (),
    ) -> None:
        """Start it in a folder; ``arguments`` are shown as its own."""
        self._cli = cli
        self._home = Path(env["HOME"])
        self._cwd = cwd
        #: the program's file, to start it again below itself
        self.program = str(agent_program(self._home / ".agent-programs", cli.program))
        self._process = subprocess.Popen(
            [self.program, "-c", _LOOP, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=cwd,
            env={**env, **cli.variables},
        )
        self._count = 0
        self._servers: list[McpPeer] = []

    @property
    def pid(self) -> int:
        """Its process id."""
        return self._process.pid

    @property
    def started(self) -> int:
        """When it started, as hooks record it."""
        found = process.find(self.pid)
        assert found is not None
        return found.started

    def serve(self, *, cwd: Path | None = None, around: str = "", client: str = "") -> McpPeer:
        """Start an MCP server as its child; ``around`` is a command that stays in between."""
        self._count += 1
        near = [str(self._home / f".pipe-{self.pid}-{self._count}-{way}") for way in ("in", "out")]
        for path in near:
            os.mkfifo(path)
        command = f"{around} {ONRECORD} mcp --client {client or self._cli.client}"
        self._tell(f"(cd '{cwd or self._cwd}' && exec {command} <'{near[0]}' >'{near[1]}') &")
        writer = os.open(near[0], os.O_WRONLY)
        peer = McpPeer(os.open(near[1], os.O_RDONLY), writer)
        self._servers.append(peer)
        return peer

    def hook(self, event: str, session: str, *, cwd: Path | None = None, **payload: Any) -> str:
        """Run our hook as its child, with a payload as the CLI sends it; gives what it prints."""
        self._count += 1
        told = {
            "session_id": session,
            "transcript_path": "",
            "cwd": str(cwd or self._cwd),
            "hook_event_name": event,
            **payload,
        }
        given = self._home / f".payload-{self.pid}-{self._count}"
        given.write_text(json.dumps(told), encoding="utf-8")
        answer = given.with_suffix(".answer")
        run = f'{HOOK} {self._cli.client} {event} <"{given}" >"{answer}"'
        self._tell(f"sh -c 'cd \"{cwd or self._cwd}\"; {run}; exit 0'; echo done")
        assert self._process.stdout is not None
        assert self._process.stdout.readline() == b"done\n"
        return answer.read_text(encoding="utf-8")

    def start(self, session: str, source: str = "startup", **more: Any) -> None:
        """What a session's start fires."""
        self.hook("SessionStart", session, source=source, **more)

    def prompt(self, session: str, text: str = "Fix the fare gate", **more: Any) -> None:
        """What a prompt fires."""
        self.hook("UserPromptSubmit", session, prompt=text, **more)

    def before_tool(self, session: str, call: str, tool: str = "recall", **more: Any) -> None:
        """What a call of ours fires before it is made."""
        name = f"mcp__onrecord__{tool}"
        self.hook("PreToolUse", session, tool_name=name, tool_use_id=call, **more)

    def end(self, session: str, reason: str, **more: Any) -> None:
        """What a session's end fires."""
        self.hook("SessionEnd", session, reason=reason, **more)

    def close(self) -> None:
        """End it and its servers."""
        for server in self._servers:
            server.close()
            server.read_all()
        if self._process.stdin is not None:
            self._process.stdin.close()
        self._process.wait(PATIENCE_S)
        if self._process.stdout is not None:
            self._process.stdout.close()

    def __enter__(self) -> Self:
        """Use as a context manager."""
        return self

    def __exit__(self, *_: object) -> None:
        """End it."""
        self.close()

    def _tell(self, line: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(line.encode() + b"\n")
        self._process.stdin.flush()


def tool_use(call: str) -> dict[str, Any]:
    """What Claude Code says of a call: the id of its tool use, and nothing of the session."""
    return {"claudecode/toolUseId": call, "progressToken": 1}


def turn(session: str, thread: str = "", trigger: str = "user") -> dict[str, Any]:
    """What Codex says of a call: session and thread, the same in the main thread."""
    thread = thread or session
    return {
        "callId": f"call-{thread}",
        "sessionId": session,
        "threadId": thread,
        "progressToken": 1,
        "x-codex-turn-metadata": {
            "session_id": session,
            "thread_id": thread,
            "turn_id": "turn-1",
            "turn_trigger": trigger,
        },
    }


def texts_of(result: Mapping[str, Any]) -> Iterator[str]:
    """Every text of a result's content."""
    return (block["text"] for block in result["content"])
