"""One line of the append-only audit log, and the hash chain through all of them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from onrecord.domain.principal import Principal

#: The hash before the first event.
GENESIS = b"\x00" * 32


@dataclass(frozen=True, kw_only=True, slots=True)
class Event:
    """What was done, by whom, to what; ids and numbers only, never text."""

    #: 1, 2, 3 … per tenant; 0 until appended
    seq: int = 0
    at: int
    by: Principal
    #: created, approved, rejected, forgotten, refused, undone …
    action: str
    #: item id, or the scope's or setting's name for changes of those
    target: str = ""
    #: names of the fields that changed
    fields: tuple[str, ...] = ()
    #: version before and after; 0 where there is none
    before: int = 0
    after: int = 0
    #: earlier and later value of identity fields (status, pinned, verification, expires_at)
    change: Mapping[str, tuple[object, object]] = field(
        default_factory=lambda: MappingProxyType({})
    )
    #: stable code of a refusal or conflict
    code: str = ""
    #: how many equal refusals this line stands for
    count: int = 1
    #: seq of the event that this one undoes
    undoes: int = 0
    #: id shared by the events of one import
    batch: str = ""
    #: HMAC of the content with the item's salt; noise once the salt is erased
    commitment: bytes = b""
    prev_hash: bytes = b""
    hash: bytes = b""


@dataclass(frozen=True, kw_only=True, slots=True)
class EventQuery:
    """Which lines of the log to list; every given field narrows, and several values are or."""

    #: a person's or an agent's name, or a kind of writer (person, agent, import, system …)
    parties: tuple[str, ...] | None = None
    agents: tuple[str, ...] | None = None
    actions: tuple[str, ...] | None = None
    codes: tuple[str, ...] | None = None
    #: lines about an item that is in one of these scopes now, a switch of one, or the scope itself
    scopes: tuple[str, ...] | None = None
    target: str | None = None
    #: bounds on when it was done, half-open, UTC microseconds
    since: int | None = None
    until: int | None = None

    @property
    def narrows(self) -> bool:
        """Whether anything but the target is asked for."""
        return replace(self, target=None) != EventQuery()


def chain(event: Event, seq: int, prev_hash: bytes) -> Event:
    """The event as line `seq` of the log, bound to the line before it."""
    placed = replace(event, seq=seq, prev_hash=prev_hash, hash=b"")
    return replace(placed, hash=hash_of(placed))


def hash_of(event: Event) -> bytes:
    """SHA-256 over every field of the line, each with its length, and the hash before it."""
    by = event.by
    parts: list[object] = [
        event.seq,
        event.prev_hash,
        event.at,
        by.writer,
        by.channel,
        by.user,
        by.agent,
        by.model,
        by.session,
        by.org,
        by.role,
        by.headless,
        by.confirmed,
        sorted(by.proof.items()),
        event.action,
        event.target,
        list(event.fields),
        event.before,
        event.after,
        sorted((name, list(pair)) for name, pair in event.change.items()),
        event.code,
        event.count,
        event.undoes,
        event.batch,
        event.commitment,
    ]
    digest = hashlib.sha256()
    for part in parts:
        # `repr` would spell a letter as the interpreter's own Unicode knows it
        raw = part if isinstance(part, bytes) else ascii(part).encode()
        digest.update(len(raw).to_bytes(8, "big"))
        digest.update(raw)
    return digest.digest()


def broken_at(events: Iterable[Event], head: tuple[int, bytes] | None = None) -> int | None:
    """The seq of the first line that does not fit, or None for a whole chain.

    `head` is an exported (seq, hash) that the chain must contain; a log that was cut
    before it is broken at the line after its end.
    """
    seq, prev_hash, seen = 0, GENESIS, head is None or head[0] == 0
    for event in events:
        seq += 1
        if event.seq != seq or event.prev_hash != prev_hash or event.hash != hash_of(event):
            return seq
        prev_hash = event.hash
        if head and head[0] == seq:
            if head[1] != event.hash:
                return seq
            seen = True
    return None if seen else seq + 1
