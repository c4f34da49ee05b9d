"""What a spooled record may say: bounded, checked, and never authority."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from typing import Any

from onrecord.domain.limits import MAX_PROMPT

#: Kinds of records that hooks write.
EVENTS = (
    "session_start",
    "prompt",
    "pre_tool",
    "post_tool",
    "tool_failure",
    "pre_compact",
    "post_compact",
    "stop",
    "session_end",
    "subagent_start",
    "subagent_stop",
    "interrupt",
    "delivery",
)

_MAX_TEXT = 4_096
_MAX_ITEMS = 200
_MAX_DEPTH = 20


@dataclass(frozen=True, kw_only=True, slots=True)
class Observation:
    """One thing that a hook saw."""

    client: str
    #: the client's own id of the session
    session: str
    event: str
    at: int
    source: str = ""
    reason: str = ""
    prompt: str = ""
    human: bool = False
    model: str = ""
    cwd: str = ""
    transcript: str = ""
    repo: str = ""
    branch: str = ""
    head: str = ""
    tool_use_id: str = ""
    agent_id: str = ""
    headless: bool | None = None
    pid: int = 0
    pid_started: int = 0
    #: of a delivery
    occasion: str = ""
    budget: int = 0
    tokens: int = 0
    handoff: str = ""
    #: (item, version, rank, score, tokens)
    shown: tuple[tuple[str, int, int, float, int], ...] = ()
    #: (item, why)
    withheld: tuple[tuple[str, str], ...] = ()
    digest: bytes = field(default=b"")


def read(text: str, *, now: int) -> Observation | None:
    """The observation that a record's text holds, or None where it is not one.

    Unknown fields are ignored, texts are cut, and a time in the future counts as now.
    """
    try:
        found: Any = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(found, dict) or found.get("event") not in EVENTS:
        return None
    client, session = _text(found, "client", 64), _text(found, "session", 200)
    if not client or not session:
        return None
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
    return Observation(
        client=client,
        session=session,
        event=str(found["event"]),
        at=min(_number(found, "at"), now) or now,
        source=_text(found, "source", 32),
        reason=_text(found, "reason", 64),
        prompt=_text(found, "prompt", MAX_PROMPT),
        human=found.get("human") is True,
        model=_text(found, "model", 200),
        cwd=_text(found, "cwd"),
        transcript=_text(found, "transcript"),
        repo=_text(found, "repo", 512),
        branch=_text(found, "branch", 512),
        head=_text(found, "head", 64),
        tool_use_id=_text(found, "tool_use_id", 200),
        agent_id=_text(found, "agent_id", 200),
        headless=found.get("headless") if isinstance(found.get("headless"), bool) else None,
        pid=_number(found, "pid"),
        pid_started=_number(found, "pid_started"),
        occasion=_text(found, "occasion", 32),
        budget=_number(found, "budget"),
        tokens=_number(found, "tokens"),
        handoff=_text(found, "handoff", 26),
        shown=_shown(found.get("shown")),
        withheld=_withheld(found.get("withheld")),
        digest=digest,
    )


def _text(found: dict[str, Any], name: str, limit: int = _MAX_TEXT) -> str:
    value = found.get(name)
    if not isinstance(value, str):
        return ""
    clean = value.encode("utf-8", "replace").decode("utf-8").replace("\x00", "")
    return clean[:limit]


def _number(found: dict[str, Any], name: str) -> int:
    value = found.get(name)
    fits = isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << 62
    return value if fits and isinstance(value, int) else 0


def _shown(value: Any) -> tuple[tuple[str, int, int, float, int], ...]:
    rows: list[tuple[str, int, int, float, int]] = []
    for row in value[:_MAX_ITEMS] if isinstance(value, list) else []:
        match row:
            case [str(item), int(version), int(rank), int() | float() as score, int(tokens)]:
                rows.append((item[:26], version, rank, float(score), tokens))
    return tuple(rows)


def _withheld(value: Any) -> tuple[tuple[str, str], ...]:
    rows: list[tuple[str, str]] = []
    for row in value[:_MAX_ITEMS] if isinstance(value, list) else []:
        match row:
            case [str(item), str(why)]:
                rows.append((item[:26], why[:200]))
    return tuple(rows)
