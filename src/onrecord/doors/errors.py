"""The one table from error and outcome to each door's own way of saying it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from onrecord.domain.errors import OnrecordError

if TYPE_CHECKING:
    from onrecord.domain.outcome import Outcome

#: code or its first part -> (exit status, HTTP status, JSON-RPC error code)
TABLE: dict[str, tuple[int, int, int]] = {
    "internal": (5, 500, -32603),
    "usage": (2, 400, -32602),
    "scope": (2, 400, -32602),
    "field": (2, 400, -32602),
    "id": (2, 400, -32602),
    "redaction.name": (2, 400, -32602),
    "not_found": (1, 404, -32002),
    "denied": (1, 403, -32003),
    "person": (4, 403, -32003),
    "declined": (1, 409, -32009),
    "output": (1, 500, -32603),
    "config": (1, 409, -32009),
    "conflict": (3, 409, -32009),
    "embedding": (1, 503, -32011),
    "store": (5, 503, -32010),
}

#: refusals whose way out is a person at a terminal
_PERSON_RULES = ("_needs_person", "_needs_key")


def row(error: OnrecordError) -> tuple[int, int, int]:
    """The table's row of an error: by its whole code, else by the first part of it."""
    return TABLE.get(error.code) or TABLE.get(error.code.partition(".")[0]) or TABLE["internal"]


def exit_status(outcome: Outcome) -> int:
    """0 done · 1 refused · 3 conflict · 4 needs a person."""
    # loaded where an outcome is, and nowhere else
    from onrecord.domain.outcome import Conflict, Refused  # noqa: PLC0415

    if isinstance(outcome, Conflict):
        return 3
    if isinstance(outcome, Refused):
        return 4 if outcome.code.endswith(_PERSON_RULES) else 1
    return 0
