"""Putting many memories away at once, and erasing what was put away long ago."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from onrecord.domain.errors import BadField, UndoClash
from onrecord.domain.event import Event
from onrecord.domain.item import Item, ItemQuery
from onrecord.domain.outcome import Outcome, Updated
from onrecord.domain.plural import counted
from onrecord.domain.status import STATUSES, step
from onrecord.policy import authority, fingerprint
from onrecord.service import blanking, forgetting, settling
from onrecord.service.commands import ForgetEverything, Purge, PutAway
from onrecord.service.retention import PURGED
from onrecord.service.work import Work

#: What a run of putting away is called.
RUNS = ("groom", "dedupe")

_BLOCK = 200
#: More sessions than a store will ever have.
_ALL = 1_000_000
_KEPT = tuple(status for status in STATUSES if status != "forgotten")


def put_away(work: Work, command: PutAway) -> Outcome:
    """Archive all of the items that still may be: each with its event, undone as a whole.

    What is pinned, a rule, or not active any more stays as it is.
    """
    if command.run not in RUNS:
        raise BadField("That run is not known.", hint=", ".join(RUNS), details={"field": "run"})
    ruling = authority.rule_on_personal("tidy", work.principal)
    if ruling.verdict == "refuse":
        return work.refuse(ruling.rule, ruling.say)
    batch = work.ids.new(work.now)
    away = 0
    for name in dict.fromkeys(command.items):
        item = work.tx.items.get(name)
        if item is None or item.status != "active" or item.pinned or item.kind == "rule":
            continue
        _change(work, item, replace(item, status=step("archive", item.status)), "archived", batch)
        away += 1
    event = work.record(
        "tidied",
        target=batch,
        fields=("items",),
        change={"items": (0, away)},
        code=command.run,
        batch=batch,
        count=max(1, away),
    )
    return Updated(
        code="tidied",
        say=f"{away} {'memory is' if away == 1 else 'memories are'} put away (archived)."
        f" Undo: onrecord undo {event.seq}",
        undo=event.seq,
        item=None,
    )


def undo_tidying(work: Work, event: Event) -> Outcome:
    """Bring back all that one run put away and nobody touched since."""
    ruling = authority.rule_on_personal("tidy", work.principal)
    if ruling.verdict == "refuse":
        return work.refuse(ruling.rule, ruling.say)
    if any(line.undoes == event.seq for line in work.tx.events.of(event.target)):
        raise UndoClash("That was taken back already.")
    back = kept = 0
    for line in _lines(work, event):
        item = work.tx.items.get(line.target)
        if (
            item is None
            or item.status != "archived"
            or _came_later(work, line)
            or _taken(work, item)
        ):
            kept += 1
            continue
        _change(
            work, item, replace(item, status="active"), "restored", event.batch, undoes=line.seq
        )
        back += 1
    line = work.record(
        "undone",
        target=event.target,
        fields=("items",),
        change={"back": (0, back), "kept": (0, kept)},
        undoes=event.seq,
    )
    stays = f"; {kept} changed since and stay as they are" if kept else ""
    return Updated(
        code="undone",
        say=f"{back} {'memory is' if back == 1 else 'memories are'} back{stays}.",
        undo=line.seq,
        item=None,
    )


def _change(
    work: Work, before: Item, after: Item, action: str, batch: str, undoes: int = 0
) -> None:
    work.tx.items.change(after, at=work.now)
    work.index(after)
    change = settling.difference(before, after)
    work.record(
        action,
        after,
        fields=tuple(change),
        before=before.version,
        change=change,
        batch=batch,
        undoes=undoes,
    )


def _lines(work: Work, event: Event) -> Iterator[Event]:
    """The lines of the items, which stand right before the one that sums them up."""
    before = event.seq
    while lines := work.tx.events.latest(_BLOCK, before=before):
        for line in lines:
            if line.batch != event.batch:
                return
            yield line
        before = lines[-1].seq


def _came_later(work: Work, line: Event) -> bool:
    later = settling.standing_after(work.tx.events.of(line.target), line.seq)
    return any("status" in one.change for one in later)


def _taken(work: Work, item: Item) -> bool:
    return bool(item.key) and bool(work.tx.items.by_key(item.scope, item.key, ("active",)))


def purge(work: Work, command: Purge) -> Outcome:
    """Erase what was archived, rejected or replaced, as forgetting does, leaving no tombstone.

    A tombstone that was there stays. What counts or waits is left alone, and so are copies of
    the same words elsewhere.
    """
    ruling = authority.rule_on_personal("purge", work.principal)
    if ruling.verdict == "refuse":
        return work.refuse(ruling.rule, ruling.say)
    gone = 0
    for name in dict.fromkeys(command.items):
        item = work.tx.items.get(name)
        if item is not None and item.status in PURGED:
            _erase(work, item)
            gone += 1
    return Updated(
        code="purged",
        say=f"Purged: the text of {gone} {'memory' if gone == 1 else 'memories'} is erased.",
        item=None,
    )


def forget_everything(work: Work, _command: ForgetEverything) -> Outcome:
    """Erase every item as forgetting does, and what sessions were asked and packs looked for.

    Tombstones, the audit log, switches and the names of scopes stay.
    """
    ruling = authority.rule_on_personal("purge", work.principal)
    if ruling.verdict == "refuse":
        return work.refuse(ruling.rule, ruling.say)
    sessions = work.tx.sessions.recent(limit=_ALL)
    blanking.forget(work, sessions)
    for session in sessions:
        # by its line an older copy is told to erase it too
        work.record("source_forgotten", target=session.id, code="session")
    gone = 0
    while page := work.tx.items.page(ItemQuery(statuses=_KEPT, limit=_BLOCK)):
        for item in page:
            forgetting.erase(work, item)
            gone += 1
    work.tx.deliveries.blank_queries("")
    return Updated(
        code="forgotten",
        say=f"Forgotten: everything. The text of {counted(gone, 'memory')} and of every prompt is"
        " erased; what they said will not come back by itself.",
        item=None,
    )


def _erase(work: Work, item: Item) -> None:
    if item.key:
        work.tx.tombstones.note_erased_key(
            fingerprint.key_print(work.secrets.key, item.scope, item.key), work.now
        )
    work.record(
        "forgotten",
        target=item.id,
        fields=("content",),
        before=item.version,
        change={"status": (item.status, step("forget", item.status))},
        code="purged",
    )
    work.tx.items.erase(item.id, work.now)
