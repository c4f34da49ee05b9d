"""The tools of the standard profile: static, so that no stored text ever reaches a description."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

#: Kinds that an agent may give a memory.
KINDS = ["fact", "decision", "preference", "lesson", "task", "note", "reminder"]

#: Entries of a list where none is asked for, and at most.
LIMIT = 10
MAX_LISTED = 50

#: Tokens of a context where none are asked for.
BUDGET = 1_500

_TEXT = {"type": "string"}
_THEN = {
    "as_of": {"type": "string", "description": "Date or time: as believed then."},
    "valid_at": {"type": "string", "description": "Date or time: as true then."},
}
_OUTCOME = {
    "type": "object",
    "properties": {
        "outcome": {
            "type": "string",
            "enum": ["created", "corroborated", "updated", "proposed", "conflict", "refused"],
        },
        "code": _TEXT,
        "say": {"type": "string", "description": "Tell the user this sentence."},
        "id": {"type": ["string", "null"]},
        "undo": {"type": ["integer", "null"]},
        "candidates": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "id": _TEXT,
                    "why": _TEXT,
                    "version": {"type": "integer"},
                },
                "required": ["id", "why", "version"],
            },
        },
    },
    "required": ["outcome", "code", "say", "id", "undo", "candidates"],
}


def _tool(
    name: str,
    title: str,
    description: str,
    properties: dict[str, object],
    *,
    required: list[str] | None = None,
    reads: bool = False,
    destroys: bool = False,
    repeats: bool = False,
) -> dict[str, Any]:
    tool: dict[str, Any] = {
        "name": name,
        "title": title,
        "description": description,
        "inputSchema": {
            "type": "object",
            "properties": properties,
            "required": required or [],
            "additionalProperties": False,
        },
        "annotations": {
            "title": title,
            "readOnlyHint": reads,
            "destructiveHint": destroys,
            "idempotentHint": reads or repeats,
            "openWorldHint": False,
        },
    }
    if not reads:
        tool["outputSchema"] = _OUTCOME
    return tool


TOOLS: list[dict[str, Any]] = [
    _tool(
        "remember",
        "Remember",
        "Save one durable statement. What others would see waits for the user's approval."
        " Saying the same again is harmless; a clash is kept and answered as conflict.",
        {
            "title": {
                "type": "string",
                "description": "The statement in one line, at most 200 characters.",
            },
            "body": {
                "type": "string",
                "description": "Markdown, only where one line is not enough.",
            },
            "kind": {"type": "string", "enum": KINDS},
            "scope": {
                "type": "string",
                "description": "repo (default), branch, project, session, agent, global"
                " or kind:key.",
            },
            "key": {"type": "string", "description": "An address; saving to it again updates it."},
            "tags": {"type": "array", "items": _TEXT},
            "evidence": {
                "type": "array",
                "description": "What it rests on.",
                "items": {
                    "type": "object",
                    "properties": {
                        "kind": {
                            "type": "string",
                            "enum": ["message", "file", "url", "pr_comment", "command"],
                        },
                        "pointer": {"type": "string", "description": "path:line, URL, command."},
                        "quote": _TEXT,
                        "author": _TEXT,
                    },
                    "required": ["kind", "pointer"],
                    "additionalProperties": False,
                },
            },
            "prompted_by": {
                "type": "string",
                "description": "For a lesson: the error that led to it.",
            },
            "replaces": {"type": "string", "description": "Id of the memory it replaces."},
            "valid_from": {"type": "string", "description": "Date from which it is true."},
            "valid_to": {"type": "string", "description": "Date until which it is true."},
            "distinct": {"type": "boolean", "description": "It is not what is there already."},
            "if_version": {"type": "integer", "description": "The version you saw."},
            "ttl_days": {"type": "number", "description": "Forgotten by itself after so long."},
            "at": {"type": "string", "description": "A reminder: a date, or in 3 days."},
            "paths": {
                "type": "array",
                "items": _TEXT,
                "description": "A reminder: globs from the repository's top.",
            },
        },
        required=["title"],
    ),
    _tool(
        "recall",
        "Recall",
        "Search what is on record here. Words are text, there is no query syntax."
        " Answers with reference data, or says that nothing is relevant.",
        {
            "query": _TEXT,
            "scope": {
                "type": "array",
                "items": _TEXT,
                "description": "Default: all visible here.",
            },
            "kind": {
                "type": "array",
                "items": {"type": "string", "enum": [*KINDS, "rule", "handoff"]},
            },
            "limit": {"type": "integer", "minimum": 1, "maximum": MAX_LISTED},
            **_THEN,
        },
        required=["query"],
        reads=True,
    ),
    _tool(
        "get",
        "Get",
        "One memory whole, by the id in its [m:id] mark; long ones in pages.",
        {"id": _TEXT, "offset": {"type": "integer", "minimum": 0}, **_THEN},
        required=["id"],
        reads=True,
    ),
    _tool(
        "forget",
        "Forget",
        "Erase a memory of your own by `id`, or all that rests on a `source`: a session, message,"
        " file or address. For shared ones the user is asked.",
        {"id": _TEXT, "source": _TEXT},
        destroys=True,
        repeats=True,
    ),
    _tool(
        "feedback",
        "Feedback",
        "Say whether a memory you were given helped, is wrong, is stale or did not matter.",
        {
            "id": _TEXT,
            "verdict": {"type": "string", "enum": ["helpful", "wrong", "stale", "not_relevant"]},
            "note": _TEXT,
        },
        required=["id", "verdict"],
    ),
    _tool(
        "context",
        "Context",
        "What a session starting here is given: rules, preferences, decisions, lessons, tasks,"
        " handoffs, recent sessions.",
        {
            "query": {"type": "string", "description": "What you are about to do."},
            "budget": {
                "type": "integer",
                "minimum": 100,
                "maximum": 20000,
                "description": "Tokens.",
            },
        },
        reads=True,
    ),
    _tool(
        "handoff",
        "Hand off",
        "Write what the next agent needs to go on, or take one over:"
        " claim it, then acknowledge when you have what you need.",
        {
            "action": {"type": "string", "enum": ["write", "claim", "acknowledge"]},
            "done": _TEXT,
            "state": _TEXT,
            "next": _TEXT,
            "questions": _TEXT,
            "to": {
                "type": "string",
                "description": "An agent's name; default: whoever comes next.",
            },
            "id": {"type": "string", "description": "Of the handoff to claim or acknowledge."},
        },
    ),
    _tool(
        "sessions",
        "Sessions",
        "What agents did in this repository, latest first; or the open handoffs.",
        {
            "what": {"type": "string", "enum": ["sessions", "handoffs"]},
            "limit": {"type": "integer", "minimum": 1, "maximum": MAX_LISTED},
        },
        reads=True,
    ),
]

#: What each tool takes; calls are read by it.
SCHEMAS: dict[str, dict[str, Any]] = {tool["name"]: tool["inputSchema"] for tool in TOOLS}
