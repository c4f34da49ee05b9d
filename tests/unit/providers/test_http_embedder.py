"""Models behind an endpoint: what is sent, what is taken, and that nothing leaves unasked."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

import pytest

from model_server import Endpoint, serving
from onrecord.domain.errors import EmbeddingError, ModelMismatch, ModelUnreachable, UsageError
from onrecord.providers.http_embedder import BATCH, HttpEmbedder


@pytest.fixture
def endpoint() -> Generator[Endpoint]:
    """A running server."""
    with serving() as server:
        yield server


def embedder(endpoint: Endpoint, api: str = "ollama", **given: Any) -> HttpEmbedder:
    """One that asks it."""
    return HttpEmbedder("served", url=endpoint.url, api=api, model="nomic", form="test/1", **given)


@pytest.mark.parametrize(("api", "path"), [("ollama", "/api/embed"), ("openai", "/embeddings")])
def test_both_forms_are_spoken(endpoint: Endpoint, api: str, path: str) -> None:
    """In the order asked, whatever order the answer has; the key goes as a bearer token."""
    asks = embedder(endpoint, api, key="k-1")
    found = asks.embed(["a", "abc"])

    assert [len(one) for one in found] == [3, 3]
    assert found[0] != found[1]
    assert endpoint.asked[-2] == (path, "Bearer k-1", {"model": "nomic", "input": ["a", "abc"]})
    assert (asks.spec.dimension, asks.spec.pooling) == (3, "server")
    assert "this machine" in asks.where
    assert "k-1" not in asks.where


def test_many_texts_go_in_parts(endpoint: Endpoint) -> None:
    """No request holds more than a batch."""
    found = embedder(endpoint).embed(["x" * n for n in range(BATCH + 3)])

    assert len(found) == BATCH + 3
    assert sorted(len(body["input"]) for _, _, body in endpoint.asked) == [1, 3, BATCH]


@pytest.mark.parametrize(
    ("status", "answer"),
    [
        (500, None),
        (302, None),
        (200, b"not json"),
        (200, b"[]"),
        (200, b'{"embeddings": []}'),
        (200, b'{"embeddings": [["x"]]}'),
        (200, b'{"embeddings": [[]]}'),
        (200, b'{"embeddings": [[1' + b"0" * 400 + b"]]}"),
        (200, b"[" * 100_000),
    ],
)
def test_an_odd_answer_is_told_without_the_text(
    endpoint: Endpoint, status: int, answer: bytes | None
) -> None:
    """No redirect is followed, and no part of a text stands in the error."""
    asks = embedder(endpoint)
    endpoint.status, endpoint.answer = status, answer

    with pytest.raises(ModelUnreachable) as told:
        asks.embed(["somebody's words"])
    assert "somebody" not in f"{told.value.message} {told.value.details}"


def test_a_server_that_is_gone_is_told() -> None:
    """At once, by a code of its own."""
    asks = HttpEmbedder("x", url="http://127.0.0.1:1", api="ollama", model="m", form="f")

    with pytest.raises(ModelUnreachable):
        asks.embed(["text"])


def test_vectors_without_direction_or_of_a_new_dimension_are_refused(endpoint: Endpoint) -> None:
    """A server whose model changed meanwhile is noticed."""
    asks = embedder(endpoint)
    assert asks.spec.dimension == 3
    endpoint.dimension = 5
    with pytest.raises(ModelMismatch):
        asks.embed(["text"])
    for odd in (b"[0.0, 0.0, 0.0]", b"[1.0, NaN, 0.5]", b"[1.0, -Infinity, 0.5]"):
        endpoint.answer = b'{"embeddings": [' + odd + b"]}"
        with pytest.raises(ModelMismatch):
            asks.embed(["text"])


@pytest.mark.parametrize(
    "url",
    [
        "http://models.example.com",
        "https://models.example.com",
        "http://10.0.0.7:11434",
        "http://127.0.0.1.example.com",
        "http://user:secret@127.0.0.1",
        "http://:secret@127.0.0.1",
        "http://@127.0.0.1",
        "http://127.0.0.1/?q=1",
        "ftp://127.0.0.1",
        "file:///etc/passwd",
        "http://",
        "http://[::1",
    ],
)
def test_no_other_machine_is_asked_unless_the_person_says_so(url: str) -> None:
    """Loopback by default; elsewhere only over TLS and with `remote`; no password is repeated."""
    with pytest.raises(UsageError) as told:
        HttpEmbedder("x", url=url, api="ollama", model="m", form="f")
    assert "secret" not in f"{told.value.message} {told.value.hint} {told.value.details}"
    if not url.startswith("https"):
        with pytest.raises(UsageError):
            HttpEmbedder(
                "x",
                url=url.replace("127.0.0.1", "10.1.1.1"),
                api="ollama",
                model="m",
                form="f",
                remote="@" not in url,
            )


def test_a_remote_model_says_where_texts_go() -> None:
    """And this machine's own names are no other machine."""
    asks = HttpEmbedder(
        "x", url="https://models.example.com/v1", api="openai", model="m", form="f", remote=True
    )
    assert asks.where == "to https://models.example.com (LEAVES this machine)"
    for url in ("http://localhost:1", "http://[::1]:1", "http://127.9.9.9:1"):
        assert "stays" in HttpEmbedder("x", url=url, api="ollama", model="m", form="f").where
    assert issubclass(ModelUnreachable, EmbeddingError)


#: (scheme, how the answer begins before it drips); of TLS the header of a large record
DRIPS = [
    ("https", b"\x16\x03\x03\x40\x00"),
    ("http", b""),
    ("http", b"HTTP/1.0 200 OK\r\n"),
    ("http", b"HTTP/1.0 200 OK\r\n\r\n"),
]


@pytest.mark.parametrize(("scheme", "start"), DRIPS)
def test_an_answer_that_drips_ends_in_time(scheme: str, start: bytes) -> None:
    """In the handshake, status, headers and body: each byte is in time, all of them are not."""
    with socket.create_server(("127.0.0.1", 0)) as server, ThreadPoolExecutor() as pool:
        gone = threading.Event()
        pool.submit(_drip, server, start, gone)
        url = f"{scheme}://127.0.0.1:{server.getsockname()[1]}"
        asks = HttpEmbedder("m", url=url, api="ollama", model="m", form="", timeout_s=0.5)
        at = time.monotonic()
        try:
            with pytest.raises(ModelUnreachable) as raised:
                asks.embed(["a"])
        finally:
            gone.set()
    assert time.monotonic() - at < 5
    assert raised.value.details["why"] == "TimeoutError"


def _drip(server: socket.socket, start: bytes, gone: threading.Event) -> None:
    """Answer one caller with a byte now and then, until it is gone."""
    caller, _ = server.accept()
    with caller, suppress(OSError):
        caller.sendall(start)
        while not gone.wait(0.05):
            caller.sendall(b"H")
