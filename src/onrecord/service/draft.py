"""A statement on its way through the gateway's steps."""

from __future__ import annotations

from dataclasses import dataclass, field

from onrecord.domain.item import Content, Item
from onrecord.domain.outcome import Candidate
from onrecord.domain.tombstone import Tombstone
from onrecord.service.commands import Claim, Remember


@dataclass(kw_only=True, slots=True)
class Draft:
    """What the steps have decided so far; the last step stores it."""

    command: Remember
    #: canonical scope
    scope: str
    content: Content
    #: active or proposed, as far as decided
    status: str = "active"
    #: why it waits, the first rule that said so
    waits: str = ""
    flags: list[str] = field(default_factory=list)
    tainted: bool = False
    evidence: tuple[Claim, ...] = ()
    #: secrets taken out, by kind
    redacted: dict[str, int] = field(default_factory=dict)
    candidates: list[Candidate] = field(default_factory=list)
    #: tombstones that a person's override lifts
    lifts: list[Tombstone] = field(default_factory=list)
    #: the item that gets a new version instead of a new item being made
    revises: Item | None = None
    #: the item that this one replaces
    replaces: Item | None = None
    #: answer `conflict` although the text is stored as proposed
    conflict: str = ""
    #: sentence that explains what was found, for the answer
    remark: str = ""

    def wait(self, rule: str) -> None:
        """Hold it for a person."""
        self.status = "proposed"
        self.waits = self.waits or rule

    def flag(self, flag: str) -> None:
        """Note why a person should look, and hold it."""
        if flag not in self.flags:
            self.flags.append(flag)
