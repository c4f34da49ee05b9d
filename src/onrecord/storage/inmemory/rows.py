"""What the in-memory store holds, and a transaction's hold on it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import copy
from dataclasses import dataclass, field, fields, is_dataclass

from onrecord.domain.embedding import Space
from onrecord.domain.errors import BadField, Clash, StoreError, StoreReadOnly
from onrecord.domain.event import Event
from onrecord.domain.item import Item, Version
from onrecord.domain.provenance import Evidence, Feedback, Link, Review, Sighting
from onrecord.domain.query import Document
from onrecord.domain.session import Delivery, Handoff, Session
from onrecord.domain.tombstone import Tombstone


@dataclass(kw_only=True, slots=True)
class Rows:
    """All of one tenant: a dictionary a table, of values that never change in place."""

    items: dict[str, Item] = field(default_factory=dict[str, Item])
    #: item -> its versions, 1 first
    versions: dict[str, tuple[Version, ...]] = field(
        default_factory=dict[str, tuple[Version, ...]]
    )
    #: item -> (instant, how it stood from then on), oldest first
    states: dict[str, tuple[tuple[int, Item], ...]] = field(
        default_factory=dict[str, tuple[tuple[int, Item], ...]]
    )
    evidence: dict[str, Evidence] = field(default_factory=dict[str, Evidence])
    #: by item and session
    sightings: dict[tuple[str, str], Sighting] = field(
        default_factory=dict[tuple[str, str], Sighting]
    )
    #: by source, kind and target
    links: dict[tuple[str, str, str], Link] = field(
        default_factory=dict[tuple[str, str, str], Link]
    )
    reviews: dict[str, Review] = field(default_factory=dict[str, Review])
    feedback: dict[str, Feedback] = field(default_factory=dict[str, Feedback])
    tombstones: dict[str, Tombstone] = field(default_factory=dict[str, Tombstone])
    erased_keys: set[bytes] = field(default_factory=set[bytes])
    events: list[Event] = field(default_factory=list[Event])
    #: by party, rule and minute
    refusals: dict[tuple[str, str, int], int] = field(
        default_factory=dict[tuple[str, str, int], int]
    )
    sessions: dict[str, Session] = field(default_factory=dict[str, Session])
    #: session -> when its context was last compacted
    compacted: dict[str, int] = field(default_factory=dict[str, int])
    #: by agent and call
    calls: dict[tuple[str, str], str] = field(default_factory=dict[tuple[str, str], str])
    #: by agent, process id and start: session and when it was seen
    processes: dict[tuple[str, int, int], tuple[str, int]] = field(
        default_factory=dict[tuple[str, int, int], tuple[str, int]]
    )
    #: by session and item: newest version read
    reads: dict[tuple[str, str], int] = field(default_factory=dict[tuple[str, str], int])
    records: set[bytes] = field(default_factory=set[bytes])
    handoffs: dict[str, Handoff] = field(default_factory=dict[str, Handoff])
    deliveries: dict[str, Delivery] = field(default_factory=dict[str, Delivery])
    scopes: set[str] = field(default_factory=set[str])
    #: old name -> new name
    aliases: dict[str, str] = field(default_factory=dict[str, str])
    #: by name and scope
    settings: dict[tuple[str, str], str] = field(default_factory=dict[tuple[str, str], str])
    #: by item and version
    documents: dict[tuple[str, int], Document] = field(
        default_factory=dict[tuple[str, int], Document]
    )
    #: kind, item and version of what is owed, by number
    outbox: dict[int, tuple[str, str, int]] = field(
        default_factory=dict[int, tuple[str, str, int]]
    )
    spaces: dict[str, Space] = field(default_factory=dict[str, Space])
    #: space -> how often its vectors changed
    revisions: dict[str, int] = field(default_factory=dict[str, int])
    #: by space and item: the version and its vectors
    vectors: dict[tuple[str, str], tuple[int, tuple[bytes, ...]]] = field(
        default_factory=dict[tuple[str, str], tuple[int, tuple[bytes, ...]]]
    )
    #: how many numbers the outbox has given
    owed: int = 0
    #: request, answer and item, by party and key
    answers: dict[tuple[str, str], tuple[bytes, str, str]] = field(
        default_factory=dict[tuple[str, str], tuple[bytes, str, str]]
    )

    def copied(self) -> Rows:
        """The same rows, to be changed apart from these."""
        return Rows(**{each.name: copy(getattr(self, each.name)) for each in fields(self)})


class Hold:
    """One transaction's hold on the rows: for reading or writing, until it ends."""

    __slots__ = ("_rows", "_writable")

    def __init__(self, rows: Rows, *, writable: bool) -> None:
        self._rows: Rows | None = rows
        self._writable = writable

    def reading(self) -> Rows:
        """The rows to look at."""
        if self._rows is None:
            raise StoreError("That transaction is over. Nothing was changed.")
        return self._rows

    def writing(self) -> Rows:
        """The rows to change; raises `StoreReadOnly` in a reading transaction."""
        rows = self.reading()
        if not self._writable:
            raise StoreReadOnly("This transaction only reads. Nothing was changed.")
        return rows

    def end(self) -> None:
        """Let go; every later call is an error."""
        self._rows = None


def note_state(rows: Rows, item: str, at: int) -> None:
    """Keep how an item stands from an instant on; a clock set back orders nothing anew."""
    earlier = rows.states.get(item, ())
    last = earlier[-1][0] if earlier else at
    rows.states[item] = (*earlier, (max(at, last), rows.items[item]))


def check_new(key: object, table: Mapping[object, object] | Mapping[str, object]) -> None:
    """Refuse a second row under one key."""
    if key in table:
        raise Clash("There is one under that id already. Nothing was changed.")


def check_item(rows: Rows, item: str) -> None:
    """Refuse a row about an item that is not there."""
    if item not in rows.items:
        raise forbidden()


def check_order(start: int | None, end: int | None) -> None:
    """Refuse an interval that is empty or negative."""
    if start is not None and end is not None and end <= start:
        raise BadField


def check_size(size: int, limit: int) -> None:
    """Refuse what an entry of an index has no room for."""
    if size > limit:
        raise BadField


def forbidden() -> StoreError:
    """The error for a change of what stays as it is."""
    return StoreError("The store's own rules forbid that change.")


def check_text(thing: object) -> None:
    """Refuse text that no file can hold, wherever it stands in the object."""
    if isinstance(thing, str):
        try:
            thing.encode()
        except UnicodeEncodeError:
            message = "A text holds half of a character pair, so it cannot be stored."
            raise BadField(message) from None
    for part in _parts(thing):
        check_text(part)


def _parts(thing: object) -> Iterable[object]:
    if isinstance(thing, Mapping):
        return [*thing.keys(), *thing.values()]  # pyright: ignore[reportUnknownVariableType]
    if isinstance(thing, (tuple, list)):
        return thing  # pyright: ignore[reportUnknownVariableType]
    if is_dataclass(thing):
        return [getattr(thing, each.name) for each in fields(thing)]
    return ()
