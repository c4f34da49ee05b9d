"""The scripted model: stands in for a provider on loopback, and keeps what agents send it."""

from __future__ import annotations

import importlib.util
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

from corpora import shared
from harness import needs

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from types import ModuleType

#: One action of the model (``{"say": …}``, ``{"tool": …, "args": …}``), or several as one reply.
Step = dict[str, Any] | list[dict[str, Any]]


@dataclass(frozen=True, kw_only=True, slots=True)
class Request:
    """One request that an agent made to its model."""

    #: Position among all requests, from 1.
    number: int
    #: It offers tools, so it is a turn of the conversation and not a title or a probe.
    main: bool
    #: System prompt and developer messages.
    system: str
    #: Every text in it, the system prompt's first.
    text: str
    #: The text after the model's own last turn.
    last: str
    #: Names of the offered tools.
    tools: tuple[str, ...]
    #: The body as sent.
    body: Mapping[str, Any]
    #: The path as sent.
    path: str

    def holds(self, text: str) -> bool:
        """The text is in it, wherever the agent put it."""
        return text in self.text or text in self.system

    @classmethod
    def of(cls, record: Mapping[str, Any]) -> Self:
        """Read one of the scripted model's records."""
        return cls(
            number=record["n"],
            main=bool(record.get("main")),
            system=record.get("system", ""),
            text=record.get("text", ""),
            last=record.get("last", ""),
            tools=tuple(record.get("tools", ())),
            body=record["body"],
            path=record["path"],
        )


class ScriptedModel:
    """A model that says what it is told to, in order, and remembers what it was asked."""

    def __init__(self) -> None:
        """Start on a free loopback port; every reply is "ok" until there is a script."""
        self._server, self._stub = _program().serve({})
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def script(self, *steps: Step, rules: Sequence[Mapping[str, Any]] = ()) -> None:
        """Set the replies: steps one by one to main requests, rules before them to any.

        A rule is ``{"match": regex, "in": "last" | "all" | "system", "reply": step}``. A
        compaction is answered by the rule ``compaction()``.
        """
        with self._stub.lock:
            self._stub.load({"steps": list(steps), "rules": list(rules)})

    @property
    def every_request(self) -> list[Request]:
        """Every request to the model so far, title requests and probes included."""
        with self._stub.lock:
            return [Request.of(record) for record in self._stub.records if record["api"]]

    @property
    def requests(self) -> list[Request]:
        """The requests that were turns of a conversation, in order."""
        return [request for request in self.every_request if request.main]

    @property
    def problems(self) -> list[str]:
        """What the script asked for and an agent did not offer; an empty list when all is well."""
        with self._stub.lock:
            return list(self._stub.problems)

    def forget_problems(self) -> None:
        """Take the problems as seen."""
        with self._stub.lock:
            self._stub.problems.clear()

    def reached(self, text: str) -> bool:
        """The text was in some request to the model, wherever the agent put it."""
        return any(
            text in request.text or text in request.system for request in self.every_request
        )

    def close(self) -> None:
        """Stop listening; returns at once."""
        threading.Thread(target=self._stop).start()

    def _stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()


def compaction(summary: str) -> dict[str, Any]:
    """The rule that answers both agents' requests for a summary of the conversation."""
    reply = {"say": f"<summary>{summary}</summary>"}
    return {"match": "detailed summary|CONTEXT CHECKPOINT", "reply": reply}


def _program() -> ModuleType:
    path = shared() / "tools" / "stub_model.py"
    spec = importlib.util.spec_from_file_location("stub_model", path)
    if spec is None or spec.loader is None or not path.exists():
        needs.missing(
            "the scripted model (tools/stub_model.py of the shared material)",
            "put that material beside the checkout as `shared`, or set ONRECORD_SHARED to it",
        )
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
