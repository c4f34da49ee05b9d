"""Observed words on their way into other sessions: an outsider's may pose as instructions.

Commit subjects and file names come from whoever wrote them, and a prompt may hold what was
pasted. They are delivered without a review, so what reads like instructions to a model stays
out of them; that something was there is told.
"""

from __future__ import annotations

from onrecord.policy import screen
from onrecord.policy.redact import redact

#: Flags of screening that tell of a text that tries to steer a model.
_STEERS = "instructs."


def steers(text: str) -> bool:
    """Whether a text reads like instructions to a model."""
    return any(flag.startswith(_STEERS) for flag in screen.screen("-", text).flags)


def prompt_told(prompt: str) -> str:
    """A person's prompt as it may be kept and handed on."""
    clean = redact(prompt).text
    return "(withheld: it reads like instructions to a model)" if steers(clean) else clean


def commit_told(commit: str, subject: str) -> str:
    """A commit by its short id and subject."""
    clean = redact(subject).text
    told = "(its subject reads like instructions to a model)" if steers(clean) else clean
    return f"{commit[:10]} {told}"


def path_told(path: str) -> str:
    """A changed file by its path."""
    clean = redact(path).text
    return "(a name that reads like instructions)" if steers(clean) else clean
