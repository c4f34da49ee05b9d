"""MCP on stdio: one JSON object a line, answered in order; nothing else is ever printed.

The handshake, `ping` and the list of tools are answered from static text. The store and all
that works on it are loaded at the first call.
"""

from __future__ import annotations

import json
import os
import sys

from onrecord.doors.mcp import protocol

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, BinaryIO

    from onrecord.doors.mcp.calls import Calls

#: Longest line that is read, in bytes.
MAX_LINE = 4 * 1024 * 1024

_ROOTS_ID = "onrecord-roots"


def serve(*, client: str, store: str = "", name: str = "") -> int:
    """Answer until the client closes stdin; returns the exit status."""
    reader, writer = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr
    server = Server(writer, client=client, store=store, name=name)
    try:
        while line := reader.readline(MAX_LINE + 1):
            if len(line) > MAX_LINE and not line.endswith(b"\n"):
                _skip_line(reader)
                server.fail(None, protocol.INVALID_REQUEST, "the message is too long")
            elif line.strip():
                server.take(line)
    except (BrokenPipeError, KeyboardInterrupt):
        return 0
    finally:
        server.close()
    return 0


def _skip_line(reader: BinaryIO) -> None:
    while part := reader.readline(MAX_LINE):
        if part.endswith(b"\n"):
            return


class Failure:
    """An error in place of a result."""

    __slots__ = ("code", "text")

    def __init__(self, code: int, text: str) -> None:
        self.code = code
        self.text = text


class Server:
    """One connection."""

    def __init__(self, writer: BinaryIO, *, client: str, store: str, name: str) -> None:
        self._writer = writer
        self._names = (client, store, name)
        self._calls: Calls | None = None
        self._roots: list[str] = []
        self._modern: bool | None = None

    def take(self, line: bytes) -> None:
        """Answer one message."""
        try:
            message: Any = json.loads(line)
        except (ValueError, RecursionError):
            self.fail(None, protocol.PARSE_ERROR, "that is not JSON")
            return
        if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
            self.fail(None, protocol.INVALID_REQUEST, "that is not a JSON-RPC 2.0 message")
            return
        number, method = message.get("id"), message.get("method")
        if not isinstance(method, str):
            self._reply_taken(message)
            return
        params = message.get("params")
        params = params if isinstance(params, dict) else {}
        if "id" not in message:
            self._notified(method)
            return
        if not isinstance(number, str | int) or isinstance(number, bool):
            self.fail(None, protocol.INVALID_REQUEST, "an id is a string or a whole number")
            return
        self._answer(number, method, params)

    def fail(self, number: object, code: int, message: str, data: object = None) -> None:
        """Answer with an error."""
        error: dict[str, object] = {"code": code, "message": message}
        if data:
            error["data"] = data
        self._send({"jsonrpc": "2.0", "id": number, "error": error})

    def close(self) -> None:
        """Release the store."""
        if self._calls is not None:
            self._calls.close()

    def _answer(self, number: str | int, method: str, params: dict[str, object]) -> None:
        modern = method != "initialize" and protocol.is_modern(params)
        if modern or method == "server/discover":
            problem = protocol.modern_problem(params)
            if problem is not None:
                self.fail(number, problem[0], problem[1], problem[2])
                return
        try:
            result = self._result(method, params)
        except Exception:  # noqa: BLE001 - a fault of ours must not end the agent's server
            self.fail(number, protocol.INTERNAL_ERROR, "onrecord failed; nothing was changed")
            return
        if result is None:
            self.fail(number, protocol.METHOD_NOT_FOUND, "there is no such method")
            return
        if isinstance(result, Failure):
            self.fail(number, result.code, result.text)
            return
        if modern or method == "server/discover":
            result = {"resultType": "complete", **result}
            if method == "tools/list":
                result |= protocol.cacheable()
        self._send({"jsonrpc": "2.0", "id": number, "result": result})

    def _result(
        self, method: str, params: dict[str, object]
    ) -> dict[str, object] | Failure | None:
        from onrecord import __version__

        if method == "initialize":
            return protocol.initialize(params, __version__)
        if method == "server/discover":
            return protocol.discover(__version__)
        if method == "ping":
            return {}
        if method == "tools/list":
            from onrecord.doors.mcp.tools import TOOLS

            return {"tools": TOOLS}
        if method == "tools/call":
            return self._call(params)
        return None

    def _call(self, params: dict[str, object]) -> dict[str, object] | Failure:
        from onrecord.doors.mcp.tools import PARAMETERS

        tool, given = params.get("name"), params.get("arguments", {})
        if not isinstance(tool, str) or tool not in PARAMETERS:
            return Failure(protocol.INVALID_PARAMS, "there is no such tool")
        if given is None:
            given = {}
        if not isinstance(given, dict):
            return Failure(protocol.INVALID_PARAMS, "arguments must be an object")
        if self._calls is None:
            from onrecord.doors.mcp.calls import Calls

            client, store, name = self._names
            self._calls = Calls(client=client, store=store, name=name)
        return self._calls.answer(tool, given, params.get("_meta"), self._roots)

    def _notified(self, method: str) -> None:
        if method in ("notifications/initialized", "notifications/roots/list_changed"):
            self._ask_roots()

    def _ask_roots(self) -> None:
        """Where nothing else says where the client works, its roots do."""
        if _cwd() in ("", "/"):
            self._send({"jsonrpc": "2.0", "id": _ROOTS_ID, "method": "roots/list"})

    def _reply_taken(self, message: dict[str, Any]) -> None:
        if message.get("id") != _ROOTS_ID:
            return
        result = message.get("result")
        roots = result.get("roots") if isinstance(result, dict) else None
        uris = [r.get("uri") for r in roots if isinstance(r, dict)] if roots else []
        self._roots = [uri for uri in uris if isinstance(uri, str)]

    def _send(self, message: dict[str, object]) -> None:
        self._writer.write(json.dumps(message).encode() + b"\n")
        self._writer.flush()


def _cwd() -> str:
    try:
        return os.getcwd()  # noqa: PTH109 - a plain string is wanted
    except OSError:
        return ""
