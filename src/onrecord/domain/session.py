"""Agent sessions, handoffs between them, and what was delivered into them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

HANDOFF_STATUSES = ("open", "claimed", "acknowledged", "expired", "cancelled", "replaced")


@dataclass(frozen=True, kw_only=True, slots=True)
class Session:
    """One agent run."""

    #: ULID
    id: str
    #: agent CLI name
    agent: str
    #: the agent's own id of it; empty for a synthetic session
    agent_session: str = ""
    #: session that this one came from by clear or fork
    parent: str = ""
    model: str = ""
    transcript: str = ""
    #: repositories that it was seen in, canonical; `global` for a folder of none
    scopes: tuple[str, ...] = ()
    cwd: str = ""
    repo: str = ""
    branch: str = ""
    started_at: int
    ended_at: int | None = None
    last_event_at: int
    #: startup · resume · clear · compact · fork
    start_reason: str = ""
    end_reason: str = ""
    #: redacted, at most MAX_PROMPT characters
    first_prompt: str = ""
    last_prompt: str = ""
    prompts: int = 0
    head_start: str = ""
    head_end: str = ""
    commits: tuple[str, ...] = ()
    diff_stat: str = ""
    headless: bool = False
    #: made up because no hook told of it; says so wherever it is shown
    synthetic: bool = False
    #: whether packs are delivered into it
    deliver: bool = True
    #: in the middle of a turn, as far as its hooks told
    busy: bool = False
    #: times its context was compacted, tools that failed, prompts that corrected the agent
    compactions: int = 0
    failures: int = 0
    corrections: int = 0
    #: whether it was asked, once, if something should be kept
    nudged: bool = False
    #: erased for good: nothing more of it is taken in, read or handed over
    forgotten: bool = False
    #: its agent's process, for joining calls to it
    pid: int = 0
    pid_started: int = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class Handoff:
    """What the next agent needs; the item of the same id carries it as text."""

    #: id of the item of kind `handoff`
    item: str
    #: session it came from
    session: str
    #: agent it is addressed to, empty for whoever comes next
    to_agent: str = ""
    done: str = ""
    state: str = ""
    next: str = ""
    questions: str = ""
    repo: str = ""
    branch: str = ""
    head: str = ""
    #: path -> sha256 of the working tree's changed files
    dirty: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    #: one of HANDOFF_STATUSES
    status: str = "open"
    automatic: bool = False
    created_at: int
    #: an open handoff lapses then
    lapses_at: int
    claimed_by: str = ""
    claimed_at: int | None = None
    lease_until: int | None = None
    acknowledged_at: int | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Delivered:
    """One item of a delivery: shown, or withheld and why."""

    item: str
    version: int
    rank: int
    score: float = 0.0
    #: parts of the score by name
    parts: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))
    tokens: int = 0
    shown: bool = True
    why: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Delivery:
    """The record of what one pack put into one session, and why."""

    #: ULID
    id: str
    #: id of a session; empty for a pack that a person asked for
    session: str = ""
    #: hook · mcp · terminal · python
    channel: str
    #: session_start · prompt · context
    occasion: str
    at: int
    budget: int
    tokens: int
    #: redacted words of the query, empty for a standing pack
    query: str = ""
    items: tuple[Delivered, ...] = ()
