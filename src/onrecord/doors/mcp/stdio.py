"""MCP on stdio: one JSON object a line, answered in order; nothing else is ever printed.

The handshake, `ping` and the list of tools are answered from static text. The store and all
that works on it are loaded at the first call (light until then).
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # `signal` itself costs an enum
import json
import os
import sys

from onrecord.capture.agents.base import as_list, as_mapping
from onrecord.doors.mcp import protocol
from onrecord.doors.mcp.lines import ENDED, TOO_LONG, WAITED, Lines, claim_streams
from onrecord.doors.mcp.protocol import Failure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from onrecord.doors.mcp.calls import Calls

#: Longest name of a client, in characters.
MAX_NAME = 64

#: How long calls wait for the client's answer to where it works, in seconds.
ROOTS_PATIENCE_S = 2.0

_ROOTS_ID = "onrecord-roots"
#: Lists that never change: method -> (module, name in it, key of the answer).
_LISTS = {
    "tools/list": ("onrecord.doors.mcp.tools", "TOOLS", "tools"),
    "resources/list": ("onrecord.doors.mcp.resources", "RESOURCES", "resources"),
    "resources/templates/list": (
        "onrecord.doors.mcp.resources",
        "TEMPLATES",
        "resourceTemplates",
    ),
    "prompts/list": ("onrecord.doors.mcp.prompts", "PROMPTS", "prompts"),
}
#: What is answered from where the client works.
_PLACED = ("tools/call", "resources/read")
_FAILED = (
    "Something went wrong inside onrecord. If this was to save something, look with recall"
    " whether it is there before you try again. (internal)"
)


def serve(*, client: str, store: str = "", name: str = "") -> int:
    """Answer until the client closes stdin or goes away; returns the exit status.

    SIGINT and SIGTERM end it at once: whatever is not committed then was never answered.
    `client` is an agent CLI's name: ASCII letters, digits, `-`, `_` and `.`.
    """
    bare = client.replace("-", "").replace("_", "").replace(".", "")
    if client and not (bare.isascii() and bare.isalnum() and len(client) <= MAX_NAME):
        _note("--client takes an agent CLI's name, such as claude-code")
        return 2
    _signal.signal(_signal.SIGINT, _signal.SIG_DFL)  # pyright: ignore[reportUnknownMemberType]
    if os.isatty(0):
        _note("this speaks MCP for agent CLIs, which start it themselves; Ctrl-C ends it")
    lines = Lines(*claim_streams())
    server = Server(lines, client=client, store=store, name=name)
    try:
        while (line := lines.take(server.patience)) != ENDED:
            server.take(line)
        server.hurry()
    except OSError:
        return 0
    finally:
        server.close()
    return 0


class Server:
    """One connection."""

    def __init__(self, lines: Lines, *, client: str, store: str, name: str) -> None:
        self._lines = lines
        self._names = (client, store, name)
        self._calls: Calls | None = None
        self._has_roots = False
        self._roots: list[str] = []
        self._asking = False
        self._held: list[tuple[str | int, str, Mapping[str, object], bool]] = []

    @property
    def patience(self) -> float | None:
        """How long to wait for the next line; None for as long as it takes."""
        return ROOTS_PATIENCE_S if self._held else None

    def take(self, line: bytes | str) -> None:
        """Answer one line. What goes wrong here never ends the connection."""
        if line == WAITED:
            self.hurry()
        elif line == TOO_LONG:
            self._fail(None, Failure(protocol.INVALID_REQUEST, "the message is too long"))
        elif isinstance(line, bytes) and line.strip():
            self._take_message(line)

    def hurry(self) -> None:
        """Answer what is held back, whether or not the client said where it works."""
        self._asking = False
        held, self._held = self._held, []
        for number, method, params, modern in held:
            self._answer(number, method, params, modern=modern)

    def close(self) -> None:
        """Release the store."""
        if self._calls is None:
            return
        try:
            self._calls.close()
        except Exception as error:  # noqa: BLE001 - the client has gone; nobody is told
            _note(f"{type(error).__name__} at the end")

    # -- messages -------------------------------------------------------------------
    def _take_message(self, line: bytes) -> None:
        try:
            message = as_mapping(json.loads(line))
        except (ValueError, RecursionError):
            self._fail(None, Failure(protocol.PARSE_ERROR, "that is not JSON in UTF-8"))
            return
        if message.get("jsonrpc") != "2.0":
            text = "that is not one JSON-RPC 2.0 message; batches are not spoken"
            self._fail(None, Failure(protocol.INVALID_REQUEST, text))
        elif "method" not in message:
            if message.get("id") == _ROOTS_ID:
                self._take_roots(as_mapping(message.get("result")))
        elif "id" not in message:
            self._take_notification(message["method"])
        else:
            self._take_request(message)

    def _take_request(self, message: Mapping[str, object]) -> None:
        number, method = message["id"], message["method"]
        if isinstance(number, bool) or not isinstance(number, str | int):
            text = "an id is a string or a whole number"
            self._fail(None, Failure(protocol.INVALID_REQUEST, text))
        elif not isinstance(method, str):
            self._fail(number, Failure(protocol.INVALID_REQUEST, "a method is a string"))
        elif not _is_object(message.get("params")):
            self._fail(number, Failure(protocol.INVALID_PARAMS, "params is an object"))
        else:
            self._request(number, method, as_mapping(message.get("params")))

    def _request(self, number: str | int, method: str, params: Mapping[str, object]) -> None:
        modern = method == "server/discover" or (
            method != "initialize" and protocol.is_modern(params)
        )
        problem = protocol.modern_problem(params) if modern else None
        if problem is not None:
            self._fail(number, problem)
        elif method in _PLACED and self._asking:
            self._held.append((number, method, params, modern))
        else:
            self._answer(number, method, params, modern=modern)

    def _answer(
        self, number: str | int, method: str, params: Mapping[str, object], *, modern: bool
    ) -> None:
        from onrecord import __version__

        if method == "tools/call":
            result = self._call(params)
        elif method == "resources/read":
            result = self._read(params, modern=modern)
        elif method == "initialize":
            self._has_roots = "roots" in as_mapping(params.get("capabilities"))
            result = protocol.initialize(params, __version__)
        else:
            result = _static(method, params, modern=modern)
        if isinstance(result, Failure):
            self._fail(number, result)
            return
        if modern:
            result = protocol.modernised(method, result, __version__)
        self._send({"jsonrpc": "2.0", "id": number, "result": result})

    def _call(self, params: Mapping[str, object]) -> dict[str, object] | Failure:
        from onrecord.doors.mcp.tools import SCHEMAS

        tool = params.get("name")
        if not isinstance(tool, str) or tool not in SCHEMAS:
            text = f"there is no such tool; there are {', '.join(SCHEMAS)}"
            return Failure(protocol.INVALID_PARAMS, text)
        if not _is_object(params.get("arguments")):
            return Failure(protocol.INVALID_PARAMS, "arguments is an object")
        try:
            given = as_mapping(params.get("arguments"))
            return self._store().answer(tool, given, params.get("_meta"), self._folder())
        except Exception as error:  # noqa: BLE001 - a fault of ours must not end the agent's server
            _note(f"{type(error).__name__} in {tool}")
            return {"content": [{"type": "text", "text": _FAILED}], "isError": True}

    def _read(self, params: Mapping[str, object], *, modern: bool) -> dict[str, object] | Failure:
        """A resource's text; what is not there, or not the caller's to see, is one failure."""
        missing = protocol.INVALID_PARAMS if modern else protocol.RESOURCE_NOT_FOUND
        uri = params.get("uri")
        if not isinstance(uri, str):
            return Failure(protocol.INVALID_PARAMS, "uri is a string")
        try:
            found = self._store().read(uri, params.get("_meta"), self._folder())
        except Exception as error:  # noqa: BLE001 - a fault of ours must not end the agent's server
            _note(f"{type(error).__name__} in resources/read")
            return Failure(protocol.INTERNAL_ERROR, _FAILED)
        return Failure(missing, found) if isinstance(found, str) else {"contents": found}

    def _store(self) -> Calls:
        if self._calls is None:
            from onrecord.doors.mcp.calls import Calls

            client, store, name = self._names
            self._calls = Calls(client=client, store=store, name=name)
        return self._calls

    # -- where the client works --------------------------------------------------------
    def _take_notification(self, method: object) -> None:
        told = ("notifications/initialized", "notifications/roots/list_changed")
        if method in told and self._has_roots and not _working_folder():
            self._asking = True
            self._send({"jsonrpc": "2.0", "id": _ROOTS_ID, "method": "roots/list"})

    def _take_roots(self, result: Mapping[str, object]) -> None:
        uris = [as_mapping(root).get("uri") for root in as_list(result.get("roots"))]
        self._roots = [uri for uri in uris if isinstance(uri, str)]
        self.hurry()

    def _folder(self) -> str:
        """The working directory, else the client's first root; empty where neither says."""
        folder = _working_folder()
        if folder or not self._roots:
            return folder
        from urllib.parse import unquote, urlsplit

        for root in self._roots:
            try:
                parts = urlsplit(root)
            except ValueError:
                continue
            if parts.scheme == "file" and parts.netloc in ("", "localhost"):
                return unquote(parts.path)
        return ""

    # -- out ------------------------------------------------------------------------
    def _fail(self, number: str | int | None, failure: Failure) -> None:
        error: dict[str, object] = {"code": failure.code, "message": failure.text}
        if failure.data:
            error["data"] = failure.data
        self._send({"jsonrpc": "2.0", "id": number, "error": error})

    def _send(self, message: dict[str, object]) -> None:
        self._lines.put(json.dumps(message, separators=(",", ":")).encode())


