"""The machine's clock and a source of ids and salts, in the shape of the ports."""

from __future__ import annotations

import os
import threading
import time

from onrecord.domain import ulid

_STEP_MASK = (1 << 80) - 1


class SystemClock:
    """The machine's clock."""

    def now(self) -> int:
        """UTC microseconds."""
        return time.time_ns() // 1_000


class RandomIds:
    """ULIDs from the system's randomness, each greater than the one before."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._last_ms = -1
        self._entropy = 0

    def new(self, at: int) -> str:
        """A ULID for that instant; within one millisecond the random part counts up."""
        with self._lock:
            ms = max(at // 1_000, self._last_ms)
            if ms == self._last_ms:
                self._entropy = (self._entropy + 1) & _STEP_MASK
            else:
                self._entropy = int.from_bytes(os.urandom(10), "big")
            self._last_ms = ms
            return ulid.encode(ms * 1_000, self._entropy.to_bytes(10, "big"))

    def salt(self) -> bytes:
        """Sixteen random bytes."""
        return os.urandom(16)
