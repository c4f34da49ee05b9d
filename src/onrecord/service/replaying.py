"""What a restored copy has to obey: erasures and rejections that came after it was made."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from onrecord.domain.erasure import Erasure, Ledger
from onrecord.domain.ports import Transaction
from onrecord.domain.status import TOMBSTONE_REASONS, TRANSITIONS
from onrecord.domain.tombstone import Tombstone
from onrecord.policy import fingerprint
from onrecord.service import blanking, deciding, erasures, forgetting, stones
from onrecord.service.commands import Forget, Reject
from onrecord.service.work import Work

#: What a restored copy has to obey, by the actions that the log tells it by.
HEEDED = ("forgotten", "rejected", "source_forgotten")

#: A rejection of what the copy holds in other words: it leaves no tombstone of those.
_OTHER_WORDS = "not_useful"


@dataclass(frozen=True, kw_only=True, slots=True)
class Known:
    """What is known of erasures and rejections beside a copy."""

    #: item -> its erasure, from the store's log and from the list beside it
    erased: dict[str, Erasure]
    #: tombstones in force, by id
    stones: dict[str, Tombstone]


@dataclass(frozen=True, kw_only=True, slots=True)
class Replayed:
    """What was done to a copy before it may be opened."""

    erased: int
    rejected: int
    #: tombstones that were carried over
    stones: int


def known_beside(ledger: Ledger) -> Known:
    """What the list beside a store tells; it may outlive the store itself."""
    listed = ledger.read()
    kept = {stone.id: stone for one in listed for stone in one.stones}
    return Known(erased={one.item: one for one in listed if one.erased}, stones=kept)


def known_to(tx: Transaction, ledger: Ledger) -> Known:
    """What the list and the store's own log tell; the store says what was lifted since."""
    known = known_beside(ledger)
    for event in tx.events.walk():
        if event.action not in HEEDED:
            continue
        for stone in tx.tombstones.of(event.target):
            known.stones[stone.id] = stone
        for name in erasures.erased_by(event):
            if name not in known.erased:
                known.erased[name] = erasures.erasure_of(tx, name, event.at)
    in_force = {stone.id: stone for stone in known.stones.values() if stone.lifted_at is None}
    return Known(erased=known.erased, stones=in_force)


def unlisted(known: Known, ledger: Ledger) -> list[Erasure]:
    """What a further restore would not find any more once the store's log is that of the copy."""
    read = ledger.read()
    items = {one.item for one in read}
    listed = {stone.id for one in read for stone in one.stones}
    bare = [one for one in known.erased.values() if not one.stones and one.item not in items]
    return bare + [
        Erasure(item=stone.item, at=stone.at, stones=(stone,))
        for stone in known.stones.values()
        if stone.id not in listed
    ]


def merged(every: Sequence[Known]) -> Known:
    """What several stores know together."""
    found = Known(erased={}, stones={})
    for known in every:
        found.erased.update(known.erased)
        found.stones.update(known.stones)
    return found


def replay(work: Work, known: Known) -> Replayed:
    """Erase and reject again in a copy, with an event each, and carry the tombstones over."""
    return Replayed(
        erased=sum(_erase(work, item) for item in known.erased),
        rejected=sum(_reject(work, stone) for stone in known.stones.values()),
        stones=_carry(work, known.stones.values()),
    )


def _erase(work: Work, item: str) -> bool:
    found = work.tx.items.get(item)
    if found is None:  # a session, or evidence that quoted it
        session = work.tx.sessions.get(item)
        if session is None:
            work.tx.provenance.blank([item])
        else:
            blanking.forget(work, [session])
        return False
    if found.status == "forgotten":
        return False
    return forgetting.forget(work, Forget(item=item)).code == "forgotten"


def _reject(work: Work, stone: Tombstone) -> bool:
    found = work.tx.items.get(stone.item)
    if stone.reason not in TOMBSTONE_REASONS or found is None:
        return False
    if found.status not in TRANSITIONS["reject"][0]:
        return False
    key = work.secrets.named.get(stone.key_id, work.secrets.key)
    made = stones.prints_of(key, (found.content,))
    equal = any(fingerprint.verdict(stone, prints) == "refused" for prints in made)
    reason = stone.reason if equal else _OTHER_WORDS
    return deciding.reject(work, Reject(item=found.id, reason=reason)).code == "rejected"


def _carry(work: Work, known: Iterable[Tombstone]) -> int:
    carried = 0
    for stone in known:
        if any(own.id == stone.id for own in work.tx.tombstones.of(stone.item)):
            continue
        work.tx.tombstones.add(stone)
        carried += 1
        if stone.reason == "forgotten":
            for mark in (mark for mark in stone.prints if mark.part == "key"):
                work.tx.tombstones.note_erased_key(mark.value, stone.at)
    return carried
