"""The turn to write: threads of one process queue here and not at the database."""

from __future__ import annotations

import os
import threading
from collections.abc import Generator
from contextlib import contextmanager

from onrecord.domain.errors import StoreBusy, StoreError
from onrecord.storage import patience


class Turn:
    """Held by one thread at a time; a child process starts with its own."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._pid = os.getpid()
        self._holder = 0

    @contextmanager
    def held(self) -> Generator[None]:
        """Wait for the turn; `StoreBusy` after the limit, an error inside one's own turn."""
        if os.getpid() != self._pid:
            self._lock, self._pid, self._holder = threading.Lock(), os.getpid(), 0
        me = threading.get_ident()
        if self._holder == me:
            raise StoreError("A write was begun inside another. Nothing was changed.")
        lock = self._lock
        if not lock.acquire(timeout=patience.LIMIT_S):
            raise StoreBusy
        self._holder = me
        try:
            yield
        finally:
            self._holder = 0
            lock.release()
