"""What the core needs from the outside, one page: a store, a clock, a source of ids.

A store hands out transactions. Everything inside `write()` happens or nothing does; writers
take turns. Inside `read()` one unchanging state is seen. Each noun has its own small port.
Methods return domain objects; a missing one is None. Stores translate every engine error
into the tree of `domain.errors` and decide nothing: no permission, no policy, no clock.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Protocol

from onrecord.domain.embedding import Vectors
from onrecord.domain.event import Event, EventQuery
from onrecord.domain.item import Item, ItemQuery, Version
from onrecord.domain.provenance import Evidence, Feedback, Link, Review, Sighting
from onrecord.domain.query import Document
from onrecord.domain.session import Delivery, Handoff, Session
from onrecord.domain.shelf import Shelf
from onrecord.domain.tombstone import Tombstone


class Clock(Protocol):
    """The time now."""

    def now(self) -> int:
        """UTC microseconds."""
        ...


class Ids(Protocol):
    """A source of identifiers and salts."""

    def new(self, at: int) -> str:
        """A ULID for that instant, greater than every one given before by this source."""
        ...

    def salt(self) -> bytes:
        """Sixteen random bytes."""
        ...


class Items(Protocol):
    """Items and their versions."""

    def add(self, item: Item) -> None:
        """Store a new item with its first version. Its id is new and its head's n is 1."""
        ...

    def revise(self, item: Item) -> None:
        """Store `item.head` as the next version and the item's own fields; close the one before.

        `item.head.n` is one more than the stored head; the earlier version's `superseded_at`
        becomes the new version's `recorded_at`, and must be later than its own (`BadField`).
        Raises `StaleVersion` where it is not the next, `StoreError` for a forgotten item.
        """
        ...

    def change(self, item: Item, *, at: int) -> None:
        """Update the item's own fields (not id, created_at, salt, counters); versions stay.

        `at` is the instant from which it stands so; one before the item's last change counts
        as that. A forgotten item stays forgotten (`StoreError`).
        """
        ...

    def get(self, item: str) -> Item | None:
        """The item with its head version; its content digest is the caller's to check."""
        ...

    def many(self, items: Sequence[str]) -> list[Item]:
        """Those of the items that exist, in the order asked for."""
        ...

    def ids_like(self, part: str, limit: int = 10) -> list[str]:
        """Ids that start or end with the part (upper case), oldest first."""
        ...

    def by_key(self, scope: str, key: str, statuses: Sequence[str]) -> list[Item]:
        """Items at that address in one of the statuses, oldest first."""
        ...

    def by_same(self, same: bytes, statuses: Sequence[str]) -> list[Item]:
        """Items whose head has that statement print, in any scope, oldest first."""
        ...

    def superseded_same(self, same: bytes) -> list[Version]:
        """Versions that are no longer heads and have that statement print, newest first."""
        ...

    def page(self, query: ItemQuery) -> list[Item]:
        """Items that fit, newest id first, at most `query.limit`.

        With `query.as_of` items come as `as_of` gives them, without those erased since.
        """
        ...

    def as_of(self, items: Sequence[str], at: int) -> list[Item]:
        """Those of the items that there were at a recorded instant, as they stood then.

        Scope, kind, status, belief, pin, taint, expiry and head are those of then, whatever
        came later; flags are empty and counters 0. One that was erased since is `forgotten`.
        """
        ...

    def erased_since(self, scopes: Sequence[str] | None, statuses: Sequence[str], at: int) -> int:
        """How many items stood in those scopes (None: all) and statuses and were erased since."""
        ...

    def history(self, item: str) -> list[Version]:
        """All versions, 1 first."""
        ...

    def count(self, scopes: Sequence[str] | None, statuses: Sequence[str]) -> int:
        """How many items there are in those scopes (None: all) and statuses."""
        ...

    def bump(
        self, items: Sequence[str], *, delivered: int = 0, opened: int = 0, helpful: int = 0
    ) -> None:
        """Add to the use counters."""
        ...

    def erase(self, item: str, at: int) -> None:
        """Blank everything that can carry text and belongs to the item alone.

        Content, digests, prints, validity, reason and `where` of all its versions; its key,
        flags, salt, replaces; quotes, pointers, authors and digests of its evidence; its links;
        notes, reasons and digests of its reviews; notes of its feedback; text of its handoff
        row; the query of deliveries that showed or withheld it; request and answer of
        idempotency keys, which stay taken; its index documents and vectors. The rows stay; status
        becomes `forgotten`. The first erasure is the one on record.
        """
        ...


