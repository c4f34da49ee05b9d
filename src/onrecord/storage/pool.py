"""Connections that wait to be used again, each by one thread at a time, in one process."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from typing import Generic, Protocol, TypeVar

from onrecord.domain.errors import StoreError


class Closable(Protocol):
    """What a pool needs of a connection."""

    def close(self) -> None:
        """Give up the connection."""
        ...


C = TypeVar("C", bound=Closable)


class Pool(Generic[C]):
    """Connections by purpose; opens one where none is free. Safe to use from many threads."""

    def __init__(self, opened: Callable[[str], C]) -> None:
        self._opened = opened
        self._free: dict[str, list[C]] = {}
        self._lock = threading.Lock()
        self._pid = os.getpid()
        self._closed = False

    def take(self, purpose: str) -> C:
        """A connection for one thread until `give`; never one from before a fork."""
        with self._lock:
            if self._closed:
                raise StoreError("The store was closed. Nothing was changed.")
            self._notice_fork()
            free = self._free.get(purpose)
            if free:
                return free.pop()
        return self._opened(purpose)

    def give(self, purpose: str, connection: C) -> None:
        """Take back a connection that is outside any transaction."""
        with self._lock:
            if not self._closed:
                self._free.setdefault(purpose, []).append(connection)
                return
        connection.close()

    def close(self) -> None:
        """Close what waits; what is in use closes when it is given back."""
        with self._lock:
            self._notice_fork()
            self._closed = True
            waiting = [connection for free in self._free.values() for connection in free]
            self._free.clear()
        for connection in waiting:
            connection.close()

    def _notice_fork(self) -> None:
        if os.getpid() != self._pid:
            for free in self._free.values():
                for connection in free:
                    keep_for_ever(connection)
            self._free = {}
            self._pid = os.getpid()


def keep_for_ever(connection: object) -> None:
    """Never close a connection that belongs to the parent process.

    Closing would act on the parent's locks and shared log. Only a count that never returns to
    zero keeps the interpreter from doing so at exit.
    """
    import ctypes  # noqa: PLC0415 - after a fork only

    ctypes.pythonapi.Py_IncRef(ctypes.py_object(connection))
