"""Gemini CLI: a header, messages, and patches; the last line of a message counts."""

from __future__ import annotations

from collections.abc import Mapping

from onrecord.capture.agents.base import as_list, as_mapping
from onrecord.capture.transcripts.message import (
    ASSISTANT,
    USER,
    Message,
    text_of,
    without_block,
)

_ROLES = {"user": USER, "gemini": ASSISTANT}


def message_in(line: Mapping[str, object], _state: dict[str, object]) -> Message | None:
    """The message of a line, None for every other line."""
    role = _ROLES.get(text_of(line.get("type")))
    if role is None:
        return None
    content = line.get("content")
    if isinstance(content, str):
        text = content
    else:
        parts = [text_of(as_mapping(part).get("text")) for part in as_list(content)]
        text = "\n\n".join(part for part in parts if part.strip())
    if role == USER:
        text = without_block(text, "hook_context")
    return Message(
        role=role, text=text, id=text_of(line.get("id")), at=text_of(line.get("timestamp"))
    )
