"""What each tool does: read its arguments, ask the service, render the answer."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from onrecord import wiring
from onrecord.capture import agents, process, transcript
from onrecord.capture.agents.base import CallIds
from onrecord.config import Config, load
from onrecord.domain.errors import BadField, OnrecordError
from onrecord.domain.item import Content
from onrecord.domain.scope import Place
from onrecord.domain.time import from_iso
from onrecord.doors.mcp import answers
from onrecord.doors.mcp.arguments import Arguments
from onrecord.doors.mcp.tools import BUDGET, LIMIT, MAX_LISTED, SCHEMAS
from onrecord.service import checkout, rendering
from onrecord.service.caller import Caller
from onrecord.service.clocks import SystemClock
from onrecord.service.commands import Claim, Feedback, Forget, ForgetSource, HandOff, Remember
from onrecord.service.identity import Identity, Server
from onrecord.service.memory import Memory
from onrecord.service.packs import nothing
from onrecord.service.places import place_at, rename
from onrecord.service.who import user_name

Json = dict[str, Any]

_DAY_S = 86_400


class Calls:
    """The calls of one connection."""

    def __init__(self, *, client: str, store: str, name: str) -> None:
        self._names = (store, name)
        self._spec = agents.find(client)
        self._client = client or "mcp"
        self._names_client = bool(client)
        self._config: Config | None = None
        if self._spec is None and client:
            with suppress(OnrecordError):  # an agent of the person's own configuration, perhaps
                self._spec = agents.find(client, self.config.tables.get("agents"))
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

    def answer(self, tool: str, given: Mapping[str, Any], meta: object, folder: str) -> Json:
        """The result of one call from a folder; an error is a result that says what to do."""
        try:
            arguments = Arguments(given, SCHEMAS[tool])
            return self._tools[tool](arguments, self._caller(meta, folder))
        except OnrecordError as error:
            return answers.error(error)

    def read(self, uri: str, meta: object, folder: str) -> list[dict[str, object]] | str:
        """What stands at a resource's address, or why nothing can be read there."""
        from onrecord.doors.mcp.resources import contents

        try:
            found = contents(uri, self.memory, self._caller(meta, folder))
        except OnrecordError as error:
            return " ".join((error.message, f"({error.code})"))
        return "there is no such resource" if found is None else found

    def close(self) -> None:
        """Release the store; what can be joined to a session by now is."""
        try:
            if self._identity is not None:
                self._identity.settle()
        except OnrecordError:
            pass
        finally:
            if self._memory is not None:
                self._memory.close()

    # -- who and where ------------------------------------------------------------
    @property
    def config(self) -> Config:
        """Where the store is, and the user's names for places."""
        if self._config is None:
            store, name = self._names
            self._config = load(os.environ, store=store, name=name)
        return self._config

    @property
    def memory(self) -> Memory:
        """The store, opened at the first call."""
        if self._memory is None:
            self._memory = wiring.open_memory(
                self.config.store, semantic=self.config.tables.get("semantic", {})
            )
        return self._memory

    def _caller(self, meta: object, folder: str) -> Caller:
        resolver = self._resolver()  # which says what client this is
        ids = self._spec.call_ids(meta) if self._spec else CallIds()
        return resolver.caller(ids, lambda session: self._place(session, folder))

    def _resolver(self) -> Identity:
        if self._identity is None:
            intake = wiring.open_intake(self.config.store, self.memory)
            self._identity = self.memory.identity(
                self._server(), intake, in_transcript=self._in_transcript
            )
        return self._identity

    def _server(self) -> Server:
        """This process and its client; a client of another kind is as good as none.

        The command line names the client as far as nothing proves another: below a client of
        another kind this is that one, whose private notes are not those of the one named.
        """
        known = agents.recognised(self.config.tables.get("agents"))
        above = process.client_above(os.getpid(), known) if self._names_client else None
        proven = process.client_of(above, known) if above else None
        own = (self._spec,) if self._spec else ()
        if above and proven and process.client_of(above, own) is None:
            self._spec, self._client = proven, proven.name
        found = process.own_client(os.getpid(), known)
        of = process.client_of(found, known) if found else None
        if of is None or self._spec is None or of.name != self._spec.name:
            found = None
        alone = self._spec.is_headless(os.environ, found.argv) if self._spec and found else None
        return Server(
            agent=self._client,
            pid=found.pid if found else 0,
            pid_started=found.started if found else 0,
            named_by_calls=self._spec.named_by_calls if self._spec else False,
            headless=alone is True,
            user=user_name(),
        )

    def _in_transcript(self, call: str) -> str:
        if self._client != "claude-code":
            return ""
        return transcript.claude_session_of(call, os.environ.get("HOME", ""), os.environ)

    def _place(self, session: str, folder: str) -> Place:
        place = place_at(
            folder,
            agent=self._client,
            agent_session=session,
            named=self.config.places,
        )
        return rename(place, self.memory.renamed())

    # -- the tools ------------------------------------------------------------------
    def _remember(self, given: Arguments, caller: Caller) -> Json:
        days = given.number("ttl_days")
        command = Remember(
            content=Content(
                title=given.text("title"),
                body=given.text("body"),
                tags=given.texts("tags"),
                valid_from=_instant(given.text("valid_from")),
                valid_to=_instant(given.text("valid_to")),
                prompted_by=given.text("prompted_by"),
            ),
            kind=given.text("kind") or "note",
            scope=given.text("scope"),
            key=given.text("key"),
            evidence=tuple(
                Claim(
                    kind=row.text("kind"),
                    pointer=row.text("pointer"),
                    quote=row.text("quote"),
                    author=row.text("author"),
                )
                for row in given.rows("evidence")
            ),
            replaces=self._whole(given.text("replaces"), caller),
            distinct=given.flag("distinct"),
            if_version=given.whole("if_version"),
            ttl=max(1, round(days * _DAY_S)) if days is not None else None,
        )
        if given.text("at") or given.texts("paths") or command.kind == "reminder":
            command = _arranged(command, given, caller)
        return answers.change(self.memory.do(command, caller), caller.principal)

    def _recall(self, given: Arguments, caller: Caller) -> Json:
        found = self.memory.recall(
            given.text("query"),
            caller,
            given=given.texts("scope"),
            kinds=given.texts("kind"),
            limit=given.whole("limit") or LIMIT,
            as_of=_instant(given.text("as_of")),
            valid_at=_instant(given.text("valid_at")),
        )
        ladder = caller.place.ladder()
        notes = [
            rendering.unknown_scope(scope, [name for name in near if name in ladder])
            for scope, near in found.unknown_scopes
        ]
        notes += [rendering.forgotten(scope) for scope in found.forgotten_in]
        if found.erased:
            notes.append(f"{found.erased} of then were erased since")
        if found.mode_told:
            notes.append(found.mode_told)
        if found.corrected_told:
            notes.append(found.corrected_told)
        if found.abstained and not notes:
            return answers.text("Nothing relevant is on record here.")
        if found.abstained:
            notes.insert(0, "nothing relevant is on record here")
        items = [hit.item for hit in found.hits]
        cites = {hit.item.id: hit.cites for hit in found.hits}
        now = SystemClock().now()
        return answers.text(rendering.as_data(items, now=now, notes=notes, cites=cites))

    def _get(self, given: Arguments, caller: Caller) -> Json:
        as_of = _instant(given.text("as_of"))
        item = self.memory.get(
            _id(given), caller, as_of=as_of, valid_at=_instant(given.text("valid_at"))
        )
        start = given.whole("offset") or 0
        total = len(item.content.body)
        if start and start >= total:
            raise BadField(
                f"`offset` lies beyond the body, which has {total} characters.",
                details={"field": "offset", "total": total},
            )
        cites = self.memory.cites(item.id, caller) if as_of is None else ()
        now = SystemClock().now() if as_of is None else as_of
        return answers.text(rendering.as_page(item, now=now, start=start, cites=cites))

    def _forget(self, given: Arguments, caller: Caller) -> Json:
        source = given.text("source")
        if bool(source) == bool(_id(given)):
            raise BadField("Give either `id` or `source`.", details={"field": "id"})
        if source:
            return answers.change(
                self.memory.do(ForgetSource(source=source), caller), caller.principal
            )
        item = self._whole(_id(given), caller)
        return answers.change(self.memory.do(Forget(item=item), caller), caller.principal)

    def _feedback(self, given: Arguments, caller: Caller) -> Json:
        command = Feedback(
            item=self._whole(_id(given), caller),
            verdict=given.text("verdict"),
            note=given.text("note"),
        )
        return answers.change(self.memory.do(command, caller), caller.principal)

    def _context(self, given: Arguments, caller: Caller) -> Json:
        made, _ = self.memory.pack(
            caller,
            query=given.text("query"),
            budget=given.whole("budget") or BUDGET,
            channel="mcp",
            nonce=rendering.nonce(),
        )
        return answers.text(made.text or nothing(made))

    def _handoff(self, given: Arguments, caller: Caller) -> Json:
        action = given.text("action") or "write"
        if action != "write":
            if not given.text("id"):
                raise BadField(f"To {action} a handoff, give its `id`.", details={"field": "id"})
            verb = "ack" if action == "acknowledge" else action
            row, undo = self.memory.settle_handoff(verb, _id(given), caller)
            news = checkout.moved_on(row, caller.place) if action == "claim" else ""
            return answers.handoff(row, news, undo)
        command = HandOff(
            done=given.text("done"),
            state=given.text("state"),
            next=given.text("next"),
            questions=given.text("questions"),
            to_agent=self._agent_named(given.text("to")),
            head=caller.place.commit,
            dirty=checkout.uncommitted(caller.place),
        )
        return answers.change(self.memory.do(command, caller), caller.principal)

    def _agent_named(self, name: str) -> str:
        """The name on record of the agent that a handoff is for; raises for one of no agent."""
        if not name.strip():
            return ""
        from onrecord.service.roster import Roster

        return Roster(own=self.config.tables.get("agents")).named(name).name

    def _sessions(self, given: Arguments, caller: Caller) -> Json:
        limit = given.whole("limit") or LIMIT
        now = SystemClock().now()
        if given.text("what") == "handoffs":
            rows = self.memory.handoffs(caller, limit=limit + 1)
            if not rows:
                return answers.text("No handoff is open here.")
            notes = _cut(len(rows), limit)
            return answers.text(rendering.handoffs_as_data(rows[:limit], now=now, notes=notes))
        found = self.memory.sessions(caller, limit=limit + 1)
        if not found:
            return answers.text("No agent session is on record here.")
        notes = _cut(len(found), limit)
        return answers.text(rendering.sessions_as_data(found[:limit], notes=notes))

    def _whole(self, part: str, caller: Caller) -> str:
        """The whole id of an item that the caller may see; it does not count as read."""
        return self.memory.get(part, caller, opened=False).id if part else ""


def _arranged(command: Remember, given: Arguments, caller: Caller) -> Remember:
    """The same with when and where a reminder comes up."""
    from onrecord.service.reminders import arranged

    return arranged(
        command,
        at=given.text("at"),
        paths=given.texts("paths"),
        place=caller.place,
        now=SystemClock().now(),
        zone=wiring.local_zone(),
    )


def _instant(text: str) -> int | None:
    """A date or time as UTC microseconds; None where there is none."""
    return from_iso(text) if text.strip() else None


def _id(given: Arguments) -> str:
    """An id as it stands in a mark, with or without the brackets."""
    return given.text("id").strip().strip("[]")


def _cut(found: int, limit: int) -> list[str]:
    if found <= limit:
        return []
    more = f"; limit goes up to {MAX_LISTED}" if limit < MAX_LISTED else ""
    return [f"older ones are not shown{more}"]