class Provenance(Protocol):
    """Evidence, sightings, links, reviews, feedback."""

    def add_evidence(self, evidence: Evidence) -> None: ...
    def evidence(self, item: str) -> list[Evidence]: ...
    def evidence_of(self, items: Sequence[str]) -> list[Evidence]:
        """What several items rest on, oldest first."""
        ...

    def citing(self, pointer: str = "", *, session: str = "") -> list[Evidence]:
        """Evidence whose pointer begins with the text, or that the session added; oldest first."""
        ...

    def quoting(self, text: str) -> list[Evidence]:
        """Evidence whose quote contains the text, letter for letter; oldest first.

        With an empty text all that quotes something.
        """
        ...

    def written_in(self, session: str) -> list[str]:
        """Ids of the items of which the session wrote a version, by id."""
        ...

    def blank(self, evidence: Sequence[str]) -> int:
        """Blank pointer, quote, author and digest of those rows; says how many are there."""
        ...

    def note_check(self, evidence: str, *, at: int | None, result: str) -> None:
        """Keep when a row was compared last and what came of it.

        Nothing is kept of a row that was replaced or is blank, nor of one that is not there.
        """
        ...

    def replace_evidence(self, evidence: Sequence[str], *, at: int | None) -> int:
        """Let rows speak for their items no more from `at` on; with None let them speak again.

        Says how many are there.
        """
        ...

    def add_sighting(self, sighting: Sighting) -> bool:
        """Add it unless the session has one for the item; says whether it was added."""
        ...

    def sightings(self, item: str) -> list[Sighting]: ...
    def add_link(self, link: Link) -> None:
        """Add it unless the same (source, kind, target) is there."""
        ...

    def links_from(self, item: str) -> list[Link]: ...
    def links_of(self, items: Sequence[str]) -> list[Link]:
        """Relations that several items have, oldest first."""
        ...

    def links_to(self, target: str) -> list[Link]: ...
    def clashes(self, limit: int) -> list[Link]:
        """`contradicts` and `similar` links between items that are active or proposed.

        Newest first, at most `limit`.
        """
        ...

    def add_review(self, review: Review) -> None: ...
    def reviews(self, item: str) -> list[Review]: ...
    def add_feedback(self, feedback: Feedback) -> None: ...
    def feedback(self, item: str) -> list[Feedback]: ...


class Tombstones(Protocol):
    """Fingerprints of rejected and forgotten values; nothing sweeps them."""

    def add(self, tombstone: Tombstone) -> None:
        """Store it with its prints and lifts; raises `Clash` where its id is taken."""
        ...

    def with_prints(self, values: Sequence[bytes]) -> list[Tombstone]:
        """Tombstones (lifted ones too) that hold any of the prints, oldest first."""
        ...

    def with_sketches(self) -> list[Tombstone]:
        """Tombstones not lifted as a whole that carry a sketch, oldest first."""
        ...

    def of(self, item: str) -> list[Tombstone]: ...
    def lift(self, tombstone: str, at: int, by: str, *, scope: str | None = None) -> None:
        """Lift it as a whole, everywhere that it reaches, or for one scope alone.

        The first lift of each is the one on record. None is taken back; an unknown id changes
        nothing.
        """
        ...

    def note_erased_key(self, value: bytes, at: int) -> None:
        """Keep that a (scope, key) pair, known by its print only, was once used and erased."""
        ...

    def erased_key(self, value: bytes) -> bool: ...


