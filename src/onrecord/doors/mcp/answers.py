"""Results of calls: fenced text for reading, a small structured answer for changing.

Clients show a model either the structured answer or the text, so each result has one of the
two to say. Nothing in a structured answer or an error is stored text.
"""

from __future__ import annotations

from typing import Any

from onrecord.domain.errors import OnrecordError
from onrecord.domain.outcome import Conflict, Outcome, Refused, name_of
from onrecord.domain.session import Handoff

Json = dict[str, Any]


def text(words: str, *, failed: bool = False) -> Json:
    """Text alone."""
    result: Json = {"content": [{"type": "text", "text": words}]}
    if failed:
        result["isError"] = True
    return result


def change(outcome: Outcome) -> Json:
    """What became of a change; it failed where nothing of it was kept."""
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
    lost = isinstance(outcome, Conflict) and outcome.item is None
    return _structured(shape, failed=lost or isinstance(outcome, Refused))


def handoff(row: Handoff, news: str) -> Json:
    """A handoff that was claimed or acknowledged, and what is different since it was written."""
    say = f"Handoff m:{row.item[-6:]} is {row.status}."
    shape: Json = {
        "outcome": "updated",
        "code": f"handoff.{row.status}",
        "say": f"{say} {news}".strip(),
        "id": row.item,
        "undo": None,
        "candidates": [],
    }
    return _structured(shape)


def error(raised: OnrecordError) -> Json:
    """An error as a result: what happened, the way out, the code."""
    parts = (raised.message, raised.hint, f"({raised.code})")
    return text(" ".join(part for part in parts if part), failed=True)


def _structured(shape: Json, *, failed: bool = False) -> Json:
    result = text(str(shape["say"]), failed=failed)
    result["structuredContent"] = shape
    return result
