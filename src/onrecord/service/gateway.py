"""The one write path: every change, from every door, in one transaction."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import replace
from datetime import tzinfo
from typing import Any

from onrecord.domain import scope as scopes
from onrecord.domain.errors import BadField
from onrecord.domain.outcome import (
    Candidate,
    Conflict,
    Corroborated,
    Created,
    Outcome,
    Proposed,
    Refused,
    Updated,
    name_of,
)
from onrecord.domain.ports import Clock, Ids, Store
from onrecord.policy import authority
from onrecord.service import forgetting, handing, lifecycle, opinions, undoing, writing
from onrecord.service.caller import Caller
from onrecord.service.commands import (
    Approve,
    Command,
    Feedback,
    Forget,
    HandOff,
    Mark,
    Reject,
    Remember,
    Revise,
    Set,
    Undo,
)
from onrecord.service.draft import Draft
from onrecord.service.steps import STEPS
from onrecord.service.work import Secrets, Work, flush_refusals

#: one function for each command
_HANDLERS: dict[type[Any], Callable[[Work, Any], Outcome]] = {
    Revise: lifecycle.revise,
    Approve: lifecycle.approve,
    Reject: lifecycle.reject,
    Mark: lifecycle.mark,
    Set: lifecycle.set_switch,
    Forget: forgetting.forget,
    Undo: undoing.undo,
    HandOff: handing.hand_off,
    Feedback: opinions.give_feedback,
}

_ANSWERS = {
    kind.__name__.lower(): kind
    for kind in (Created, Corroborated, Updated, Proposed, Conflict, Refused)
}


class Gateway:
    """Takes a command and a caller, and answers with an outcome.

    One transaction holds the decision, the change and its event. Refusals are on record as
    well. An exception leaves nothing behind.
    """

    def __init__(
        self,
        store: Store,
        *,
        clock: Clock,
        ids: Ids,
        secrets: Callable[[], Secrets],
        zone: tzinfo | None,
    ) -> None:
        self._store = store
        self._clock = clock
        self._ids = ids
        self._secrets = secrets
        self._zone = zone

    def handle(self, command: Command, caller: Caller) -> Outcome:
        """Put one command through the ten steps."""
        with self._store.write() as tx:
            last = tx.events.latest(1)
            now = max(self._clock.now(), last[0].at if last else 0)
            work = Work(
                tx=tx,
                caller=caller,
                now=now,
                ids=self._ids,
                secrets=self._secrets(),
                zone=self._zone,
            )
            flush_refusals(work)
            ruling = authority.rule_on_place(caller.principal, caller.place)
            if ruling.verdict == "refuse":
                outcome: Outcome = work.refuse(ruling.rule, ruling.say)
            else:
                outcome = _HANDLERS[type(command)](work, command)
        if isinstance(command, Forget) and outcome.code == "forgotten":
            return self._scrubbed(outcome)
        return outcome

    def _scrubbed(self, outcome: Outcome) -> Outcome:
        """Overwrite what erased text is left in logs and free pages, and say if it must wait."""
        if self._store.scrub():
            return outcome
        return replace(
            outcome,
            code="forgotten.pending",
            say=f"{outcome.say} Another process is reading, so the write-ahead log is cleared"
            " when it ends; `onrecord check` finishes that.",
        )


def _remember(work: Work, command: Remember) -> Outcome:
    if not command.idempotency_key:
        return run_steps(work, command)
    party = f"{work.principal.writer}:{work.principal.name}"
    request = hashlib.sha256(repr(replace(command, idempotency_key="")).encode()).digest()
    known = work.tx.answers.get(party, command.idempotency_key)
    if known is not None:
        if known[0] != request:
            raise BadField(
                "That idempotency key was used for another request.",
                hint="Use a new key for a new request.",
                details={"field": "idempotency_key"},
            )
        return _repeat(work, known[1])
    outcome = run_steps(work, command)
    item = outcome.item.id if outcome.item else ""
    work.tx.answers.put(party, command.idempotency_key, request, _kept(outcome), item, work.now)
    return outcome


_HANDLERS[Remember] = _remember


def run_steps(work: Work, command: Remember) -> Outcome:
    """The ten steps for one statement."""
    place = work.caller.place
    scope = scopes.parse(command.scope, place) if command.scope else default_scope(work)
    scope = work.tx.scopes.resolve(scope)
    draft = Draft(command=command, scope=scope, content=command.content, evidence=command.evidence)
    for step in STEPS:
        answer = step(work, draft)
        if answer is not None:
            return answer
    return writing.write(work, draft)


def default_scope(work: Work) -> str:
    """Where a statement goes that names no scope: the repository, else everywhere."""
    return work.caller.place.repo or "global"


def _kept(outcome: Outcome) -> str:
    """An answer to keep for its idempotency key; it holds no text of the item."""
    return json.dumps(
        {
            "outcome": name_of(outcome),
            "code": outcome.code,
            "say": outcome.say,
            "undo": outcome.undo,
            "item": outcome.item.id if outcome.item else None,
            "candidates": [[c.id, c.why, c.version] for c in outcome.candidates],
        }
    )


def _repeat(work: Work, kept: str) -> Outcome:
    answer = json.loads(kept)
    item = work.tx.items.get(answer["item"]) if answer["item"] else None
    make: Callable[..., Outcome] = _ANSWERS[answer["outcome"]]
    return make(
        code=answer["code"],
        say=answer["say"],
        undo=answer["undo"],
        candidates=tuple(Candidate(id=i, why=w, version=v) for i, w, v in answer["candidates"]),
        item=item,
    )