class Events(Protocol):
    """The audit log; nothing updates or deletes a line."""

    def append(self, event: Event) -> Event:
        """Chain and store the event; returns it with its seq and hashes."""
        ...

    def head(self) -> tuple[int, bytes]:
        """(seq, hash) of the last line; (0, GENESIS) of an empty log."""
        ...

    def get(self, seq: int) -> Event | None: ...
    def walk(self, start: int = 1) -> Iterator[Event]:
        """All lines from `start`, in order, in bounded memory."""
        ...

    def of(self, target: str) -> list[Event]:
        """The lines about one target, in order."""
        ...

    def latest(
        self, limit: int = 50, *, before: int | None = None, query: EventQuery | None = None
    ) -> list[Event]:
        """Newest first; with a query those that fit it."""
        ...

    def count_refusal(self, party: str, rule: str, minute: int) -> int:
        """Count one refusal of that party and rule in that minute; returns the count so far."""
        ...

    def due_refusals(self, minute: int) -> list[tuple[str, str, int, int]]:
        """(party, rule, minute, count) above one, of earlier minutes; forgets them."""
        ...


class Sessions(Protocol):
    """Agent sessions and the joins from calls and processes to them."""

    def put(self, session: Session) -> None:
        """Store it, replacing the row of the same id. (agent, agent_session) is unique."""
        ...

    def get(self, session: str) -> Session | None: ...
    def by_agent_session(self, agent: str, agent_session: str) -> Session | None: ...
    def recent(
        self,
        *,
        repo: str | None = None,
        agent: str | None = None,
        open_only: bool = False,
        limit: int = 20,
    ) -> list[Session]:
        """Latest event first."""
        ...

    def note_call(self, agent: str, call: str, session: str, at: int) -> None:
        """Remember which session a tool call (its tool use id) belongs to."""
        ...

    def session_of_call(self, agent: str, call: str) -> str | None: ...
    def note_process(self, agent: str, pid: int, started: int, session: str, at: int) -> None:
        """Remember the newest session seen from an agent's process; an older `at` is ignored."""
        ...

    def session_of_process(self, agent: str, pid: int, started: int) -> str | None: ...
    def note_read(self, session: str, item: str, version: int, at: int) -> None:
        """Remember that a session was shown a version (by recall, get or a pack)."""
        ...

    def read_version(self, session: str, item: str) -> int | None:
        """The newest version that the session was shown."""
        ...

    def link_synthetic(self, synthetic: str, real: str) -> None:
        """Point everything that a synthetic session did at the real one found later."""
        ...

    def mentioning(self, text: str) -> list[Session]:
        """Sessions whose stored prompts contain the text, letter for letter."""
        ...

    def seen_record(self, digest: bytes, at: int) -> bool:
        """Mark a spool record as taken in; says whether it was taken in before."""
        ...


class Handoffs(Protocol):
    """Lease and state of handoffs."""

    def add(self, handoff: Handoff) -> None: ...
    def get(self, item: str) -> Handoff | None: ...
    def change(self, handoff: Handoff) -> None:
        """Store every field anew; `NotFound` where there is no such handoff."""
        ...

    def recent(
        self,
        *,
        repo: str | None = None,
        branch: str | None = None,
        statuses: Sequence[str] | None = None,
        limit: int = 20,
    ) -> list[Handoff]:
        """Newest first."""
        ...

    def mentioning(self, text: str) -> list[Handoff]:
        """Handoffs whose own fields contain the text, letter for letter."""
        ...


class Deliveries(Protocol):
    """What packs put into sessions."""

    def add(self, delivery: Delivery) -> None:
        """Store it with its items, and count the shown ones as delivered.

        What went into no session was looked at, and given to nobody: it is not counted.
        """
        ...

    def get(self, delivery: str) -> Delivery | None: ...
    def given(self, items: Sequence[str]) -> Mapping[str, tuple[int, int]]:
        """Item -> (newest version that sessions were given, when the first one was).

        Only items that some session was given.
        """
        ...

    def recent(self, *, session: str | None = None, limit: int = 20) -> list[Delivery]:
        """Newest id first."""
        ...

    def shown(self, session: str) -> Mapping[str, int]:
        """Item -> newest version shown in the session since it started or was last compacted."""
        ...

    def queries(self) -> list[tuple[str, str]]:
        """(id, query) of the deliveries that have one, by id."""
        ...

    def blank(self, deliveries: Sequence[str]) -> int:
        """Blank the queries of those deliveries; says how many had one."""
        ...

    def blank_queries(self, text: str, *, session: str | None = None) -> int:
        """Blank the queries that contain the text, letter for letter; says how many.

        With a session, those of that session alone.
        """
        ...

    def forget_shown(self, session: str, at: int) -> None:
        """From `at` on, what was shown before no longer counts (the context was compacted)."""
        ...


