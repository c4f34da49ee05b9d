"""Copilot CLI: events; what was typed counts, not what was sent with context around it."""

from __future__ import annotations

from collections.abc import Mapping

from onrecord.capture.agents.base import as_mapping
from onrecord.capture.transcripts.message import ASSISTANT, USER, Message, text_of

_ROLES = {"user.message": USER, "assistant.message": ASSISTANT}


def message_in(line: Mapping[str, object], _state: dict[str, object]) -> Message | None:
    """The message of a line, None for every other line."""
    role = _ROLES.get(text_of(line.get("type")))
    if role is None:
        return None
    return Message(
        role=role,
        text=text_of(as_mapping(line.get("data")).get("content")),
        id=text_of(line.get("id")),
        at=text_of(line.get("timestamp")),
    )
