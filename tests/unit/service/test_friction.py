"""What counts as a correction, and how much of it as friction."""

from __future__ import annotations

import pytest

from onrecord.service.friction import QUESTION, corrects, enough


@pytest.mark.parametrize(
    "prompt",
    [
        "No, use pnpm.",
        "  That's wrong",
        "that\u2019s not it",
        "Stop.",
        "I said Thursday",
        "Undo that",
    ],
)
def test_a_correction_begins_like_one(prompt: str) -> None:
    """Whatever the case, the spaces or the kind of apostrophe."""
    assert corrects(prompt)


@pytest.mark.parametrize(
    "prompt",
    [
        "",
        "Now add a test",
        "Note that pnpm is used",
        "Fix what is wrong in pay.py",
        "Why is it so?",
    ],
)
def test_an_ordinary_prompt_is_none(prompt: str) -> None:
    """A word in the middle says nothing."""
    assert not corrects(prompt)


def test_a_little_is_no_friction() -> None:
    """Everyone fails twice, and is corrected once."""
    assert not enough(2, 1)
    assert enough(3, 0)
    assert enough(0, 2)


def test_the_question_asks() -> None:
    """It commands nothing."""
    assert "?" in QUESTION
    assert not any(word in QUESTION.lower() for word in ("must", "always", "never", "you should"))