class Scopes(Protocol):
    """Names that were ever written to, and what they are called now."""

    def note(self, name: str, at: int) -> None:
        """Remember the name at its first use."""
        ...

    def known(self, name: str) -> bool: ...
    def names(self) -> list[str]:
        """All names, alphabetical."""
        ...

    def counts(self, *, now: int | None = None) -> Mapping[str, Mapping[str, int]]:
        """Scope -> status -> items.

        With `now`, active and proposed ones whose expiry is past by then count as `expired`.
        """
        ...

    def alias(self, old: str, new: str, at: int) -> None: ...
    def unalias(self, old: str) -> None:
        """Let an old name mean itself again; nothing happens where it has no other name."""
        ...

    def resolve(self, name: str) -> str:
        """The current name of a name that was renamed; itself otherwise."""
        ...

    def renamed(self) -> Mapping[str, str]:
        """Every old name with the current one that it leads to."""
        ...


class Settings(Protocol):
    """Switches and policies that a person set."""

    def get(self, name: str, scope: str = "global") -> str | None: ...
    def put(self, name: str, value: str, *, scope: str = "global", at: int, by: str) -> None: ...
    def everything(self) -> list[tuple[str, str, str]]:
        """(name, scope, value), alphabetical."""
        ...


class Index(Protocol):
    """The derived lexical index."""

    def put(self, document: Document) -> None:
        """Index a version's text, replacing the document of the same item and version."""
        ...

    def relabel(self, item: str, *, scope: str, live: bool) -> None:
        """Move the documents of an item to another scope, or in or out of what is live.

        With `live`, only the head version's document becomes live.
        """
        ...

    def drop(self, item: str) -> None: ...
    def clear(self) -> None: ...
    def holds(self, document: Document) -> bool:
        """Whether exactly that document is there."""
        ...

    def check(self) -> bool:
        """Whether the index agrees with its documents."""
        ...


class Outbox(Protocol):
    """Index work that is owed; written in the transaction of the change that owes it."""

    def add(self, kind: str, item: str, version: int, at: int) -> None: ...
    def due(self, kind: str, limit: int = 100) -> list[tuple[int, str, int]]:
        """(id, item, version), oldest first."""
        ...

    def done(self, ids: Sequence[int]) -> None: ...


class Answers(Protocol):
    """Idempotency keys and the answers given to them."""

    def get(self, party: str, key: str) -> tuple[bytes, str] | None:
        """(digest of the request, answer as JSON without text) or None."""
        ...

    def put(self, party: str, key: str, request: bytes, answer: str, item: str, at: int) -> None:
        """Keep the answer; raises `Clash` where the party's key has one."""
        ...


class Transaction(Protocol):
    """One transaction's ports."""

    items: Items
    provenance: Provenance
    tombstones: Tombstones
    events: Events
    sessions: Sessions
    handoffs: Handoffs
    deliveries: Deliveries
    scopes: Scopes
    settings: Settings
    index: Index
    outbox: Outbox
    vectors: Vectors
    answers: Answers
    shelf: Shelf


class Store(Protocol):
    """A place that keeps memories."""

    def write(self) -> AbstractContextManager[Transaction]:
        """One durable transaction: committed at the block's end, undone by an exception."""
        ...

    def read(self) -> AbstractContextManager[Transaction]:
        """One unchanging view; writing through it is an error."""
        ...

    def scrub(self) -> bool:
        """Leave no erased text in logs and free pages; False while a reader holds it back."""
        ...

    def make_room(self) -> bool:
        """Give up what is kept aside for erasing on a full disk; False where there is none."""
        ...

    def faults(self) -> Iterable[str]:
        """What an integrity check of the engine and the index finds; empty for a sound store."""
        ...

    def schema_faults(self) -> list[tuple[str, str]]:
        """(missing, changed or extra; name) of each part that is not as the migrations make it."""
        ...

    def close(self) -> None:
        """Release everything; a closed store is not used again."""
        ...
