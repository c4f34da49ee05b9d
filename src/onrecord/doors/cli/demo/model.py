"""A scripted stand-in for a model on loopback, so that real agent CLIs play the demo offline.

It answers what Claude Code (Messages API) and Codex (Responses API) ask, takes each reply
from a list, and keeps the texts that reached it. Nothing leaves the machine.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

#: One reply: words to say, or a tool to call with its arguments.
Reply = str | tuple[str, dict[str, Any]]
Event = tuple[str, dict[str, Any]]


class ScriptedModel:
    """The server; use as a context manager."""

    def __init__(self) -> None:
        self.replies: list[Reply] = []
        #: all text of every request that offered tools, oldest first
        self.asked: list[str] = []
        self._lock = threading.Lock()
        handler = type("Bound", (_Handler,), {"model": self})
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def script(self, *replies: Reply) -> None:
        """What to answer to the next requests that offer tools."""
        with self._lock:
            self.replies = list(replies)

    def next_reply(self, body: dict[str, Any]) -> Reply:
        """The reply to one request; requests without tools are side errands of a client."""
        with self._lock:
            if not body.get("tools"):
                return "ok"
            self.asked.append(json.dumps(body, ensure_ascii=False))
            return self.replies.pop(0) if self.replies else "Done."

    def close(self) -> None:
        """Stop listening."""
        self._server.shutdown()
        self._server.server_close()

    def __enter__(self) -> Self:
        """Use it."""
        return self

    def __exit__(self, *_: object) -> None:
        """Stop it."""
        self.close()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    model: ScriptedModel

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - inherited
        """Say nothing."""

    def do_HEAD(self) -> None:
        self._json({})

    def do_GET(self) -> None:
        self._json({"object": "list", "data": [], "models": []})

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("content-length") or 0))
        body: dict[str, Any] = json.loads(raw) if raw else {}
        path = self.path.partition("?")[0]
        if path.endswith("/messages"):
            self._stream(messages_events(self.model.next_reply(body)))
        elif path.endswith("/responses"):
            self._stream(responses_events(self.model.next_reply(body)))
        else:
            self._json({"input_tokens": 100})

    def _json(self, shape: dict[str, Any]) -> None:
        data = json.dumps(shape).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def _stream(self, events: Iterator[Event]) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("connection", "close")
        self.end_headers()
        for name, data in events:
            line = f"event: {name}\ndata: {json.dumps({'type': name, **data})}\n\n"
            self.wfile.write(line.encode())
        self.wfile.flush()
        self.close_connection = True


def messages_events(reply: Reply) -> Iterator[Event]:
    """A reply as the Messages API streams it."""
    usage = {"input_tokens": 100, "output_tokens": 20}
    message: dict[str, Any] = {
        "id": "msg_demo",
        "type": "message",
        "role": "assistant",
        "model": "scripted",
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": usage,
    }
    yield "message_start", {"message": message}
    if isinstance(reply, str):
        stop = "end_turn"
        start: dict[str, Any] = {"type": "text", "text": ""}
        delta = {"type": "text_delta", "text": reply}
    else:
        name, arguments = reply
        stop = "tool_use"
        number = f"toolu_demo_{threading.get_ident()}_{id(reply)}"
        start = {"type": "tool_use", "id": number, "name": f"mcp__onrecord__{name}", "input": {}}
        delta = {"type": "input_json_delta", "partial_json": json.dumps(arguments)}
    yield "content_block_start", {"index": 0, "content_block": start}
    yield "content_block_delta", {"index": 0, "delta": delta}
    yield "content_block_stop", {"index": 0}
    yield (
        "message_delta",
        {"delta": {"stop_reason": stop, "stop_sequence": None}, "usage": {"output_tokens": 20}},
    )
    yield "message_stop", {}


def responses_events(reply: Reply) -> Iterator[Event]:
    """A reply as the Responses API streams it."""
    response: dict[str, Any] = {
        "id": "resp_demo",
        "object": "response",
        "model": "scripted",
        "status": "in_progress",
        "output": [],
    }
    yield "response.created", {"response": response}
    item: dict[str, Any]
    if isinstance(reply, str):
        item = {
            "type": "message",
            "id": "msg_demo",
            "role": "assistant",
            "status": "completed",
            "content": [{"type": "output_text", "text": reply, "annotations": []}],
        }
    else:
        name, arguments = reply
        item = {
            "type": "function_call",
            "id": f"fc_demo_{id(reply)}",
            "call_id": f"call_demo_{id(reply)}",
            "name": name,
            "namespace": "mcp__onrecord",
            "arguments": json.dumps(arguments),
            "status": "completed",
        }
    yield "response.output_item.added", {"output_index": 0, "item": item}
    yield "response.output_item.done", {"output_index": 0, "item": item}
    usage = {
        "input_tokens": 100,
        "output_tokens": 20,
        "total_tokens": 120,
        "input_tokens_details": {"cached_tokens": 0},
    }
    done = {**response, "status": "completed", "output": [item], "usage": usage}
    yield "response.completed", {"response": done}
