"""The caller's checkout as handoffs know it: recorded in one, compared when it is taken over.

Git runs here, so nothing of this belongs into a transaction.
"""

from __future__ import annotations

from onrecord.capture import git_state
from onrecord.domain.scope import Place
from onrecord.domain.session import Handoff
from onrecord.policy.redact import redact

#: Characters of a commit's id that are shown.
_SHORT = 10


def uncommitted(place: Place) -> tuple[tuple[str, str], ...]:
    """(path, digest) of the working tree's changed files; empty where there is no checkout."""
    return tuple(sorted(_dirty(place).items()))


def moved_on(handoff: Handoff, place: Place) -> str:
    """What is different here from when a handoff was written, as one sentence; empty for nothing.

    Names branches and files by number only: it is said outside of any fence.
    """
    if not handoff.repo or handoff.repo != (place.repo or ""):
        return ""
    found: list[str] = []
    if handoff.branch != (place.branch or ""):
        found.append("it was written on another branch")
    if handoff.head and place.commit and handoff.head != place.commit:
        found.append(f"HEAD was {handoff.head[:_SHORT]} and is {place.commit[:_SHORT]}")
    if handoff.dirty:
        now = _dirty(place)
        other = sum(now.get(path) != digest for path, digest in handoff.dirty.items())
        if other:
            found.append(f"{other} of {len(handoff.dirty)} uncommitted files differ")
    return f"Since then: {'; '.join(found)}." if found else ""


def _dirty(place: Place) -> dict[str, str]:
    state = git_state.state(place.root) if place.root else None
    if state is None:
        return {}
    return {redact(path).text: digest for path, digest in state.dirty.items()}
