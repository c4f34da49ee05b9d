"""What is kept of a prompt: redacted first, then cut (light)."""

from __future__ import annotations

from onrecord.domain.limits import MAX_PROMPT
from onrecord.policy.redact import within


def heard(prompt: str) -> str:
    """The prompt as it may be stored: without secrets, at most MAX_PROMPT characters."""
    return within(prompt, MAX_PROMPT)[0]
