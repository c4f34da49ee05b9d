"""Taking an import back: every item of it that nobody decided or changed since."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from onrecord.domain import ulid
from onrecord.domain.errors import NotFound, UndoClash
from onrecord.domain.event import Event
from onrecord.domain.outcome import Outcome, Refused, Updated
from onrecord.domain.plural import counted
from onrecord.domain.ports import Transaction
from onrecord.service import undoing
from onrecord.service.commands import Undo
from onrecord.service.work import Work

#: Lines of the log read at once, and characters of an id that are its time.
_PAGE = 200
_TIME_CHARACTERS = 10


@dataclass(frozen=True, kw_only=True, slots=True)
class TakenBack:
    """What became of an import's items when it was taken back."""

    batch: str
    #: items that were put away or are as they were before it
    back: int
    #: items that changed since, by their ids: they stay as they are
    kept: tuple[str, ...]
    #: seq of the event that sums it up
    event: int


def summary_of(tx: Transaction, part: str) -> Event | None:
    """The latest import whose batch starts or ends with these characters."""
    wanted = ulid.normalise(part)
    for event in _backwards(tx):
        named = event.target.startswith(wanted) or event.target.endswith(wanted)
        if event.action == "imported" and named:
            return event
    return None


def check_not_taken_back(tx: Transaction, summary: Event) -> None:
    """Raises `UndoClash` where it was."""
    for event in tx.events.of(summary.target):
        if event.undoes == summary.seq:
            raise UndoClash(
                f"That import was taken back already (event {event.seq}).",
                details={"event": summary.seq, "later": [event.seq]},
            )


def changes_of(tx: Transaction, batch: str) -> list[Event]:
    """What an import changed, the latest first."""
    found: list[Event] = []
    start = _moment_of(batch)
    for event in _backwards(tx):
        if event.batch == batch and event.action in ("proposed", "updated"):
            found.append(event)
        if event.at < start:
            break
    return found


def undo_some(work: Work, events: Iterable[Event]) -> tuple[set[str], set[str]]:
    """Take changes back; the items for which that was done, and those that changed since."""
    back: set[str] = set()
    kept: set[str] = set()
    for event in events:
        if any(line.undoes == event.seq for line in work.tx.events.of(event.target)):
            back.add(event.target)
            continue
        try:
            outcome = undoing.undo(work, Undo(event=event.seq))
        except (UndoClash, NotFound):
            kept.add(event.target)
        else:
            (kept if isinstance(outcome, Refused) else back).add(event.target)
    return back - kept, kept


def sum_up_undo(
    work: Work, batch: str, back: set[str], kept: set[str], *, undoes: int
) -> TakenBack:
    """Put on record that an import was taken back."""
    line = work.record(
        "import_undone",
        target=batch,
        fields=("items",),
        change={"back": (0, len(back)), "kept": (0, len(kept))},
        undoes=undoes,
        batch=batch,
    )
    return TakenBack(batch=batch, back=len(back), kept=tuple(sorted(kept)), event=line.seq)


def undo_whole(work: Work, summary: Event) -> Outcome:
    """Take an import back in one transaction; what changed since stays."""
    check_not_taken_back(work.tx, summary)
    back, kept = undo_some(work, changes_of(work.tx, summary.target))
    taken = sum_up_undo(work, summary.target, back, kept, undoes=summary.seq)
    stays = f"; {len(kept)} changed since and stay" if kept else ""
    return Updated(
        code="import_undone",
        say=f"The import is taken back: {counted(taken.back, 'item')}{stays}.",
        item=None,
    )


def _backwards(tx: Transaction) -> Iterator[Event]:
    before: int | None = None
    while page := tx.events.latest(_PAGE, before=before):
        yield from page
        before = page[-1].seq


def _moment_of(batch: str) -> int:
    """When an id was made, to the millisecond; 0 for what is no id."""
    if not ulid.is_ulid(batch):
        return 0
    number = 0
    for char in batch[:_TIME_CHARACTERS]:
        number = number * len(ulid.ALPHABET) + ulid.ALPHABET.index(char)
    return number * 1_000
