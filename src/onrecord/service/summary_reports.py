"""What a run of the summariser did, and what is known of runs before."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from onrecord.domain.session import Session


@dataclass(kw_only=True, slots=True)
class PartDone:
    """What became of one part."""

    messages: int
    tokens: int
    #: kept · bad · looked (nothing was sent) · known (kept by a run that was cut off)
    state: str
    #: every prompt exactly as it was sent, or would be
    prompts: list[str] = field(default_factory=list[str])
    #: outcome -> items
    outcomes: dict[str, int] = field(default_factory=dict[str, int])
    #: what was wrong with answers that were set aside
    bad: list[str] = field(default_factory=list[str])


@dataclass(frozen=True, kw_only=True, slots=True)
class Summarised:
    """What one run did, or would do."""

    session: Session
    parts: tuple[PartDone, ...]
    #: lines of the transcript that could not be read
    damaged: int
    #: parts that wait for the next run
    more: bool
    #: why it ended early: missing · failed · slow · too_big; empty where it did not
    stopped: str
    #: takes back all that was proposed; empty where nothing was
    batch: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Owed:
    """A session that is to be summarised without being asked."""

    session: Session
    #: owed · waits (for its next try) · given_up
    state: str
    #: how often it was tried in vain
    tries: int
    #: why the last try ended, as in `Summarised.stopped`; empty before the first
    why: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Sent:
    """One time that something was handed to the command."""

    at: int
    session: str
    #: where in the transcript its first message begins, in bytes
    start: int
    messages: int
    tokens: int
    #: the settings' tokens of a part at that time
    max_tokens: int
    #: keyed print of the messages as they were sent, in hex
    print: str
    #: what was sent, made anew from the transcript; empty where that says something else now
    text: str = ""
