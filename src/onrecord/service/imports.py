"""Moving memories in: everything is proposed, nothing raises belief, all of it can go back."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Protocol

from onrecord.capture.formats.foreign import Skipped
from onrecord.domain.errors import Denied
from onrecord.domain.event import Event
from onrecord.domain.item import MAX_LINKS, MAX_QUOTE
from onrecord.domain.outcome import Outcome, Refused, name_of
from onrecord.domain.principal import Principal
from onrecord.policy.redact import shortened
from onrecord.service.caller import Caller
from onrecord.service.commands import Claim, Remember
from onrecord.service.entries import Entry
from onrecord.service.exports import LIVE
from onrecord.service.work import Work

#: Statements in one transaction: few enough that other writers are not kept waiting.
BATCH = 100

#: At most so many refused items are told one by one; all are counted.
MAX_TOLD = 1_000

#: Kinds that belong to the sessions of the store that they come from.
_LEFT_OUT = ("handoff",)

Step = Callable[[int, int], None]


class Source(Protocol):
    """Where memories come from: read whole, then item by item."""

    #: what the items rest on
    name: str

    def check(self) -> int:
        """Read all of it and say how many items it has; raises where it cannot be taken."""
        ...

    def entries(self) -> Iterator[Entry]:
        """The items, in the order of the source."""
        ...

    def skipped(self) -> Sequence[Skipped]:
        """What is no item or cannot be read."""
        ...


@dataclass(frozen=True, kw_only=True, slots=True)
class Turned:
    """One item of a file that was refused: where it stands, and by which rule."""

    line: int
    #: its id where it comes from, empty where the file names none
    id: str
    code: str
    #: where it stands in a source of another tool
    where: str = ""


@dataclass(kw_only=True, slots=True)
class Tally:
    """What became of the items so far."""

    #: outcome -> items: proposed, conflict, corroborated, refused
    outcomes: dict[str, int] = field(default_factory=dict[str, int])
    #: why items were not tried -> items: a status, `handoff`, `expired`
    left_out: dict[str, int] = field(default_factory=dict[str, int])
    #: code of a refusal -> items
    codes: dict[str, int] = field(default_factory=dict[str, int])
    #: the first MAX_TOLD refused ones
    refused: list[Turned] = field(default_factory=list[Turned])
    #: the first MAX_TOLD that are no items or could not be read
    skipped: list[Skipped] = field(default_factory=list[Skipped])

    def add(self, entry: Entry, outcome: Outcome) -> None:
        """Count an answer."""
        _count(self.outcomes, name_of(outcome))
        if isinstance(outcome, Refused):
            _count(self.codes, outcome.code)
            if len(self.refused) < MAX_TOLD:
                self.refused.append(
                    Turned(line=entry.line, id=entry.id, code=outcome.code, where=entry.where)
                )

    def leave_out(self, why: str) -> None:
        """Count one that is not tried."""
        _count(self.left_out, why)

    def skip(self, skipped: Sequence[Skipped]) -> None:
        """Count what a source holds beside its items."""
        for one in skipped:
            self.leave_out(one.why)
        self.skipped += skipped[:MAX_TOLD]


@dataclass(frozen=True, kw_only=True, slots=True)
class Imported:
    """What became of a file's items, or would have."""

    #: shared by all events of it; takes the whole of it back
    batch: str
    #: seq of the event that sums it up; 0 where nothing was kept
    event: int
    total: int
    tally: Tally


def importer(caller: Caller) -> Caller:
    """Who an import acts as: the one who brings it stays named, without session or authority."""
    by = caller.principal
    principal = Principal(
        writer="import",
        channel="import",
        user=by.user,
        agent="" if by.is_person else by.agent,
        headless=by.headless,
        proof=by.proof,
    )
    return replace(caller, principal=principal)


def batches(entries: Iterator[Entry], tally: Tally, *, now: int) -> Iterator[list[Entry]]:
    """The items that are tried, in groups; the others are counted."""
    tried = (entry for entry in entries if not _left_out(entry, tally, now))
    while group := list(islice(tried, BATCH)):
        yield group


def _left_out(entry: Entry, tally: Tally, now: int) -> bool:
    why = ""
    if entry.status not in LIVE:
        why = entry.status
    elif entry.kind in _LEFT_OUT:
        why = entry.kind
    elif entry.expires_at is not None and entry.expires_at <= now:
        why = "expired"
    if why:
        tally.leave_out(why)
    return bool(why)


def command_for(entry: Entry, *, name: str, scope: str, batch: str) -> Remember:
    """The statement that an item makes here: its text and what it rests on, none of its standing.

    A relative date counts from when its words were written, where the source says that; else
    it comes with a flag.
    """
    where = f"#{entry.where}" if entry.where else ""
    came = Claim(
        kind="message",
        pointer=shortened(f"import:{name}{where}", MAX_QUOTE),
        quote=entry.told,
        author=entry.author,
    )
    return Remember(
        content=entry.content,
        scope=scope or entry.scope,
        kind=entry.kind,
        key=entry.key,
        evidence=(came, *entry.evidence)[:MAX_LINKS],
        links=entry.links,
        expires_at=entry.expires_at,
        propose=True,
        tainted=True,
        dates_flagged=True,
        said_at=entry.said_at,
        bare=entry.bare,
        edits=(entry.shows, entry.version),
        batch=batch,
    )


def refuse_while_off(outcomes: list[Outcome]) -> None:
    """Saving is off for who brings it: said once, instead of for every item."""
    first = outcomes[0] if outcomes else None
    if isinstance(first, Refused) and first.code == "saving.off":
        raise Denied(first.say)


def sum_up(work: Work, batch: str, tally: Tally, *, code: str = "") -> Event:
    """The one event that stands for a whole import."""
    return work.record(
        "imported",
        target=batch,
        fields=("items",),
        change={name: (0, n) for name, n in sorted(tally.outcomes.items())},
        code=code,
        batch=batch,
        count=max(1, sum(tally.outcomes.values())),
    )


def _count(counts: dict[str, int], name: str) -> None:
    counts[name] = counts.get(name, 0) + 1
