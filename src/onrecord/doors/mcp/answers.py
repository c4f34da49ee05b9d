"""Results of calls: fenced text for reading, a small structured answer for changing.

Clients show a model either the structured answer or the text, so each result has one of the
two to say. Nothing in a structured answer or an error is stored text. A refusal is an answer
and no error: what is marked as one, clients take for a broken call, and one of them adds
advice to call again.
"""

from __future__ import annotations

from typing import Any

from onrecord.domain.errors import OnrecordError
from onrecord.domain.outcome import Outcome, name_of
from onrecord.domain.principal import Principal
from onrecord.domain.session import Handoff
from onrecord.service import naming
from onrecord.service.who import as_told

Json = dict[str, Any]


def text(words: str) -> Json:
    """Text alone."""
    return {"content": [{"type": "text", "text": words}]}


def change(outcome: Outcome, by: Principal) -> Json:
    """What became of a change, a refusal included; `by` is who asked for it."""
    shape: Json = {
        "outcome": name_of(outcome),
        "code": outcome.code,
        "say": as_told(outcome.say, by),
        "id": outcome.item.id if outcome.item else None,
        "undo": outcome.undo,
        "candidates": [
            {"id": c.id, "why": c.why, "version": c.version} for c in outcome.candidates
        ],
    }
    return _structured(shape)


def handoff(row: Handoff, news: str, undo: int | None) -> Json:
    """A handoff that was claimed or acknowledged, and what is different since it was written."""
    say = f"Handoff m:{row.item[-6:]} is {row.status}."
    shape: Json = {
        "outcome": "updated",
        "code": f"handoff.{row.status}",
        "say": f"{say} {news}".strip(),
        "id": row.item,
        "undo": undo,
        "candidates": [],
    }
    return _structured(shape)


def error(raised: OnrecordError) -> Json:
    """An error as a result: what happened, the way out, the code."""
    naming.clean_error(raised)
    parts = (raised.message, raised.hint, f"({raised.code})")
    return {**text(" ".join(part for part in parts if part)), "isError": True}


def _structured(shape: Json) -> Json:
    return {**text(str(shape["say"])), "structuredContent": shape}
