"""What a spooled record may say: bounded, checked, and never authority."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeGuard

from onrecord.capture.agents.base import as_list, as_mapping, is_agent_name, is_id
from onrecord.domain import scope as scopes
from onrecord.domain.errors import BadScope, SecretName
from onrecord.domain.limits import MAX_PROMPT
from onrecord.domain.session import Delivered
from onrecord.service.naming import holds_secret, kept, kept_id, kept_path, parse_scope

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
_MAX_PARTS = 12
#: Ranks, tokens, versions and process ids are smaller than this, times and starts than that.
_MAX_COUNT = 1 << 31
_MAX_TIME = 1 << 62


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
    #: nobody sits there, or nobody is asked before it acts; None for unknown
    headless: bool | None = None
    #: nobody sits there
    alone: bool = False
    #: its agent was started with delivery off
    withhold: bool = False
    pid: int = 0
    pid_started: int = 0
    #: of a delivery
    occasion: str = ""
    budget: int = 0
    tokens: int = 0
    handoff: str = ""
    shown: tuple[Delivered, ...] = ()
    #: (item, why)
    withheld: tuple[tuple[str, str], ...] = ()
    digest: bytes = field(default=b"")


def read(text: str, *, now: int) -> Observation | None:
    """The observation that a record's text holds, or None where it is not one.

    Unknown fields are ignored, texts are cut, and a time in the future counts as now.
    """
    try:
        found = as_mapping(json.loads(text))
    except (ValueError, RecursionError):
        return None
    event = _text(found, "event", 32)
    if event not in EVENTS:
        return None
    client, session = _text(found, "client", 64), _text(found, "session", 201)
    if not is_agent_name(client) or not is_id(session):
        return None
    if holds_secret(session) or holds_secret(client):
        return None
    repo = _scope(found, "repo")
    headless = found.get("headless")
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
    return Observation(
        client=client,
        session=session,
        event=event,
        at=min(_number(found, "at", _MAX_TIME), now) or now,
        source=kept(_text(found, "source", 32)),
        reason=kept(_text(found, "reason", 64)),
        prompt=_text(found, "prompt", MAX_PROMPT),
        human=found.get("human") is True,
        model=kept(_text(found, "model", 200)),
        cwd=kept_path(_text(found, "cwd")),
        transcript=kept_path(_text(found, "transcript")),
        repo=repo,
        branch=_branch(found, repo),
        head=kept_id(_text(found, "head", 64)),
        tool_use_id=kept_id(_text(found, "tool_use_id", 200)),
        agent_id=_agent_id(found),
        headless=headless if isinstance(headless, bool) else None,
        alone=found.get("alone") is True,
        withhold=found.get("withhold") is True,
        pid=_number(found, "pid"),
        pid_started=_number(found, "pid_started", _MAX_TIME),
        occasion=kept(_text(found, "occasion", 32)),
        budget=_number(found, "budget"),
        tokens=_number(found, "tokens"),
        handoff=kept(_text(found, "handoff", 26)),
        shown=_shown(found.get("shown")),
        withheld=_withheld(found.get("withheld")),
        digest=digest,
    )


def _text(found: Mapping[str, object], name: str, limit: int = _MAX_TEXT) -> str:
    value = found.get(name)
    if not isinstance(value, str):
        return ""
    return _clean(value)[:limit]


def _clean(text: str) -> str:
    """As it can be stored: no half character pairs, no NUL."""
    return text.encode("utf-8", "replace").decode("utf-8").replace("\x00", "")


def _agent_id(found: Mapping[str, object]) -> str:
    """The subagent's id; one that holds a secret is still a subagent's."""
    given = _text(found, "agent_id", 200)
    return given and (kept(given) or "redacted")


def _number(found: Mapping[str, object], name: str, below: int = _MAX_COUNT) -> int:
    value = found.get(name)
    return value if _counts(value, below) else 0


def _counts(value: object, below: int = _MAX_COUNT) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < below


def _scope(found: Mapping[str, object], kind: str) -> str:
    """A scope of that kind in canonical form; empty for any other."""
    try:
        name = parse_scope(_text(found, kind, scopes.MAX_BYTES))
    except (BadScope, SecretName):
        return ""
    return name if scopes.kind_of(name) == kind else ""


def _branch(found: Mapping[str, object], repo: str) -> str:
    """A branch of that repository, or nothing."""
    name = _scope(found, "branch")
    of = scopes.split_branch(name.partition(":")[2])[0]
    return name if name and repo == f"repo:{of}" else ""


def _shown(value: object) -> tuple[Delivered, ...]:
    rows: list[Delivered] = []
    for row in map(as_list, as_list(value)[:_MAX_ITEMS]):
        if len(row) not in (5, 6):  # item, version, rank, score, tokens, parts of the score
            continue
        item, version, rank, score, tokens = row[:5]
        if not isinstance(item, str) or not _counts(version) or not _counts(rank):
            continue
        if _counts(tokens) and _measures(score):
            rows.append(
                Delivered(
                    item=item[:26],
                    version=version,
                    rank=rank,
                    score=float(score),
                    tokens=tokens,
                    parts=_parts(row[5] if row[5:] else None),
                )
            )
    return tuple(rows)


def _measures(value: object) -> TypeGuard[float]:
    return isinstance(value, int | float) and abs(value) < _MAX_COUNT


def _parts(value: object) -> Mapping[str, float]:
    pairs = list(as_mapping(value).items())[:_MAX_PARTS]
    return {name: float(part) for name, part in pairs if len(name) <= 32 and _measures(part)}  # noqa: PLR2004 - a word


def _withheld(value: object) -> tuple[tuple[str, str], ...]:
    rows: list[tuple[str, str]] = []
    for row in map(as_list, as_list(value)[:_MAX_ITEMS]):
        match row:
            case [str(item), str(why)]:
                rows.append((item[:26], kept(_clean(why)[:200])))
            case _:
                continue
    return tuple(rows)
