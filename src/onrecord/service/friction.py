"""Whether a session went against resistance: tools that failed, a person who corrected (light).

Only then is an agent asked, as it stops, whether something should be kept for the next one.
"""

from __future__ import annotations

#: Failures, or corrections, from which on a session counts as one with friction.
FAILURES = 3
CORRECTIONS = 2

#: What a stopping agent is asked, once in a session. It asks, and commands nothing.
QUESTION = (
    "onrecord: this session had failures or corrections. Is there something that would spare the"
    " next agent the same? If so, you could recall it first and then remember it as a lesson, with"
    " what led to it. If not, simply stop; nothing is expected."
)

#: How a person begins who corrects.
_BEGINS = (
    "no,", "no.", "no!", "nope", "wrong", "not what i", "that is wrong", "that's wrong",
    "that is not", "that's not", "this is wrong", "i said", "i told you", "i asked", "stop",
    "don't", "do not", "undo", "revert", "actually,", "you forgot", "you missed", "you broke",
    "why did you", "that's still", "still broken", "still fails", "still wrong", "it still",
)  # fmt: skip


def corrects(prompt: str) -> bool:
    """Whether a prompt begins as a correction does; English alone is read."""
    return prompt.lstrip().lower().replace("\u2019", "'").startswith(_BEGINS)


def enough(failures: int, corrections: int) -> bool:
    """Whether that much counts as friction."""
    return failures >= FAILURES or corrections >= CORRECTIONS
