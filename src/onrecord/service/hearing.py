"""What is kept of a prompt: redacted first, then cut (light)."""

from __future__ import annotations

from onrecord.domain.limits import MAX_PROMPT
from onrecord.policy.redact import redact

#: So much is redacted before the cut that a secret across it is still seen whole: a private
#: key has some 3,300 characters.
LOOK = 8 * MAX_PROMPT


def heard(prompt: str) -> str:
    """The prompt as it may be stored: without secrets, at most MAX_PROMPT characters."""
    return redact(prompt[:LOOK]).text[:MAX_PROMPT]
