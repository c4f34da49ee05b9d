"""What each tool does: read its arguments, ask the service, render the answer."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable
from typing import Any
from urllib.parse import unquote, urlsplit

from onrecord import wiring
from onrecord.capture import agents, process, transcript
from onrecord.capture.agents.base import CallIds
from onrecord.config import Config, load
from onrecord.domain.errors import OnrecordError
from onrecord.domain.item import Content
from onrecord.domain.outcome import Conflict, Outcome, Refused, name_of
from onrecord.domain.scope import Place
from onrecord.doors.mcp.arguments import Arguments
from onrecord.doors.mcp.tools import PARAMETERS
from onrecord.service import rendering
from onrecord.service.caller import Caller
from onrecord.service.clocks import SystemClock
from onrecord.service.commands import Claim, Feedback, Forget, HandOff, Remember
from onrecord.service.identity import Identity, Server
from onrecord.service.memory import Memory
from onrecord.service.places import place_at
from onrecord.service.who import user_name

Json = dict[str, Any]

_DAY_S = 86_400


class Calls:
    """The calls of one connection."""

    def __init__(self, *, client: str, store: str, name: str) -> None:
        self._config: Config = load(os.environ, store=store, name=name)
        self._spec = agents.find(client)
        self._client = client or "mcp"
        self._memory: Memory | None = None
        self._identity: Identity | None = None
        self._tools: dict[str, Callable[[Arguments, Caller], Json]] = {
            "remember": self._remember,
            "recall": self._recall,
            "get": self._get,
            "forget": self._forget,
            "feedback": self._feedback,
            "context": self._context,
            "handoff": self._handoff,
            "sessions": self._sessions,
        }

    def answer(self, tool: str, given: Json, meta: object, roots: list[str]) -> Json:
        """The result of one call; an error is a result that says what to do."""
        try:
            arguments = Arguments(given, allowed=PARAMETERS[tool])
            return self._tools[tool](arguments, self._caller(meta, roots))
        except OnrecordError as error:
            hint = f" {error.hint}" if error.hint else ""
            return _text(f"{error.message}{hint} ({error.code})", failed=True)

    def close(self) -> None:
        """Release the store."""
        if self._memory is not None:
            self._memory.close()

    # -- who and where ------------------------------------------------------------
    def _caller(self, meta: object, roots: list[str]) -> Caller:
        ids = self._spec.call_ids(meta) if self._spec else CallIds()
        return self._resolver().caller(ids, lambda session: self._place(session, roots))

    @property
    def memory(self) -> Memory:
        """The store, opened at the first call."""
        if self._memory is None:
            self._memory = wiring.open_memory(self._config.store)
        return self._memory

    def _resolver(self) -> Identity:
        if self._identity is None:
            intake = wiring.open_intake(self._config.store, self.memory)
            client = process.own_client(os.getpid(), agents.recognised())
            server = Server(
                agent=self._client,
                pid=client.pid if client else 0,
                pid_started=client.started if client else 0,
                user=user_name(),
            )
            self._identity = self.memory.identity(
                server, intake, in_transcript=self._in_transcript
            )
        return self._identity

    def _in_transcript(self, call: str) -> str:
        if self._client != "claude-code":
            return ""
        return transcript.claude_session_of(call, os.environ.get("HOME", ""), os.environ)

    def _place(self, session: str, roots: list[str]) -> Place:
        return place_at(
            _folder(roots),
            agent=self._client,
            agent_session=session,
            named=self._config.places,
        )

    # -- the tools ------------------------------------------------------------------
    def _remember(self, given: Arguments, caller: Caller) -> Json:
        days = given.number("ttl_days")
        replaces = given.text("replaces")
        command = Remember(
            content=Content(
                title=given.text("title", required=True),
                body=given.text("body"),
                tags=given.texts("tags"),
                prompted_by=given.text("prompted_by"),
            ),
            kind=given.text("kind") or "note",
            scope=given.text("scope"),
            key=given.text("key"),
            evidence=tuple(
                Claim(
                    kind=row.text("kind", required=True),
                    pointer=row.text("pointer", required=True),
                    quote=row.text("quote"),
                )
                for row in given.rows("evidence", ("kind", "pointer", "quote"))
            ),
            replaces=self.memory.get(replaces, caller).id if replaces else "",
            distinct=given.flag("distinct"),
            if_version=given.whole("if_version"),
            ttl=int(days * _DAY_S) if days is not None else None,
        )
        return _outcome(self.memory.do(command, caller))

    def _recall(self, given: Arguments, caller: Caller) -> Json:
        found = self.memory.recall(
            given.text("query", required=True),
            caller,
            given=given.texts("scope"),
            kinds=given.texts("kind"),
            limit=given.whole("limit") or 10,
        )
        lines = [
            f"Nothing was ever recorded in {scope}."
            + (f" Near: {', '.join(near)}." if near else "")
            for scope, near in found.unknown_scopes
        ]
        if found.abstained:
            return _text("\n".join([*lines, "Nothing relevant is on record here."]))
        items = [hit.item for hit in found.hits]
        return _text("\n".join([*lines, rendering.as_data(items, now=SystemClock().now())]))

    def _get(self, given: Arguments, caller: Caller) -> Json:
        item = self.memory.get(given.text("id", required=True), caller)
        start = given.whole("offset") or 0
        return _text(rendering.as_page(item, now=SystemClock().now(), start=max(0, start)))

    def _forget(self, given: Arguments, caller: Caller) -> Json:
        item = self.memory.get(given.text("id", required=True), caller, opened=False)
        return _outcome(self.memory.do(Forget(item=item.id), caller))

    def _feedback(self, given: Arguments, caller: Caller) -> Json:
        item = self.memory.get(given.text("id", required=True), caller, opened=False)
        command = Feedback(
            item=item.id, verdict=given.text("verdict", required=True), note=given.text("note")
        )
        return _outcome(self.memory.do(command, caller))

    def _context(self, given: Arguments, caller: Caller) -> Json:
        made, _ = self.memory.pack(
            caller,
            query=given.text("query"),
            budget=min(max(given.whole("budget") or 1_500, 100), 20_000),
            channel="mcp",
            nonce=secrets.token_hex(8),
        )
        return _text(made.text or "Nothing is on record for this place.")

    def _handoff(self, given: Arguments, caller: Caller) -> Json:
        action = given.text("action") or "write"
        if action in ("claim", "acknowledge"):
            verb = "ack" if action == "acknowledge" else "claim"
            row = self.memory.settle_handoff(verb, given.text("id", required=True), caller)
            say = f"Handoff m:{row.item[-6:]} is {row.status}."
            answer = {"outcome": "updated", "code": row.status, "say": say}
            return _structured({**answer, "id": row.item, "undo": None, "candidates": []})
        command = HandOff(
            done=given.text("done"),
            state=given.text("state"),
            next=given.text("next"),
            questions=given.text("questions"),
            to_agent=given.text("to"),
            head=caller.place.commit,
        )
        return _outcome(self.memory.do(command, caller))

    def _sessions(self, given: Arguments, caller: Caller) -> Json:
        limit = min(given.whole("limit") or 10, 50)
        if given.text("what") == "handoffs":
            rows = self.memory.handoffs(caller, limit=limit)
            if not rows:
                return _text("No handoff is open here.")
            return _text(rendering.handoffs_as_data(rows, now=SystemClock().now()))
        found = self.memory.sessions(caller, limit=limit)
        if not found:
            return _text("No agent session is on record here.")
        return _text(rendering.sessions_as_data(found))


def _outcome(outcome: Outcome) -> Json:
    """A change's answer: small, structured, without stored text."""
    failed = isinstance(outcome, Refused) or (
        isinstance(outcome, Conflict) and outcome.item is None
    )
    shape: Json = {
        "outcome": name_of(outcome),
        "code": outcome.code,
        "say": outcome.say,
        "id": outcome.item.id if outcome.item else None,
        "undo": outcome.undo,
        "candidates": [
            {"id": c.id, "why": c.why, "version": c.version} for c in outcome.candidates
        ],
    }
    return _structured(shape, failed=failed)


def _structured(shape: Json, *, failed: bool = False) -> Json:
    result = _text(str(shape["say"]), failed=failed)
    result["structuredContent"] = shape
    return result


def _text(text: str, *, failed: bool = False) -> Json:
    result: Json = {"content": [{"type": "text", "text": text}]}
    if failed:
        result["isError"] = True
    return result


def _folder(roots: list[str]) -> str:
    """The working directory, else the client's first root; empty where neither says a place."""
    try:
        cwd = os.getcwd()  # noqa: PTH109 - a plain string is wanted
    except OSError:
        cwd = ""
    if cwd not in ("", "/"):
        return cwd
    for root in roots:
        parts = urlsplit(root)
        if parts.scheme == "file" and parts.netloc in ("", "localhost"):
            return unquote(parts.path)
    return ""
