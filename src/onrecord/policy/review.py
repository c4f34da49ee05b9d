"""The review policy: which of an agent's writes to shared scopes wait for a person."""

from __future__ import annotations

POLICIES = ("all", "flagged", "none")
DEFAULT = "all"


def first_status(policy: str, *, flags: tuple[str, ...], tainted: bool, cited: bool) -> str:
    """`active` or `proposed` for an agent's write to a shared scope.

    all: everything waits · flagged: unflagged text whose repository citation holds goes
    live, the rest waits · none: unflagged text goes live. Text from outside the user's own
    words always waits, and so does everything under a policy that is not known.
    """
    live = policy == "none" or (policy == "flagged" and cited)
    return "active" if live and not flags and not tainted else "proposed"