def _static(
    method: str, params: Mapping[str, object], *, modern: bool
) -> dict[str, object] | Failure:
    """What is the same for everyone at any time."""
    if method == "server/discover":
        return protocol.discover()
    if method == "ping" and not modern:
        return {}
    if method == "prompts/get":
        return _prompt(params)
    if method not in _LISTS:
        return Failure(protocol.METHOD_NOT_FOUND, "there is no such method")
    if params.get("cursor") is not None:
        return Failure(protocol.INVALID_PARAMS, "that list has one page only")
    module, name, key = _LISTS[method]
    return {key: getattr(__import__(module, fromlist=[name]), name)}


def _prompt(params: Mapping[str, object]) -> dict[str, object] | Failure:
    from onrecord.doors.mcp.prompts import fetched

    if not _is_object(params.get("arguments")):
        return Failure(protocol.INVALID_PARAMS, "arguments is an object")
    found = fetched(params.get("name"), as_mapping(params.get("arguments")))
    return Failure(protocol.INVALID_PARAMS, found) if isinstance(found, str) else found


def _is_object(value: object) -> bool:
    """A JSON object, or left out, or null."""
    return value is None or isinstance(value, dict)


def _working_folder() -> str:
    """The working directory; empty for the root, where clients that have none start servers."""
    try:
        folder = os.getcwd()  # noqa: PTH109 - a plain string is wanted
    except OSError:
        return ""
    return "" if folder == "/" else folder


def _note(text: str) -> None:
    """A line on standard error: a class or a word, never what was sent or stored."""
    try:
        sys.stderr.write(f"onrecord: {text}\n")
        sys.stderr.flush()
    except (OSError, AttributeError, ValueError):
        return
