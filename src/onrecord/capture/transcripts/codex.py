"""Codex: rollouts as they are written now, and as older versions wrote them.

What the model saw stands in `response_item` lines, and the same texts again in `event_msg`
lines; the first kind counts, and the second only in a file that has none of it. The oldest
files have the items bare, without a line around them.
"""

from __future__ import annotations

from collections.abc import Mapping

from onrecord.capture.agents.base import as_list, as_mapping
from onrecord.capture.transcripts.message import (
    ASSISTANT,
    COMPACTION,
    USER,
    Message,
    text_of,
    texts_of,
)

#: What Codex says of a user's text that was typed.
_TYPED = "user.text"
#: How texts begin that the harness put there, where nothing says so.
_NOT_TYPED = (
    "<environment_context>",
    "<turn_aborted>",
    "<subagent_notification>",
    "<hook_prompt",
    "<user_instructions>",
    "<permissions",
    "<skill>",
    "# AGENTS.md instructions",
)
_ITEMS = "items"


def message_in(line: Mapping[str, object], state: dict[str, object]) -> Message | None:
    """The message of a line, None for every other line."""
    kind, payload = line.get("type"), as_mapping(line.get("payload"))
    at = text_of(line.get("timestamp"))
    if kind == "compacted":
        return Message(role=COMPACTION, at=at)
    if kind == "response_item":
        return _item(payload, at, state)
    if kind == "message":
        return _item(line, at, state)
    if kind == "event_msg" and not state.get(_ITEMS):
        return _event(payload, at)
    return None


def _item(item: Mapping[str, object], at: str, state: dict[str, object]) -> Message | None:
    role = item.get("role")
    if item.get("type") != "message" or role not in (USER, ASSISTANT):
        return None
    state[_ITEMS] = True
    text = texts_of(item.get("content"), ("input_text", "output_text", "text"))
    if role == USER and not _typed(item, text):
        return None
    return Message(role=str(role), text=text, id=text_of(item.get("id")), at=at)


def _typed(item: Mapping[str, object], text: str) -> bool:
    told = as_mapping(item.get("internal_chat_message_metadata_passthrough"))
    kinds = as_list(told.get("content_item_kinds"))
    if kinds:
        return all(kind == _TYPED for kind in kinds)
    return not text.lstrip().startswith(_NOT_TYPED)


def _event(payload: Mapping[str, object], at: str) -> Message | None:
    kind = payload.get("type")
    if kind in ("user_message", "agent_message"):
        text = text_of(payload.get("message"))
        ident = ""
    elif kind == "item_completed":
        item = as_mapping(payload.get("item"))
        kind = {"UserMessage": "user_message", "AgentMessage": "agent_message"}.get(
            text_of(item.get("type"))
        )
        text = texts_of(item.get("content"), ("text", "Text"))
        ident = text_of(item.get("id"))
    else:
        return None
    if kind is None or (kind == "user_message" and text.lstrip().startswith(_NOT_TYPED)):
        return None
    role = USER if kind == "user_message" else ASSISTANT
    return Message(role=role, text=text, id=ident, at=at)
