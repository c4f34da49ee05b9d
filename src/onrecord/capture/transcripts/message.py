"""One message of a conversation, as a transcript holds it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from onrecord.capture.agents.base import as_list, as_mapping, is_id

#: Characters of one message that are kept.
MAX_TEXT = 32_000

USER, ASSISTANT = "user", "assistant"
#: The context was compacted here; it has no text.
COMPACTION = "compaction"


@dataclass(frozen=True, kw_only=True, slots=True)
class Message:
    """What a person or a model said, or where the context was compacted."""

    #: USER · ASSISTANT · COMPACTION
    role: str
    text: str = ""
    #: the client's own id of it, empty where it has none
    id: str = ""
    #: when, as the client wrote it (ISO 8601), or empty
    at: str = ""
    #: where its line begins in the file, in bytes
    offset: int = 0


def text_of(value: object) -> str:
    """A text in JSON, or nothing."""
    return value if isinstance(value, str) else ""


def texts_of(parts: object, kinds: tuple[str, ...]) -> str:
    """The texts of those parts that are of one of the kinds, one paragraph each."""
    found = [
        text_of(part.get("text"))
        for part in map(as_mapping, as_list(parts))
        if text_of(part.get("type")) in kinds
    ]
    return "\n\n".join(text for text in found if text.strip())


def without_block(text: str, name: str) -> str:
    """A text without blocks `<name …>` to `</name …>`; one that does not end goes to the end."""
    start = text.find(f"<{name}")
    while start >= 0:
        after = text[start + len(name) + 1 : start + len(name) + 2]
        if after not in (">", " ", "\n"):
            start = text.find(f"<{name}", start + 1)
            continue
        ended = text.find(f"</{name}", start)
        closed = text.find(">", ended) if ended >= 0 else -1
        text = text[:start] + (text[closed + 1 :] if closed >= 0 else "")
        start = text.find(f"<{name}", start)
    return text


def storable(message: Message) -> Message:
    """A message whose text is within its limit; an id that cannot be kept is none."""
    ident = message.id if is_id(message.id) else ""
    return replace(message, text=cut(message.text), id=ident)


def cut(text: str) -> str:
    """A message's text within its limit, with a mark where something is missing."""
    text = text.encode("utf-8", "replace").decode("utf-8").replace("\0", "").strip()
    if len(text) <= MAX_TEXT:
        return text
    return f"{text[:MAX_TEXT]}\n[cut: {len(text) - MAX_TEXT} more characters]"
