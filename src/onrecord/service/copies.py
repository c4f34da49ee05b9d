"""Copies of the whole store: making one, and letting one be the store again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from datetime import tzinfo

from onrecord.domain import time
from onrecord.domain.copies import Copied, CopyRoom, Prepared
from onrecord.domain.erasure import Ledger
from onrecord.domain.errors import (
    Denied,
    KeyUnreadable,
    NeedsPerson,
    StoreBusy,
    StoreCorrupt,
    StoreError,
    StoreMissing,
)
from onrecord.domain.ports import Clock, Ids, Store
from onrecord.domain.principal import SCRIPT, Principal
from onrecord.service import erasures, replaying
from onrecord.service.answers import Check
from onrecord.service.caller import Caller
from onrecord.service.memory import Memory
from onrecord.service.replaying import Known, Replayed
from onrecord.service.work import Secrets, begin

#: How often a restore begins anew because somebody wrote meanwhile.
_TRIES = 5

Tell = Callable[[str], None]


@dataclass(frozen=True, kw_only=True, slots=True)
class Restored:
    """What a restore did."""

    #: where the store before it is kept, empty where there was none
    kept: str
    #: the store before it could not be read, so only the list beside it could be obeyed
    unreadable: bool
    items: int
    events: int
    replayed: Replayed
    #: seq of its event
    event: int
    #: whether a store or a list of erasures that goes with the copy's key was here to be obeyed
    heeded: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class Relative:
    """Another store of the same account, which a copy may have been made of."""

    path: str
    ledger: Ledger
    #: names of its keys; none where they cannot be read
    keys: frozenset[str]


@dataclass(frozen=True, kw_only=True, slots=True)
class _Present:
    """The store as it stands before a restore."""

    #: the last line of its log, None where there is no store that can be read
    head: tuple[int, bytes] | None
    known: Known
    unreadable: bool = False
    #: another store here that the copy may have been made of was asked
    relatives: bool = False

    @property
    def heeded(self) -> bool:
        """Whether there was a store, or a list beside it, that tells what came after a copy."""
        known = self.known.erased or self.known.stones
        return self.relatives or self.head is not None or bool(known)


class Copies:
    """The copies of one store."""

    def __init__(
        self,
        room: CopyRoom,
        *,
        path: str,
        open_store: Callable[[str], Store],
        ledger: Ledger,
        clock: Clock,
        ids: Ids,
        zone: tzinfo | None,
        relatives: Sequence[Relative] = (),
        note: Callable[[str, int], None] = lambda _path, _at: None,
    ) -> None:
        """`relatives` are looked at where a copy is one of theirs, whatever it is restored to.

        `note` is told where a copy is to be written, and when.
        """
        self._note = note
        self._relatives = relatives
        self._room = room
        self._path = path
        self._open = open_store
        self._ledger = ledger
        self._clock = clock
        self._ids = ids
        self._zone = zone

    # -- making one -----------------------------------------------------------
    def back_up(self, caller: Caller, target: str = "", passphrase: str = "") -> Copied:
        """Copy the store to a new file, consistent while others write, and check the copy.

        Its keys go beside it, in a file of their own, closed with the passphrase if there is
        one. Without a target it goes to the folder `<store>.backups`. A person and a script
        may; raises `Denied` for an agent, since a copy holds what the agent may not read,
        `StoreUnsafe` where something is at the path, and other store errors.
        """
        if _is_agents(caller.principal):
            raise Denied(
                "An agent may not copy the whole store.",
                hint="Ask the user to run `onrecord backup` in their own terminal.",
            )
        if target:
            self._note(target, self._clock.now())
        copied = self._room.copy(target, self._stamp(), passphrase)
        # a store that cannot be opened can still be copied
        with suppress(StoreError), closing(self._open(self._path)) as store, store.read() as tx:
            erasures.complete(self._ledger, tx)
        return copied

    def kept(self, since: int = 0) -> list[str]:
        """Paths of the copies in the store's own folder; they hold what was erased since.

        With an instant, those that were made then or later: an earlier one does not hold what
        came at that time.
        """
        return self._room.kept(since)

    # -- restoring one ----------------------------------------------------------
    def restore(
        self,
        file: str,
        caller: Caller,
        tell: Tell = lambda _: None,
        *,
        passphrase: str = "",
        keep: bool = True,
    ) -> Restored:
        """Let a copy be the store again; the store before it is kept beside it.

        Without `keep` it is all done with a private copy that goes again, so that it is known
        what would come; a person needs no key for that.

        The passphrase opens keys that were closed with one; where the store's own keys know
        the copy's, none is needed.

        What was erased after the copy was made is erased in it again, and what was rejected
        stays rejected, before it can be opened. Belief is kept. Only a person who typed a key
        for it may. Raises `NeedsPerson`, `NotFound`, `KeyUnreadable` and store errors, with
        the present store unchanged.
        """
        if not caller.principal.is_person or (keep and not caller.principal.confirmed):
            raise NeedsPerson
        for _ in range(_TRIES):
            before = self._present(tell)
            with self._room.prepared(file, passphrase) as copy:
                tell("checking the copy")
                present = self._with_relatives(before, copy)
                restored = self._made_ready(copy, caller, present, tell)
                if not keep:
                    return restored("")
                self._ledger.add(replaying.unlisted(present.known, self._ledger))
                tell("putting it in place")
                kept = self._room.put_in_place(
                    copy, self._stamp(), head=present.head, heeding=replaying.HEEDED
                )
            if kept is not None:
                return restored(kept)
        raise StoreBusy(
            "Others kept forgetting or rejecting, so nothing was restored.",
            hint="Wait until they are done, and try again.",
        )

    def _present(self, tell: Tell) -> _Present:
        """The store as it stands, or what the list beside it tells where it cannot be read."""
        tell("reading what was erased and rejected")
        return self._standing(self._path, self._ledger)

    def _standing(self, path: str, ledger: Ledger) -> _Present:
        try:
            with closing(self._open(path)) as store, store.read() as tx:
                head = tx.events.head()
                return _Present(head=head, known=replaying.known_to(tx, ledger))
        except StoreMissing:
            return _Present(head=None, known=replaying.known_beside(ledger))
        except StoreCorrupt:
            known = replaying.known_beside(ledger)
            return _Present(head=None, known=known, unreadable=True)

    def _with_relatives(self, present: _Present, copy: Prepared) -> _Present:
        """What is known with what the stores know that the copy may have been made of."""
        keys = {copy.key_id, *(name for name, _ in copy.older)}
        found = [present]
        for one in self._relatives:
            # where its keys are gone, the list names those that it was made with
            names = one.keys or {
                stone.key_id for each in one.ledger.read() for stone in each.stones
            }
            if names & keys:
                found.append(self._standing(one.path, one.ledger))
        known = replaying.merged([each.known for each in found])
        return replace(present, known=known, relatives=any(each.heeded for each in found[1:]))

    def _made_ready(
        self, copy: Prepared, caller: Caller, present: _Present, tell: Tell
    ) -> Callable[[str], Restored]:
        """Check the prepared copy, erase and reject in it again, and put its event on record."""
        with closing(self._open(copy.path)) as store:
            secrets = Secrets(key_id=copy.key_id, key=copy.key, older=copy.older)
            memory = Memory(
                store, clock=self._clock, ids=self._ids, secrets=lambda: secrets, zone=self._zone
            )
            _refuse_unsound(memory.check())
            if present.heeded:
                tell("erasing again what was erased since")
            with store.write() as tx:
                work = begin(
                    tx,
                    caller,
                    clock=self._clock,
                    ids=self._ids,
                    secrets=secrets,
                    zone=self._zone,
                )
                before = tx.events.head()
                replayed = replaying.replay(work, present.known)
                event = work.record(
                    "backup_restored",
                    fields=("store",),
                    change={
                        "head": (_told(present.head), _told(before)),
                        "erased": (0, replayed.erased),
                        "rejected": (0, replayed.rejected),
                        "tombstones": (0, replayed.stones),
                    },
                )
                items = tx.items.count(None, ("active", "proposed", "archived"))
            store.scrub()
        return lambda kept: Restored(
            kept=kept,
            unreadable=present.unreadable,
            items=items,
            events=event.seq,
            replayed=replayed,
            event=event.seq,
            heeded=present.heeded,
        )

    def _stamp(self) -> str:
        """The time in a form that names a file."""
        return f"{time.to_datetime(self._clock.now()):%Y%m%dT%H%M%SZ}"


def _is_agents(principal: Principal) -> bool:
    if principal.is_person:
        return False
    seen = principal.proof.get("ancestor") or principal.proof.get("variables")
    return principal.agent != SCRIPT or bool(seen)


def _told(head: tuple[int, bytes] | None) -> str | None:
    return None if head is None else f"{head[0]}:{head[1].hex()}"


def _refuse_unsound(found: Check) -> None:
    """Raises where a copy is damaged, or its key is another store's."""
    if found.sound:
        return
    if found.damaged and not found.faults and found.broken_at is None:
        raise KeyUnreadable(
            "The key does not fit that copy, or its content was changed. Nothing was restored.",
            hint="Put the keys that were beside the copy there again.",
            details={"damaged": len(found.damaged)},
        )
    raise StoreCorrupt(
        "That copy is damaged, so it was not restored. The store is as it was.",
        details={
            "faults": len(found.faults),
            "broken_at": found.broken_at,
            "damaged": len(found.damaged),
        },
    )
