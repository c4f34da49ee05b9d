"""A statement on its way through the gateway's steps."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from onrecord.domain.candidate import Candidate as Beside
from onrecord.domain.item import Content, Item
from onrecord.domain.outcome import Candidate
from onrecord.domain.session import Handoff
from onrecord.domain.tombstone import Tombstone
from onrecord.service.commands import Claim, Remember


@dataclass(kw_only=True, slots=True)
class Draft:
    """What the steps have decided so far; the last step stores it."""

    command: Remember
    #: canonical scope
    scope: str
    content: Content
    #: why it waits, in the order in which the rules said so; empty as long as it may count
    reasons: list[str] = field(default_factory=list[str])
    flags: list[str] = field(default_factory=list[str])
    tainted: bool = False
    evidence: tuple[Claim, ...] = ()
    #: secrets taken out, by kind
    redacted: dict[str, int] = field(default_factory=dict[str, int])
    candidates: list[Candidate] = field(default_factory=list[Candidate])
    #: tombstones of this very scope that a person's override lifts
    lifts: list[Tombstone] = field(default_factory=list[Tombstone])
    #: tombstones of broader scopes that the override lifts for this scope alone
    passes: list[Tombstone] = field(default_factory=list[Tombstone])
    #: the item that gets a new version instead of a new item being made
    revises: Item | None = None
    #: the kind that a rewording sets; empty leaves it to the command
    kind: str = ""
    #: the item whose text is reworded
    before: Item | None = None
    #: sentence on the time that its own words set, for the answer
    bounded: str = ""
    #: the item that this one replaces
    replaces: Item | None = None
    #: the item that says it already, without the key that it is given now
    keyless: Item | None = None
    #: the row of a handoff, made for the item that is written
    handing: Callable[[Item], Handoff] | None = None
    #: the items that it speaks against, where a policy says what becomes of all of them
    opposes: tuple[Item, ...] = ()
    #: coexist · dispute; empty where nothing is done to it
    disposed: str = ""
    #: answer `conflict` although the text is stored as proposed
    conflict: str = ""
    #: sentence that explains what was found, for the answer
    remark: str = ""
    #: the text that was last looked for, what stands around it, best match first, and by id
    #: what it is to each of these that was compared
    around: tuple[str, list[Beside], dict[str, str]] = ("", [], {})

    @property
    def status(self) -> str:
        """Active, or proposed as soon as any rule holds it."""
        return "proposed" if self.reasons else "active"

    @property
    def waits(self) -> str:
        """The first rule that holds it, empty where none does."""
        return self.reasons[0] if self.reasons else ""

    def wait(self, rule: str) -> None:
        """Hold it for a person; every reason is kept, so that lifting one lifts no other."""
        if rule not in self.reasons:
            self.reasons.append(rule)

    def release(self, rule: str) -> None:
        """Take one reason back."""
        self.reasons.remove(rule)

    def flag(self, flag: str) -> None:
        """Note why a person should look; whether it waits is the step's to say."""
        if flag not in self.flags:
            self.flags.append(flag)
