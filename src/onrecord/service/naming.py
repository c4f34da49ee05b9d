"""Names without secrets: what is stored as a name is never a secret, in whole or in part (light).

A caller who names something after a secret is refused. What clients and git tell by themselves
is kept without it: a folder is then known by its number in the file system, which says nothing
of its name and tells two of them apart; anything else is left out.
"""
# pathlib costs more than the rest of the hook:

from __future__ import annotations

import os

from onrecord.domain import scope as scopes
from onrecord.domain.errors import SecretName
from onrecord.policy.plain import looks_plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from onrecord.capture.event import Event
    from onrecord.domain.errors import OnrecordError
    from onrecord.domain.scope import Place
    from onrecord.service.caller import Caller

#: A call's id as clients make them: a prefix and random letters, which are no secret.
_CALLS = ("toolu_", "call_")
_LONGEST_CALL = 40

#: Fields of commands that name something.
_NAMES = ("scope", "key", "old", "new", "to_agent", "idempotency_key", "batch", "item", "name")


def holds_secret(name: str) -> bool:
    """Whether redaction would take something out of a name."""
    if looks_plain(name):
        return False
    from onrecord.policy.redact import redact  # noqa: PLC0415 - only where it has to look

    return bool(redact(name).removed)


def without_secrets(text: str) -> str:
    """A message as it may be shown or logged."""
    from onrecord.policy.redact import redact  # noqa: PLC0415 - only where something failed

    return redact(text).text


def require_plain(name: str, field: str) -> str:
    """The name; raises `SecretName`, which names the field alone, where it holds a secret."""
    if name and holds_secret(name):
        raise SecretName(
            f"`{field}` holds what looks like a secret, so nothing was stored.",
            hint="Choose a name that says what it is about. If the secret is real, change it.",
            details={"field": field},
        )
    return name


def require_plain_names(command: object, caller: Caller) -> None:
    """Raise `SecretName` where a command, or who gives it from where, names a secret."""
    by = caller.principal
    named = [(field, str(getattr(command, field, "") or "")) for field in _NAMES]
    named += [("user", by.user), ("agent", by.agent), ("model", by.model)]
    named += [("session", by.session), *(("scope", name) for name in caller.place.ladder())]
    for field, name in named:
        require_plain(_key_of(name), field)


def parse_scope(text: str, place: Place | None = None) -> str:
    """The canonical name of a scope; raises `SecretName`, or `BadScope` as `scope.parse` does."""
    require_plain(_key_of(text), "scope")
    return scopes.parse(text, place)


def _key_of(scope: str) -> str:
    """A scope's name without the words of its form, of which `session:` looks like a label."""
    kind, colon, key = scope.partition(":")
    if not colon or kind not in scopes.LADDER:
        return scope
    if kind == "session":
        agent, _, session = key.partition(":")
        return session if session and not holds_secret(agent) else key
    branchless, at, branch = key.removeprefix("path:").rpartition("@")
    if at and looks_plain(branchless) and looks_plain(branch):
        return branch
    return key.removeprefix("path:")


def kept(name: str) -> str:
    """A name that a client told, as it may be stored: empty where it holds a secret."""
    return "" if holds_secret(name) else name


def kept_id(call: str) -> str:
    """A call's id as it may be stored; empty where it holds a secret."""
    prefix, mark, rest = call.partition("_")
    usual = f"{prefix}{mark}" in _CALLS and rest.isalnum() and len(rest) <= _LONGEST_CALL
    return call if usual else kept(call)


def kept_path(path: str) -> str:
    """A path as it may be stored: a folder named after a secret is known by its number."""
    if not path or not holds_secret(path):
        return path
    walked = ""
    parts: list[str] = []
    for part in path.split("/"):
        walked = f"{walked}/{part}" if parts else part
        parts.append(_numbered(walked) if part and holds_secret(part) else part)
    made = "/".join(parts)
    # where only the whole reads as a secret, nothing of it is kept
    return _numbered(path) if holds_secret(made) else made


def _numbered(path: str) -> str:
    try:
        return f"redacted-{os.lstat(path).st_ino}"
    except (OSError, ValueError):
        return "redacted"


def clean_error(error: OnrecordError) -> OnrecordError:
    """The error with no secret in what it says: it may repeat a caller's own words."""
    error.message = without_secrets(error.message)
    error.hint = without_secrets(error.hint) if error.hint else ""
    error.details = {
        name: without_secrets(value) if isinstance(value, str) else value
        for name, value in error.details.items()
    }
    return error


def clean_event(told: Event) -> bool:
    """Take secrets out of what a client told of itself; False where no session is left.

    The prompt, the tool's words and the folder stay as they are: they are looked at, and
    redacted where they are kept.
    """
    if holds_secret(told.session):
        return False
    told.agent_id = told.agent_id and (kept(told.agent_id) or "redacted")
    told.tool_use_id = kept_id(told.tool_use_id)
    told.source = kept(told.source)
    told.reason = kept(told.reason)
    told.model = kept(told.model)
    told.tool = kept(told.tool)
    told.permission_mode = kept(told.permission_mode)
    told.transcript = kept_path(told.transcript)
    return True
