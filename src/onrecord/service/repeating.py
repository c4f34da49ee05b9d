"""Idempotency: the same key and request get the same answer, once."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

from onrecord.domain.errors import BadField
from onrecord.domain.item import MAX_KEY
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
from onrecord.policy import fingerprint
from onrecord.service.commands import Remember
from onrecord.service.work import Work

_OUTCOMES: dict[str, Callable[..., Outcome]] = {
    kind.__name__.lower(): kind
    for kind in (Created, Corroborated, Updated, Proposed, Conflict, Refused)
}


def once(work: Work, command: Remember, run: Callable[[], Outcome]) -> Outcome:
    """The answer that was given to this key, or the answer of running it now.

    Raises `BadField` where the key stands for another request. Neither the key nor the
    request is kept, only prints of them that need the store's own key to be tried.
    """
    given = command.idempotency_key
    if not given:
        return run()
    if len(given) > MAX_KEY:
        raise BadField(
            f"An idempotency key has at most {MAX_KEY} characters.",
            details={"field": "idempotency_key", "limit": MAX_KEY, "given": len(given)},
        )
    party = f"{work.principal.writer}:{work.principal.name}"
    known = _answered(work, party, command)
    if known is None:
        outcome = run()
        item = outcome.item.id if outcome.item else ""
        name, request = _prints_of(work, command, work.secrets.key)
        work.tx.answers.put(party, name, request, _kept(outcome), item, work.now)
        return outcome
    same, answer = known
    if not answer:
        return work.refuse(
            "idempotency.erased",
            "That request was answered before, and what it stored has been erased since.",
        )
    if not same:
        raise BadField(
            "That idempotency key was used for another request.",
            hint="Use a new key for a new request.",
            details={"field": "idempotency_key"},
        )
    return _again(work, answer)


def _answered(work: Work, party: str, command: Remember) -> tuple[bool, str] | None:
    """Whether the key stands for this very request, and its answer; None for a new key.

    It may have been kept under a fingerprint key that was in use before.
    """
    for secret in work.secrets.keys:
        name, request = _prints_of(work, command, secret)
        known = work.tx.answers.get(party, name)
        if known is not None:
            return known[0] == request, known[1]
    return None


def _prints_of(work: Work, command: Remember, secret: bytes) -> tuple[str, bytes]:
    """The key, and what two requests have in common that ask for the same, from one place."""
    asked = repr(replace(command, idempotency_key=""))
    where = f"request:{work.caller.place.repo or ''}"
    name = fingerprint.key_print(secret, "idempotency", command.idempotency_key)
    return name.hex(), fingerprint.key_print(secret, where, asked)


def _kept(outcome: Outcome) -> str:
    """An answer to keep; it holds no text of the item, so a question back is not repeated."""
    return json.dumps(
        {
            "outcome": name_of(outcome),
            "code": outcome.code,
            "say": outcome.say if outcome.item else "",
            "undo": outcome.undo,
            "item": outcome.item.id if outcome.item else None,
            "candidates": [[c.id, c.why, c.version] for c in outcome.candidates],
        }
    )


def _again(work: Work, kept: str) -> Outcome:
    answer = json.loads(kept)
    item = work.tx.items.get(answer["item"]) if answer["item"] else None
    return _OUTCOMES[answer["outcome"]](
        code=answer["code"],
        say=answer["say"] or f"The answer is the same as before: {answer['code']}.",
        undo=answer["undo"],
        candidates=tuple(Candidate(id=i, why=w, version=v) for i, w, v in answer["candidates"]),
        item=item,
    )
