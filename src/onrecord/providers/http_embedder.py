"""A model of meanings behind an HTTP endpoint that the person configured, OpenAI's or Ollama's.

Texts are redacted before they come here. Nothing is sent to another machine unless the
configuration says so, and then over TLS alone. No proxy is used and no redirect followed.
"""

from __future__ import annotations

import hashlib
import http.client
import ipaddress
import json
import socket
import ssl
import threading
from collections.abc import Callable, Generator, Sequence
from contextlib import closing, contextmanager, suppress
from functools import cached_property
from typing import Any, Final, cast
from urllib.parse import SplitResult, urlsplit

from onrecord.domain.embedding import MAX_DIMENSION, Spec, check_vectors, vector_of
from onrecord.domain.errors import ModelUnreachable, UsageError

#: api -> (path below the address, field of the answer)
APIS: Final = {"openai": "/embeddings", "ollama": "/api/embed"}

#: Bytes of an answer; more is not read.
MAX_ANSWER: Final = 64 * 1024**2
#: Texts of one request.
BATCH: Final = 32
_OK: Final = 200


class HttpEmbedder:
    """The `Embedder` port over a server's own model."""

    def __init__(
        self,
        name: str,
        *,
        url: str,
        api: str,
        model: str,
        form: str,
        key: str = "",
        remote: bool = False,
        timeout_s: float = 30.0,
    ) -> None:
        """`key` goes along as a bearer token; `remote` says that texts may leave the machine.

        One request, from connecting to the answer's last byte, takes at most `timeout_s`.
        Raises `UsageError` for an address that may not be used.
        """
        self._name = name
        self._address = _address(url, remote=remote)
        self._api = api
        self._model = model
        self._form = form
        self._key = key
        self._timeout_s = timeout_s

    @property
    def where(self) -> str:
        """Where the texts go."""
        at = self._address
        here = "stays on this machine" if is_loopback(at.hostname or "") else "LEAVES this machine"
        return f"to {at.scheme}://{at.netloc} ({here})"

    @cached_property
    def spec(self) -> Spec:
        """What its vectors mean; asks the server once. Raises `ModelUnreachable`."""
        (probe,) = self._asked(["dimension"])
        told = f"{self._api}\n{self._address.geturl()}\n{self._model}"
        return Spec(
            model=self._name,
            digest=hashlib.sha256(told.encode()).hexdigest(),
            dimension=len(probe),
            pooling="server",
            form=self._form,
        )

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        """One vector a text. Raises `ModelUnreachable`, and `ModelMismatch` for odd vectors."""
        found: list[bytes] = []
        for start in range(0, len(texts), BATCH):
            found += [vector_of(one) for one in self._asked(texts[start : start + BATCH])]
        check_vectors(self.spec, found)
        return found

    def _asked(self, texts: Sequence[str]) -> list[list[float]]:
        asked = json.dumps({"model": self._model, "input": list(texts)}).encode()
        try:
            answer: Any = json.loads(self._exchange(asked))
            if self._api == "openai":
                rows = sorted(answer["data"], key=lambda row: int(row["index"]))
                vectors = [row["embedding"] for row in rows]
            else:
                vectors = answer["embeddings"]
            found = [[float(value) for value in vector] for vector in vectors]
        except (OSError, http.client.HTTPException) as error:
            raise self._silent(type(error).__name__) from None
        except (ValueError, LookupError, TypeError, AttributeError, OverflowError, RecursionError):
            # nested too deeply and numbers too large are as unreadable as what is no JSON
            raise self._silent("unreadable") from None
        if len(found) != len(texts) or not all(0 < len(one) <= MAX_DIMENSION for one in found):
            raise self._silent("incomplete")
        return found

    def _exchange(self, body: bytes) -> bytes:
        at = self._address
        kind = http.client.HTTPSConnection if at.scheme == "https" else http.client.HTTPConnection
        connection = kind(cast("str", at.hostname), at.port, timeout=self._timeout_s)
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key}"
        try:
            with _ended_after(self._timeout_s, connection) as is_over:
                connection.request("POST", at.path.rstrip("/") + APIS[self._api], body, headers)
                with closing(connection.getresponse()) as answer:
                    if answer.status != _OK:
                        raise self._silent(f"status {answer.status}")
                    found = answer.read(MAX_ANSWER + 1)
            if is_over():
                raise TimeoutError
        finally:
            connection.close()
        if len(found) > MAX_ANSWER:
            raise self._silent("too_big")
        return found

    def _silent(self, why: str) -> ModelUnreachable:
        return ModelUnreachable(
            details={"model": self._name, "at": self._address.netloc, "why": why}
        )


@contextmanager
def _ended_after(
    seconds: float, connection: http.client.HTTPConnection
) -> Generator[Callable[[], bool]]:
    """Connect, and end what is under way then, however it drips; yields whether it was.

    A time limit of the socket's own counts for one read, and each byte begins it anew.
    """
    over = threading.Event()
    with closing(_connected(connection, seconds)) as raw:

        def end() -> None:
            over.set()
            with suppress(OSError):
                # what waits in a read wakes up; closing would not wake it
                raw.shutdown(socket.SHUT_RDWR)

        timer = threading.Timer(seconds, end)
        timer.daemon = True
        timer.start()
        try:
            if isinstance(connection, http.client.HTTPSConnection):
                secured = ssl.create_default_context()
                connection.sock = secured.wrap_socket(
                    connection.sock, server_hostname=connection.host
                )
            yield over.is_set
        except (OSError, http.client.HTTPException):
            if over.is_set():
                raise TimeoutError from None
            raise
        finally:
            timer.cancel()


def _connected(connection: http.client.HTTPConnection, seconds: float) -> socket.socket:
    """Connect it, in plain text yet; another handle of the same socket, to end it by."""
    connection.sock = socket.create_connection((connection.host, connection.port), seconds)
    return connection.sock.dup()


def is_loopback(host: str) -> bool:
    """Whether a host is this machine by its very name or number."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _address(url: str, *, remote: bool) -> SplitResult:
    try:
        found = urlsplit(url)
        host, _ = found.hostname or "", found.port
    except ValueError:
        host, found = "", SplitResult("", "", "", "", "")
    # whatever stands before an @ may be a secret, and the rest is shown
    odd = "@" in found.netloc or found.query
    if found.scheme not in ("http", "https") or not host or odd:
        raise UsageError(
            "`url` of a model is an http or https address without a name, password or query.",
            hint='For example: url = "http://127.0.0.1:11434"',
        )
    if is_loopback(host):
        return found
    if not remote or found.scheme != "https":
        raise UsageError(
            "That model is on another machine, so the texts of memories would leave this one.",
            hint="If that is what you want: an https address, and `remote = true` beside it.",
            details={"host": host},
        )
    return found
