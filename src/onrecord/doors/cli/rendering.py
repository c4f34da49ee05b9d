"""Items, sessions and answers as lines for a person."""

from __future__ import annotations

from onrecord.domain import time
from onrecord.domain.item import Item
from onrecord.domain.principal import Principal

#: What a review or a listing shows of a body before it says how much more there is.
BODY_LINES = 12


def short(item: str) -> str:
    """The short form of an id: its last six characters."""
    return item[-6:]


def when(at: int) -> str:
    """An instant to the minute, in UTC."""
    return time.to_iso(at)[:16].replace("T", " ")


def who(by: Principal) -> str:
    """Who wrote it, and how."""
    name = by.user if by.is_person else by.agent or by.writer
    return f"{name or 'someone'} ({by.channel})"


def line(item: Item) -> str:
    """An item on one line."""
    marks = [item.kind, item.scope]
    if item.status != "active":
        marks.append(item.status)
    if item.verification != "verified":
        marks.append(item.verification)
    if item.pinned:
        marks.append("pinned")
    if item.key:
        marks.append(f"key {item.key}")
    return f"{short(item.id)}  {item.content.title}  [{', '.join(marks)}]"


def whole(item: Item) -> list[str]:
    """An item with its text, its marks and where it comes from."""
    content = item.content
    lines = [line(item)]
    if content.body:
        lines += ["", content.body, ""]
    if content.summary:
        lines.append(f"summary: {content.summary}")
    if content.tags:
        lines.append(f"tags: {', '.join(content.tags)}")
    if content.prompted_by:
        lines.append(f"prompted by: {content.prompted_by}")
    if content.valid_from is not None or content.valid_to is not None:
        start = time.to_iso(content.valid_from)[:10] if content.valid_from is not None else "?"
        end = (
            time.to_iso(content.valid_to)[:10] if content.valid_to is not None else "no known end"
        )
        lines.append(f"valid: {start} to {end}")
    if item.expires_at is not None:
        lines.append(f"expires: {when(item.expires_at)}")
    if item.flags:
        lines.append(f"flags: {', '.join(item.flags)}")
    lines.append(
        f"version {item.version} by {who(item.head.author)} at {when(item.head.recorded_at)} UTC"
    )
    lines.append(f"id: {item.id}")
    return lines


def brief(item: Item) -> list[str]:
    """An item as a reviewer sees it: the text first, long bodies cut with what is missing."""
    body = item.content.body.splitlines()
    lines = [f"  {item.content.title}"]
    lines += [f"  | {text}" for text in body[:BODY_LINES]]
    if len(body) > BODY_LINES:
        lines.append(f"  | … {len(body) - BODY_LINES} more lines: onrecord show {short(item.id)}")
    return lines
