"""How a writer waits for its turn: long enough, and no newcomer faster than the others."""

from __future__ import annotations

import os
import time

#: Seconds after which a writer gives up with `StoreBusy`.
LIMIT_S = 30.0
#: Longest pause between two tries, in seconds.
_PAUSE_S = 0.02


class Patience:
    """A busy handler: sleeps a random short while, until the limit is past.

    The engine's own handler sleeps longer the longer one has waited, so that newcomers win.
    """

    def __init__(self) -> None:
        #: seconds after which it gives up
        self.limit_s = LIMIT_S
        #: whether the last lock had to be waited for
        self.waited = False
        self._since = 0.0

    def __call__(self, tries: int) -> bool:
        """Wait a little; says whether to try again. `tries` is the count for this lock."""
        now = time.monotonic()
        if not tries:
            self._since = now
        self.waited = True
        if now - self._since > self.limit_s:
            return False
        pause()
        return True


def pause() -> None:
    """Sleep a random part of the longest pause."""
    time.sleep(_PAUSE_S * (os.urandom(1)[0] + 1) / 256)
