"""An item's life: kinds, statuses, and the one table of legal steps between them."""

from __future__ import annotations

from onrecord.domain.errors import IllegalTransition

KINDS = (
    "fact",
    "decision",
    "preference",
    "lesson",
    "task",
    "handoff",
    "summary",
    "note",
    "rule",
    "reminder",
)
#: What comes up at a day or a path, once.
REMINDER = "reminder"
STATUSES = ("proposed", "active", "archived", "rejected", "superseded", "forgotten")
#: What is derived of these once their expiry is past; it is never stored.
EXPIRED = "expired"
EXPIRING = ("proposed", "active")
#: What a listing can be asked for.
STATES = (*STATUSES, EXPIRED)
VERIFICATIONS = ("unverified", "corroborated", "verified", "disputed", "stale")
REJECT_REASONS = ("wrong", "unwanted", "duplicate", "wrong_scope", "not_useful")

#: Only these reasons leave a tombstone; the others say nothing about the value itself.
TOMBSTONE_REASONS = ("wrong", "unwanted")

#: action -> (statuses it may start from, status it leads to; None keeps the status)
TRANSITIONS: dict[str, tuple[tuple[str, ...], str | None]] = {
    "approve": (("proposed",), "active"),
    "reject": (("proposed", "active", "archived"), "rejected"),
    "archive": (("active", "proposed"), "archived"),
    "restore": (("archived",), "active"),
    #: an archived proposal was never approved, so it goes back to the queue
    "reopen": (("archived",), "proposed"),
    "supersede": (("active", "proposed", "archived"), "superseded"),
    "revise": (("active", "proposed"), None),
    "pin": (("active",), None),
    "unpin": (("active",), None),
    "verify": (("active",), None),
    "dispute": (("active",), None),
    "stale": (("active",), None),
    "lapse": (("proposed",), "archived"),
    "move": (("active", "proposed"), None),
    "forget": (("proposed", "active", "archived", "rejected", "superseded"), "forgotten"),
}


def stored(states: tuple[str, ...]) -> tuple[str, ...]:
    """The statuses under which items of those states are kept."""
    if EXPIRED not in states:
        return states
    return tuple(dict.fromkeys((*(state for state in states if state != EXPIRED), *EXPIRING)))


def step(action: str, status: str) -> str:
    """The status after `action`; raises `IllegalTransition` naming both where there is none."""
    allowed, target = TRANSITIONS[action]
    if status not in allowed:
        raise IllegalTransition(
            f"An item that is {status} cannot be changed by `{action}`.",
            hint=f"`{action}` works on items that are {' or '.join(allowed)}.",
            details={"from": status, "to": target or status},
        )
    return target or status
