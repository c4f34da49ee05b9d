"""A server of a model of meanings on this machine, in both forms that are spoken."""

from __future__ import annotations

import json
import threading
from collections.abc import Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class Endpoint(ThreadingHTTPServer):
    """A server on this machine that answers as it is told, and keeps what it was asked."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.asked: list[tuple[str, str, dict[str, Any]]] = []
        self.status = 200
        self.answer: bytes | None = None
        self.dimension = 3

    @property
    def url(self) -> str:
        """Where it is."""
        return f"http://127.0.0.1:{self.server_address[1]}"

    def vectors(self, texts: list[str]) -> list[list[float]]:
        """A vector a text, by its length."""
        return [[len(text) + 1.0, -0.5] + [0.25] * (self.dimension - 2) for text in texts]


class _Handler(BaseHTTPRequestHandler):
    server: Endpoint

    def do_POST(self) -> None:
        """Answer in the form of the path that was asked."""
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append((self.path, self.headers.get("Authorization") or "", body))
        vectors = self.server.vectors(body["input"])
        if self.path.endswith("/api/embed"):
            told: Any = {"embeddings": vectors}
        else:
            told = {"data": [{"index": n, "embedding": v} for n, v in enumerate(vectors)][::-1]}
        self.send_response(self.server.status)
        self.send_header("Location", "http://127.0.0.1:1/elsewhere")
        self.end_headers()
        self.wfile.write(self.server.answer or json.dumps(told).encode())

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base's name
        """Quiet."""


@contextmanager
def serving() -> Generator[Endpoint]:
    """A running one."""
    server = Endpoint()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
