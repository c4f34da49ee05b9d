"""Claude Code: one object a line, one content block each; what hooks gave is left out."""

from __future__ import annotations

from collections.abc import Mapping

from onrecord.capture.agents.base import as_mapping
from onrecord.capture.transcripts.message import (
    ASSISTANT,
    COMPACTION,
    USER,
    Message,
    text_of,
    texts_of,
    without_block,
)

#: Texts in a user's line that nobody typed.
_NOT_TYPED = (
    "<command-name>",
    "<command-message>",
    "<local-command-",
    "<bash-input>",
    "<bash-stdout>",
    "<task-notification>",
    "[Request interrupted by user",
    "Caveat: The messages below were generated",
)


def message_in(line: Mapping[str, object], _state: dict[str, object]) -> Message | None:
    """The message of a line, None for every other line."""
    kind = line.get("type")
    if kind == "system" and line.get("subtype") == "compact_boundary":
        return Message(role=COMPACTION, id=text_of(line.get("uuid")))
    if kind not in ("user", "assistant") or _made_up(line):
        return None
    message = as_mapping(line.get("message"))
    if message.get("model") == "<synthetic>":
        return None
    content = message.get("content")
    text = content if isinstance(content, str) else texts_of(content, ("text",))
    if kind == "user":
        text = without_block(text, "system-reminder").strip()
        if text.startswith(_NOT_TYPED):
            return None
    return Message(
        role=USER if kind == "user" else ASSISTANT,
        text=text,
        id=text_of(line.get("uuid")),
        at=text_of(line.get("timestamp")),
    )


def _made_up(line: Mapping[str, object]) -> bool:
    """Whether nobody said it: notes, summaries, errors; subagents talk to their own model."""
    return any(
        line.get(name) is True
        for name in ("isMeta", "isCompactSummary", "isApiErrorMessage", "isSidechain")
    )
