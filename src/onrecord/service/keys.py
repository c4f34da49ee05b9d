"""The keys that fingerprints are made with: a new one put in use, on record."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import tzinfo

from onrecord.domain.errors import NeedsPerson
from onrecord.domain.ports import Clock, Ids, Store
from onrecord.service.caller import Caller
from onrecord.service.work import Secrets, begin


@dataclass(frozen=True, kw_only=True, slots=True)
class Rotated:
    """A key that was put in use."""

    #: names of the key before and of the new one; a name tells nothing of its key
    before: str
    now: str
    #: how many earlier ones are kept, so that what was made with them is still known
    older: int
    #: seq of its event
    event: int


class Keys:
    """The keys of one open store.

    `fresh` makes a new one: the names of the one in use and of the new one, and what puts it
    in use.
    """

    def __init__(
        self,
        store: Store,
        *,
        clock: Clock,
        ids: Ids,
        secrets: Callable[[], Secrets],
        zone: tzinfo | None,
        fresh: Callable[[], tuple[str, str, Callable[[], None]]],
    ) -> None:
        self._store = store
        self._clock = clock
        self._ids = ids
        self._secrets = secrets
        self._zone = zone
        self._fresh = fresh

    def rotate(self, caller: Caller) -> Rotated:
        """Make a new key and use it from now on; what older ones made stays known by them.

        For a person who typed a key for it: raises `NeedsPerson` for anyone else. Raises
        `KeyUnreadable` where the present ones cannot be read.
        """
        if not caller.principal.is_person or not caller.principal.confirmed:
            raise NeedsPerson
        # everyone who writes reads the keys inside a turn of its own, after this one
        with self._store.write() as tx:
            work = begin(
                tx,
                caller,
                clock=self._clock,
                ids=self._ids,
                secrets=self._secrets(),
                zone=self._zone,
            )
            before, now, use = self._fresh()
            event = work.record("key_rotated", fields=("key",), change={"key": (before, now)})
            use()
        return Rotated(before=before, now=now, older=len(self._secrets().older), event=event.seq)

    def close(self) -> None:
        """Release the store."""
        self._store.close()
